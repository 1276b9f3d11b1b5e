//! Linear temporal logic on finite words: formulas, monitors, a joint shield, and consistency proofs.
//!
//! This crate knows nothing of Minecraft, models, files, clocks or async.

pub mod actions;
mod automaton;
mod axioms;
mod closure;
pub mod consistency;
mod decider;
pub mod explain;
pub mod export;
mod flat;
mod foresee;
pub mod form;
pub mod formula;
mod joint;
pub mod law;
pub mod letter;
mod masks;
pub mod monitor;
mod places;
mod print;
mod residual;
mod satisfy;
pub mod semantics;
pub mod shield;
pub mod syntax;
pub mod transitions;
pub mod verdict;
mod verdicts;
pub mod vocabulary;
pub mod word;

pub use actions::ActionSet;
pub use explain::Explanation;
pub use form::{GuardedLaw, NotOfTheForm};
pub use formula::Formula;
pub use law::{Law, Strength};
pub use letter::{Letter, PropSet};
pub use monitor::Monitor;
pub use shield::{Decision, Force, Judgement, Shield, ShieldOptions, ShieldStats, Violation};
pub use syntax::SyntaxError;
pub use transitions::Transitions;
pub use verdict::Verdict;
pub use vocabulary::{ActionId, PropId, Proposition, Vocabulary};
pub use word::Word;

//! Linear temporal logic on finite words: formulas, monitors, a joint shield, and consistency proofs.
//!
//! This crate knows nothing of Minecraft, models, files, clocks or async.

pub mod consistency;
pub mod form;
pub mod formula;
pub mod letter;
mod print;
pub mod semantics;
pub mod syntax;
pub mod transitions;
pub mod verdict;
pub mod vocabulary;
pub mod word;

pub use form::{GuardedLaw, NotOfTheForm};
pub use formula::Formula;
pub use letter::{Letter, PropSet};
pub use syntax::SyntaxError;
pub use transitions::Transitions;
pub use verdict::Verdict;
pub use vocabulary::{ActionId, PropId, Proposition, Vocabulary};
pub use word::Word;

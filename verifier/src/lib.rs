//! Linear temporal logic on finite words: formulas, monitors, a joint shield, and consistency proofs.
//!
//! This crate knows nothing of Minecraft, models, files, clocks or async.
//!
//! # The idea
//!
//! An agent acts step by step. After each step something holds: the *observations*, and the *action* that led there.
//! Together they are a **letter**, and a run is a word of letters. A **law** is a formula over such words:
//! `G(obs_dark -> X !action_open)` says that when it is dark, the next action is not to open the door.
//!
//! A run that is still going on is a prefix, and what can be said of a prefix is one of four things
//! ([`Verdict`]): the law is *violated*, whatever comes; it is *satisfied*, whatever comes; it is *clear*, nothing is
//! owed though it may still be violated; or it is *pending*, something is owed before the run may stop. A [`Monitor`] finds out
//! by keeping the **residual**: the formula that the rest of the run must satisfy. `G(open -> F close)` after an `open` is
//! "`F close` from the next letter on, and the law itself". Each letter rewrites the residual, there are only finitely many
//! of them, and equal ones are one state: a small deterministic automaton for each law, discovered as the run goes.
//!
//! A [`Shield`] asks *before* an action runs. Many laws at once are more than each alone: one demands after `open` a `close`
//! that another forbids, so it is `open` that must not happen, though neither law says so. The usual way out is one
//! automaton for the conjunction, which is hopeless for more than a dozen laws. But the question is only ever about *this*
//! state and *this* action: is there one finite continuation that satisfies all residuals? That is a search, and mostly a
//! short one:
//!
//! 1. Laws `G(phi_s -> X phi_a)`, the form most laws have, are compiled to masks: what holds now goes in, the set of
//!    allowed actions comes out. They never owe anything, so nothing needs to be searched for them alone.
//! 2. A run may stop at any time. If after the action every law accepts, the action is allowed: a few array look-ups a
//!    law, for all actions at once.
//! 3. Otherwise a plan is drafted that settles one law after the other; it is tried on all, and laws that it breaks are
//!    searched for together. Observations are free within the vocabulary's axioms: local search repairs a plan, and a SAT
//!    solver proves that there is none. A plan found for one action is tried behind the others. What the next action leads to
//!    can be [predicted](Shield::predict).
//! 4. If there is no plan, the laws that joined the search are the reason. The actor and the critic get a minimal set
//!    of them.
//!
//! Whatever exceeds its bounds is *undecided*, is counted, and does not run. Bounds count units of work, not time, and a
//! decision is charged as if it were the first: it depends on where the run is and on what is predicted there, not on what
//! was asked before. Laws are compiled once ([`CompiledLaws`]) and shielded in any number of
//! runs.
//!
//! # In use
//!
//! ```
//! use std::sync::Arc;
//! use ltlcrit_verifier::syntax::parse_infix;
//! use ltlcrit_verifier::{Enforcement, Judgement, Law, PropSet, Shield, ShieldOptions, Vocabulary};
//!
//! let house = Vocabulary::builder("house")
//!     .observation("obs_dark")
//!     .actions(["action_open", "action_close", "action_wait"])
//!     .build()?;
//! let vocabulary = Arc::new(house);
//! let laws = vec![
//!     Law::hard("answer", parse_infix("G(action_open -> F action_close)")?, "Close what you open."),
//!     Law::hard("handle", parse_infix("G(obs_dark -> G !action_close)")?, "In the dark the handle is lost for good."),
//!     Law::soft("dark", parse_infix("G(obs_dark -> X action_wait)")?, "Wait for the light."),
//! ];
//! let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default())?;
//!
//! // It is light: everything is allowed.
//! shield.start(PropSet::EMPTY)?;
//! assert_eq!(shield.decide().allowed.len(), 4);
//!
//! // The world turns dark. Opening would have to be answered by closing, which is no longer possible.
//! let (open, wait) = (vocabulary.action("action_open").unwrap(), vocabulary.action("action_wait").unwrap());
//! let dark = vocabulary.set(["obs_dark"])?;
//! assert!(shield.step(wait, dark)?.is_empty());
//! let decision = shield.decide();
//! assert_eq!(decision.enforcement, Enforcement::All);
//! assert_eq!(decision.allowed.names(&vocabulary), ["action_wait"]);
//!
//! // Light again, and the lost handle is remembered: two laws together block opening, neither does alone.
//! shield.step(wait, PropSet::EMPTY)?;
//! assert_eq!(shield.judge(open), Judgement::Blocked { laws: vec!["answer".into(), "handle".into()], minimal: true });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! [`before_and_after`] explains which letter an observation belongs to, the mistake most laws begin with.
//! [`semantics`] is the definition, written for clarity; every other way of computing is tested against it, the shield
//! against brute force over the conjunction. [`syntax`] reads formulas, and [`guarded`] recognises
//! `G(phi_s -> X phi_a)`. [`consistency`] proves that laws leave an action in every state. [`explain`] gives the reason
//! of a block and the letters of the run that caused it. [`objects`] has laws about objects that are not declared.
//! [`export`] draws monitors. `benches/README.md` has the
//! figures.

#![warn(missing_docs)]

// Files that the integration tests share name this crate as they do.
#[cfg(test)]
extern crate self as ltlcrit_verifier;

pub mod actions;
mod automaton;
mod axioms;
pub mod before_and_after;
pub mod bits;
mod budget;
mod causes;
pub mod compiled;
pub mod consistency;
mod constants;
mod decision_cache;
pub mod definition;
mod dfa_table;
pub mod difference;
mod engine;
pub mod explain;
pub mod export;
pub mod formula;
#[cfg(test)]
#[path = "../tests/it/formulas.rs"]
mod formulas;
pub mod guarded;
mod history;
mod ids;
mod implied;
mod joint;
pub mod judgement;
mod known_by_state;
mod known_parts;
pub mod law;
mod law_set;
pub mod letter;
mod ltlf_sat;
mod masks;
mod minimise;
pub mod monitor;
mod nearest;
mod nnf;
pub mod objects;
mod options;
mod parts;
pub mod prediction;
mod predictions;
mod print;
mod residual;
mod robust;
mod run;
mod sat;
mod search;
pub mod semantics;
pub mod shield;
mod simplify;
pub mod syntax;
pub mod verdict;
mod verdicts;
pub mod vocabulary;
pub mod word;

pub use actions::ActionSet;
pub use compiled::{CompiledLaws, ShieldError};
pub use definition::Definition;
pub use difference::Difference;
pub use explain::{BlockingLaw, Cause, CauseProof, Explanation, Literal};
pub use formula::Formula;
pub use guarded::{GuardedLaw, NotGuarded};
pub use implied::Implied;
pub use judgement::{Decision, Enforcement, Judgement, NamedDecision, Undecided};
pub use law::{AfterBreak, Law, LawId, Strength};
pub use letter::{Letter, PropSet};
pub use minimise::{minimal_subset, try_minimal_subset};
pub use monitor::Monitor;
pub use options::{Fallback, ShieldOptions};
pub use prediction::{Prediction, Way};
pub use shield::{Lift, Shield, ShieldStats};
pub use syntax::SyntaxError;
pub use verdict::Verdict;
pub use vocabulary::{
    ActionId, Axiom, PropId, Proposition, Signature, UnknownProposition, Vocabulary, VocabularyBuilder,
};
pub use word::{RunFault, Word};

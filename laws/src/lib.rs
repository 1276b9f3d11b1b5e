//! Law books: TOML files of laws, each with its explanation, provenance and status.
//!
//! ```toml
//! name = "kitchen"
//! revision = 1
//!
//! [vocabulary]
//! name = "kitchen"
//! observations = { pot_hot = "the pot is hot", gloves_on = "the gloves are on" }
//! actions = { grab_pot = "grab the pot", put_gloves_on = "put the gloves on" }
//!
//! [[law]]
//! id = "no-burns"
//! formula = "G(pot_hot & !gloves_on -> X !grab_pot)"
//! strength = "hard"
//! explanation = "A hot pot burns bare hands."
//! status = "adopted"
//! provenance = { origin = "hand" }
//! ```
//!
//! The optional `axioms` of a vocabulary list conditions that every reachable state satisfies: formulas, or tables such
//! as `{ formula = "pot_boils -> pot_hot", reason = "water boils at 100 degrees" }`.
//!
//! A book can derive further observations from the full observation, which a world records as an object with named
//! fields. [`definition`](ltlcrit_verifier::definition) has the syntax:
//!
//! ```toml
//! [[proposition]]
//! name = "obs_has_5x_log"
//! definition = "inventory[*_log] >= 5"
//! meaning = "carries at least five logs"   # optional
//! provenance = { origin = "hand" }         # optional
//! ```
//!
//! Over a [vocabulary with objects](ltlcrit_verifier::Signature), as planning tasks have, a law can have parameters. It
//! stands for its instances, one for each fitting object or combination of objects; [`MAX_INSTANCES`] is the limit for
//! a book. An instance has an id such as `no-drop(cup)`. Parameters have the types of their predicates and actions; the
//! key `parameters` may give narrower ones. The explanation may mention parameters, too. A proposition that can never
//! hold is false in an instance, and vacuous instances are left out. Such a book names the domain, or one problem, as
//! its vocabulary:
//!
//! ```toml
//! [[law]]
//! id = "no-drop"
//! formula = "G(fragile(?x) & !padded(?x) -> X !drop(?x))"
//! parameters = "?x - item"                 # optional
//! explanation = "Without padding, ?x would break."
//! strength = "hard"
//! status = "adopted"
//! provenance = { origin = "hand" }
//! ```
//!
//! * [`Book`] reads one, from a file or a text; [`BookErrors`] lists all its problems;
//! * [`shipped`] returns the books that come with the program; [`open`] takes a shipped name or a path;
//! * [`Edit`] changes one and keeps comments and order;
//! * [`check()`] finds problems of the laws: unknown propositions, laws that change nothing,
//!   contradictions, over-constrained states;
//! * [`diff()`] compares two books law by law.
//!
//! A [`Diagnostic`] reports each problem, with its place. This crate knows no worlds: the caller supplies the
//! vocabularies that books name.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod bind;
mod book;
pub mod check;
mod derived;
mod diagnostic;
pub mod diff;
mod edit;
mod ground;
mod joint_vocabulary;
mod provenance;
mod read;
mod shipped;
mod source;

pub use book::{Book, BookVocabulary, Entry, MAX_BOOK, Parameter, Template};
pub use check::{CheckOptions, Report, check, check_books};
pub use derived::DerivedEntry;
pub use diagnostic::{BookErrors, Code, Diagnostic, LawRef, MAX_DIAGNOSTICS, Severity};
pub use diff::{Diff, diff};
pub use edit::{Edit, EditError, NewLaw, SaveError};
pub use ground::{MAX_INSTANCES, mentioned};
pub use joint_vocabulary::{JointVocabularyError, joint_vocabulary};
pub use ltlcrit_verifier::law::{Law, Strength};
pub use provenance::{Evidence, Origin, Provenance, Status};
pub use read::{At, Collector, Reading};
pub use shipped::{open, read_named, shipped, shipped_names};
pub use source::{Excerpt, Place, Source};

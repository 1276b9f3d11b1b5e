//! Translates English sentences to temporal-logic laws, and laws back to English.
//!
//! The stages are those of the Safety Chip (section III-C, appendix B). A sentence is split into segments. Referring
//! expressions are recognised and grounded to the propositions of a [`Lexicon`]. Each segment is translated with
//! placeholders, the placeholders are replaced, and the segments are joined. [`Lexical`] uses a grammar, without a
//! model. [`ModelEngine`] asks a language model for each stage and checks each answer.
//!
//! [`English`] renders a formula in English, [`Examples`] finds runs that it allows and forbids, and [`Relations`]
//! compares it with the laws in force.

mod choices;
mod clause;
mod combine;
mod condition;
mod connective;
mod domain;
pub mod engine;
mod english;
mod frames;
mod grammar;
mod index;
mod lexical;
mod lexicon;
mod main_clause;
mod model;
mod noun;
mod parse;
pub mod pattern;
mod quantifier;
mod recognise;
pub mod relation;
pub mod runs;
pub mod sound;
mod words;

pub use domain::OverDomain;
pub use engine::{Choice, Engine, EngineError, EngineInfo, Grounded, Refusal, Segment, Translation};
pub use english::English;
pub use lexical::Lexical;
pub use lexicon::{Lexicon, Object, Term};
pub use model::ModelEngine;
pub use recognise::recognise;
pub use relation::Relations;
pub use runs::{ExampleRun, Examples};
pub use words::{MAX_SENTENCE, MAX_WORDS};

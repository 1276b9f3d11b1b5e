//! Changes to a book as values, each with the text it is stored as.
//!
//! A proposer gives formulas and states as values or as text. Text is read once, where it enters
//! ([`ProposedFormula::parse`], [`ProposedState::named`]). Text that cannot be read stays in the change with the refusal
//! it leads to, because the gate judges and stores such changes too.

use ltlcrit_model::answer::{cut, nearest};
pub use ltlcrit_store::{GateRuling, LawSource, Refusal, RetireCause, UnknownName};
use ltlcrit_verifier::{Formula, PropSet, Vocabulary, syntax};
use serde::{Serialize, Serializer};

/// The longest formula the gate accepts, in bytes of text.
pub const MAX_FORMULA: usize = 4_000;

/// A law someone proposes.
pub type Proposal = ltlcrit_store::Proposal<ProposedFormula>;
/// A change someone proposes.
pub type Change = ltlcrit_store::Change<ProposedFormula, ProposedState>;
/// A formula with its text.
pub type ProposedFormula = Proposed<String, Formula>;
/// A state with the names of the observations that hold in it.
pub type ProposedState = Proposed<Vec<String>, PropSet>;

/// A value with its text, or text that cannot be read with the refusal that says why. Serialised as the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed<W, T> {
    text: W,
    value: Result<T, Refusal>,
}

impl<W, T> Proposed<W, T> {
    /// The text, as it is stored.
    pub fn text(&self) -> &W {
        &self.text
    }

    /// The value.
    ///
    /// # Errors
    /// The refusal, if the text could not be read.
    pub fn value(&self) -> Result<&T, Refusal> {
        self.value.as_ref().map_err(Clone::clone)
    }
}

impl<W: Serialize, T> Serialize for Proposed<W, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl ProposedFormula {
    /// Reads a formula in either notation, as books are read: names the vocabulary knows help to tell the notation.
    pub fn parse(text: &str, vocabulary: &Vocabulary) -> Self {
        let parse = |text: &str| {
            let formula = syntax::parse_over(text, vocabulary).or_else(|_| syntax::parse(text));
            formula.map_err(|error| Refusal::Syntax { message: error.to_string() })
        };
        Self { text: cut(text, MAX_FORMULA), value: within_bound(text).and_then(|()| parse(text)) }
    }
}

impl From<Formula> for ProposedFormula {
    fn from(formula: Formula) -> Self {
        let text = formula.to_string();
        Self { value: within_bound(&text).map(|()| formula), text: cut(&text, MAX_FORMULA) }
    }
}

fn within_bound(text: &str) -> Result<(), Refusal> {
    let message = || format!("it is longer than {MAX_FORMULA} bytes; say it in less, or in several laws");
    if text.len() > MAX_FORMULA { Err(Refusal::Syntax { message: message() }) } else { Ok(()) }
}

impl ProposedState {
    /// A state of a vocabulary.
    pub fn new(state: PropSet, vocabulary: &Vocabulary) -> Self {
        Self { text: names(&state, vocabulary), value: Ok(state) }
    }

    /// The state of a retirement; a state in which nothing holds is left out of records.
    pub(crate) fn of_retirement(state: PropSet, vocabulary: &Vocabulary) -> Option<Self> {
        (state != PropSet::EMPTY).then(|| Self::new(state, vocabulary))
    }

    /// Reads a state by the names of the observations that hold in it.
    pub fn named(text: Vec<String>, vocabulary: &Vocabulary) -> Self {
        let known: Vec<&str> = vocabulary.observations().iter().map(|known| &*known.name).collect();
        let unknown: Vec<UnknownName> =
            text.iter().filter(|name| !known.contains(&name.as_str())).map(|name| unknown_name(name, &known)).collect();
        let value = match unknown.is_empty() {
            true => Ok(text.iter().filter_map(|name| vocabulary.id(name)).collect()),
            false => Err(Refusal::UnknownPropositions { names: unknown }),
        };
        Self { text, value }
    }
}

/// The names of the propositions that hold in a state.
pub(crate) fn names(state: &PropSet, vocabulary: &Vocabulary) -> Vec<String> {
    vocabulary.names(state).into_iter().map(str::to_owned).collect()
}

/// A name that is not among the known ones, with the nearest that is.
pub(crate) fn unknown_name(name: &str, known: &[&str]) -> UnknownName {
    UnknownName { name: name.to_owned(), suggestion: nearest(name, known.iter().copied()).map(str::to_owned) }
}

/// A change that the gate refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The change.
    pub change: Change,
    /// The reason.
    pub refusal: Refusal,
}

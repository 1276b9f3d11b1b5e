//! Translations: the results of engines, segment by segment, and the reasons to refuse.

use std::sync::Arc;

use ltlcrit_verifier::Formula;
use serde::Serialize;
use thiserror::Error;

use crate::domain::OverDomain;
use crate::lexicon::Lexicon;

/// A part of a sentence with its formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Segment {
    /// Its words.
    pub text: String,
    /// Its formula.
    #[serde(serialize_with = "as_text")]
    pub formula: Formula,
    /// The expressions that refer to something, each with the proposition it was grounded to.
    pub grounded: Vec<Grounded>,
    /// The segment with placeholders for what it refers to, if the engine makes one.
    pub lifted_text: Option<String>,
    /// The law with a parameter whose instances the formula joins, if the segment speaks of every object of a kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<OverDomain>,
    /// The formula with placeholders.
    #[serde(serialize_with = "as_text")]
    pub lifted: Formula,
}

fn as_text<S: serde::Serializer>(formula: &Formula, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(formula)
}

/// An expression and the proposition it refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grounded {
    /// Its placeholder in the lifted formula.
    pub placeholder: String,
    /// The words.
    pub words: String,
    /// The proposition.
    pub proposition: Arc<str>,
}

/// A sentence with its formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Translation {
    /// The sentence.
    pub sentence: String,
    /// Its segments; the law is their conjunction.
    pub segments: Vec<Segment>,
}

impl Translation {
    /// The conjunction of the segments.
    pub fn formula(&self) -> Formula {
        self.segments.iter().map(|segment| segment.formula.clone()).reduce(Formula::and).unwrap_or(Formula::True)
    }
}

/// The engine that made a translation, for its provenance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineInfo {
    /// The engine: `lexical` or `model`.
    pub engine: &'static str,
    /// The model, if the engine uses one.
    pub model: Option<String>,
    /// The hash of the prompts, if the engine uses a model.
    pub prompts: Option<String>,
}

/// The reason why an engine returns no translation.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The sentence is not translated.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The model gave no answer.
    #[error(transparent)]
    Model(ltlcrit_model::ModelError),
}

/// An engine that translates sentences to formulas over a lexicon.
#[allow(async_fn_in_trait)]
pub trait Engine {
    /// Describes the engine.
    fn info(&self) -> EngineInfo;

    /// Translates a sentence. The result uses known propositions only; some run satisfies it, and some run violates it.
    ///
    /// # Errors
    /// The reason why the sentence is not translated, or an error of the model.
    async fn translate(&self, sentence: &str) -> Result<Translation, EngineError>;
}

/// A reading among several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The words that this reading interprets.
    pub words: String,
    /// The segment under that reading.
    pub segment: Segment,
}

/// The reason why a sentence is not translated.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "refusal")]
pub enum Refusal {
    /// It is empty or too long.
    #[error(
        "the sentence has {bytes} bytes; between 1 and {} are read, in at most {} words",
        crate::words::MAX_SENTENCE,
        crate::words::MAX_WORDS
    )]
    Length {
        /// Its length.
        bytes: usize,
    },
    /// Some words are not in the vocabulary.
    #[error("in \"{segment}\", nothing in this world is known as {}", quoted(.words))]
    UnknownWords {
        /// The segment.
        segment: String,
        /// The words.
        words: Vec<String>,
    },
    /// All words are known, but their combination is not.
    #[error("\"{segment}\" is not understood{}", .why.as_ref().map_or(String::new(), |why| format!(": {why}")))]
    NotUnderstood {
        /// The segment.
        segment: String,
        /// The reason, if it is known.
        why: Option<String>,
    },
    /// It has several readings, and a person must choose one.
    #[error("\"{segment}\" can be read in {} ways", .choices.len())]
    Ambiguous {
        /// The segment.
        segment: String,
        /// The readings.
        choices: Vec<Choice>,
        /// The unambiguous segments before it.
        before: Vec<Segment>,
        /// The words after it.
        rest: String,
    },
    /// No run satisfies it.
    #[error("no run satisfies it: {formula}")]
    Unsatisfiable {
        /// The formula.
        formula: String,
    },
    /// Every run satisfies it.
    #[error("every run satisfies it: {formula}")]
    Valid {
        /// The formula.
        formula: String,
    },
    /// The search for a satisfying and a violating run exceeded its budget.
    #[error("it is too intricate to be checked: {formula}")]
    Undecided {
        /// The formula.
        formula: String,
    },
    /// The engine gave no usable answer.
    #[error("{why}")]
    Engine {
        /// The reason.
        why: String,
    },
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// Replaces the propositions of a formula by capital letters, in order of appearance. Returns the letters with their
/// propositions.
pub fn lift(formula: &Formula) -> (Formula, Vec<(String, Arc<str>)>) {
    let mut letters: Vec<(String, Arc<str>)> = Vec::new();
    let lifted = formula.with_atoms(&mut |name| {
        if let Some((letter, _)) = letters.iter().find(|(_, known)| known == name) {
            return Formula::Atom(Arc::from(letter.as_str()));
        }
        let number = letters.len();
        let letter = match u8::try_from(number).ok().filter(|number| *number < 26) {
            // F, G, M, R, U, W and X are operators; a digit distinguishes the names from them.
            Some(number) => format!("{}1", char::from(b'A' + number)),
            None => format!("P{number}"),
        };
        letters.push((letter.clone(), name.clone()));
        Formula::Atom(Arc::from(letter))
    });
    (lifted, letters)
}

impl Segment {
    /// Creates a segment. Its lifted form is made from the formula, in which a class of the lexicon counts as one
    /// proposition.
    pub fn new(text: impl Into<String>, formula: &Formula, grounded: &[(String, Arc<str>)], lexicon: &Lexicon) -> Self {
        let (lifted, letters) = lift(formula);
        let formula = lexicon.expand(formula);
        let words = |name: &Arc<str>| {
            grounded.iter().find(|(_, known)| known == name).map_or_else(String::new, |(words, _)| words.clone())
        };
        let grounded: Vec<Grounded> = letters
            .into_iter()
            .map(|(placeholder, proposition)| Grounded { placeholder, words: words(&proposition), proposition })
            .collect();
        let text = text.into();
        let mut lifted_text = Some(text.to_lowercase());
        for one in &grounded {
            // If words are left out or not adjacent, the segment has no lifted form in English.
            let words = one.words.to_lowercase();
            lifted_text = lifted_text.filter(|text| !words.is_empty() && text.contains(&words));
            lifted_text = lifted_text.map(|text| text.replacen(&words, &one.placeholder, 1));
        }
        Self { text, formula, grounded, lifted_text, over: None, lifted }
    }
}

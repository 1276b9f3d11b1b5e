//! A letter of a session: one call, with what is known of its result.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The action of calls that no law of a book tells apart.
pub const OTHER: &str = "other";

/// One call of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Letter {
    /// The action.
    pub action: String,
    /// Its objects, in the order of the action's parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<String>,
    /// True if it ran for sure. A call in flight may have run.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub surely: bool,
    /// The facts that its result made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// The facts that its result may have made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perhaps: Vec<String>,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_true(value: &bool) -> bool {
    *value
}

/// `write(src/a.rs)`, followed by the facts: `test, green`.
impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        if !self.objects.is_empty() {
            write!(f, "({})", self.objects.join(", "))?;
        }
        self.facts.iter().try_for_each(|fact| write!(f, ", {fact}"))
    }
}

/// The letters of a session. A letter that occurs often is kept once, and read once by whoever follows the session.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Word {
    /// The letters that occur.
    distinct: Vec<Letter>,
    /// Their numbers, in the order the calls began.
    numbers: Vec<usize>,
    known: FxHashMap<Letter, usize>,
}

/// The letters of a session as a file has them: those that occur, and their numbers.
#[derive(Serialize, Deserialize)]
struct Written(Vec<Letter>, Vec<usize>);

impl From<Word> for Written {
    fn from(word: Word) -> Self {
        Self(word.distinct, word.numbers)
    }
}

impl TryFrom<Written> for Word {
    type Error = String;

    fn try_from(Written(distinct, numbers): Written) -> Result<Self, String> {
        let known = distinct.iter().cloned().zip(0..).collect();
        match numbers.iter().all(|number| *number < distinct.len()) {
            true => Ok(Self { distinct, numbers, known }),
            false => Err("a letter has no number".into()),
        }
    }
}

impl Word {
    /// The number of a letter in [`Self::distinct`].
    pub fn number(&mut self, letter: Letter) -> usize {
        *self.known.entry(letter).or_insert_with_key(|letter| {
            self.distinct.push(letter.clone());
            self.distinct.len() - 1
        })
    }

    /// Adds letters by their numbers.
    pub fn extend_by(&mut self, numbers: &[usize]) {
        self.numbers.extend_from_slice(numbers);
    }

    /// Replaces the letters from `start` on by letters with these numbers.
    pub fn replace(&mut self, start: usize, numbers: &[usize]) {
        self.numbers[start..start + numbers.len()].copy_from_slice(numbers);
    }

    /// The letters that occur, in the order of their numbers.
    pub fn distinct(&self) -> &[Letter] {
        &self.distinct
    }

    /// The numbers of the letters, in the order the calls began.
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The letter at a place, from 0.
    pub fn get(&self, at: usize) -> Option<&Letter> {
        self.numbers.get(at).map(|number| &self.distinct[*number])
    }

    /// The letters, in the order the calls began.
    pub fn iter(&self) -> impl Iterator<Item = &Letter> {
        self.numbers.iter().map(|number| &self.distinct[*number])
    }

    /// The number of letters.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether no call was made.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

impl Extend<Letter> for Word {
    fn extend<I: IntoIterator<Item = Letter>>(&mut self, letters: I) {
        for letter in letters {
            let number = self.number(letter);
            self.numbers.push(number);
        }
    }
}

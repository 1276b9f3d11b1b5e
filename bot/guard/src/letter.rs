//! A letter of a session: one call, with what is known of its result.

use std::fmt;
use std::sync::Arc;

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
    #[serde(default = "yes", skip_serializing_if = "bool::clone")]
    pub surely: bool,
    /// The facts that its result made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// The facts that its result may have made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perhaps: Vec<String>,
    /// The laws whose time is over. It is known of a coming call alone: a later one asks anew.
    #[serde(skip)]
    pub late: Vec<Arc<str>>,
}

fn yes() -> bool {
    true
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

/// The letters of a session. A letter that occurs often is kept once, and read once by whoever follows the session. Letters
/// that no law needs may be [left out](Self::leave_out).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Word {
    /// The letters that occur.
    distinct: Vec<Letter>,
    /// Their numbers, in the order the calls began.
    numbers: Vec<usize>,
    /// Made when it is needed.
    #[serde(skip)]
    known: FxHashMap<Letter, usize>,
    /// Moments, in seconds, each with the number of letters before it; the last one is the present.
    moments: Vec<(usize, u64)>,
    /// The numbers of the session's calls that the first letters are, from 1, if some were left out.
    calls: Vec<usize>,
    /// The number of letters that were left out.
    left_out: usize,
}

impl Word {
    /// The number of a letter in [`Self::distinct`].
    pub fn number(&mut self, letter: Letter) -> usize {
        if self.known.len() < self.distinct.len() {
            self.known = self.distinct.iter().cloned().zip(0..).collect();
        }
        *self.known.entry(letter).or_insert_with_key(|letter| {
            self.distinct.push(letter.clone());
            self.distinct.len() - 1
        })
    }

    /// Sets the present, in seconds. It does not go back, even if a clock does.
    pub fn set_now(&mut self, now: u64) {
        let length = self.len();
        let now = now.max(self.moments.last().map_or(0, |(_, moment)| *moment));
        self.moments.pop_if(|(at, _)| *at == length);
        self.moments.push((length, now));
    }

    /// The place of the first letter that began within some minutes before the present, and that of the first letter that
    /// may have: the time of the earliest ones may be unknown. `None` if the present is unknown.
    pub fn within(&self, minutes: u32) -> Option<(usize, usize)> {
        let (_, now) = self.moments.last()?;
        let start = now.saturating_sub(u64::from(minutes) * 60);
        let first = self.moments.partition_point(|(_, moment)| *moment < start);
        let (surely, _) = self.moments.get(first)?;
        Some((*surely, if first == 0 { 0 } else { *surely }))
    }

    /// The number of the session's call that the letter at a place is, from 1.
    pub fn call(&self, at: usize) -> usize {
        self.calls.get(at).copied().unwrap_or(at + 1 + self.left_out)
    }

    /// The number of the session's calls.
    pub fn calls(&self) -> usize {
        self.len() + self.left_out
    }

    /// Leaves out those of the first letters that are not `needed`.
    pub fn leave_out(&mut self, needed: &[bool]) {
        let is_needed = |at: &usize| needed.get(*at).copied().unwrap_or(true);
        let places: Vec<usize> = (0..self.len()).filter(is_needed).collect();
        let left_out = self.len() - places.len();
        let early = needed.len().max(self.calls.len());
        let numbered = places.iter().take_while(|at| **at < early).map(|at| self.call(*at)).collect();
        // Of the moments before the other letters, the last one says that the time of those is known.
        let mut moments = std::mem::take(&mut self.moments);
        let past = moments.partition_point(|(at, _)| *at < needed.len());
        moments.drain(..past.saturating_sub(1));
        moments.iter_mut().for_each(|(at, _)| *at = at.saturating_sub(left_out));
        let mut word = Self { moments, calls: numbered, left_out: self.left_out + left_out, ..Self::default() };
        word.extend(places.iter().filter_map(|at| self.get(*at).cloned()));
        *self = word;
    }

    /// Returns whether each number is that of a letter, as it may not be in a file.
    pub fn is_whole(&self) -> bool {
        self.numbers.iter().all(|number| *number < self.distinct.len())
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

//! The latest letters of a run and where each law's monitor began: what explains a block by what happened before it.
//!
//! Reading a letter appends it and nothing more. Which letters matter is found out when somebody asks, from the letters
//! alone (`causes`).

use crate::letter::Letter;
use crate::residual::Residual;

/// How many of the latest letters are kept for sure. Runs have some hundred.
const MOST_LETTERS: usize = 4096;

/// The latest letters of a run, numbered from 0: where no action passes through others, letter `n` is
/// what holds after step `n` of the run.
#[derive(Debug, Default)]
pub(crate) struct History {
    letters: Vec<Letter>,
    /// How many letters came before those kept.
    forgotten: usize,
    /// The numbers of the letters that an action passed through before its step ended, ascending.
    passed: Vec<usize>,
    /// For each watched law, by position: where its monitor began.
    begun: Vec<Begun>,
}

/// Where the monitor of a law began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The first letter it read.
    pub letter: usize,
    /// What the law demanded before that letter, if it had been broken and went on; else it was the law itself.
    pub kept: Option<Residual>,
}

impl History {
    /// Begins anew with letter 0, which every watched law reads.
    pub fn start(&mut self, letter: Letter, watched: usize) {
        self.letters.clear();
        self.letters.push(letter);
        self.forgotten = 0;
        self.passed.clear();
        self.begun.clear();
        self.begun.resize(watched, Begun::default());
    }

    /// Appends a letter.
    #[inline]
    pub fn push(&mut self, letter: Letter) {
        if self.letters.len() >= 2 * MOST_LETTERS {
            self.forget();
        }
        self.letters.push(letter);
    }

    #[cold]
    fn forget(&mut self) {
        self.letters.drain(..MOST_LETTERS);
        self.forgotten += MOST_LETTERS;
    }

    /// The current letter is one that an action passes through: its step goes on.
    pub fn passes(&mut self) {
        self.passed.push(self.now());
    }

    /// The step of the run that a letter belongs to.
    pub fn step(&self, letter: usize) -> usize {
        letter - self.passed.partition_point(|passed| *passed < letter)
    }

    /// The number of the current letter.
    pub fn now(&self) -> usize {
        (self.forgotten + self.letters.len()).saturating_sub(1)
    }

    /// The number of the first letter kept.
    pub fn first(&self) -> usize {
        self.forgotten
    }

    /// The letter with this number, if it is kept.
    pub fn letter(&self, number: usize) -> Option<Letter> {
        self.letters.get(number.checked_sub(self.forgotten)?).copied()
    }

    /// Where the monitor of the watched law at a position began. If that letter alone breaks the law, the monitor began with
    /// the next one instead.
    pub fn begun(&self, position: usize) -> Begun {
        self.begun.get(position).cloned().unwrap_or_default()
    }

    /// The monitor of a watched law begins afresh with the current letter.
    pub fn begin(&mut self, position: usize) {
        let now = self.now();
        if let Some(begun) = self.begun.get_mut(position) {
            *begun = Begun { letter: now, kept: None };
        }
    }

    /// The watched law at a position was broken, and its monitor goes on as if it had begun there.
    pub fn keep(&mut self, position: usize, goes_on: Begun) {
        if let Some(begun) = self.begun.get_mut(position) {
            *begun = goes_on;
        }
    }

    /// Other laws are watched: for each of them the position it had before, `None` for one that begins now.
    pub fn replace(&mut self, from: impl Iterator<Item = Option<usize>>) {
        let now = self.now();
        self.begun = from.map(|old| old.map_or(Begun { letter: now, kept: None }, |old| self.begun(old))).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PropId, PropSet};

    #[test]
    fn the_latest_letters_keep_their_numbers() {
        let letter = |number: usize| Letter(PropSet::one(PropId((number % 200) as u16)));
        let mut history = History::default();
        history.start(letter(0), 2);
        for number in 1..=3 * MOST_LETTERS {
            history.push(letter(number));
            assert_eq!(history.now(), number);
        }
        history.begin(1);
        assert_eq!((history.begun(0).letter, history.begun(1).letter), (0, 3 * MOST_LETTERS));
        assert_eq!(history.first(), 2 * MOST_LETTERS);
        assert_eq!(history.letter(2 * MOST_LETTERS - 1), None);
        for number in history.first()..=history.now() {
            assert_eq!(history.letter(number), Some(letter(number)));
        }
        history.replace([Some(1), None, Some(0)].into_iter());
        assert_eq!([0, 1, 2].map(|law| history.begun(law).letter), [3 * MOST_LETTERS, 3 * MOST_LETTERS, 0]);
    }
}

//! The latest letters of a run and the starting point of each law's monitor, which explanations of blocks use.
//!
//! Reading a letter only appends it. The letters that matter are determined on request, from the letters alone
//! (`causes`).

use crate::letter::Letter;
use crate::residual::Residual;

/// Minimum number of latest letters that are kept. Runs have some hundred letters.
const MAX_LETTERS: usize = 4096;

/// The latest letters of a run, numbered from 0. Without intermediate states, letter `n` is the letter after step `n`
/// of the run.
#[derive(Debug, Default)]
pub(crate) struct History {
    letters: Vec<Letter>,
    /// The number of letters before those kept.
    forgotten: usize,
    /// The numbers of the intermediate letters, ascending: their step continues after them.
    passed: Vec<usize>,
    /// The starting point of each watched law's monitor, by position; those left out began with letter 0.
    begun: Vec<Begun>,
}

/// The starting point of a law's monitor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The number of the first letter it read.
    pub letter: usize,
    /// The residual of the law before that letter, if the law had been broken and continued; `None` for the law itself.
    pub kept: Option<Residual>,
}

impl History {
    /// Starts a new run with letter 0, which every watched law reads.
    pub fn start(&mut self, letter: Letter) {
        self.letters.clear();
        self.letters.push(letter);
        self.forgotten = 0;
        self.passed.clear();
        self.begun.clear();
    }

    /// Appends a letter.
    #[inline]
    pub fn push(&mut self, letter: Letter) {
        if self.letters.len() >= 2 * MAX_LETTERS {
            self.forget();
        }
        self.letters.push(letter);
    }

    #[cold]
    fn forget(&mut self) {
        self.letters.drain(..MAX_LETTERS);
        self.forgotten += MAX_LETTERS;
    }

    /// Marks the current letter as an intermediate one: its step continues.
    pub fn passes(&mut self) {
        self.passed.push(self.now());
    }

    /// Returns the step of the run that a letter belongs to.
    pub fn step(&self, letter: usize) -> usize {
        letter - self.passed.partition_point(|passed| *passed < letter)
    }

    /// Returns the number of the current letter.
    pub fn now(&self) -> usize {
        (self.forgotten + self.letters.len()).saturating_sub(1)
    }

    /// Returns the number of the first kept letter.
    pub fn first(&self) -> usize {
        self.forgotten
    }

    /// Returns the letter with this number, if it is kept.
    pub fn letter(&self, number: usize) -> Option<Letter> {
        self.letters.get(number.checked_sub(self.forgotten)?).copied()
    }

    /// Returns the starting point of the monitor of the watched law at a position. If that letter alone breaks the law,
    /// the monitor began with the next letter instead.
    pub fn begun(&self, position: usize) -> Begun {
        self.begun.get(position).cloned().unwrap_or_default()
    }

    /// Restarts the monitor of a watched law with the current letter.
    pub fn begin(&mut self, position: usize) {
        self.keep(position, Begun { letter: self.now(), kept: None });
    }

    /// Sets the starting point of the monitor of a watched law.
    pub fn keep(&mut self, position: usize, begun: Begun) {
        if self.begun.len() <= position {
            self.begun.resize(position + 1, Begun::default());
        }
        self.begun[position] = begun;
    }

    /// Replaces the watched laws. `from` has the earlier position of each law, `None` for one that begins now.
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
        history.start(letter(0));
        for number in 1..=3 * MAX_LETTERS {
            history.push(letter(number));
            assert_eq!(history.now(), number);
        }
        history.begin(1);
        assert_eq!((history.begun(0).letter, history.begun(1).letter), (0, 3 * MAX_LETTERS));
        assert_eq!(history.first(), 2 * MAX_LETTERS);
        assert_eq!(history.letter(2 * MAX_LETTERS - 1), None);
        for number in history.first()..=history.now() {
            assert_eq!(history.letter(number), Some(letter(number)));
        }
        history.replace([Some(1), None, Some(0)].into_iter());
        assert_eq!([0, 1, 2].map(|law| history.begun(law).letter), [3 * MAX_LETTERS, 3 * MAX_LETTERS, 0]);
    }
}

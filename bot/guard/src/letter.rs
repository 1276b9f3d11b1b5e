//! The letters of a session: its calls, with what is known of their results.

use std::ops::{Deref, DerefMut};

use ltlcrit_verifier::objects::Events;
pub use ltlcrit_verifier::objects::{Event as Letter, OTHER};
use serde::{Deserialize, Serialize};

/// The letters of a session, with their times. Letters that no law needs may be [left out](Self::leave_out).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Word {
    letters: Events,
    /// Moments, in seconds, each with the number of letters before it; the last one is the present.
    moments: Vec<(usize, u64)>,
    /// The numbers of the session's calls that the first letters are, from 1, if some were left out.
    calls: Vec<usize>,
    /// The number of letters that were left out.
    left_out: usize,
}

impl Word {
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
        // The last one of the moments before the other letters says that the time of those is known.
        let mut moments = std::mem::take(&mut self.moments);
        let past = moments.partition_point(|(at, _)| *at < needed.len());
        moments.drain(..past.saturating_sub(1));
        moments.iter_mut().for_each(|(at, _)| *at = at.saturating_sub(left_out));
        let mut word = Self { moments, calls: numbered, left_out: self.left_out + left_out, ..Self::default() };
        word.extend(places.iter().filter_map(|at| self.get(*at).cloned()));
        *self = word;
    }
}

impl Deref for Word {
    type Target = Events;

    fn deref(&self) -> &Events {
        &self.letters
    }
}

impl DerefMut for Word {
    fn deref_mut(&mut self) -> &mut Events {
        &mut self.letters
    }
}

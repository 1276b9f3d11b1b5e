//! Over-constrained states: one, or all distinct minimal conflicts up to a bound.

use super::{Conflict, Conflicts, Consistency, ConsistencyError, LawSystem};
use crate::letter::PropSet;

impl LawSystem<'_> {
    /// Decides whether any state is over-constrained.
    ///
    /// # Errors
    /// None at present; the budget running out is [`Consistency::Undecided`].
    pub fn check(&mut self) -> Result<Consistency, ConsistencyError> {
        self.check_among(&vec![true; self.law_count])
    }

    /// Decides whether any state is over-constrained by some of the laws, those marked in `among`.
    ///
    /// # Errors
    /// As [`LawSystem::check`].
    pub fn check_among(&mut self, among: &[bool]) -> Result<Consistency, ConsistencyError> {
        let found = self.encoding.over_constrained(among, false).and_then(|state| match state {
            None => Ok(Consistency::Consistent),
            Some(state) => self.minimal(among, state).map(Consistency::OverConstrained),
        });
        match found {
            Err(ConsistencyError::Budget(_)) => Ok(Consistency::Undecided),
            other => other,
        }
    }

    /// The distinct minimal conflicts among the laws marked in `among`, at most `most` of them.
    ///
    /// Every over-constrained state contains one of them if the list is complete. There may be exponentially many.
    ///
    /// # Errors
    /// None at present; when the budget runs out, the list is marked incomplete.
    pub fn conflicts(&mut self, among: &[bool], most: usize) -> Result<Conflicts, ConsistencyError> {
        let mut found = Conflicts::default();
        self.encoding.begin_enumeration();
        while found.conflicts.len() <= most {
            let next = self.encoding.over_constrained(among, true).and_then(|state| match state {
                None => Ok(None),
                Some(state) => {
                    let selected = self.encoding.selected();
                    self.minimal(&selected, state).map(Some)
                }
            });
            match next {
                Ok(None) => {
                    found.complete = true;
                    break;
                }
                Ok(Some(_)) if found.conflicts.len() == most => break,
                Ok(Some(conflict)) => {
                    self.encoding.leave_out(&conflict.laws);
                    found.conflicts.push(conflict);
                }
                Err(ConsistencyError::Budget(_)) => break,
                Err(other) => return Err(other),
            }
        }
        found.conflicts.sort_by(|a, b| (a.laws.len(), &a.laws).cmp(&(b.laws.len(), &b.laws)));
        Ok(found)
    }

    /// From an over-constrained state to a minimal conflict: a law stays only if without it the others over-constrain no
    /// state at all.
    fn minimal(&mut self, among: &[bool], state: PropSet) -> Result<Conflict, ConsistencyError> {
        let mut witness = state;
        let mut laws = self.cover(&witness, among).unwrap_or_default();
        let mut needed = 0;
        while needed < laws.len() {
            let without: Vec<usize> =
                laws.iter().copied().enumerate().filter(|(place, _)| *place != needed).map(|(_, law)| law).collect();
            match self.encoding.over_constrained(&self.mark(&without), false)? {
                None => needed += 1,
                Some(other) => {
                    // The laws found needed so far stay needed in every smaller set, so they come first again.
                    let cover = self.cover(&other, &self.mark(&without)).unwrap_or(without);
                    laws.retain(|law| cover.contains(law));
                    witness = other;
                }
            }
        }
        let witness = self.encoding.plainest_witness(&self.mark(&laws), witness)?;
        laws.sort_unstable();
        Ok(Conflict { witness, laws })
    }

    /// Laws among those marked that leave nothing in a state: greedily few, and none superfluous.
    pub(super) fn cover(&self, observations: &PropSet, among: &[bool]) -> Option<Vec<usize>> {
        let stop = self.stop_index();
        let actions: Vec<usize> = (0..self.vocabulary.actions().len()).filter(|action| Some(*action) != stop).collect();
        let active: Vec<usize> =
            self.active_at(observations).into_iter().filter(|row| among[self.rows[*row].law]).collect();
        let mut candidates: Vec<usize> = active.iter().map(|row| self.rows[*row].law).collect();
        candidates.dedup();
        let blocks = |law: usize, action: usize| {
            active.iter().any(|row| self.rows[*row].law == law && self.rows[*row].blocks[action])
        };
        let mut left = actions.clone();
        let mut chosen: Vec<usize> = Vec::new();
        while !left.is_empty() {
            let gain = |law: usize| left.iter().filter(|action| blocks(law, **action)).count();
            // The first of the best, for the same answer every time.
            let best = candidates.iter().copied().rev().max_by_key(|law| gain(*law)).filter(|law| gain(*law) > 0)?;
            left.retain(|action| !blocks(best, *action));
            chosen.push(best);
        }
        let mut place = 0;
        while place < chosen.len() {
            let covered =
                |action: &usize| chosen.iter().enumerate().any(|(other, law)| other != place && blocks(*law, *action));
            if actions.iter().all(covered) {
                chosen.remove(place);
            } else {
                place += 1;
            }
        }
        chosen.sort_unstable();
        Some(chosen)
    }

    pub(super) fn mark(&self, laws: &[usize]) -> Vec<bool> {
        let mut marks = vec![false; self.law_count];
        laws.iter().for_each(|law| marks[*law] = true);
        marks
    }
}

//! Over-constrained states: one, or all distinct minimal conflicts up to a bound.

use super::{Conflict, Conflicts, Consistency, ConsistencyError, LawSystem};
use crate::actions::ActionSet;
use crate::letter::PropSet;
use crate::minimise::{minimal_subset, try_minimal_subset};

impl LawSystem<'_> {
    /// Decides whether any state is over-constrained.
    ///
    /// # Errors
    /// No error at present; if the budget runs out, the result is [`Consistency::Undecided`].
    pub fn check(&mut self) -> Result<Consistency, ConsistencyError> {
        self.check_among(&vec![true; self.law_count])
    }

    /// Decides whether any state is over-constrained by the laws marked in `among`.
    ///
    /// # Errors
    /// As [`LawSystem::check`].
    pub fn check_among(&mut self, among: &[bool]) -> Result<Consistency, ConsistencyError> {
        match self.conflict(among, false) {
            Ok(None) => Ok(Consistency::Consistent),
            Ok(Some(conflict)) => Ok(Consistency::OverConstrained(conflict)),
            Err(ConsistencyError::Budget(_)) => Ok(Consistency::Undecided),
            Err(other) => Err(other),
        }
    }

    /// Returns a minimal conflict; with `new_only`, one that contains none of those left out so far.
    fn conflict(&mut self, among: &[bool], new_only: bool) -> Result<Option<Conflict>, ConsistencyError> {
        let Some(state) = self.encoding.over_constrained(among, new_only)? else { return Ok(None) };
        let used = if new_only { self.encoding.selected() } else { among.to_vec() };
        self.minimal(&used, state).map(Some)
    }

    /// Returns the distinct minimal conflicts among the laws marked in `among`, at most `most` of them.
    ///
    /// If the list is complete, every over-constrained state contains one of them. There may be exponentially many.
    ///
    /// # Errors
    /// No error at present; if the budget runs out, the list is marked incomplete.
    pub fn conflicts(&mut self, among: &[bool], most: usize) -> Result<Conflicts, ConsistencyError> {
        let mut found = Conflicts::default();
        self.encoding.begin_enumeration();
        while found.conflicts.len() <= most {
            match self.conflict(among, true) {
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

    /// Reduces an over-constrained state to a minimal conflict. A law stays only if the others over-constrain no state
    /// without it.
    fn minimal(&mut self, among: &[bool], state: PropSet) -> Result<Conflict, ConsistencyError> {
        let mut witness = state;
        let laws = self.cover(&witness, among).unwrap_or_default();
        let mut laws = try_minimal_subset(laws, |rest| {
            let Some(state) = self.encoding.over_constrained(&self.mark(rest), false)? else {
                return Ok::<_, ConsistencyError>(None);
            };
            let cover = self.cover(&state, &self.mark(rest)).unwrap_or_else(|| rest.to_vec());
            witness = state;
            Ok(Some(rest.iter().copied().filter(|law| cover.contains(law)).collect()))
        })?;
        let witness = self.encoding.plainest_witness(&self.mark(&laws), witness)?;
        laws.sort_unstable();
        Ok(Conflict { witness, laws })
    }

    /// Returns laws among those marked that leave no action in a state: chosen greedily, none of them superfluous.
    pub(super) fn cover(&self, observations: &PropSet, among: &[bool]) -> Option<Vec<usize>> {
        let mut actions = ActionSet::first(self.vocabulary.actions().len());
        self.vocabulary.stop().into_iter().for_each(|stop| actions.remove(stop));
        // The laws that apply, each with all actions that it blocks. Rules are sorted by law.
        let mut candidates: Vec<(usize, ActionSet)> = Vec::new();
        for rule in
            self.active_at(observations).into_iter().map(|rule| &self.rules[rule]).filter(|rule| among[rule.law])
        {
            match candidates.last_mut().filter(|(law, _)| *law == rule.law) {
                Some((_, blocks)) => *blocks = blocks.union(&rule.blocks),
                None => candidates.push((rule.law, rule.blocks)),
            }
        }
        let mut left = actions;
        let mut chosen: Vec<(usize, ActionSet)> = Vec::new();
        while !left.is_empty() {
            let gain = |blocks: &ActionSet| blocks.intersection(&left).len();
            // Ties go to the first law, so that the answer is deterministic.
            let best = candidates.iter().rev().max_by_key(|(_, blocks)| gain(blocks)).copied()?;
            if gain(&best.1) == 0 {
                return None;
            }
            left = left.difference(&best.1);
            chosen.push(best);
        }
        let chosen = minimal_subset(chosen, |rest| {
            let covered = rest.iter().fold(ActionSet::EMPTY, |all, (_, blocks)| all.union(blocks));
            actions.is_subset(&covered).then(|| rest.to_vec())
        });
        let mut chosen: Vec<usize> = chosen.into_iter().map(|(law, _)| law).collect();
        chosen.sort_unstable();
        Some(chosen)
    }

    pub(super) fn mark(&self, laws: &[usize]) -> Vec<bool> {
        let mut marks = vec![false; self.law_count];
        laws.iter().for_each(|law| marks[*law] = true);
        marks
    }
}

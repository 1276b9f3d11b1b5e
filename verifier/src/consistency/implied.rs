//! Laws that other laws imply.

use super::{ConsistencyError, LawSystem, QUESTION};
use crate::minimise::try_minimal_subset;

/// The number of rules that are examined for a unit of work.
const RULES_LOOKED_AT: usize = 8;

impl LawSystem<'_> {
    /// Returns laws among those marked, other than `law` itself, that imply it: in every state, every action it blocks
    /// is blocked by one of them. `None` if it blocks an action that they do not block. None of the returned laws is
    /// superfluous.
    ///
    /// Stepwise and whole-word implication agree here, because a state and one action after it make a word.
    ///
    /// # Errors
    /// [`ConsistencyError::Budget`].
    pub fn implied_by(&mut self, law: usize, among: &[bool]) -> Result<Option<Vec<usize>>, ConsistencyError> {
        let _before = self.work.only(QUESTION);
        let mut among: Vec<bool> = among.to_vec();
        among[law] = false;
        let Some(laws) = self.implying(law, &among)? else { return Ok(None) };
        try_minimal_subset(laws, |rest| self.implying(law, &self.mark(rest))).map(Some)
    }

    /// Returns laws among those marked that suffice to imply `law`, sorted; some may be superfluous.
    fn implying(&mut self, law: usize, among: &[bool]) -> Result<Option<Vec<usize>>, ConsistencyError> {
        let mut by = Vec::new();
        for rule in self.rows_of(law).filter(|rule| !self.rules[*rule].blocks.is_empty()).collect::<Vec<_>>() {
            for action in self.rules[rule].blocks.iter() {
                let blocking = |other: &usize| self.rules[*other].blocks.contains(action);
                let blockers: Vec<usize> =
                    (0..self.rules.len()).filter(|other| among[self.rules[*other].law] && blocking(other)).collect();
                self.spend((self.rules.len() / RULES_LOOKED_AT) as u64)?;
                let Some(covering) = self.covering(rule, &blockers)? else { return Ok(None) };
                by.extend(covering.into_iter().map(|rule| self.rules[rule].law));
            }
        }
        by.sort_unstable();
        by.dedup();
        Ok(Some(by))
    }

    /// Returns those of `others` that suffice so that one of their guards holds in every state in which the guard of a rule
    /// does; `None` if there is a state in which none does. A guard joins the question only when it holds in a state that the
    /// solver returned: few guards suffice to cover all states, or to find an uncovered one.
    pub(super) fn covering(&mut self, rule: usize, others: &[usize]) -> Result<Option<Vec<usize>>, ConsistencyError> {
        let mut met: Vec<usize> = Vec::new();
        loop {
            let before = self.encoding.work();
            let answer = self.encoding.uncovered(rule, &met);
            self.spend(1 + self.encoding.work() - before)?;
            let state = match answer? {
                Ok(state) => state,
                Err(covering) => return Ok(Some(covering)),
            };
            let found = others.iter().position(|other| self.rules[*other].applies(self.vocabulary, &state));
            let looked_at = &others[..found.map_or(others.len(), |at| at + 1)];
            let long: usize = looked_at.iter().map(|rule| self.rules[*rule].cost).sum();
            self.spend((looked_at.len() / RULES_LOOKED_AT + long) as u64)?;
            let Some(found) = found else { return Ok(None) };
            met.push(others[found]);
        }
    }
}

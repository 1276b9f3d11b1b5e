//! Laws that other laws imply.

use super::single::RULES_LOOKED_AT;
use super::{ConsistencyError, LawSystem, QUESTION};
use crate::minimise::try_minimal_subset;

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
            let mut question = self.where_guard_holds(rule);
            for action in self.rules[rule].blocks.iter() {
                let blocking = |other: &usize| self.rules[*other].blocks.contains(action);
                let blockers: Vec<usize> =
                    (0..self.rules.len()).filter(|other| among[self.rules[*other].law] && blocking(other)).collect();
                self.spend((self.rules.len() / RULES_LOOKED_AT) as u64)?;
                if question.uncovered(self, &blockers)?.is_some() {
                    return Ok(None);
                }
                by.extend(question.core().into_iter().map(|rule| self.rules[rule].law));
            }
        }
        by.sort_unstable();
        by.dedup();
        Ok(Some(by))
    }
}

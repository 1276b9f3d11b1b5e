//! Stalls: steps in a row without an observation that is new to the run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_store::End;
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};

use super::readable;
use crate::actor::PastStep;

/// The maximum number of actions that the end of a stalled run names.
const MAX_NAMED: usize = 3;

/// Counts the steps since the last set of observations that was new to the run. A subgoal that is reached for the first
/// time is new. One more log in the inventory is not, unless a law mentions it.
#[derive(Debug, Default)]
pub(super) struct Stall {
    seen: BTreeSet<PropSet>,
    steps: u64,
}

impl Stall {
    /// Counts a step by the observations after it.
    pub fn step(&mut self, holds: PropSet) {
        self.steps = if self.seen.insert(holds) { 0 } else { self.steps + 1 };
    }

    /// Resets the count for a stalled run that is resumed.
    pub fn forgive(&mut self) {
        self.steps = 0;
    }

    /// Returns the end of a run that has observed nothing new for `limit` steps. A limit of 0 never ends a run.
    pub fn end(&self, limit: u64, history: &[PastStep], vocabulary: &Vocabulary) -> Option<End> {
        if limit == 0 || self.steps < limit {
            return None;
        }
        let mut counts: BTreeMap<ActionId, usize> = BTreeMap::new();
        for past in history.iter().rev().take(usize::try_from(self.steps).unwrap_or(usize::MAX)) {
            *counts.entry(past.action).or_default() += 1;
        }
        let mut counts: Vec<(ActionId, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        let named = counts.iter().take(MAX_NAMED);
        let named = named.map(|(action, count)| format!("{count} x {}", readable(vocabulary.action_name(*action))));
        let mut actions: Vec<String> = named.collect();
        actions.extend((counts.len() > MAX_NAMED).then(|| format!("{} others", counts.len() - MAX_NAMED)));
        Some(End::Stalled { steps: self.steps, actions: actions.join(", ") })
    }
}

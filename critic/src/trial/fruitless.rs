//! Fruitless actions: those that only ever failed or changed nothing in a state.

use std::collections::BTreeMap;

use ltlcrit_verifier::{ActionId, ActionSet, PropSet};

use crate::graph::RunPath;

/// The fewest attempts in a state after which an action that never did anything there counts as fruitless.
const ENOUGH_ATTEMPTS: u32 = 2;

/// The fruitless actions of each state in which there is one: each was tried there twice or more, and every time it failed, or
/// neither an observation nor a count changed.
pub(super) fn fruitless<'a>(runs: impl Iterator<Item = &'a RunPath>) -> BTreeMap<PropSet, ActionSet> {
    let mut attempts: BTreeMap<(PropSet, ActionId), (u32, bool)> = BTreeMap::new();
    for run in runs {
        for (at, step) in run.steps.iter().enumerate() {
            let before = run.state_before(at);
            let counts = |at: usize, moved: bool| run.counts.get(&(at, moved));
            let is_same = step.to == before && counts(at, run.moved.contains_key(&at)) == counts(at + 1, false);
            let (tried, in_vain) = attempts.entry((before, step.action)).or_insert((0, true));
            *tried += 1;
            *in_vain &= step.failure.is_some() || is_same;
        }
    }
    let mut fruitless: BTreeMap<PropSet, ActionSet> = BTreeMap::new();
    for ((state, action), (tried, in_vain)) in attempts {
        if in_vain && tried >= ENOUGH_ATTEMPTS {
            fruitless.entry(state).or_default().insert(action);
        }
    }
    fruitless
}

//! What became of runs after a proposed action was blocked.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};

use super::verdict::{Trial, Verdict};
use crate::graph::Citation;

/// An action that a law blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// The observations that held.
    pub state: PropSet,
    /// The action.
    pub action: ActionId,
    /// The step at which it was blocked.
    pub step: Citation,
    /// Whether it was proposed. If not, the law would have blocked it.
    pub proposed: bool,
}

/// The last needed step of each run and the number of its steps. That step brought something, or the goal.
fn gains(trials: &[Trial]) -> BTreeMap<RunId, (u32, u32)> {
    let mut gains: BTreeMap<RunId, (u32, u32)> = BTreeMap::new();
    for trial in trials {
        let (gain, steps) = gains.entry(trial.step.run).or_default();
        *steps = trial.step.step.max(*steps);
        if matches!(trial.verdict, Verdict::Needed | Verdict::Gained) {
            *gain = trial.step.step.max(*gain);
        }
    }
    gains
}

/// Trials of blocked actions that runs got on without, proposed or not: a later step brought something. One for each run and
/// state.
pub(super) fn spared(blocks: &[Block], trials: &[Trial]) -> Vec<Trial> {
    let gains = gains(trials);
    let mut seen: BTreeSet<(RunId, PropSet, ActionId)> = BTreeSet::new();
    let got_on = |block: &&Block| gains.get(&block.step.run).is_some_and(|(gain, _)| block.step.step <= *gain);
    let first = |block: &&Block| seen.insert((block.step.run, block.state, block.action));
    let spared =
        |block: &Block| Trial { state: block.state, action: block.action, verdict: Verdict::Spared, step: block.step };
    blocks.iter().filter(got_on).filter(first).map(spared).collect()
}

/// Blocked actions that may lead out of dead ends. A dead end is a state in which a run was after the last step that brought
/// something, at least `least` steps before its end, and from which no run got on. The action is wanted if no run tried it there;
/// if runs needed some of these actions elsewhere, only those are. One for each state.
pub(super) fn wanted(blocks: &[Block], trials: &[Trial], least: u32) -> Vec<Block> {
    let gains = gains(trials);
    let tried: BTreeSet<(PropSet, ActionId)> = trials.iter().map(|trial| (trial.state, trial.action)).collect();
    let got_on: BTreeSet<PropSet> = trials
        .iter()
        .filter(|trial| gains.get(&trial.step.run).is_some_and(|(gain, _)| trial.step.step <= *gain))
        .map(|trial| trial.state)
        .collect();
    let mut wanted: BTreeMap<(PropSet, ActionId), Block> = BTreeMap::new();
    for block in blocks.iter().filter(|block| block.proposed) {
        let dead_end =
            gains.get(&block.step.run).is_some_and(|(gain, steps)| block.step.step > *gain && steps - gain >= least);
        if dead_end && !got_on.contains(&block.state) && !tried.contains(&(block.state, block.action)) {
            wanted.entry((block.state, block.action)).or_insert(*block);
        }
    }
    let useful: BTreeSet<ActionId> = trials
        .iter()
        .filter(|trial| matches!(trial.verdict, Verdict::Needed | Verdict::Gained))
        .map(|trial| trial.action)
        .collect();
    let promising: BTreeSet<PropSet> =
        wanted.keys().filter(|(_, action)| useful.contains(action)).map(|(state, _)| *state).collect();
    wanted.retain(|(state, action), _| useful.contains(action) || !promising.contains(state));
    wanted.into_values().collect()
}

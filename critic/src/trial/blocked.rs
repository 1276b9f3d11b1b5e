//! What became of runs after a proposed action was blocked.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};

use super::verdict::{Trial, Verdict};
use crate::graph::Citation;

/// A proposed action that a law blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// The observations that held.
    pub state: PropSet,
    /// The action.
    pub action: ActionId,
    /// The step at which it was blocked.
    pub step: Citation,
}

/// The last [gain](Trial::gain) of each run and the number of its steps. A run that reached its goal ends with one.
fn gains(trials: &[Trial]) -> BTreeMap<RunId, (u32, u32)> {
    let mut gains: BTreeMap<RunId, (u32, u32)> = BTreeMap::new();
    for trial in trials {
        let (gain, steps) = gains.entry(trial.step.run).or_default();
        *steps = trial.step.step.max(*steps);
        if trial.gain {
            *gain = trial.step.step.max(*gain);
        }
    }
    gains
}

/// Trials of blocked actions that runs got on without: a later step brought something. One for each run and state.
pub(super) fn spared(blocks: &[Block], trials: &[Trial]) -> Vec<Trial> {
    let gains = gains(trials);
    let mut seen: BTreeSet<(RunId, PropSet, ActionId)> = BTreeSet::new();
    let got_on = |block: &&Block| gains.get(&block.step.run).is_some_and(|(gain, _)| block.step.step <= *gain);
    let first = |block: &&Block| seen.insert((block.step.run, block.state, block.action));
    let spared = |block: &Block| Trial {
        state: block.state,
        action: block.action,
        verdict: Verdict::Spared,
        gain: false,
        step: block.step,
    };
    blocks.iter().filter(got_on).filter(first).map(spared).collect()
}

/// Blocked actions that may lead out of dead ends: no run tried them in that state, and their run took at least `least` steps
/// after the last one that brought something. One for each state.
pub(super) fn wanted(blocks: &[Block], trials: &[Trial], least: u32) -> Vec<Block> {
    let gains = gains(trials);
    let tried: BTreeSet<(PropSet, ActionId)> = trials.iter().map(|trial| (trial.state, trial.action)).collect();
    let mut wanted: BTreeMap<(PropSet, ActionId), Block> = BTreeMap::new();
    for block in blocks {
        let dead_end =
            gains.get(&block.step.run).is_some_and(|(gain, steps)| block.step.step > *gain && steps - gain >= least);
        if dead_end && !tried.contains(&(block.state, block.action)) {
            wanted.entry((block.state, block.action)).or_insert(*block);
        }
    }
    wanted.into_values().collect()
}

//! What became of runs after an action was blocked.

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

/// How far runs got.
pub(super) struct Progress(BTreeMap<RunId, RunProgress>);

#[derive(Default)]
struct RunProgress {
    /// The last step that brought something, or the goal.
    last: u32,
    /// The number of steps.
    steps: u32,
}

impl Progress {
    pub fn of(trials: &[Trial]) -> Self {
        let mut runs: BTreeMap<RunId, RunProgress> = BTreeMap::new();
        for trial in trials {
            let run = runs.entry(trial.step.run).or_default();
            run.steps = run.steps.max(trial.step.step);
            if trial.brought_something() {
                run.last = run.last.max(trial.step.step);
            }
        }
        Self(runs)
    }

    /// Whether a run got on from a step: that step or a later one brought something.
    fn got_on(&self, from: Citation) -> bool {
        self.0.get(&from.run).is_some_and(|run| from.step <= run.last)
    }

    /// Whether a step is one of at least `least` at the end of a run that brought nothing.
    pub(super) fn is_stuck(&self, at: Citation, least: u32) -> bool {
        self.0.get(&at.run).is_some_and(|run| at.step > run.last && run.steps - run.last >= least)
    }
}

/// Trials of blocked actions that runs got on without, proposed or not. One for each run, state and action.
pub(super) fn spared(blocks: &[Block], progress: &Progress) -> Vec<Trial> {
    let mut seen: BTreeSet<(RunId, PropSet, ActionId)> = BTreeSet::new();
    let first = |block: &&Block| seen.insert((block.step.run, block.state, block.action));
    let spared =
        |block: &Block| Trial { state: block.state, action: block.action, verdict: Verdict::Spared, step: block.step };
    blocks.iter().filter(|block| progress.got_on(block.step)).filter(first).map(spared).collect()
}

/// Blocked actions that may lead out of dead ends, one for each state and action. A dead end is a state from which no run got
/// on, and in which a run was stuck for at least `least` steps. An action proposed there is wanted if no run tried it there; if
/// runs needed some of these actions elsewhere, only those are.
pub(super) fn wanted(blocks: &[Block], trials: &[Trial], progress: &Progress, least: u32) -> Vec<Block> {
    let tried: BTreeSet<(PropSet, ActionId)> = trials.iter().map(|trial| (trial.state, trial.action)).collect();
    let ways_on: BTreeSet<PropSet> =
        trials.iter().filter(|trial| progress.got_on(trial.step)).map(|trial| trial.state).collect();
    let mut wanted: BTreeMap<(PropSet, ActionId), Block> = BTreeMap::new();
    for block in blocks.iter().filter(|block| block.proposed && progress.is_stuck(block.step, least)) {
        let choice = (block.state, block.action);
        if !ways_on.contains(&block.state) && !tried.contains(&choice) {
            wanted.entry(choice).or_insert(*block);
        }
    }
    let useful: BTreeSet<ActionId> =
        trials.iter().filter(|trial| trial.brought_something()).map(|trial| trial.action).collect();
    let promising: BTreeSet<PropSet> =
        wanted.keys().filter(|(_, action)| useful.contains(action)).map(|(state, _)| *state).collect();
    wanted.retain(|(state, action), _| useful.contains(action) || !promising.contains(state));
    wanted.into_values().collect()
}

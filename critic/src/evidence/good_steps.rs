//! Good steps: those that runs needed on the way to their goal, with how far from the goal they are.

use std::collections::BTreeMap;

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};

use super::verdict::{Trial, Verdict};
use crate::graph::{Citation, RunPath};

/// A choice that a run needed to reach its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoodStep {
    /// The state before it.
    pub state: PropSet,
    /// The action taken.
    pub action: ActionId,
    /// The fewest steps that some run needed from there to its goal, this one included.
    pub distance: u32,
    /// That step of that run.
    pub step: Citation,
}

/// The good steps of runs, each choice once, in order of states and actions; and stopping where they reached their goal.
pub(super) fn good_steps<'a>(
    runs: impl Iterator<Item = &'a RunPath>,
    trials: &[Trial],
    stop: Option<ActionId>,
) -> Vec<GoodStep> {
    let mut needed: BTreeMap<RunId, Vec<&Trial>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.verdict == Verdict::Needed) {
        needed.entry(trial.step.run).or_default().push(trial);
    }
    let mut good: BTreeMap<(PropSet, ActionId), (u32, Citation)> = BTreeMap::new();
    for run in runs.filter(|run| run.has_reached_goal()) {
        let steps = needed.get(&run.id).map(Vec::as_slice).unwrap_or_default();
        let choices = (1..).zip(steps.iter().rev());
        let choices = choices.map(|(distance, trial)| ((trial.state, trial.action), (distance, trial.step)));
        let end = Citation { run: run.id, step: run.len() as u32 + 1 };
        let stopping = stop.map(|stop| ((run.state_before(run.len()), stop), (0, end)));
        for (choice, found) in choices.chain(stopping) {
            let best = good.entry(choice).or_insert(found);
            *best = found.min(*best);
        }
    }
    good.into_iter().map(|((state, action), (distance, step))| GoodStep { state, action, distance, step }).collect()
}

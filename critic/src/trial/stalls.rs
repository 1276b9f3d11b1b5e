//! Stalls: the ends of runs that do the same again and again without getting anywhere.
//!
//! A step of a [dead end](super::blocked::Progress) stalls if it and the steps around it repeat those one round earlier, for as
//! many steps as a dead end has: the same actions succeed in the same states and lead to the same states. So mining one log
//! after the other stalls as soon as no observation tells the logs apart, and so does mining a log and making planks of it in
//! turn. A round has at most as many steps as a dead end. What fails is no stall: the world may have been at fault, and another
//! time it works.
//!
//! A round gets nowhere because one of its steps uses up what the others bring. The choice of that step is the round's *turn*,
//! where something else should be done: after it some observation no longer holds and none has begun to. Of several such steps,
//! or if there is none, it is the one with the most observations before it, where most else is possible. Laws against all choices
//! of a round would leave no way to begin it, either, which may be needed for something better.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};

use super::blocked::Progress;
use super::verdict::{Trial, Verdict};
use crate::graph::{Citation, RunPath};

/// The turns of the rounds of stalled runs: for each choice and run the number of steps that it stalled in such rounds.
pub type Turns = BTreeMap<(PropSet, ActionId), BTreeMap<RunId, u32>>;

/// Gives the verdict [`Verdict::Stalled`] to the steps of runs that stall, and returns the turns of their rounds; `least` is the
/// number of steps of a dead end.
pub(super) fn mark<'a>(
    trials: &mut [Trial],
    runs: impl Iterator<Item = &'a RunPath>,
    progress: &Progress,
    least: u32,
) -> Turns {
    let mut turns = Turns::new();
    let stalled: BTreeMap<RunId, Vec<bool>> =
        runs.map(|run| (run.id, stalled(run, progress, least, &mut turns))).collect();
    for trial in trials {
        let at = trial.step.step as usize - 1;
        let stalls = stalled.get(&trial.step.run).and_then(|steps| steps.get(at)).copied().unwrap_or(false);
        if stalls && matches!(trial.verdict, Verdict::Open | Verdict::Needless) {
            trial.verdict = Verdict::Stalled;
        }
    }
    turns
}

/// For each step of a run whether it stalls. Adds the turns of its rounds.
fn stalled(run: &RunPath, progress: &Progress, least: u32, turns: &mut Turns) -> Vec<bool> {
    let mut stalled = vec![false; run.steps.len()];
    if run.reached_goal {
        return stalled;
    }
    let least_steps = (least as usize).max(1);
    for round in 1..=least_steps.min(run.steps.len()) {
        let mut since = round;
        for at in round..=run.steps.len() {
            if at < run.steps.len() && repeats(run, at, round, progress, least) {
                continue;
            }
            // The shortest round counts: longer ones repeat it.
            if at - since >= least_steps && !stalled[since..at].iter().all(|stalls| *stalls) {
                let first = since - round..since;
                if let Some(turn) = turn(run, first.clone()) {
                    *turns.entry(turn).or_default().entry(run.id).or_default() += (at - since) as u32;
                }
                stalled[since..at].fill(true);
                // The first round, too, as far as it is part of the dead end.
                first.filter(|at| is_stuck(run, *at, progress, least)).for_each(|at| stalled[at] = true);
            }
            since = at + 1;
        }
    }
    stalled
}

/// Whether a step in a dead end succeeds and does what the one a round before did.
fn repeats(run: &RunPath, at: usize, round: usize, progress: &Progress, least: u32) -> bool {
    // What the world says of a success may name a place.
    let did = |at: usize| (run.state_before(at), run.steps[at].action, run.steps[at].to);
    let succeeds = |at: usize| run.steps[at].failure.is_none();
    succeeds(at) && succeeds(at - round) && did(at) == did(at - round) && is_stuck(run, at, progress, least)
}

fn is_stuck(run: &RunPath, at: usize, progress: &Progress, least: u32) -> bool {
    progress.is_stuck(Citation { run: run.id, step: at as u32 + 1 }, least)
}

/// The turn of a round.
fn turn(run: &RunPath, round: std::ops::Range<usize>) -> Option<(PropSet, ActionId)> {
    let uses_up = |at: usize| {
        let (before, after) = (run.state_before(at), run.steps[at].to);
        after.is_subset(&before) && after != before
    };
    let step = round.min_by_key(|at| (!uses_up(*at), Reverse(run.state_before(*at).len()), run.steps[*at].action))?;
    Some((run.state_before(step), run.steps[step].action))
}

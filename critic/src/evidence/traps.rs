//! Histories of runs in what they had, and traps: the ends of runs that gain nothing any more.
//!
//! A *gain* is a step after which something is had that was never had before in its run. A run that missed its goal is
//! *trapped* if at least as many steps follow its last gain as the patience. The patience is twice the upper quartile of the
//! steps between gains that runs overcame, within bounds.
//!
//! In a trap a step is to blame that brought nothing more that is had. A step that led to something seen for the first time is
//! excused where no way on is known: no run ever had a gain with the same things had. If no step is to blame, those are that
//! were made with most had.

use ltlcrit_verifier::PropSet;

use super::objective::Objective;
use super::verdict::{Trial, Verdict};
use crate::graph::{Citation, RunPath};

/// A run, with its gains and the verdicts on its steps.
pub(super) struct History<'a> {
    pub run: &'a RunPath,
    /// The observations before each step, and where the run ended.
    pub states: Vec<PropSet>,
    /// The numbers of the steps that were gains.
    pub gains: Vec<usize>,
    pub verdicts: Vec<Verdict>,
}

impl<'a> History<'a> {
    /// A run whose steps have no verdicts yet. `had` are the observations that tell what is had.
    pub fn of(run: &'a RunPath, had: &PropSet) -> Self {
        let states: Vec<PropSet> = (0..=run.steps.len()).map(|at| run.state_before(at)).collect();
        let mut ever = run.start.intersection(had);
        let mut gains = Vec::new();
        for (at, step) in run.steps.iter().enumerate() {
            let now = step.to.intersection(had);
            if step.failure.is_none() && !now.is_subset(&ever) {
                gains.push(at);
            }
            ever = ever.union(&now);
        }
        Self { run, states, gains, verdicts: Vec::new() }
    }

    /// The number of steps to the goal or else to the last gain.
    pub fn end(&self) -> usize {
        if self.run.reached_goal { self.run.len() } else { self.gains.last().map_or(0, |last| last + 1) }
    }

    /// Returns whether the run ends in a trap.
    pub fn is_trapped(&self, patience: usize) -> bool {
        !self.run.reached_goal && self.run.len() - self.end() >= patience
    }

    /// The stretches of at least `patience` steps without a gain, overcome or not, as ranges of steps.
    pub fn stalls(&self, patience: usize) -> Vec<std::ops::Range<usize>> {
        let mut stalls = Vec::new();
        let mut from = 0;
        let last = self.run.len().saturating_sub(usize::from(self.run.reached_goal));
        for to in self.gains.iter().copied().chain([last]) {
            if to.saturating_sub(from) >= patience {
                stalls.push(from..to);
            }
            from = to + 1;
        }
        stalls
    }

    /// The next gain from a step on, or the goal.
    pub fn next_gain(&self, from: usize) -> Option<usize> {
        let goal = self.run.reached_goal.then(|| self.run.len().saturating_sub(1));
        self.gains.iter().copied().chain(goal).find(|gain| *gain >= from)
    }

    pub fn trials(&self) -> impl Iterator<Item = Trial> {
        self.run.steps.iter().zip(&self.verdicts).enumerate().map(|(at, (step, verdict))| Trial {
            state: self.states[at],
            action: step.action,
            verdict: *verdict,
            step: Citation { run: self.run.id, step: at as u32 + 1 },
        })
    }
}

/// Gives the verdict [`Verdict::Trapped`] to the steps of traps that are to blame, and returns the patience.
pub(super) fn mark(histories: &mut [History<'_>], had: &PropSet, objective: &Objective) -> usize {
    let mut gaps: Vec<usize> = Vec::new();
    for history in histories.iter() {
        let mut from = 0;
        for gain in &history.gains {
            gaps.push(gain + 1 - from);
            from = gain + 1;
        }
    }
    gaps.sort_unstable();
    let quartile = gaps.get(gaps.len().saturating_sub(1) * 3 / 4).copied().unwrap_or(0);
    let patience =
        (2 * quartile).clamp(objective.least_patience, objective.most_patience.max(objective.least_patience));
    let ways_on: std::collections::BTreeSet<PropSet> = histories
        .iter()
        .flat_map(|history| history.gains.iter().map(|gain| history.states[*gain].intersection(had)))
        .collect();
    for history in histories.iter_mut().filter(|history| history.is_trapped(patience)) {
        let (first, end) = (history.end(), history.run.len());
        let had_at = |holds: &PropSet| holds.intersection(had);
        // Steps that led to something seen for the first time.
        let mut ever = history.run.start;
        let mut seen_first = Vec::with_capacity(end);
        for step in &history.run.steps {
            seen_first.push(!step.to.difference(had).is_subset(&ever));
            ever = ever.union(&step.to);
        }
        let to_blame = |at: usize| {
            let (before, after) = (had_at(&history.states[at]), had_at(&history.run.steps[at].to));
            after.is_subset(&before) && !(seen_first[at] && !ways_on.contains(&before))
        };
        let mut blamed: Vec<usize> = (first..end).filter(|at| to_blame(*at)).collect();
        if blamed.is_empty() {
            let size = |at: &usize| had_at(&history.states[*at]).len();
            let most = (first..end).map(|at| size(&at)).max();
            blamed = (first..end).filter(|at| Some(size(at)) == most).collect();
        }
        for at in blamed {
            if history.verdicts[at] == Verdict::Open {
                history.verdicts[at] = Verdict::Trapped;
            }
        }
    }
    patience
}

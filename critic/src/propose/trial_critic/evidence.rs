//! The evidence about an action, by state, and tests of it.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};
use statrs::distribution::{Binomial, DiscreteCDF as _};

use super::options::TrialCriticOptions;
use crate::propose::Brief;
use crate::propose::refusals::Refusals;
use crate::trial::{Trial, Verdict};

/// The trials of an action in a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub state: PropSet,
    /// Trials that speak for a law, and that no law in force blocks.
    pub bad: Vec<Trial>,
    /// The runs that stalled in a round whose turn this is, each with the number of dead ends that its stalled steps fill.
    pub stalled: BTreeMap<RunId, u32>,
    /// The number of runs that got on although the action was blocked here.
    pub spared: u32,
    /// The number of trials that speak neither for a law nor against it.
    pub open: u32,
    /// Whether bad trials are left out, because laws block them already.
    pub settled: bool,
    /// The number of trials that brought something to runs that missed their goal.
    pub gained: u32,
    /// Whether no law may block the action here.
    pub needed: bool,
}

impl Row {
    /// Whether some run tried the action here.
    pub(crate) fn was_tried(&self) -> bool {
        !self.bad.is_empty() || self.settled || self.open > 0 || self.gained > 0 || self.needed
    }

    /// The number of trials that speak for a law. The stalled ones of a run count once for each dead end that they fill.
    pub fn bad(&self) -> u32 {
        let others = self.bad.iter().filter(|trial| trial.verdict != Verdict::Stalled).count() as u32;
        others + self.stalled.values().sum::<u32>() + self.spared
    }

    /// The number of runs whose trials speak for a law: what a run does again in one state says little new. A run that stalls
    /// counts once for each dead end that its stalled steps fill: each is another chance to get on that it had and did not take.
    pub fn weight(&self) -> u32 {
        let runs: BTreeSet<RunId> = self.bad.iter().map(|trial| trial.step.run).collect();
        let weights = runs.iter().map(|run| self.stalled.get(run).copied().unwrap_or(1));
        weights.sum::<u32>() + self.spared
    }

    /// Leaves out what speaks for a law: one blocks the action here.
    pub fn settle(&mut self) {
        self.settled |= !self.bad.is_empty();
        self.bad.clear();
        self.stalled.clear();
        self.spared = 0;
    }
}

/// The evidence about every action that speaks for some law.
pub(super) fn rows(
    brief: &Brief<'_>,
    refusals: &Refusals,
    options: TrialCriticOptions,
) -> BTreeMap<ActionId, Vec<Row>> {
    let mut rows: BTreeMap<ActionId, BTreeMap<PropSet, Row>> = BTreeMap::new();
    let is_turn = |trial: &Trial| brief.trials.turns.contains_key(&(trial.state, trial.action));
    for trial in &brief.trials.all {
        let row = rows.entry(trial.action).or_default().entry(trial.state).or_default();
        match trial.verdict {
            Verdict::Failed if options.feedback => row.bad.push(*trial),
            Verdict::Needless if options.efficiency => row.bad.push(*trial),
            Verdict::Stalled if options.efficiency && is_turn(trial) => row.bad.push(*trial),
            // Without one of the sources, its trials say nothing against a law; that a needless action worked does.
            Verdict::Spared if options.efficiency => row.spared += 1,
            Verdict::Failed | Verdict::Spared => {}
            Verdict::Needed => row.needed = true,
            Verdict::Gained => row.gained += 1,
            Verdict::Needless | Verdict::Stalled | Verdict::Open => row.open += 1,
        }
    }
    // A dead end in which the action would have stalled as it does wherever its law blocks it speaks for no exception.
    let stalls = |state: &PropSet, action: ActionId| {
        let mut laws = brief.laws.iter().filter(|law| !law.on_trial && law.blocks(state, action, brief.vocabulary));
        laws.any(|law| brief.trials.only_stalls(action, |other| law.blocks(other, action, brief.vocabulary)))
    };
    let wanted = brief.trials.wanted.iter().map(|wanted| (wanted.state, wanted.action));
    let wanted = wanted.filter(|(state, action)| !stalls(state, *action));
    for (state, action) in refusals.counterexamples().chain(wanted) {
        rows.entry(action).or_default().entry(state).or_default().needed = true;
    }
    rows.retain(|_, rows| rows.values().any(|row| !row.bad.is_empty()));
    rows.into_iter()
        .map(|(action, rows)| {
            let rows = rows.into_iter().map(|(state, mut row)| {
                let stalled = brief.trials.turns.get(&(state, action)).filter(|_| options.efficiency);
                let dead_ends = |(run, steps): (&RunId, &u32)| (*run, (steps / brief.trials.dead_end.max(1)).max(1));
                row.stalled = stalled.into_iter().flatten().map(dead_ends).collect();
                if brief.laws.iter().any(|law| !law.on_trial && law.blocks(&state, action, brief.vocabulary)) {
                    row.settle();
                }
                Row { state, ..row }
            });
            (action, rows.collect())
        })
        .collect()
}

/// The probability that of so many trials so many or more are bad, if each is with probability `1 - tolerance`.
pub(super) fn p_value(bad: u32, trials: u32, tolerance: f64) -> f64 {
    let Some(fewer) = bad.checked_sub(1) else { return 1.0 };
    Binomial::new(1.0 - tolerance, u64::from(trials)).map_or(1.0, |binomial| binomial.sf(u64::from(fewer)))
}

/// The hypotheses that may be rejected with at most this share of false ones among them (Benjamini and Hochberg 1995).
pub(super) fn significant<T>(mut found: Vec<T>, p: impl Fn(&T) -> f64, share: f64) -> Vec<T> {
    let mut sorted: Vec<f64> = found.iter().map(&p).collect();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let allowed = sorted.iter().enumerate().filter(|(at, p)| **p <= (*at as f64 + 1.0) / count * share);
    let most = allowed.map(|(_, p)| *p).next_back();
    found.retain(|one| most.is_some_and(|most| p(one) <= most));
    found
}

//! Trials: what every executed action of the runs was good for, found by leaving it out.
//!
//! A step is *needless* if its run without it, and without the later steps that then no longer work, ends at least as well:
//! a run that reached its goal still takes its last step, another one still ends with everything it ended with. Steps are
//! left out one after the other, from the last to the first, so that the later ones are to blame for a surplus
//! ([`eliminate`]; action elimination of Nakhost and Müller, ICAPS 2010, from the end). Whether a later step still works is
//! answered from what all runs show, by one assumption: *what worked with less works with more*. A step works in a state if the
//! state has what the step consumes, and the action succeeded in some state all of whose observations and carried kinds this
//! one has too.
//!
//! All other steps of a run that reached its goal are [*needed*](Verdict::Needed). In a run that missed it, without some of them
//! it would not have had something that it had for the first time ([`Verdict::Gained`]); what the rest brought may be of use or
//! not ([`Verdict::Open`]).
//!
//! A run may also end in a *stall*: it repeats one succeeding action, or a round of a few, and no observation ever changes
//! ([`Verdict::Stalled`]). What it piles up meanwhile is of no use as long as it does nothing else, so such steps are bad, too.
//!
//! A *blocked* action is a trial too where its run got on without it ([`Verdict::Spared`]). Where no run got on, and none tried
//! the action, it is [wanted](Trials::wanted): it may lead out of the dead end.

mod blocked;
mod eliminate;
mod fruitless;
mod good_steps;
mod stalls;
#[cfg(test)]
mod tests;
mod trace;
mod variables;
mod verdict;

use std::collections::BTreeMap;

pub use blocked::Block;
use blocked::Progress;
use eliminate::Experience;
pub use good_steps::GoodStep;
use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, ActionSet, PropSet, Vocabulary};
pub use stalls::Turns;
use trace::Trace;
use variables::Variables;
pub use verdict::{Trial, Verdict};

use crate::graph::{Citation, RunPath};

/// The verdicts on the actions of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trials {
    /// All trials.
    pub all: Vec<Trial>,
    /// The choices that runs needed to reach their goal.
    pub good: Vec<GoodStep>,
    /// Blocked actions that may lead out of dead ends, that is, of states from which no run got on.
    pub wanted: Vec<Block>,
    /// The actions that only ever failed or changed nothing, by state.
    pub fruitless: BTreeMap<PropSet, ActionSet>,
    /// The choices at which the rounds of stalled runs are to be left ([`stalls`]).
    pub turns: Turns,
    /// The number of steps without gain from which a run counts as having met a dead end.
    pub dead_end: u32,
    /// Runs that did the same as another, which has the trials of both.
    repeats: BTreeMap<RunId, RunId>,
}

impl Trials {
    /// The verdict on a step, if it was executed. In a run that repeats another it is that on the same step there.
    pub fn of(&self, step: Citation) -> Option<&Trial> {
        let step = Citation { run: self.repeats.get(&step.run).copied().unwrap_or(step.run), ..step };
        self.all.iter().find(|trial| trial.step == step && trial.verdict != Verdict::Spared)
    }

    /// The verdicts on all executed steps.
    pub(crate) fn by_step(&self) -> Verdicts {
        let executed = self.all.iter().filter(|trial| trial.verdict != Verdict::Spared);
        Verdicts { steps: executed.map(|trial| (trial.step, trial.verdict)).collect(), repeats: self.repeats.clone() }
    }

    /// Whether an action did nothing but stall runs in the states for which `blocks` holds: it stalled for a dead end or
    /// longer there in at least half of its trials, and never brought anything.
    pub(crate) fn only_stalls(&self, action: ActionId, blocks: impl Fn(&PropSet) -> bool) -> bool {
        let (mut stalled, mut others) = (0u32, 0u32);
        for trial in self.all.iter().filter(|trial| trial.action == action && blocks(&trial.state)) {
            match trial.verdict {
                Verdict::Stalled => stalled += 1,
                Verdict::Needed | Verdict::Gained => return false,
                Verdict::Spared => {}
                Verdict::Failed | Verdict::Needless | Verdict::Open => others += 1,
            }
        }
        stalled >= self.dead_end.max(1) && stalled >= others
    }
}

/// The verdict on every executed step.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    steps: BTreeMap<Citation, Verdict>,
    repeats: BTreeMap<RunId, RunId>,
}

impl Verdicts {
    /// The verdict on a step. In a run that repeats another it is that on the same step there.
    pub fn of(&self, step: Citation) -> Option<Verdict> {
        let run = self.repeats.get(&step.run).copied().unwrap_or(step.run);
        self.steps.get(&Citation { run, ..step }).copied()
    }
}

/// The runs whose steps are judged.
#[derive(Clone, Debug, Default)]
pub struct TrialLog {
    runs: BTreeMap<RunId, RunPath>,
    /// Runs that did the same as one of these.
    repeats: BTreeMap<RunId, RunId>,
}

impl TrialLog {
    /// Adds a run, in place of what was known of it.
    pub fn add(&mut self, run: RunPath) {
        self.repeats.remove(&run.id);
        self.runs.insert(run.id, run);
    }

    /// Adds a run, in place of what was known of it. Of runs that did the same, only the first is evidence.
    pub(crate) fn add_once(&mut self, run: RunPath) {
        match self.runs.values().find(|other| other.id != run.id && other.did_the_same(&run)).map(|other| other.id) {
            Some(same) => {
                self.runs.remove(&run.id);
                self.repeats.insert(run.id, same);
            }
            None => self.add(run),
        }
    }

    /// The trials of all runs, in order, those of blocked actions last. `blocks` is what was blocked in these runs, `least` the
    /// number of steps without gain that is a dead end.
    pub fn trials(&self, vocabulary: &Vocabulary, blocks: &[Block], least: u32) -> Trials {
        let variables = Variables::of(self.runs.values(), vocabulary.observations().len());
        let traces: Vec<Trace> = self.runs.values().flat_map(|run| Trace::of(run, &variables)).collect();
        let experience = Experience::of(&traces);
        let judged = |trace: &Trace| trace.trials(&eliminate::eliminate(trace, &experience, &variables));
        let mut all: Vec<Trial> = traces.iter().flat_map(judged).collect();
        let good = good_steps::good_steps(self.runs.values(), &all, vocabulary.stop());
        let progress = Progress::of(&all);
        let turns = stalls::mark(&mut all, self.runs.values(), &progress, least);
        let wanted = blocked::wanted(blocks, &all, &progress, least);
        all.extend(blocked::spared(blocks, &progress));
        let fruitless = fruitless::fruitless(self.runs.values());
        Trials { all, good, wanted, fruitless, turns, dead_end: least, repeats: self.repeats.clone() }
    }
}

//! The body of evidence: a label for every executed or blocked action, and what labels weigh, in nats.
//!
//! Everything that judges a law by runs reads this: the critics, the gate, the statistics of laws and the reports.
//!
//! **Labels.** A step is *needless* if its run without it, and without the later steps that then no longer work, still takes the
//! steps that count: the last step of a run that reached its goal, and in another run every *gain*, a step after which something
//! is had that was never had before. Steps are left out one after the other, from the last to the first ([`eliminate`]; action
//! elimination of Nakhost and Müller, ICAPS 2010, from the end). Whether a later step still works is answered from what all runs
//! show, by one assumption: *what worked with less works with more*. The other steps are [*needed*](Verdict::Needed) or, in a run
//! that missed its goal, [*gained*](Verdict::Gained) something. After its last gain such a run may be [*trapped*](traps).
//! A blocked proposal is [*spared*](Verdict::Spared) if its run gained something soon afterwards.
//!
//! **Weights.** Each run has one [vote](Vote) on each choice, that is, on an action in a state. [`Trials::weight`] adds the votes up:
//! the logarithm of a Bayes factor, by which runs speak for a law that blocks the choice. See [`Objective`] for its constants.

mod eliminate;
mod good_steps;
mod objective;
#[cfg(test)]
mod tests;
mod trace;
mod traps;
mod variables;
mod verdict;
mod votes;

use std::collections::{BTreeMap, BTreeSet};

use eliminate::Experience;
pub use good_steps::GoodStep;
use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};
pub use objective::Objective;
use trace::Trace;
use traps::History;
use variables::Variables;
pub use verdict::{Block, Trial, Verdict};
use votes::Votes;
pub use votes::{Support, Vote};

use crate::graph::{Citation, RunPath};

/// The labels of the actions of runs, and what they weigh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trials {
    /// All trials: those of executed actions by run and step, then those of blocked ones.
    pub all: Vec<Trial>,
    /// The choices that runs needed to reach their goal.
    pub good: Vec<GoodStep>,
    /// The number of runs that reached their goal, of those that are trapped, and of all.
    pub runs: RunCounts,
    votes: Votes,
}

/// The number of runs by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// All runs.
    pub all: usize,
    /// Those that reached their goal.
    pub reached_goal: usize,
    /// Those that ended in a trap.
    pub trapped: usize,
}

impl Trials {
    /// The verdict on a step, if it was executed.
    pub fn of(&self, step: Citation) -> Option<&Trial> {
        let executed = |trial: &&Trial| trial.verdict != Verdict::Spared;
        let first = self.all.partition_point(|trial| trial.verdict != Verdict::Spared && trial.step < step);
        self.all.get(first).filter(|trial| trial.step == step).filter(executed)
    }

    /// The logarithm of the Bayes factor of "this choice is bad" against "its use is not known", by the votes of all runs. Above 0
    /// runs speak for blocking the action in the state. A choice that no run made weighs a little less than 0.
    pub fn weight(&self, state: &PropSet, action: ActionId) -> f64 {
        self.votes.weight(state, action, false)
    }

    /// The same if the choice is the only one that is left of those that lead to the goal from there.
    pub fn weight_of_last(&self, state: &PropSet, action: ActionId) -> f64 {
        self.votes.weight(state, action, true)
    }

    /// Whether some run made a choice, or got on although it was blocked.
    pub fn was_tried(&self, state: &PropSet, action: ActionId) -> bool {
        self.votes.on(state, action).is_some()
    }

    /// What speaks for a law and what against it: the weights of the choices that it blocks.
    pub fn support(&self, blocks: impl Fn(&PropSet, ActionId) -> bool) -> Support {
        self.votes.support(blocks)
    }

    /// The actions that some run took or was kept from.
    pub fn actions(&self) -> BTreeSet<ActionId> {
        self.votes.choices().map(|(_, action)| action).collect()
    }

    /// The states in which runs chose.
    pub fn states(&self) -> impl Iterator<Item = &PropSet> {
        self.votes.states()
    }

    /// The choices known to lead from a state to the goal, each with the fewest steps that a run needed from there.
    pub fn ways(&self) -> &BTreeMap<PropSet, BTreeMap<ActionId, u32>> {
        &self.votes.ways
    }

    /// The constants it was weighed with.
    pub fn objective(&self) -> &Objective {
        &self.votes.objective
    }

    /// The steps without a gain from which on a run counts as trapped.
    pub fn patience(&self) -> usize {
        self.votes.patience
    }
}

/// The runs whose steps are judged.
#[derive(Clone, Debug, Default)]
pub struct TrialLog {
    runs: BTreeMap<RunId, RunPath>,
}

impl TrialLog {
    /// Adds a run, in place of what was known of it.
    pub fn add(&mut self, run: RunPath) {
        self.runs.insert(run.id, run);
    }

    /// The trials of all runs. `blocks` are the proposals that were blocked in them.
    pub fn trials(&self, vocabulary: &Vocabulary, blocks: &[Block], objective: Objective) -> Trials {
        let variables = Variables::of(self.runs.values(), vocabulary.observations().len());
        let had = variables.had();
        let mut histories: Vec<History<'_>> = self.runs.values().map(|run| History::of(run, &had)).collect();
        let traces: Vec<Vec<Trace>> = histories.iter().map(|history| Trace::of(history, &variables)).collect();
        let experience = Experience::of(traces.iter().flatten());
        for (history, traces) in histories.iter_mut().zip(&traces) {
            let judged = |trace: &Trace| eliminate::eliminate(trace, &experience, &variables);
            history.verdicts = traces.iter().flat_map(judged).collect();
        }
        let patience = traps::mark(&mut histories, &had, &objective);
        let mut all: Vec<Trial> = histories.iter().flat_map(History::trials).collect();
        let good = good_steps::good_steps(self.runs.values(), &all, vocabulary.stop());
        let (votes, spared) = Votes::of(&histories, blocks, &good, vocabulary.stop(), patience, &had, objective);
        all.extend(spared);
        let runs = RunCounts {
            all: histories.len(),
            reached_goal: histories.iter().filter(|history| history.run.reached_goal).count(),
            trapped: histories.iter().filter(|history| history.is_trapped(patience)).count(),
        };
        Trials { all, good, runs, votes }
    }
}

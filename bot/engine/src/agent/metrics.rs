//! Metrics of a run, computed from its stored records alone.
//!
//! Table 1 of LTLCrit is [`Metrics::subgoals`] over runs. Its table 2 is [`Metrics::failed_share`] and
//! [`Metrics::blocked_share`].

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_model::{ModelInfo, NanoUsd, Price, Usage};
use ltlcrit_store::{
    End, LawId, LawRecord, NoAction, Offer, ProposalRecord, Proposer, Reply, Ruling, RunId, RunManifest, RunOutcome,
    StepRecord, Store, StoreError,
};
use ltlcrit_verifier::{Enforcement, PropId, PropSet};
use serde::Serialize;

use crate::books::waiting;

/// A subgoal with the step that first reached it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SubgoalReached {
    /// Its name.
    pub name: String,
    /// The number of world actions it took; `None` if it was never reached.
    pub step: Option<u64>,
}

/// Metrics of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Metrics {
    /// The number of world actions executed; `action_stop` is not counted.
    pub steps: u64,
    /// The number of world actions that failed.
    pub failed_actions: u64,
    /// The number of world actions during which the player died.
    pub deaths: u64,
    /// The number of the actor's proposals, readable or not.
    pub proposals: u64,
    /// The number of proposals that could not be parsed as an action.
    pub malformed: u64,
    /// The number of proposals of unknown actions.
    pub unknown: u64,
    /// The number of proposals that the shield blocked.
    pub blocked: u64,
    /// The number of proposals that the shield could not decide, and so blocked.
    pub undecided: u64,
    /// The number of executed actions that a shield would have blocked.
    pub unshielded_breaches: u64,
    /// Failed actions, malformed and unknown replies, as a share of all proposals (LTLCrit table 2).
    pub failed_share: Option<f64>,
    /// Blocked proposals as a share of all proposals (LTLCrit table 2).
    pub blocked_share: Option<f64>,
    /// The step at which each subgoal was first reached, in the task's order (LTLCrit table 1).
    pub subgoals: Vec<SubgoalReached>,
    /// The number of steps taken with suspended soft laws.
    pub fallbacks: u64,
    /// The number of steps for which each soft law was suspended; steps under the hard laws alone are not counted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub suspended_by_law: BTreeMap<LawId, u64>,
    /// The number of letters that violated a law despite the shield.
    pub violations: u64,
    /// Violations by law.
    pub violations_by_law: BTreeMap<LawId, u64>,
    /// Violations of hard laws, by law.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hard_violations: BTreeMap<LawId, u64>,
    /// Blocked proposals by law; a proposal that several laws block together counts for each of them.
    pub blocks_by_law: BTreeMap<LawId, u64>,
    /// The number of blocks that a model was asked to explain.
    #[serde(skip_serializing_if = "is_zero")]
    pub worded: u64,
    /// The number of untrue or missing explanations that the computed reason replaced.
    #[serde(skip_serializing_if = "is_zero")]
    pub replaced: u64,
    /// The number of game ticks.
    pub ticks: u64,
    /// The tokens used.
    pub usage: Usage,
    /// The cost of the tokens; `None` when the model's price is not known.
    pub cost: Option<NanoUsd>,
}

/// Returns whether a count is 0, so that JSON leaves it out.
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Metrics {
    /// Returns the name of the last reached subgoal in the task's order.
    pub fn subgoal(&self) -> Option<&str> {
        self.subgoals.iter().rev().find(|subgoal| subgoal.step.is_some()).map(|subgoal| subgoal.name.as_str())
    }
}

/// Adds records up to [`Metrics`].
#[derive(Clone, Debug)]
pub struct Tally {
    metrics: Metrics,
    subgoals: Vec<PropSet>,
    price: Option<Price>,
    stop: Option<u16>,
    /// The hard laws in force.
    hard: BTreeSet<LawId>,
}

impl Tally {
    /// Creates a tally of a run before its first record.
    pub fn new(manifest: &RunManifest) -> Self {
        let subgoals = manifest.subgoals.iter();
        Self {
            metrics: Metrics {
                subgoals: subgoals.map(|it| SubgoalReached { name: it.name.clone(), step: None }).collect(),
                cost: manifest.price.map(|_| NanoUsd::default()),
                ..Metrics::default()
            },
            subgoals: manifest.subgoals.iter().map(|subgoal| subgoal.holds).collect(),
            price: manifest.price,
            stop: stop(manifest),
            hard: hard(&manifest.laws),
        }
    }

    /// Counts a step.
    pub fn step(&mut self, record: &StepRecord) {
        self.proposals(&record.proposals);
        if let Some(laws) = &record.new_laws {
            self.hard = hard(laws);
        }
        let metrics = &mut self.metrics;
        if let Some(executed) = record.executed.as_ref().filter(|executed| Some(executed.action.0) != self.stop) {
            metrics.steps += 1;
            metrics.failed_actions += u64::from(!executed.outcome.succeeded());
            metrics.deaths += executed.outcome.deaths.max(u64::from(executed.outcome.is_fatal()));
            metrics.ticks += executed.outcome.ticks;
        }
        metrics.fallbacks += u64::from(record.force.is_fallback());
        if let Enforcement::Suspended { suspended, .. } = &record.force {
            for law in suspended {
                *metrics.suspended_by_law.entry(law.clone()).or_default() += 1;
            }
        }
        for law in &record.violations {
            metrics.violations += 1;
            *metrics.violations_by_law.entry(law.clone()).or_default() += 1;
            if self.hard.contains(law) {
                *metrics.hard_violations.entry(law.clone()).or_default() += 1;
            }
        }
        for (subgoal, holds) in metrics.subgoals.iter_mut().zip(&self.subgoals) {
            if subgoal.step.is_none() && holds.is_subset(&record.observation.holds) {
                subgoal.step = Some(metrics.steps);
            }
        }
        self.shares();
    }

    /// Counts the proposals of a step, finished or not.
    pub fn proposals(&mut self, proposals: &[ProposalRecord]) {
        for proposal in proposals {
            self.metrics.usage += proposal.total_usage();
            if proposal.by == Proposer::Loop {
                continue;
            }
            let metrics = &mut self.metrics;
            metrics.proposals += 1;
            if let Some(worded) = &proposal.worded {
                metrics.worded += 1;
                metrics.replaced += u64::from(worded.replaced.is_some());
            }
            match &proposal.reply {
                Reply::Action { .. } => {}
                Reply::NoAction(NoAction::Malformed { .. }) => metrics.malformed += 1,
                Reply::NoAction(NoAction::Unknown { .. }) => metrics.unknown += 1,
            }
            match &proposal.ruling {
                Ruling::Allowed | Ruling::Unreadable => {}
                Ruling::Undecided { .. } | Ruling::Unshielded { undecided: true, .. } => metrics.undecided += 1,
                Ruling::Unshielded { laws, .. } => metrics.unshielded_breaches += u64::from(!laws.is_empty()),
                Ruling::Blocked { laws, .. } => {
                    metrics.blocked += 1;
                    for law in laws {
                        *metrics.blocks_by_law.entry(law.clone()).or_default() += 1;
                    }
                }
            }
        }
        self.shares();
    }

    fn shares(&mut self) {
        let metrics = &mut self.metrics;
        let share = |count: u64| (metrics.proposals > 0).then(|| count as f64 / metrics.proposals as f64);
        metrics.failed_share = share(metrics.failed_actions + metrics.malformed + metrics.unknown);
        metrics.blocked_share = share(metrics.blocked + metrics.undecided);
        metrics.cost = self.price.map(|price| price.cost(&metrics.usage));
    }

    /// Returns the metrics so far.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }
}

/// Returns the ids of the hard laws.
fn hard(laws: &[LawRecord]) -> BTreeSet<LawId> {
    laws.iter().filter(|law| law.hard).map(|law| law.id.clone()).collect()
}

/// Returns the number of the action that ends a run.
fn stop(manifest: &RunManifest) -> Option<u16> {
    let actions = &manifest.vocabulary.actions;
    actions.iter().position(|it| &*it.name == ltlcrit_verifier::vocabulary::STOP).map(|position| position as u16)
}

/// Computes [`Metrics::steps`] of a run from its last record alone.
///
/// # Errors
/// Returns an error if the record cannot be read.
pub fn steps_taken(store: &Store, manifest: &RunManifest) -> Result<u64, StoreError> {
    let Some(last) = store.steps(manifest.run).next_back().transpose()? else { return Ok(0) };
    let stopped = last.executed.is_some_and(|executed| Some(executed.action.0) == stop(manifest));
    Ok(last.step.saturating_sub(u64::from(stopped)))
}

/// Summary of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// Its number.
    pub run: RunId,
    /// The world's kind.
    pub world: String,
    /// The world's seed.
    pub world_seed: Option<u64>,
    /// The seed of everything random other than the world.
    pub seed: u64,
    /// The actor.
    pub actor: String,
    /// The model, with the flag that marks it as simulated.
    pub model: ModelInfo,
    /// The books in force at the start.
    pub books: Vec<String>,
    /// The laws in force at the start.
    pub laws: usize,
    /// The number of proposed laws that wait for review, if no laws are in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<usize>,
    /// True if the shield enforced the laws.
    pub shielded: bool,
    /// The actions that the actor was offered.
    #[serde(skip_serializing_if = "is_all")]
    pub offer: Offer,
    /// The end of the run; `None` while it is running, or after it was killed.
    pub end: Option<End>,
    /// True if `ltlcrit resume` can continue it.
    pub resumable: bool,
    /// The number of the last stored step; `None` if there is none.
    pub last_step: Option<u64>,
    /// The observations that hold in the last stored state, by name.
    pub holds: Vec<String>,
    /// The laws with pending obligations at the last stored step.
    pub owed: Vec<LawId>,
    /// The metrics.
    pub metrics: Metrics,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_all(offer: &Offer) -> bool {
    *offer == Offer::All
}

impl RunSummary {
    /// Computes the metrics of a run from its records.
    ///
    /// # Errors
    /// Returns the first error of reading a record.
    pub fn compute(
        manifest: &RunManifest,
        steps: impl IntoIterator<Item = Result<StepRecord, StoreError>>,
        outcome: Option<&RunOutcome>,
    ) -> Result<Self, StoreError> {
        let mut tally = Tally::new(manifest);
        let mut last = None;
        for record in steps {
            let record = record?;
            tally.step(&record);
            last = Some((record.step, record.observation.holds, record.owed));
        }
        Ok(Self::new(manifest, tally, last, outcome))
    }

    /// Creates the summary of a run whose steps were counted as they were taken. `last` holds the number of the last
    /// step, the observations that hold after it, and the pending laws.
    pub(super) fn new(
        manifest: &RunManifest,
        mut tally: Tally,
        last: Option<(u64, PropSet, Vec<LawId>)>,
        outcome: Option<&RunOutcome>,
    ) -> Self {
        if let Some(in_flight) = outcome.and_then(|outcome| outcome.in_flight.as_ref()) {
            tally.proposals(&in_flight.proposals);
        }
        let names = &manifest.vocabulary.observations;
        let name = |PropId(id): PropId| names.get(usize::from(id)).map(|it| it.name.to_string());
        Self {
            run: manifest.run,
            world: manifest.world.kind.clone(),
            world_seed: manifest.world.seed,
            seed: manifest.seed,
            actor: manifest.actor.clone(),
            model: manifest.model.clone(),
            books: manifest.books.iter().map(|book| book.name.clone()).collect(),
            laws: manifest.laws.len(),
            waiting: manifest.laws.is_empty().then(|| waiting(&manifest.books)),
            shielded: manifest.shielded,
            offer: manifest.limits.offer,
            end: outcome.map(|outcome| outcome.end.clone()),
            resumable: outcome.is_none_or(|outcome| outcome.end.resumable()),
            last_step: last.as_ref().map(|(step, ..)| *step),
            holds: last.iter().flat_map(|(_, holds, _)| holds.iter()).filter_map(name).collect(),
            owed: last.map(|(.., owed)| owed).unwrap_or_default(),
            metrics: tally.metrics,
        }
    }

    /// Computes the summary of a stored run.
    ///
    /// # Errors
    /// Returns an error if the run is unknown, or if a record cannot be read.
    pub fn of(store: &Store, run: RunId) -> Result<Self, StoreError> {
        Self::compute(&store.manifest(run)?, store.steps(run), store.outcome(run)?.as_ref())
    }

    /// Returns whether the run reached the goal.
    pub fn reached_goal(&self) -> bool {
        self.end == Some(End::Goal)
    }
}

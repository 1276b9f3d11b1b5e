//! Counterfactual replay: a stored run judged again under other laws, step by step.
//!
//! The word stays the same; only the rulings change. Replay judges each proposal by the other laws *in the states that
//! the run went through*. Up to the first executed action that they would have blocked, the run would have been the
//! same; later rulings are only for the record.
//!
//! Replay also predicts every step's outcome again, from the stored observation before it, and reports the outcomes that
//! were not predicted.

pub(crate) mod predictions;
mod render;

use std::collections::BTreeMap;
use std::sync::Arc;

use ltlcrit_store::{
    LawId, ProposalRecord, Proposer, Reply, Ruling, RunId, RunManifest, RunOutcome, StepRecord, Store, StoreError,
    Translator,
};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{
    ActionId, Enforcement, Explanation, Judgement, Law, Lift, PropSet, RunFault, Shield, Vocabulary,
};
use ltlcrit_worlds::Observation;
use predictions::Predictions;
pub use predictions::Unpredicted;
pub use render::render;
use serde::Serialize;
use thiserror::Error;

use crate::agent::shielding::{read, shield};
use crate::agent::{AgentError, law_records, restore_laws};

/// The reason why a run cannot be judged again.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The run cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run's own laws cannot be read.
    #[error(transparent)]
    StoredLaws(#[from] AgentError),
    /// The other laws do not fit the run.
    #[error("run {run}{why}")]
    Laws {
        /// The run.
        run: RunId,
        /// The problem, after the number of the run.
        why: String,
    },
    /// The run's records cannot be those of a run.
    #[error("run {run}{why}")]
    Damaged {
        /// The run.
        run: RunId,
        /// The problem, after the number of the run.
        why: String,
    },
}

/// One proposal, judged in the run and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProposalDiff {
    /// The proposer.
    pub by: Proposer,
    /// The action, by name.
    pub action: String,
    /// True if it ran.
    pub executed: bool,
    /// The judgement in the run.
    pub then: Judgement,
    /// The judgement of these laws.
    pub now: Judgement,
}

impl ProposalDiff {
    /// Returns whether the judgements differ.
    pub fn differs(&self) -> bool {
        self.then != self.now
    }
}

/// One step, judged in the run and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepDiff {
    /// Its number.
    pub step: u64,
    /// The readable proposals, in order.
    pub proposals: Vec<ProposalDiff>,
    /// The laws in force in the run.
    pub force_then: Enforcement,
    /// The laws in force now.
    pub force_now: Enforcement,
    /// The laws the step violated in the run.
    pub violations_then: Vec<LawId>,
    /// The laws it violates now.
    pub violations_now: Vec<LawId>,
    /// The laws that owed something after it in the run.
    pub owed_then: Vec<LawId>,
    /// The laws that owe something now.
    pub owed_now: Vec<LawId>,
    /// The part of its outcome that was not predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpredicted: Option<Unpredicted>,
}

impl StepDiff {
    /// Creates a step in which no law is violated or owed anything.
    fn of(step: u64, proposals: Vec<ProposalDiff>, force_then: Enforcement, force_now: Enforcement) -> Self {
        Self {
            step,
            proposals,
            force_then,
            force_now,
            violations_then: Vec::new(),
            violations_now: Vec::new(),
            owed_then: Vec::new(),
            owed_now: Vec::new(),
            unpredicted: None,
        }
    }

    /// Returns whether anything differs.
    pub fn differs(&self) -> bool {
        self.proposals.iter().any(ProposalDiff::differs)
            || self.force_then != self.force_now
            || self.violations_then != self.violations_now
            || self.owed_then != self.owed_now
    }
}

/// Counts of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReplayCounts {
    /// Steps judged, the one in flight at the end included.
    pub steps: u64,
    /// Steps with a difference.
    pub steps_that_differ: u64,
    /// Readable proposals.
    pub proposals: u64,
    /// Executed actions that would have been blocked.
    pub executed_now_blocked: u64,
    /// Proposals that were blocked and would have been allowed.
    pub blocked_now_allowed: u64,
    /// Proposals blocked then and now, by other laws.
    pub blocked_by_others: u64,
    /// Steps under the hard laws alone, then.
    pub fallbacks_then: u64,
    /// Steps under the hard laws alone, now.
    pub fallbacks_now: u64,
    /// Violations, then.
    pub violations_then: u64,
    /// Violations, now.
    pub violations_now: u64,
    /// Blocked proposals by law, now.
    pub blocks_by_law: BTreeMap<LawId, u64>,
    /// Steps whose outcome was not among those predicted.
    pub unpredicted: u64,
}

/// A run under other laws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// The run.
    pub run: RunId,
    /// True if the model was simulated.
    pub simulated: bool,
    /// The number of laws in force when the run began.
    pub laws_then: usize,
    /// The number of laws that it is judged by.
    pub laws_now: usize,
    /// True if these are the run's own laws.
    pub same_laws: bool,
    /// Every step.
    pub steps: Vec<StepDiff>,
    /// The first step with a difference.
    pub first_difference: Option<u64>,
    /// The first step whose executed action would have been blocked; from there on the run would have been different.
    pub first_blocked: Option<u64>,
    /// Counts.
    pub counts: ReplayCounts,
}

/// Laws that a run is judged by in place of its own.
#[derive(Clone, Debug)]
pub struct OtherLaws {
    /// The laws.
    pub laws: Vec<Law>,
    /// Their vocabulary, if it derives other propositions than the run's. What it derives is evaluated on the stored details.
    pub vocabulary: Option<Arc<Vocabulary>>,
}

/// Laws over the run's own vocabulary.
impl From<Vec<Law>> for OtherLaws {
    fn from(laws: Vec<Law>) -> Self {
        Self { laws, vocabulary: None }
    }
}

/// Judges a stored run by `laws`, or by its own laws (with every change it made to them) when `None`.
///
/// # Errors
/// The run cannot be read, or the laws do not fit its vocabulary.
pub fn replay(store: &Store, run: RunId, laws: Option<OtherLaws>) -> Result<Replay, ReplayError> {
    let manifest = store.manifest(run)?;
    let steps: Vec<StepRecord> = store.steps(run).collect::<Result<_, _>>()?;
    judge(&manifest, &steps, store.outcome(run)?.as_ref(), laws)
}

/// The same as [`replay`], over records already read.
///
/// # Errors
/// As [`replay`].
pub fn judge(
    manifest: &RunManifest,
    steps: &[StepRecord],
    outcome: Option<&RunOutcome>,
    laws: Option<OtherLaws>,
) -> Result<Replay, ReplayError> {
    let run = manifest.run;
    let Stage { mut shield, vocabulary, own, steps, predictions } = Stage::new(manifest, steps, laws)?;
    let (first, rest) = steps.split_first().ok_or_else(|| damaged(run, " has no stored steps".to_owned()))?;
    let mut replay = Replay {
        run,
        simulated: manifest.model.simulated,
        laws_then: manifest.laws.len(),
        laws_now: shield.laws().len(),
        same_laws: own || law_records(shield.laws()) == manifest.laws,
        steps: Vec::with_capacity(steps.len()),
        first_difference: None,
        first_blocked: None,
        counts: ReplayCounts::default(),
    };
    let refused = |why| refused(run, why);
    let fault = |fault| cannot_be_judged(run, fault);
    replay.add(StepDiff {
        violations_then: first.violations.clone(),
        violations_now: shield.start(first.observation.holds).map_err(fault)?,
        owed_then: first.owed.clone(),
        owed_now: shield.obligations(),
        ..StepDiff::of(first.step, Vec::new(), Enforcement::All, Enforcement::All)
    });
    let decide = |shield: &mut Shield, before: &Observation, proposals: &[ProposalRecord], executed| {
        let mut foresight = predictions.foresight(shield, before);
        let force = foresight.decide().enforcement;
        let now = foresight.rule_again(proposals, manifest.shielded);
        (force, compare(&vocabulary, proposals, now, executed))
    };
    let mut before = &first.observation;
    for record in rest {
        let mut violations = Vec::new();
        if let (true, Some(new_laws)) = (own, &record.new_laws) {
            violations = shield.replace_laws(restore_laws(run, new_laws)?).map_err(refused)?;
        }
        let unpredicted = predictions.unpredicted(before, record);
        let executed = record.executed.as_ref().map(|executed| executed.action);
        let (force, proposals) = decide(&mut shield, before, &record.proposals, executed);
        before = &record.observation;
        let none = RunFault::NoAction { letter: shield.letter_number() + 1 };
        let (action, observations) = record.letter.taken(&vocabulary).ok_or(none).map_err(fault)?;
        let (broken, owed) = read(&mut shield, action, record.passed(), observations).map_err(fault)?;
        violations.extend(broken);
        replay.add(StepDiff {
            violations_then: record.violations.clone(),
            violations_now: violations,
            owed_then: record.owed.clone(),
            owed_now: owed,
            unpredicted,
            ..StepDiff::of(record.step, proposals, record.force.clone(), force)
        });
    }
    if let Some(in_flight) = outcome.and_then(|outcome| outcome.in_flight.as_ref()) {
        if let (true, Some(new_laws)) = (own, &in_flight.new_laws) {
            shield.replace_laws(restore_laws(run, new_laws)?).map_err(refused)?;
        }
        let (force, proposals) = decide(&mut shield, before, &in_flight.proposals, in_flight.action);
        replay.add(StepDiff::of(in_flight.step, proposals, in_flight.force.clone(), force));
    }
    Ok(replay)
}

/// A run that is judged: its steps over the vocabulary of the laws, and a shield that has read none of them.
struct Stage {
    shield: Shield,
    vocabulary: Arc<Vocabulary>,
    /// True if the laws are the run's own.
    own: bool,
    steps: Vec<StepRecord>,
    predictions: Predictions,
}

impl Stage {
    fn new(manifest: &RunManifest, steps: &[StepRecord], laws: Option<OtherLaws>) -> Result<Self, ReplayError> {
        let run = manifest.run;
        let own = laws.is_none();
        let (laws, vocabulary) = match laws {
            Some(other) => (other.laws, other.vocabulary),
            None => (restore_laws(run, &manifest.laws)?, None),
        };
        let vocabulary = match vocabulary {
            Some(vocabulary) => vocabulary,
            None => {
                let own = manifest.vocabulary.restore();
                Arc::new(own.map_err(|why| damaged(run, format!(": its stored vocabulary cannot be read: {why}")))?)
            }
        };
        let translation = Translator::new(vocabulary.clone()).translation(&manifest.vocabulary).ok_or_else(|| {
            let found = &manifest.vocabulary.name;
            let why = format!(" is over the vocabulary `{found}`, the laws are over another one");
            ReplayError::Laws { run, why }
        })?;
        let predictions = Predictions::new(&manifest.world, manifest.robust, vocabulary.clone());
        let steps: Vec<StepRecord> =
            steps.iter().map(|step| translation.step(run, step.clone())).collect::<Result<_, _>>()?;
        let shield = shield(&vocabulary, laws, manifest.fallback).map_err(|why| refused(run, why))?;
        Ok(Self { shield, vocabulary, own, steps, predictions })
    }
}

fn damaged(run: RunId, why: String) -> ReplayError {
    ReplayError::Damaged { run, why }
}

fn refused(run: RunId, why: ShieldError) -> ReplayError {
    ReplayError::Laws { run, why: format!(" cannot be judged by these laws: {why}") }
}

fn cannot_be_judged(run: RunId, fault: RunFault) -> ReplayError {
    damaged(run, format!(" cannot be judged: {fault}"))
}

/// The answer to the question of whether an action may follow a step of a run.
#[derive(Debug)]
pub struct Permission {
    /// The step that it would follow; 0 is the first state.
    pub step: u64,
    /// The observations there.
    pub now: PropSet,
    /// The judgement with its reasons.
    pub explanation: Explanation,
    /// The nearest letters that lift a block.
    pub lift: Lift,
}

/// Judges one action after a step of a stored run, as its shield would have: by `laws`, or by the run's own. Without a step it is
/// the last one before the run stopped.
///
/// # Errors
/// As [`replay`], or a step that the run does not have.
pub fn ask(
    store: &Store,
    run: RunId,
    laws: Option<OtherLaws>,
    step: Option<u64>,
    action: ActionId,
) -> Result<Permission, ReplayError> {
    let manifest = store.manifest(run)?;
    let steps: Vec<StepRecord> = store.steps(run).collect::<Result<_, _>>()?;
    let Stage { mut shield, vocabulary, own, steps, predictions } = Stage::new(&manifest, &steps, laws)?;
    let goes_on = |step: &&StepRecord| step.letter.action(&vocabulary).is_none_or(|it| Some(it) != vocabulary.stop());
    let steps: Vec<&StepRecord> = steps.iter().take_while(goes_on).collect();
    let last = steps.iter().rfind(|it| step.is_none_or(|step| it.step == step));
    let (Some(first), Some(last)) = (steps.first(), last) else {
        let steps = steps.last().map_or(0, |last| last.step);
        return Err(ReplayError::Laws {
            run,
            why: format!(" has the steps 0 to {steps} in which an action may follow"),
        });
    };
    shield.start(first.observation.holds).map_err(|fault| cannot_be_judged(run, fault))?;
    for record in steps.iter().skip(1).take_while(|record| record.step <= last.step) {
        if let (true, Some(laws)) = (own, &record.new_laws) {
            shield.replace_laws(restore_laws(run, laws)?).map_err(|why| refused(run, why))?;
        }
        let none = RunFault::NoAction { letter: shield.letter_number() + 1 };
        let taken = record.letter.taken(&vocabulary).ok_or(none);
        let read = taken.and_then(|(action, holds)| read(&mut shield, action, record.passed(), holds));
        read.map_err(|fault| cannot_be_judged(run, fault))?;
    }
    let (explanation, lift) = predictions.foresight(&mut shield, &last.observation).ask(action);
    Ok(Permission { step: last.step, now: last.observation.holds, explanation, lift })
}

/// The readable proposals of a step, with both judgements.
fn compare(
    vocabulary: &Vocabulary,
    proposals: &[ProposalRecord],
    now: Vec<Option<Ruling>>,
    executed: Option<ActionId>,
) -> Vec<ProposalDiff> {
    let last = proposals.len().saturating_sub(1);
    let judged = proposals.iter().zip(now).enumerate();
    let readable = judged.filter_map(|(position, (proposal, ruling))| match &proposal.reply {
        Reply::Action { action } => Some(ProposalDiff {
            by: proposal.by,
            action: vocabulary.action_name(*action).to_owned(),
            executed: position == last && executed == Some(*action),
            then: proposal.ruling.judgement()?,
            now: ruling?.judgement()?,
        }),
        Reply::NoAction(_) => None,
    });
    readable.collect()
}

impl Replay {
    fn add(&mut self, step: StepDiff) {
        let counts = &mut self.counts;
        counts.steps += u64::from(step.step > 0);
        if step.differs() {
            counts.steps_that_differ += u64::from(step.step > 0);
            self.first_difference.get_or_insert(step.step);
        }
        for proposal in &step.proposals {
            counts.proposals += 1;
            if proposal.executed && !proposal.now.is_allowed() {
                counts.executed_now_blocked += 1;
                self.first_blocked.get_or_insert(step.step);
            }
            counts.blocked_now_allowed += u64::from(!proposal.then.is_allowed() && proposal.now.is_allowed());
            let still = !proposal.then.is_allowed() && !proposal.now.is_allowed();
            counts.blocked_by_others += u64::from(still && proposal.differs());
            for law in proposal.now.laws() {
                *counts.blocks_by_law.entry(law.clone()).or_default() += 1;
            }
        }
        counts.fallbacks_then += u64::from(step.force_then.is_fallback());
        counts.fallbacks_now += u64::from(step.force_now.is_fallback());
        counts.violations_then += step.violations_then.len() as u64;
        counts.violations_now += step.violations_now.len() as u64;
        counts.unpredicted += u64::from(step.unpredicted.is_some());
        self.steps.push(step);
    }

    /// Returns whether these laws judge everything as the run's laws did.
    pub fn is_same(&self) -> bool {
        self.first_difference.is_none()
    }
}

//! Judges blocks by executing the blocked actions.
//!
//! Some worlds can be [forked](ltlcrit_worlds::ForkableWorld). The actions of a run are executed again; before each
//! step, the blocked actions are executed in forks of the world.
//!
//! * The *cost* of an action is one step, plus the steps that an exact planner needs from the resulting state.
//! * A choice is *lossy* if it fails or kills, or costs more than the best of all actions.
//! * A block is *right* if the choice is lossy. It is *harmless* if some allowed action costs no more. It is *wrong* if
//!   every allowed action costs more.
//!
//! Stopping before the goal counts as a failure. In planning tasks a plan must not meet more danger than is tolerated.
//!
//! The planner of Minecraft plans from the observed symbolic state, and its distance is exact for that state. The steps
//! of a policy that plays on would depend on luck: it finds one ore sooner and another later. A useless log would often
//! cost nothing, and the next action of a shortest plan up to four steps. One action still depends on luck: exploring
//! may lead back to a table that the planner considers lost. An action therefore never costs less than the planner's
//! distance before it; otherwise every other choice there would be lossy.

mod figures;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use figures::BlockVerdict;
pub use figures::{Audit, Block, Blocks, LawAudit};
use ltlcrit_store::{LawId, ProposalRecord, Proposer, Reply, Ruling, StepRecord};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{ActionId, Fallback, Implied, Law, PropSet, RunFault, Shield, Vocabulary};
use ltlcrit_worlds::{ForkableWorld, Left, Outcome, WorldInfo};
use thiserror::Error;

use crate::agent::shielding::{read, shield};
use crate::replay::predictions::Predictions;

/// The maximum number of wrong blocks kept for a law.
const MAX_WRONG: usize = 5;

/// The reason why a run cannot be audited.
#[derive(Debug, Error)]
pub enum AuditError {
    /// The laws cannot be enforced.
    #[error(transparent)]
    Shield(#[from] ShieldError),
    /// A step cannot be part of any run.
    #[error("the shield cannot follow the run: {0}")]
    Fault(#[from] RunFault),
    /// The run's actions had another result when they were executed again.
    #[error("seed {seed}: at step {step} the world went another way than it did in the run")]
    Diverged {
        /// The seed of the run.
        seed: u64,
        /// The first step that differs.
        step: u64,
    },
}

/// A run to audit.
pub struct Played<'a> {
    /// Its seed.
    pub seed: u64,
    /// The description of its world.
    pub world: &'a WorldInfo,
    /// True if its hard laws were judged by every letter that the world predicted.
    pub robust: bool,
    /// The soft laws that were suspended in an over-constrained state.
    pub fallback: Fallback,
    /// Its steps.
    pub steps: &'a [StepRecord],
    /// The proposals of the step in which it ended.
    pub in_flight: &'a [ProposalRecord],
}

/// Executes blocked actions in forks of the worlds of runs.
pub struct Auditor {
    vocabulary: Arc<Vocabulary>,
    implied: Implied,
    laws: Vec<Law>,
    trials: Box<dyn ForkableWorld>,
    audit: Audit,
}

/// The cost of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    /// True if it fails, kills the player, or ends the run before the goal.
    fails: bool,
    /// The number of steps to the goal with it; `None` if the goal cannot be reached.
    steps: Option<u64>,
}

/// The cost of an action that ends the run before the goal.
const NEVER: Cost = Cost { fails: true, steps: None };

/// The planner gave up.
struct Unknown;

/// Orders costs: no way to the goal is longer than any way.
fn or_never(steps: Option<u64>) -> u64 {
    steps.unwrap_or(u64::MAX)
}

/// A state of a run, before a step.
struct Here<'a> {
    seed: u64,
    step: u64,
    world: &'a dyn ForkableWorld,
    held: PropSet,
    /// The action that ends the run.
    stop: Option<ActionId>,
    /// The planner's distance to the goal, `None` if it cannot be reached; `planned` is its next action.
    foreseen: Option<u64>,
    planned: Option<ActionId>,
    /// The applicable actions; `allowed` are those that the shield allowed.
    offered: Vec<ActionId>,
    allowed: Vec<ActionId>,
    /// The results of executed actions; `None` for an action that ended the run.
    known: BTreeMap<ActionId, Option<Tried>>,
}

/// The result of an executed action.
struct Tried {
    fails: bool,
    left: Left,
}

impl Auditor {
    /// Creates an auditor of runs under `laws` in this world. Only the laws with the ids in `audited` are audited.
    pub fn new(
        vocabulary: Arc<Vocabulary>,
        laws: Vec<Law>,
        audited: impl IntoIterator<Item = LawId>,
        trials: Box<dyn ForkableWorld>,
    ) -> Self {
        let formula = |id: &LawId| laws.iter().find(|law| law.id == *id).map(|law| law.formula.to_string());
        let of_law = |law: LawId| LawAudit {
            formula: formula(&law).unwrap_or_default(),
            law,
            blocks: Blocks::default(),
            wrong_blocks: Vec::new(),
        };
        let audit = Audit { laws: audited.into_iter().map(of_law).collect(), ..Audit::default() };
        Self { implied: Implied::new(&vocabulary), vocabulary, laws, trials, audit }
    }

    /// Returns the blocks of all audited runs.
    pub fn finish(self) -> Audit {
        Audit { recall: figures::share(self.audit.lossy_blocked, self.audit.lossy), ..self.audit }
    }

    /// Audits a run that the laws shielded from its beginning.
    ///
    /// # Errors
    /// The laws do not compile, or the world does not repeat the run.
    pub fn run(&mut self, run: &Played<'_>) -> Result<(), AuditError> {
        let mut world = self.trials.fresh(run.seed);
        let mut shield = shield(&self.vocabulary, self.laws.clone(), run.fallback)?;
        let predictions = Predictions::new(run.world, run.robust, self.vocabulary.clone());
        let Some((mut before, rest)) = run.steps.split_first() else { return Ok(()) };
        shield.start(before.letter.0)?;
        for record in rest {
            let mut here = world.copy();
            let executed = record.executed.as_ref().filter(|it| Some(it.action) != self.vocabulary.stop());
            let mut known = BTreeMap::new();
            if let Some(executed) = executed {
                if world.act(executed.action).as_ref() != Some(&executed.outcome) {
                    return Err(AuditError::Diverged { seed: run.seed, step: record.step });
                }
                known.insert(executed.action, after(&executed.outcome, world.as_mut()));
            }
            self.step((run.seed, before), (here.as_mut(), known), &predictions, &mut shield, &record.proposals);
            let (action, observations) = record
                .letter
                .taken(&self.vocabulary)
                .ok_or(RunFault::NoAction { letter: shield.letter_number() + 1 })?;
            read(&mut shield, action, record.passed(), observations)?;
            before = record;
        }
        self.step((run.seed, before), (world.as_mut(), BTreeMap::new()), &predictions, &mut shield, run.in_flight);
        Ok(())
    }

    /// Audits the proposals for the next step, given the known results of some actions. Once the goal is reached, no
    /// action costs anything.
    fn step(
        &mut self,
        (seed, before): (u64, &StepRecord),
        (world, known): (&mut dyn ForkableWorld, BTreeMap<ActionId, Option<Tried>>),
        predictions: &Predictions,
        shield: &mut Shield,
        proposals: &[ProposalRecord],
    ) {
        let actions = |it: &&ProposalRecord| it.by == Proposer::Actor && matches!(it.reply, Reply::Action { .. });
        let proposed = proposals.iter().filter(actions).count() as u64;
        if proposed == 0 {
            return;
        }
        let (foreseen, planned) = match world.left() {
            Left::Steps(0, _) => return,
            Left::Steps(steps, next) => (Some(steps), next),
            Left::NoWay => (None, None),
            Left::Unknown => {
                self.audit.undecided += proposed;
                return;
            }
        };
        let mut foresight = predictions.foresight(shield, &before.observation);
        foresight.decide();
        let (offered, allowed) = (foresight.offered(), foresight.lawful(false));
        let (step, held) = (before.step + 1, before.observation.holds);
        let stop = self.vocabulary.stop();
        let mut here = Here { seed, step, world, held, stop, foreseen, planned, offered, allowed, known };
        for proposal in proposals {
            let (Proposer::Actor, Reply::Action { action }) = (proposal.by, &proposal.reply) else { continue };
            let judged = match &proposal.ruling {
                Ruling::Undecided { .. } => Err(Unknown),
                Ruling::Blocked { laws, .. } => self.block(&mut here, *action, laws),
                ruling if ruling.lets_run() => {
                    here.is_lossy(*action).map(|is_lossy| self.audit.lossy += u64::from(is_lossy))
                }
                _ => Ok(()),
            };
            self.audit.undecided += u64::from(judged.is_err());
        }
    }

    fn block(&mut self, here: &mut Here<'_>, action: ActionId, laws: &[LawId]) -> Result<(), Unknown> {
        let is_lossy = here.is_lossy(action)?;
        if !self.audit.laws.iter().any(|audit| laws.contains(&audit.law)) {
            self.audit.lossy += u64::from(is_lossy);
            return Ok(());
        }
        let steps = here.cost(action)?.steps;
        let best_allowed = here.best(&here.allowed.clone())?;
        let verdict = match is_lossy {
            true => BlockVerdict::Right,
            false if or_never(best_allowed) <= or_never(steps) => BlockVerdict::Harmless,
            false => BlockVerdict::Wrong,
        };
        let named = |set: &PropSet| self.vocabulary.names(set).into_iter().map(str::to_owned).collect();
        let block = Block {
            seed: here.seed,
            step: here.step,
            action: self.vocabulary.action_name(action).to_owned(),
            held: named(&here.held),
            telling: named(&self.implied.strongest_holding(&here.held)),
            steps,
            best_allowed,
            verdict,
        };
        self.audit.lossy += u64::from(is_lossy);
        self.audit.lossy_blocked += u64::from(is_lossy);
        self.audit.blocks.add(&block);
        for audit in self.audit.laws.iter_mut().filter(|audit| laws.contains(&audit.law)) {
            audit.blocks.add(&block);
            if verdict == BlockVerdict::Wrong && audit.wrong_blocks.len() < MAX_WRONG {
                audit.wrong_blocks.push(block.clone());
            }
        }
        Ok(())
    }
}

impl Here<'_> {
    /// Returns whether an action fails, or costs more than the best one.
    fn is_lossy(&mut self, action: ActionId) -> Result<bool, Unknown> {
        let cost = self.cost(action)?;
        if cost.fails || cost.steps == self.foreseen {
            return Ok(cost.fails);
        }
        Ok(or_never(cost.steps) > or_never(self.best(&self.offered.clone())?))
    }

    /// Returns the steps to the goal with the best of some actions, the planned one first. Stops at an action that
    /// costs as much as the planner's distance.
    fn best(&mut self, among: &[ActionId]) -> Result<Option<u64>, Unknown> {
        let mut best = None;
        for action in self.planned.into_iter().chain(among.iter().copied()).filter(|action| among.contains(action)) {
            let cost = self.cost(action)?;
            if !cost.fails && or_never(cost.steps) < or_never(best) {
                best = cost.steps;
            }
            if best.is_some() && best == self.foreseen {
                break;
            }
        }
        Ok(best)
    }

    /// Returns the cost of an action here.
    fn cost(&mut self, action: ActionId) -> Result<Cost, Unknown> {
        if self.stop == Some(action) {
            return Ok(NEVER);
        }
        let result = self.known.entry(action).or_insert_with(|| {
            let mut world = self.world.copy();
            world.act(action).and_then(|outcome| after(&outcome, world.as_mut()))
        });
        let cost = |fails: bool, left: u64| Cost { fails, steps: Some((left + 1).max(self.foreseen.unwrap_or(0))) };
        match result {
            Some(Tried { left: Left::Unknown, .. }) => Err(Unknown),
            Some(Tried { fails, left: Left::Steps(left, _) }) => Ok(cost(*fails, *left)),
            Some(Tried { fails, left: Left::NoWay }) => Ok(Cost { fails: *fails, steps: None }),
            None => Ok(NEVER),
        }
    }
}

/// Returns the result of an action; `None` if the run ends with it.
fn after(outcome: &Outcome, world: &mut dyn ForkableWorld) -> Option<Tried> {
    (!outcome.is_fatal()).then(|| Tried { fails: !outcome.succeeded(), left: world.left() })
}

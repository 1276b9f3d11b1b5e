//! Whether blocks were right, found out by doing what was blocked.
//!
//! The embedded world can be copied. The actions of a run are executed again; before each step, the blocked actions are
//! executed in copies of the world. What an action *costs* is one step and the steps that the exact planner needs from the
//! symbolic state it led to ([`State::of`] the observation). A choice is *lossy* if it fails or kills, or costs more than the
//! best of all actions. A block is *right* if the choice is lossy, *harmless* if some allowed action costs as little, and
//! *wrong* if every allowed action costs more. Stopping before the diamond counts as a failure.
//!
//! Why the planner's distance, and not the steps of a policy that plays on from there: a policy that sees only observations
//! finds one ore sooner and another later. Played on, a log too many often costs nothing and the next action of a shortest
//! plan a step or four, by luck of terrain alone; the distance is exact for the state that is seen. Luck remains in one
//! action: to explore may lead back to a table that the planner takes for lost. So no action costs less than the
//! planner foresees before it; otherwise every other choice there would be lossy.

use std::collections::BTreeMap;
use std::sync::Arc;

use ltlcrit_minecraft::planner::{Goal, Planner, State, TaskRules};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, MinecraftObservation};
use ltlcrit_store::{LawId, ProposalRecord, Proposer, Reply, Ruling, StepRecord};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{ActionId, ActionSet, Implied, Law, PropSet, RunFault, Shield, Vocabulary};
use ltlcrit_worlds::world::Outcome;
use ltlcrit_worlds::{DerivedObservations, Forecast};
use serde::Serialize;
use thiserror::Error;

use crate::agent::foresight::Foresight;
use crate::agent::shielding::{read, shield};

/// How many wrong blocks of a law are kept.
const MOST_WRONG: usize = 5;

/// Why a run cannot be audited.
#[derive(Debug, Error)]
pub enum AuditError {
    /// The laws cannot be enforced.
    #[error(transparent)]
    Shield(#[from] ShieldError),
    /// A step cannot be part of any run.
    #[error("the shield cannot follow the run: {0}")]
    Fault(#[from] RunFault),
    /// Executing the run's actions again had another result.
    #[error("seed {seed}: at step {step} the world went another way than it did in the run")]
    Diverged {
        /// The seed of the world.
        seed: u64,
        /// The first step that differs.
        step: u64,
    },
    /// A step has no observation of Minecraft.
    #[error("seed {seed}: at step {step} Minecraft was not observed")]
    NoObservation {
        /// The seed of the world.
        seed: u64,
        /// The step.
        step: u64,
    },
}

/// Blocked proposals, by what executing them shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Blocks {
    /// All of them.
    pub blocks: u64,
    /// Blocks of actions that fail, or cost more than the best action of all.
    pub right: u64,
    /// Blocks of actions that cost as little as the best one, where an allowed action costs no more.
    pub harmless: u64,
    /// Blocks of actions that cost less than every allowed one.
    pub wrong: u64,
    /// The steps that right blocks saved, compared with the best allowed action, where both lead to the diamond.
    pub steps_saved: u64,
    /// The steps that wrong blocks cost, where the best allowed action leads to the diamond.
    pub steps_lost: u64,
}

impl Blocks {
    /// The share of right blocks among all; `None` without any.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.blocks)
    }

    /// The share of right blocks among those that are right or wrong; `None` without any.
    pub fn precision_without_harmless(&self) -> Option<f64> {
        share(self.right, self.right + self.wrong)
    }

    fn add(&mut self, block: &Block) {
        let worse = |more: Option<u64>, less: Option<u64>| more.zip(less).map_or(0, |(a, b)| a.saturating_sub(b));
        self.blocks += 1;
        match block.verdict {
            BlockVerdict::Right => {
                self.right += 1;
                self.steps_saved += worse(block.steps, block.best_allowed);
            }
            BlockVerdict::Harmless => self.harmless += 1,
            BlockVerdict::Wrong => {
                self.wrong += 1;
                self.steps_lost += worse(block.best_allowed, block.steps);
            }
        }
    }
}

/// A share; `None` of nothing.
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// What executing a blocked action shows about the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockVerdict {
    Right,
    Harmless,
    Wrong,
}

/// A blocked proposal, with what it would have cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// The seed of the world.
    pub seed: u64,
    /// The step that the action was proposed for.
    pub step: u64,
    /// The action.
    pub action: String,
    /// The observations that held.
    pub held: Vec<String>,
    /// The same without implied ones, for people.
    #[serde(skip)]
    pub telling: Vec<String>,
    /// The steps to the diamond with this action; `None` if there is no way.
    pub steps: Option<u64>,
    /// The steps to the diamond with the best allowed action; `None` if there is no way.
    pub best_allowed: Option<u64>,
    #[serde(skip)]
    verdict: BlockVerdict,
}

/// The blocks of one law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LawAudit {
    /// The law.
    pub law: LawId,
    /// The blocks that name it; a block that names several laws counts for each.
    #[serde(flatten)]
    pub blocks: Blocks,
    /// The first wrong ones.
    pub wrong_blocks: Vec<Block>,
}

/// The blocks of some laws in some runs, and what they did not block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// The blocked proposals, each once.
    #[serde(flatten)]
    pub blocks: Blocks,
    /// Lossy choices: proposals, blocked or executed, of actions that fail or cost more than the best one.
    pub lossy: u64,
    /// Lossy choices that the laws blocked.
    pub lossy_blocked: u64,
    /// Proposals that the shield could not decide. They are not judged.
    pub undecided: u64,
    /// By law, in the book's order.
    pub laws: Vec<LawAudit>,
}

impl Audit {
    /// The share of lossy choices that were blocked; `None` without any.
    pub fn recall(&self) -> Option<f64> {
        share(self.lossy_blocked, self.lossy)
    }
}

/// Executes blocked actions in copies of the worlds that runs went through.
pub struct Auditor {
    vocabulary: Arc<Vocabulary>,
    implied: Implied,
    derived: DerivedObservations,
    laws: Vec<Law>,
    options: EmbeddedOptions,
    /// Whether the runs' hard laws were judged by every letter that the world predicted.
    robust: bool,
    planner: Planner,
    audit: Audit,
}

/// What an action leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    /// Whether it fails or kills the player, or ends the run without the diamond.
    fails: bool,
    /// The steps to the diamond with it; `None` if there is no way.
    steps: Option<u64>,
}

/// The cost of an action that ends the run without the diamond.
const NEVER: Cost = Cost { fails: true, steps: None };

/// For comparison: no way to the diamond is longer than any.
fn or_never(steps: Option<u64>) -> u64 {
    steps.unwrap_or(u64::MAX)
}

/// A state of a run, before a step.
struct Here<'a> {
    seed: u64,
    step: u64,
    world: &'a EmbeddedWorld,
    held: PropSet,
    /// The planner's distance.
    foreseen: Option<u64>,
    /// The planner's next action.
    planned: Option<ActionId>,
    allowed: ActionSet,
    known: BTreeMap<ActionId, Cost>,
}

impl Auditor {
    /// An auditor of runs under `laws`, whose hard ones are `robust` or not; those with the ids in `audited` are audited.
    pub fn new(
        vocabulary: Arc<Vocabulary>,
        laws: Vec<Law>,
        audited: impl IntoIterator<Item = LawId>,
        options: EmbeddedOptions,
        robust: bool,
    ) -> Self {
        let of_law = |law| LawAudit { law, blocks: Blocks::default(), wrong_blocks: Vec::new() };
        Self {
            implied: Implied::new(&vocabulary),
            derived: DerivedObservations::of(&vocabulary),
            vocabulary,
            laws,
            options,
            robust,
            planner: Planner::new(Goal::Diamond, TaskRules::default()),
            audit: Audit { laws: audited.into_iter().map(of_law).collect(), ..Audit::default() },
        }
    }

    /// The blocks of all runs audited.
    pub fn finish(self) -> Audit {
        self.audit
    }

    /// Audits a run that the laws shielded from its beginning, in the embedded world of a seed: its steps, and the
    /// proposals of the step that it ended in.
    ///
    /// # Errors
    /// The laws do not compile, or the world does not repeat the run.
    pub fn run(&mut self, seed: u64, steps: &[StepRecord], in_flight: &[ProposalRecord]) -> Result<(), AuditError> {
        let mut shield = shield(&self.vocabulary, self.laws.clone())?;
        let mut world = EmbeddedWorld::new(seed, self.options);
        let Some((mut before, rest)) = steps.split_first() else { return Ok(()) };
        shield.start(before.letter.0)?;
        for record in rest {
            let mut here = self.here(seed, before, &world, &mut shield)?;
            if let Some(executed) = &record.executed {
                // The run itself shows what the executed action led to.
                let cost = self.cost_of(&here, executed.action, &executed.outcome, &state(seed, record)?);
                here.known.insert(executed.action, cost);
            }
            self.step(&mut here, &record.proposals);
            if let Some(executed) = record.executed.as_ref().filter(|it| Some(it.action) != self.vocabulary.stop())
                && world.act(executed.action).ok().as_ref() != Some(&executed.outcome)
            {
                return Err(AuditError::Diverged { seed, step: record.step });
            }
            let (action, observations) = record
                .letter
                .taken(&self.vocabulary)
                .ok_or(RunFault::NoAction { letter: shield.letter_number() + 1 })?;
            read(&mut shield, action, record.passed(), observations)?;
            before = record;
        }
        if !in_flight.is_empty() {
            let mut here = self.here(seed, before, &world, &mut shield)?;
            self.step(&mut here, in_flight);
        }
        Ok(())
    }

    /// The state after a step, with the actions that the shield allowed there in the run.
    fn here<'a>(
        &mut self,
        seed: u64,
        before: &StepRecord,
        world: &'a EmbeddedWorld,
        shield: &mut Shield,
    ) -> Result<Here<'a>, AuditError> {
        if self.robust {
            let seen = &before.observation;
            let known = |action| self.derived.forecast(Forecast::of(world, seen, action), &seen.holds, action);
            Foresight::new(&known, &|_| false, &|| None, seen.holds).tell(shield);
        }
        let allowed = shield.decide().allowed;
        let state = state(seed, before)?;
        let foreseen = self.planner.distance(&state).map(u64::from);
        let planned = self.planner.next_action(&state).and_then(|name| self.vocabulary.action(name));
        let (step, held) = (before.step + 1, before.observation.holds);
        Ok(Here { seed, step, world, held, foreseen, planned, allowed, known: BTreeMap::new() })
    }

    /// Audits the proposals for a step. Nothing costs anything once the diamond is there.
    fn step(&mut self, here: &mut Here<'_>, proposals: &[ProposalRecord]) {
        if here.foreseen == Some(0) {
            return;
        }
        for proposal in proposals {
            let (Proposer::Actor, Reply::Action { action }) = (proposal.by, &proposal.reply) else { continue };
            match &proposal.ruling {
                Ruling::Undecided { .. } => self.audit.undecided += 1,
                Ruling::Blocked { laws, .. } => self.block(here, *action, laws),
                ruling if ruling.lets_run() => self.audit.lossy += u64::from(self.is_lossy(here, *action)),
                _ => {}
            }
        }
    }

    fn block(&mut self, here: &mut Here<'_>, action: ActionId, laws: &[LawId]) {
        let is_lossy = self.is_lossy(here, action);
        self.audit.lossy += u64::from(is_lossy);
        if !self.audit.laws.iter().any(|audit| laws.contains(&audit.law)) {
            return;
        }
        self.audit.lossy_blocked += u64::from(is_lossy);
        let steps = self.cost(here, action).steps;
        let best_allowed = self.best(here, here.allowed);
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
        self.audit.blocks.add(&block);
        for audit in self.audit.laws.iter_mut().filter(|audit| laws.contains(&audit.law)) {
            audit.blocks.add(&block);
            if verdict == BlockVerdict::Wrong && audit.wrong_blocks.len() < MOST_WRONG {
                audit.wrong_blocks.push(block.clone());
            }
        }
    }

    /// Whether an action fails, or costs more than the best one.
    fn is_lossy(&mut self, here: &mut Here<'_>, action: ActionId) -> bool {
        let cost = self.cost(here, action);
        let all = ActionSet::first(self.vocabulary.actions().len());
        cost.fails || (cost.steps != here.foreseen && or_never(cost.steps) > or_never(self.best(here, all)))
    }

    /// The steps to the diamond with the best of some actions. Actions are executed until one costs what the planner
    /// foresees, the planned one first.
    fn best(&mut self, here: &mut Here<'_>, among: ActionSet) -> Option<u64> {
        let mut best = None;
        for action in here.planned.into_iter().chain(among.iter()).filter(|action| among.contains(*action)) {
            let cost = self.cost(here, action);
            if !cost.fails && or_never(cost.steps) < or_never(best) {
                best = cost.steps;
            }
            if best.is_some() && best == here.foreseen {
                break;
            }
        }
        best
    }

    /// What an action costs here.
    fn cost(&mut self, here: &mut Here<'_>, action: ActionId) -> Cost {
        if let Some(known) = here.known.get(&action) {
            return *known;
        }
        let mut world = here.world.clone();
        let cost = match world.act(action) {
            Ok(outcome) => self.cost_of(here, action, &outcome, &State::of(&world.look())),
            Err(_) => NEVER,
        };
        here.known.insert(action, cost);
        cost
    }

    /// What an action costs that had this outcome and led to this state.
    fn cost_of(&mut self, here: &Here<'_>, action: ActionId, outcome: &Outcome, after: &State) -> Cost {
        let died = outcome.is_fatal();
        if died || self.vocabulary.stop() == Some(action) {
            return NEVER;
        }
        let left = self.planner.distance(after).map(u64::from);
        let steps = left.map(|left| (left + 1).max(here.foreseen.unwrap_or(0)));
        Cost { fails: !outcome.succeeded(), steps }
    }
}

/// The symbolic state after a step.
fn state(seed: u64, record: &StepRecord) -> Result<State, AuditError> {
    let observation = record.observation.details.get::<MinecraftObservation>();
    observation.map(|seen| State::of(&seen)).ok_or(AuditError::NoObservation { seed, step: record.step })
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::planner::Policy;
    use ltlcrit_model::Usage;
    use ltlcrit_store::{Executed, ProposalRecord, Proposer};
    use ltlcrit_verifier::{Enforcement, Letter, syntax};
    use ltlcrit_worlds::World as _;

    use super::*;

    fn proposal(vocabulary: &Vocabulary, name: &str, ruling: Ruling) -> ProposalRecord {
        let reply = Reply::Action { action: vocabulary.action(name).unwrap() };
        ProposalRecord { by: Proposer::Actor, reply, ruling, thought: None, usage: Usage::default(), worded: None }
    }

    /// The best policy's run in the world of a seed; before each step these actions are blocked by the law named.
    fn run(seed: u64, steps: u64, blocked: &[(u64, &str, &str)]) -> Vec<StepRecord> {
        let vocabulary = ltlcrit_minecraft::vocabulary();
        let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
        let (mut policy, mut last) = (Policy::default(), None);
        let record = |step, world: &mut EmbeddedWorld, executed: Option<Executed>, proposals| {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let observation = runtime.block_on(world.observe()).unwrap();
            let holds = observation.holds;
            let letter = match &executed {
                Some(executed) => Letter::after(&vocabulary, executed.action, holds),
                None => Letter::initial(holds),
            };
            StepRecord {
                step,
                observation,
                letter,
                proposals,
                executed,
                force: Enforcement::All,
                raised: false,
                relaxed: Vec::new(),
                violations: Vec::new(),
                owed: Vec::new(),
                new_laws: None,
                new_books: Vec::new(),
                first_seen: None,
            }
        };
        let mut records = vec![record(0, &mut world, None, Vec::new())];
        for step in 1..=steps {
            let action = policy.next(&world.look(), last.as_ref()).unwrap();
            let outcome = world.act(action).unwrap();
            last = Some(outcome.clone());
            let block = |(_, action, law): &(u64, &str, &str)| {
                let laws = vec![LawId::from(*law)];
                proposal(&vocabulary, action, Ruling::Blocked { laws, minimal: true, explanation: String::new() })
            };
            let mut proposals: Vec<_> = blocked.iter().filter(|(at, ..)| *at == step).map(block).collect();
            proposals.push(proposal(&vocabulary, vocabulary.action_name(action), Ruling::Allowed));
            records.push(record(
                step,
                &mut world,
                Some(Executed { action, thought: None, outcome, trace: Vec::new() }),
                proposals,
            ));
        }
        records
    }

    /// Under laws, the audit of the policy's run in which these actions are blocked.
    fn audit(laws: &[(&str, &str)], seed: u64, steps: u64, blocked: &[(u64, &str, &str)]) -> Audit {
        audit_of(laws, seed, steps, blocked, false)
    }

    fn audit_of(laws: &[(&str, &str)], seed: u64, steps: u64, blocked: &[(u64, &str, &str)], robust: bool) -> Audit {
        let law = |(id, formula): &(&str, &str)| Law::hard(*id, syntax::parse(formula).unwrap(), "");
        let laws: Vec<Law> = laws.iter().map(law).collect();
        let ids: Vec<LawId> = laws.iter().map(|law| law.id.clone()).collect();
        let mut auditor = Auditor::new(ltlcrit_minecraft::vocabulary(), laws, ids, EmbeddedOptions::default(), robust);
        auditor.run(seed, &run(seed, steps, blocked), &[]).unwrap();
        auditor.finish()
    }

    #[test]
    fn blocks_of_failures_are_right_and_blocks_of_the_only_way_are_wrong() {
        let laws = [("no-furnace", "G X !action_craft_furnace"), ("no-log", "G X !action_mine_log")];
        let audit = audit(&laws, 1, 2, &[(1, "action_craft_furnace", "no-furnace"), (1, "action_mine_log", "no-log")]);
        // Every plan begins with a log.
        let expected = Blocks { blocks: 2, right: 1, harmless: 0, wrong: 1, steps_saved: 0, steps_lost: 2 };
        assert_eq!(audit.blocks, expected, "{audit:?}");
        assert_eq!((audit.lossy, audit.lossy_blocked, audit.recall()), (1, 1, Some(1.0)));
        assert_eq!((audit.blocks.precision(), audit.blocks.precision_without_harmless()), (Some(0.5), Some(0.5)));
        assert_eq!((&*audit.laws[0].law, audit.laws[0].blocks.right), ("no-furnace", 1));
        let wrong = &audit.laws[1].wrong_blocks[0];
        assert_eq!((wrong.step, wrong.action.as_str(), wrong.steps), (1, "action_mine_log", Some(38)));
        assert_eq!(wrong.best_allowed, Some(40));
    }

    #[test]
    fn a_block_is_harmless_where_another_action_is_as_good() {
        // Once there is a log, planks can be made now or later.
        let audit = audit(&[("later", "G X !action_craft_planks")], 1, 2, &[(2, "action_craft_planks", "later")]);
        assert_eq!((audit.blocks.harmless, audit.blocks.blocks), (1, 1), "{audit:?}");
        assert_eq!((audit.lossy, audit.recall()), (0, None));
        assert_eq!((audit.blocks.precision(), audit.blocks.precision_without_harmless()), (Some(0.0), None));
    }

    #[test]
    fn actions_that_the_shield_refused_for_what_they_may_lead_to_are_not_allowed_ones() {
        // Every plan begins with a log, and mining one may lead to a state with one.
        let blocks =
            |robust| audit_of(&[("no-log", "G !obs_has_log")], 1, 1, &[(1, "action_mine_log", "no-log")], robust);
        let (robust, cooperative) = (blocks(true).blocks, blocks(false).blocks);
        assert_eq!((robust.wrong, robust.blocks), (1, 1), "{robust:?}");
        assert_eq!((cooperative.harmless, cooperative.blocks), (1, 1), "{cooperative:?}");
    }

    #[test]
    fn lossy_choices_count_whether_blocked_or_not_and_stopping_is_one() {
        let vocabulary = ltlcrit_minecraft::vocabulary();
        let laws = vec![Law::hard("stay", syntax::parse("F obs_has_diamond").unwrap(), "")];
        let mut steps = run(1, 1, &[(1, "action_stop", "stay"), (1, "action_stop", "another")]);
        let undecided = Ruling::Undecided { why: String::new() };
        steps[1].proposals.insert(0, proposal(&vocabulary, "action_mine_log", undecided));
        let mut auditor = Auditor::new(vocabulary, laws, [LawId::from("stay")], EmbeddedOptions::default(), false);
        auditor.run(1, &steps, &[]).unwrap();
        let audit = auditor.finish();
        assert_eq!(
            (audit.lossy, audit.lossy_blocked, audit.undecided),
            (2, 1, 1),
            "blocks of other laws are lossy too"
        );
        assert_eq!((audit.blocks.right, audit.blocks.blocks, audit.blocks.steps_saved), (1, 1, 0));
    }

    #[test]
    fn a_run_of_another_world_is_refused() {
        let mut auditor =
            Auditor::new(ltlcrit_minecraft::vocabulary(), Vec::new(), Vec::new(), EmbeddedOptions::default(), false);
        let error = auditor.run(2, &run(1, 5, &[]), &[]).unwrap_err();
        assert!(matches!(error, AuditError::Diverged { seed: 2, .. }), "{error}");
    }
}

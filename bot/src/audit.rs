//! Whether blocks were right, found out by doing what was blocked.
//!
//! The embedded world can be copied. The actions of a run are executed again; before each of them, every action that was
//! blocked there is executed in a copy, and the exact planner's policy goes on from what that leads to. What an action
//! *costs* is one step and what the policy needs after it. A block is right if the action fails or kills, or if it costs more
//! than the best of the actions allowed there. A choice is *lossy* if it fails or costs more than the best action of all.

use std::collections::BTreeMap;
use std::sync::Arc;

use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Optima};
use ltlcrit_store::{LawId, Reply, Ruling, StepRecord};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{ActionId, ActionSet, Law, PropSet, Vocabulary};
use serde::Serialize;

use crate::agent::shielding::shield;

/// What an action leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Whether it fails, or kills the player.
    pub fails: bool,
    /// The steps to the diamond with this one; `None` if the policy finds none.
    pub steps: Option<u64>,
}

impl Cost {
    /// For comparison: no way to the diamond is longer than any.
    fn steps_or_never(self) -> u64 {
        self.steps.unwrap_or(u64::MAX)
    }
}

/// A block that was wrong: the action would have worked and cost no more than the best allowed one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrongBlock {
    /// The seed of the world.
    pub seed: u64,
    /// The step to be taken.
    pub step: u64,
    /// The action.
    pub action: String,
    /// What held.
    pub holds: Vec<String>,
    /// What the action would have cost.
    pub steps: Option<u64>,
    /// What the best allowed one cost.
    pub best_allowed: Option<u64>,
}

/// What was found out about one law.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LawAudit {
    /// Blocks that named the law.
    pub blocks: u64,
    /// Those of them that were right.
    pub right: u64,
    /// The steps that right blocks saved, where both ways lead to the diamond.
    pub steps_saved: u64,
    /// The first blocks that were wrong.
    pub wrong: Vec<WrongBlock>,
}

/// How many wrong blocks of a law are kept.
const MOST_WRONG: usize = 5;

/// What was found out about the laws of some runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// By law.
    pub laws: BTreeMap<LawId, LawAudit>,
    /// Blocked proposals.
    pub blocks: u64,
    /// Those of them that were right.
    pub right: u64,
    /// Lossy proposals that were blocked.
    pub lossy_blocked: u64,
    /// Lossy actions that ran.
    pub lossy_ran: u64,
}

impl Audit {
    /// The share of blocks that were right; `None` without any.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.blocks)
    }

    /// The share of lossy proposals that were blocked; `None` without any.
    pub fn recall(&self) -> Option<f64> {
        share(self.lossy_blocked, self.lossy_blocked + self.lossy_ran)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Executes blocked actions in copies of the worlds that runs went through.
pub struct Auditor {
    vocabulary: Arc<Vocabulary>,
    laws: Vec<Law>,
    options: EmbeddedOptions,
    optima: Optima,
    audit: Audit,
}

/// One state of a run.
struct Here<'a> {
    seed: u64,
    step: u64,
    world: &'a EmbeddedWorld,
    holds: PropSet,
    costs: BTreeMap<ActionId, Cost>,
}

impl Auditor {
    /// An auditor of these laws.
    pub fn new(vocabulary: Arc<Vocabulary>, laws: Vec<Law>, options: EmbeddedOptions) -> Self {
        Self { vocabulary, laws, options, optima: Optima::new(options), audit: Audit::default() }
    }

    /// What was found out.
    pub fn finish(self) -> Audit {
        self.audit
    }

    /// Goes through a run that the laws shielded, in the embedded world of a seed.
    ///
    /// # Errors
    /// The laws do not compile.
    pub fn run(&mut self, seed: u64, steps: &[StepRecord]) -> Result<(), ShieldError> {
        let mut shield = shield(&self.vocabulary, self.laws.clone(), None)?;
        let mut world = EmbeddedWorld::new(seed, self.options);
        let Some((first, rest)) = steps.split_first() else { return Ok(()) };
        shield.start(first.letter.0);
        let mut holds = first.observation.holds;
        for record in rest {
            let allowed = shield.decide().allowed;
            let here = Here { seed, step: record.step, world: &world, holds, costs: BTreeMap::new() };
            self.step(here, record, &allowed);
            if let Some(executed) = &record.executed {
                // What cannot be repeated is not the run's world any more.
                if world.act(executed.action).is_err() {
                    break;
                }
            }
            holds = record.observation.holds;
            shield.advance(record.letter);
        }
        Ok(())
    }

    fn step(&mut self, mut here: Here<'_>, record: &StepRecord, allowed: &ActionSet) {
        let stop = self.vocabulary.stop();
        let actions: Vec<ActionId> = self.vocabulary.action_ids().filter(|action| Some(*action) != stop).collect();
        let mut best_of = |auditor: &mut Self, among: &mut dyn Iterator<Item = ActionId>| {
            among
                .map(|action| auditor.cost(&mut here, action))
                .filter(|cost| !cost.fails)
                .map(Cost::steps_or_never)
                .min()
        };
        let blocked = record.proposals.iter().any(|proposal| matches!(proposal.ruling, Ruling::Blocked { .. }));
        let best = best_of(self, &mut actions.iter().copied()).unwrap_or(u64::MAX);
        let best_allowed = match blocked {
            true => best_of(self, &mut actions.iter().copied().filter(|action| allowed.contains(*action))),
            false => None,
        };
        for proposal in &record.proposals {
            let Reply::Action { action } = proposal.reply else { continue };
            if Some(action) == stop {
                continue;
            }
            let cost = self.cost(&mut here, action);
            let is_lossy = cost.fails || cost.steps_or_never() > best;
            match &proposal.ruling {
                Ruling::Blocked { laws, .. } => {
                    self.audit.lossy_blocked += u64::from(is_lossy);
                    self.block(&here, action, laws, cost, best_allowed);
                }
                ruling if ruling.lets_run() => self.audit.lossy_ran += u64::from(is_lossy),
                _ => {}
            }
        }
    }

    fn block(&mut self, here: &Here<'_>, action: ActionId, laws: &[LawId], cost: Cost, best_allowed: Option<u64>) {
        let best = best_allowed.unwrap_or(u64::MAX);
        let is_right = cost.fails || cost.steps_or_never() > best;
        self.audit.blocks += 1;
        self.audit.right += u64::from(is_right);
        for law in laws {
            let audit = self.audit.laws.entry(law.clone()).or_default();
            audit.blocks += 1;
            audit.right += u64::from(is_right);
            if is_right {
                audit.steps_saved += cost.steps.and_then(|steps| steps.checked_sub(best)).unwrap_or(0);
            } else if audit.wrong.len() < MOST_WRONG {
                audit.wrong.push(WrongBlock {
                    seed: here.seed,
                    step: here.step,
                    action: self.vocabulary.action_name(action).to_owned(),
                    holds: self.vocabulary.names(&here.holds).into_iter().map(str::to_owned).collect(),
                    steps: cost.steps,
                    best_allowed,
                });
            }
        }
    }

    /// What an action costs here.
    fn cost(&mut self, here: &mut Here<'_>, action: ActionId) -> Cost {
        if let Some(known) = here.costs.get(&action) {
            return *known;
        }
        let mut world = here.world.clone();
        // After a death the policy finds no diamond.
        let fails = world.act(action).map_or(true, |outcome| !outcome.succeeded());
        let steps = self.optima.from(world).map(|rest| rest + 1);
        let cost = Cost { fails, steps };
        here.costs.insert(action, cost);
        cost
    }
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
        ProposalRecord { by: Proposer::Actor, reply, ruling, thought: None, usage: Usage::default() }
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
            records.push(record(step, &mut world, Some(Executed { action, thought: None, outcome }), proposals));
        }
        records
    }

    #[test]
    fn blocks_are_right_or_wrong() {
        let vocabulary = ltlcrit_minecraft::vocabulary();
        let law = |id: &str, formula: &str| Law::hard(id, syntax::parse(formula).unwrap(), "");
        let laws = vec![law("no-furnace", "G X !action_craft_furnace"), law("no-log", "G X !action_mine_log")];
        let mut auditor = Auditor::new(vocabulary, laws, EmbeddedOptions::default());
        let blocked = [(1, "action_craft_furnace", "no-furnace"), (1, "action_mine_log", "no-log")];
        auditor.run(1, &run(1, 2, &blocked)).unwrap();
        let audit = auditor.finish();
        assert_eq!((audit.blocks, audit.right, audit.lossy_blocked, audit.lossy_ran), (2, 1, 1, 0), "{audit:?}");
        assert_eq!((audit.precision(), audit.recall()), (Some(0.5), Some(1.0)));
        let wrong = &audit.laws["no-log"].wrong[0];
        assert_eq!((wrong.step, wrong.action.as_str(), wrong.steps), (1, "action_mine_log", Some(38)));
        assert!(wrong.best_allowed.is_none_or(|best| best > 38));
        assert_eq!(audit.laws["no-furnace"].right, 1);
    }
}

//! Audits of runs of the best policy.

use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};
use ltlcrit_model::Usage;
use ltlcrit_store::{Executed, ProposalRecord, Proposer};
use ltlcrit_verifier::{Enforcement, Letter, syntax};
use ltlcrit_worlds::World as _;

use super::*;
use crate::config::{Config, RunConfig};
use crate::world::{self, WorldName};

/// Returns an embedded world in which actions can be tried.
fn trials() -> Box<dyn ForkableWorld> {
    let run = RunConfig { world: WorldName::EMBEDDED, ..RunConfig::default() };
    world::fork(&Config { run, ..Config::default() }).unwrap()
}

/// Audits a run in the embedded world.
fn run_in(auditor: &mut Auditor, seed: u64, steps: &[StepRecord], robust: bool) -> Result<(), AuditError> {
    let world = &EmbeddedWorld::new(seed, EmbeddedOptions::default()).info();
    auditor.run(&Played { seed, world, robust, fallback: Fallback::OneByOne, steps, in_flight: &[] })
}

fn proposal(vocabulary: &Vocabulary, name: &str, ruling: Ruling) -> ProposalRecord {
    let reply = Reply::Action { action: vocabulary.action(name).unwrap() };
    ProposalRecord { by: Proposer::Actor, reply, ruling, thought: None, usage: Usage::default(), worded: None }
}

/// Returns the best policy's run in the world of a seed. Before each step, the named law blocks the given actions.
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

/// Audits the policy's run under laws; the given actions are blocked.
fn audit(laws: &[(&str, &str)], seed: u64, steps: u64, blocked: &[(u64, &str, &str)]) -> Audit {
    audit_of(laws, seed, steps, blocked, false)
}

fn audit_of(laws: &[(&str, &str)], seed: u64, steps: u64, blocked: &[(u64, &str, &str)], robust: bool) -> Audit {
    let law = |(id, formula): &(&str, &str)| Law::hard(*id, syntax::parse(formula).unwrap(), "");
    let laws: Vec<Law> = laws.iter().map(law).collect();
    let ids: Vec<LawId> = laws.iter().map(|law| law.id.clone()).collect();
    let mut auditor = Auditor::new(ltlcrit_minecraft::vocabulary(), laws, ids, trials());
    run_in(&mut auditor, seed, &run(seed, steps, blocked), robust).unwrap();
    auditor.finish()
}

#[test]
fn blocks_of_failures_are_right_and_blocks_of_the_only_way_are_wrong() {
    let laws = [("no-furnace", "G X !action_craft_furnace"), ("no-log", "G X !action_mine_log")];
    let audit = audit(&laws, 1, 2, &[(1, "action_craft_furnace", "no-furnace"), (1, "action_mine_log", "no-log")]);
    // Every plan begins with a log.
    let half = Some(0.5);
    let expected = Blocks {
        precision: half,
        precision_without_harmless: half,
        blocks: 2,
        right: 1,
        harmless: 0,
        wrong: 1,
        steps_saved: 0,
        steps_lost: 2,
    };
    assert_eq!(audit.blocks, expected, "{audit:?}");
    assert_eq!((audit.lossy, audit.lossy_blocked, audit.recall), (1, 1, Some(1.0)));
    assert_eq!((&*audit.laws[0].law, audit.laws[0].blocks.right), ("no-furnace", 1));
    let wrong = &audit.laws[1].wrong_blocks[0];
    assert_eq!((wrong.step, wrong.action.as_str(), wrong.steps), (1, "action_mine_log", Some(38)));
    assert_eq!(wrong.best_allowed, Some(40));
}

#[test]
fn a_block_is_harmless_where_another_action_is_as_good() {
    // With a log in the inventory, planks can be crafted now or later.
    let audit = audit(&[("later", "G X !action_craft_planks")], 1, 2, &[(2, "action_craft_planks", "later")]);
    assert_eq!((audit.blocks.harmless, audit.blocks.blocks), (1, 1), "{audit:?}");
    assert_eq!((audit.lossy, audit.recall), (0, None));
    assert_eq!((audit.blocks.precision, audit.blocks.precision_without_harmless), (Some(0.0), None));
}

#[test]
fn actions_that_the_shield_refused_for_what_they_may_lead_to_are_not_allowed_ones() {
    // Every plan begins with a log, and mining one may lead to a state with one.
    let blocks = |robust| audit_of(&[("no-log", "G !obs_has_log")], 1, 1, &[(1, "action_mine_log", "no-log")], robust);
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
    let mut auditor = Auditor::new(vocabulary, laws, [LawId::from("stay")], trials());
    run_in(&mut auditor, 1, &steps, false).unwrap();
    let audit = auditor.finish();
    assert_eq!((audit.lossy, audit.lossy_blocked, audit.undecided), (2, 1, 1), "blocks of other laws are lossy too");
    assert_eq!((audit.blocks.right, audit.blocks.blocks, audit.blocks.steps_saved), (1, 1, 0));
}

#[test]
fn a_run_of_another_world_is_refused() {
    let mut auditor = Auditor::new(ltlcrit_minecraft::vocabulary(), Vec::new(), Vec::new(), trials());
    let error = run_in(&mut auditor, 2, &run(1, 5, &[]), false).unwrap_err();
    assert!(matches!(error, AuditError::Diverged { seed: 2, .. }), "{error}");
}

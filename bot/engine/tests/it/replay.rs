//! Counterfactual replay by the same laws, which changes nothing, and by other laws.

use ltlcrit_engine::agent::{Interrupt, RunSummary, Silent};
use ltlcrit_engine::replay::{self, ReplayError, render};
use ltlcrit_store::RunId;
use ltlcrit_verifier::Law;
use ltlcrit_worlds::corridor::corridor;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::common::{Fixture, agent, block_on, facts, hard, plan, random_actor, soft};

const SEED: u64 = 8;

fn staggering(laws: Vec<Law>) -> (Fixture, RunSummary) {
    let fixture = Fixture::new();
    // This run has all the situations that the tests below check.
    let summary = fixture.run(corridor(5), random_actor(SEED), facts(laws));
    (fixture, summary)
}

#[test]
fn other_laws_step_by_step() {
    let (fixture, summary) = staggering(vec![
        hard("no-waiting", "G !action_wait"),
        soft("no-left-at-2", "G(at_2 -> X !action_left)"),
        soft("right-at-3", "G(at_3 -> X action_right)"),
        soft("left-at-3", "G(at_3 -> X action_left)"),
    ]);
    let other = vec![
        hard("no-left", "G !action_left"),
        hard("no-waiting-at-0", "G(at_0 -> X !action_wait)"),
        hard("no-right-at-1", "G(at_1 -> X !action_right)"),
        soft("not-4", "G !at_4"),
        soft("wait-once", "F action_wait"),
    ];
    let judged = replay::replay(&fixture.store, summary.run, Some(other.into())).unwrap();
    let counts = &judged.counts;
    let interesting = counts.executed_now_blocked > 0 && counts.blocked_now_allowed > 0 && counts.violations_now > 0;
    assert!(interesting, "{}", render(&judged, true));
    insta::assert_snapshot!("differences", render(&judged, false));
    insta::assert_snapshot!("every_step", render(&judged, true));
    insta::assert_json_snapshot!("json", judged);
}

#[test]
fn its_own_laws_say_what_they_said() {
    let (fixture, summary) = staggering(vec![
        hard("no-waiting", "G !action_wait"),
        hard("twice", "F(at_2 & X[!] F at_2)"),
        soft("no-left-at-2", "G(at_2 -> X !action_left)"),
    ]);
    let judged = replay::replay(&fixture.store, summary.run, None).unwrap();
    assert!(judged.is_same() && judged.same_laws);
    assert_eq!(judged.first_difference, None);
    insta::assert_snapshot!("same", render(&judged, false));
}

#[test]
fn laws_replaced_on_the_way_are_replaced_again() {
    let fixture = Fixture::new();
    let (mut world, mut actor) = (corridor(4), plan(&[&["action_wait", "action_right"]]));
    let mut new_laws = |step| (step == 3).then(|| vec![soft("no-waiting", "G !action_wait"), soft("owe", "F at_3")]);
    let mut observer = Silent;
    let agent = agent(&mut actor, &mut observer, Interrupt::new(), &mut new_laws);
    let facts = facts(vec![hard("never-left", "G !action_left")]);
    block_on(agent.run_in(&mut world, fixture.begin(facts))).unwrap();
    let judged = replay::replay(&fixture.store, RunId(1), None).unwrap();
    assert!(judged.is_same(), "{}", render(&judged, true));
    assert_eq!(judged.counts.blocks_by_law.get("no-waiting"), Some(&3));
}

#[test]
fn an_unshielded_run_can_be_judged_too() {
    let fixture = Fixture::new();
    let mut facts = facts(vec![hard("no-waiting", "G !action_wait")]);
    facts.shielded = false;
    let run = fixture.run(corridor(3), plan(&[&["action_wait"], &["action_right"]]), facts).run;
    let judged = replay::replay(&fixture.store, run, None).unwrap();
    assert!(judged.is_same());
    assert_eq!((judged.counts.executed_now_blocked, judged.first_blocked), (1, Some(1)));
}

#[test]
fn what_cannot_be_judged_says_why() {
    let (fixture, summary) = staggering(Vec::new());
    let attempt = |run, laws: Vec<Law>| replay::replay(&fixture.store, run, Some(laws.into())).unwrap_err();
    let error = attempt(summary.run, vec![hard("strange", "G !obs_has_log")]);
    assert!(matches!(error, ReplayError::Laws { .. }), "{error}");
    assert!(
        error.to_string().starts_with("run 1 cannot be judged by these laws: law `strange` mentions `obs_has_log`")
    );
    assert!(attempt(RunId(5), Vec::new()).to_string().starts_with("there is no run 5"));
}

/// Laws of every shape over a corridor of four places.
fn law() -> impl Strategy<Value = String> {
    let place = (0..4_u8).prop_map(|place| format!("at_{place}"));
    let action = prop_oneof![Just("action_left"), Just("action_right"), Just("action_wait"), Just("action_stop")];
    (place.clone(), place, action, 0..7_u8).prop_map(|(here, there, action, form)| match form {
        0 => format!("G({here} -> X !{action})"),
        1 => format!("G({here} -> X {action})"),
        2 => format!("F {there}"),
        3 => format!("G({here} -> F {action})"),
        4 => format!("!{there} W {action}"),
        5 => format!("G({here} -> X(!{there} | {action}))"),
        _ => format!("{here} U {action}"),
    })
}

/// Judging any run again by its own laws changes nothing.
#[test]
fn any_run_is_the_same_under_its_own_laws() {
    let fixture = Fixture::new();
    let cases = (prop::collection::vec((law(), any::<bool>()), 0..6), any::<u64>(), any::<bool>());
    let mut runner = TestRunner::new(ProptestConfig { cases: 500, ..ProptestConfig::default() });
    let checked = runner.run(&cases, |(laws, seed, shielded)| {
        let law = |(position, (formula, is_hard)): (usize, &(String, bool))| {
            let id = format!("law-{position}");
            if *is_hard { hard(&id, formula) } else { soft(&id, formula) }
        };
        let mut facts = facts(laws.iter().enumerate().map(law).collect());
        facts.shielded = shielded;
        let summary = fixture.run(corridor(4), random_actor(seed), facts);
        let judged = replay::replay(&fixture.store, summary.run, None).unwrap();
        prop_assert!(judged.is_same(), "{}", render(&judged, true));
        prop_assert_eq!(RunSummary::of(&fixture.store, summary.run).unwrap(), summary);
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(fixture.store.verify().unwrap().is_sound());
}

//! The loop, with scripted actors in scripted worlds.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use ltlcrit_engine::actor::{NotRun, Situation};
use ltlcrit_engine::agent::RunFacts;
use ltlcrit_engine::agent::{AgentError, Event, Interrupt, RunSummary, Silent, same_laws};
use ltlcrit_engine::optimum::Optimum;
use ltlcrit_model::{ModelError, ModelInfo, NanoUsd};
use ltlcrit_store::{Budget, End, Limits, NoAction, Offer, Proposer, Reply, Ruling, RunId, Worded};
use ltlcrit_verifier::{ActionId, Enforcement};
use ltlcrit_worlds::corridor::{Corridor, corridor};
use ltlcrit_worlds::{
    Activity, LiveWorld, Observation, Outcome, Progress, Reason, Recorder, Watcher, World, WorldError, WorldInfo,
    async_trait,
};
use serde_json::json;

use crate::common::{
    FailsAt, Fixture, Script, block_on, delegate_world, facts, hard, kind, malformed, plan, propose, random_actor, soft,
};

const RIGHT: &[&[&str]] = &[&["action_right"]];

fn limits(max_steps: u64) -> Option<Limits> {
    Some(Limits { max_steps, ..facts(Vec::new()).limits })
}

#[test]
fn walks_to_the_goal_and_stops() {
    let fixture = Fixture::new();
    let mut events = Vec::new();
    let mut observer = |event: &Event<'_>| events.push(kind(event));
    let summary =
        fixture.try_run(corridor(3), plan(RIGHT), facts(Vec::new()), &mut observer, Interrupt::new()).unwrap();
    assert_eq!(summary.end, Some(End::Goal));
    assert_eq!((summary.metrics.steps, summary.metrics.proposals), (2, 2));
    assert_eq!(summary.metrics.failed_share, Some(0.0));
    assert_eq!(summary.metrics.usage.total(), 220);
    assert_eq!(summary.metrics.cost, Some(NanoUsd(2 * (100 * 2000 + 10 * 8000))));
    assert_eq!(summary.metrics.subgoals.iter().map(|it| it.step).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert_eq!(summary.holds, ["at_2"]);
    assert!(summary.model.simulated && !summary.resumable);
    let step = ["Asking", "Proposed", "Executing", "Stored"];
    let expected = [&["Started", "Stored"][..], &step, &step, &["Proposed", "Executing", "Stored", "Ended"]].concat();
    assert_eq!(events, expected);

    let steps = fixture.steps(summary.run);
    let vocabulary = ltlcrit_worlds::World::vocabulary(&corridor(3));
    let word: Vec<String> = steps.iter().map(|record| vocabulary.names(&record.letter.0).join(",")).collect();
    assert_eq!(word, ["at_0", "at_1,action_right", "at_2,action_right", "at_2,action_stop"]);
    assert_eq!(steps[3].proposals[0].by, Proposer::Loop);
    assert!(fixture.store.verify().unwrap().is_sound());
    assert_eq!(RunSummary::of(&fixture.store, summary.run).unwrap(), summary);
    assert!(fixture.store.timing(summary.run, 2).unwrap().is_some());
}

#[test]
fn the_optimum_beside_a_live_run_says_what_it_leaves_out() {
    let summary = Fixture::new().run(corridor(2), plan(RIGHT), facts(Vec::new()));
    for (world, simulated, fuel) in [("server", false, true), ("server", true, false), ("embedded", false, false)] {
        let model = ModelInfo { simulated, ..summary.model.clone() };
        let caveat = Optimum::caveat(&RunSummary { world: world.to_owned(), model, ..summary.clone() });
        assert_eq!(caveat.is_some_and(|caveat| caveat.contains("the fuel that a furnace burns")), fuel, "{world}");
    }
}

#[test]
fn a_blocked_action_is_proposed_again_with_the_law() {
    let fixture = Fixture::new();
    let told = Rc::new(RefCell::new(Vec::new()));
    let ear = told.clone();
    let actor = Script(async move |situation: &Situation<'_>| {
        ear.borrow_mut().extend(situation.refusals.to_vec());
        assert!(situation.allowed.is_none());
        propose(situation, if situation.refusals.is_empty() { "action_wait" } else { "action_right" })
    });
    let laws = vec![hard("no-waiting", "G(at_0 -> X !action_wait)")];
    let summary = fixture.run(corridor(2), actor, facts(laws));
    assert_eq!(summary.end, Some(End::Goal));
    assert_eq!((summary.metrics.proposals, summary.metrics.blocked, summary.metrics.steps), (2, 1, 1));
    assert_eq!(summary.metrics.blocked_share, Some(0.5));
    assert_eq!(summary.metrics.blocks_by_law.get("no-waiting"), Some(&1));
    let [NotRun::Blocked { explanation, .. }] = &told.borrow()[..] else { panic!("{told:?}") };
    assert!(explanation.contains("no-waiting") && explanation.contains("Explanation of no-waiting."), "{explanation}");
    let record = &fixture.steps(summary.run)[1];
    assert!(matches!(&record.proposals[0].ruling, Ruling::Blocked { laws, .. } if laws[..] == ["no-waiting".into()]));
    assert_eq!(record.proposals[1].ruling, Ruling::Allowed);
}

#[test]
fn the_past_is_told_with_what_was_refused() {
    let fixture = Fixture::new();
    let laws = vec![hard("no-waiting", "G(at_0 -> X !action_wait)")];
    let actor = Script(async |situation: &Situation<'_>| {
        if situation.step == 1 {
            return propose(situation, if situation.refusals.is_empty() { "action_wait" } else { "action_left" });
        }
        let [past] = situation.history else { panic!("{:?}", situation.history) };
        assert_eq!(past.thought.as_deref(), Some("Step 1: action_left."));
        assert_eq!(past.outcome.failure.as_ref().unwrap().to_string(), "not_applicable");
        assert!(matches!(past.refused[..], [NotRun::Blocked { .. }]));
        assert!(situation.refusals.is_empty());
        assert_eq!(&*situation.laws[0].explanation, "Explanation of no-waiting.");
        let feasible: Vec<&str> = situation.feasible.iter().map(|it| situation.vocabulary.action_name(*it)).collect();
        assert_eq!(feasible, ["action_left", "action_right", "action_stop"]);
        propose(situation, "action_right")
    });
    let summary = fixture.run(corridor(2), actor, facts(laws));
    assert_eq!(summary.end, Some(End::Goal));
    assert_eq!(summary.metrics.failed_actions, 1);
    assert_eq!(summary.metrics.failed_share, Some(1.0 / 3.0));
}

#[test]
fn malformed_and_unknown_replies_count_and_are_asked_again() {
    let fixture = Fixture::new();
    let actor = Script(async |situation: &Situation<'_>| match situation.refusals {
        [] => malformed("Let me think"),
        [NotRun::NoAction(NoAction::Malformed { reply, .. })] => {
            assert_eq!(reply, "Let me think");
            propose(situation, "action_fly")
        }
        [.., NotRun::NoAction(NoAction::Unknown { name, .. })] => {
            assert_eq!(name, "action_fly");
            propose(situation, "action_right")
        }
        other => panic!("{other:?}"),
    });
    let summary = fixture.run(corridor(2), actor, facts(Vec::new()));
    assert_eq!(summary.end, Some(End::Goal));
    let metrics = &summary.metrics;
    assert_eq!((metrics.proposals, metrics.malformed, metrics.unknown, metrics.blocked), (3, 1, 1, 0));
    assert_eq!(metrics.failed_share, Some(2.0 / 3.0));
    let replies: Vec<Ruling> = fixture.steps(summary.run)[1].proposals.iter().map(|it| it.ruling.clone()).collect();
    assert_eq!(replies, [Ruling::Unreadable, Ruling::Unreadable, Ruling::Allowed]);
}

#[test]
fn an_invented_action_number_is_unknown() {
    let fixture = Fixture::new();
    let actor = Script(async |situation: &Situation<'_>| {
        let mut proposal = propose(situation, "action_right")?;
        if situation.refusals.is_empty() {
            proposal.action = Ok(ltlcrit_verifier::ActionId(999));
        }
        Ok(proposal)
    });
    let summary = fixture.run(corridor(2), actor, facts(Vec::new()));
    assert_eq!((summary.end, summary.metrics.unknown), (Some(End::Goal), 1));
}

#[test]
fn what_is_allowed_is_listed_before_the_run_gives_up() {
    let fixture = Fixture::new();
    let listed = Rc::new(RefCell::new(Vec::new()));
    let ear = listed.clone();
    let actor = Script(async move |situation: &Situation<'_>| {
        let names = |ids: &[_]| ids.iter().map(|it| situation.vocabulary.action_name(*it).to_owned()).collect();
        ear.borrow_mut().push(situation.allowed.map(names));
        propose(situation, "action_wait")
    });
    let laws = vec![hard("no-waiting", "G !action_wait"), soft("stay-off", "G(at_0 -> X !action_left)")];
    let summary = fixture.run(corridor(2), actor, facts(laws));
    assert_eq!(summary.end, Some(End::NoProposal { tries: 4 }));
    assert!(!summary.resumable);
    // Two equal answers in a row make the loop list the allowed actions at once.
    let list: Option<Vec<String>> = Some(vec!["action_right".into(), "action_stop".into()]);
    assert_eq!(*listed.borrow(), [None, None, list.clone(), list]);
    assert_eq!((summary.metrics.steps, summary.metrics.proposals, summary.metrics.blocked), (0, 4, 4));
    assert_eq!(summary.metrics.usage.total(), 440);
    let outcome = fixture.store.outcome(summary.run).unwrap().unwrap();
    assert_eq!(outcome.in_flight.unwrap().proposals.len(), 4);
}

/// If only allowed actions are offered, an actor that takes the first one is asked once a step.
#[test]
fn nothing_is_proposed_in_vain_where_only_allowed_actions_are_offered() {
    let laws = || vec![hard("no-waiting", "G !action_wait")];
    let play = |offer| {
        let fixture = Fixture::new();
        let actor = Script(async |situation: &Situation<'_>| {
            let choice = situation.allowed.unwrap_or(situation.offered);
            let is_offered = |name: &&str| choice.contains(&situation.vocabulary.action(name).unwrap());
            propose(situation, ["action_wait", "action_right"].into_iter().find(is_offered).unwrap())
        });
        let facts = facts(laws());
        let facts = RunFacts { limits: Limits { offer, max_steps: 4, ..facts.limits }, ..facts };
        fixture.run(corridor(2), actor, facts)
    };
    let (all, allowed) = (play(Offer::All), play(Offer::Allowed));
    assert!(all.metrics.blocked > 0, "{all:?}");
    assert_eq!((allowed.metrics.blocked, allowed.metrics.proposals), (0, allowed.metrics.steps), "{allowed:?}");
}

#[test]
fn an_over_constrained_state_suspends_the_soft_law_that_does_not_fit() {
    let fixture = Fixture::new();
    let laws = vec![
        hard("never-left", "G !action_left"),
        soft("right-at-1", "G(at_1 -> X action_right)"),
        soft("harmless", "G(at_0 -> X !action_wait)"),
        soft("wait-at-1", "G(at_1 -> X action_wait)"),
    ];
    let actor = plan(&[&["action_right"], &["action_left", "action_right"]]);
    let mut conflicts = 0;
    let mut observer = |event: &Event<'_>| conflicts += i32::from(matches!(event, Event::OverConstrained { .. }));
    let summary = fixture.try_run(corridor(3), actor, facts(laws), &mut observer, Interrupt::new()).unwrap();
    assert_eq!(summary.end, Some(End::Goal));
    assert_eq!((summary.metrics.fallbacks, conflicts), (1, 1));
    assert_eq!(
        summary.metrics.suspended_by_law.iter().map(|(law, count)| (&**law, *count)).collect::<Vec<_>>(),
        [("wait-at-1", 1)]
    );
    // All other laws still hold, and the violation is recorded.
    assert_eq!(summary.metrics.blocks_by_law.keys().map(|law| &**law).collect::<Vec<_>>(), ["right-at-1"]);
    assert_eq!(summary.metrics.violations_by_law.keys().map(|law| &**law).collect::<Vec<_>>(), ["wait-at-1"]);
    let expected = Enforcement::Suspended {
        suspended: vec!["wait-at-1".into()],
        conflict: vec!["right-at-1".into(), "wait-at-1".into()],
        minimal: true,
        proved: true,
    };
    let stored: Vec<_> = fixture.store.conflicts(summary.run).map(Result::unwrap).collect();
    assert_eq!(stored.len(), 1);
    assert_eq!((stored[0].step, &stored[0].force), (2, &expected));
    assert_eq!(fixture.steps(summary.run)[2].force, expected);
}

#[test]
fn hard_laws_that_leave_nothing_end_the_run() {
    let fixture = Fixture::new();
    let laws = vec![
        hard("only-left", "G(at_1 -> X(action_left | action_stop))"),
        hard("never-left", "G !action_left"),
        soft("harmless", "G !action_wait"),
    ];
    let summary = fixture.run(corridor(3), plan(RIGHT), facts(laws));
    let Some(End::NothingAllowed { conflict }) = &summary.end else { panic!("{:?}", summary.end) };
    assert_eq!(conflict[..], ["only-left".into(), "never-left".into()]);
    assert!(!summary.resumable);
    assert_eq!((summary.metrics.steps, summary.last_step), (1, Some(1)));
    let stored: Vec<_> = fixture.store.conflicts(summary.run).map(Result::unwrap).collect();
    assert!(matches!(stored[0].force, Enforcement::Nothing { .. }));
    assert!(fixture.resume(corridor(3), plan(RIGHT), summary.run, None).is_err());
}

/// Letter 0 has no action, so every run violates the law there. Without the other laws it would still leave nothing.
#[test]
fn an_abort_names_a_law_that_no_run_satisfies_alone() {
    let fixture = Fixture::new();
    let laws = vec![
        hard("no-left", "G !action_left"),
        hard("no-right", "G !action_right"),
        hard("go", "G(action_left | action_right)"),
    ];
    let summary = fixture.run(corridor(3), plan(RIGHT), facts(laws));
    assert_eq!(summary.end, Some(End::NothingAllowed { conflict: vec!["go".into()] }));
    assert_eq!(summary.metrics.violations_by_law.keys().map(|law| &**law).collect::<Vec<_>>(), ["go"]);
}

#[test]
fn a_goal_where_nothing_but_stopping_is_allowed_is_no_conflict() {
    let fixture = Fixture::new();
    let laws = vec![hard("rest", "G(at_1 -> X action_stop)")];
    let summary = fixture.run(corridor(2), plan(RIGHT), facts(laws));
    assert_eq!((summary.end, summary.metrics.fallbacks), (Some(End::Goal), 0));
    assert_eq!(fixture.store.conflicts(summary.run).count(), 0);
}

#[test]
fn the_run_goes_on_while_a_hard_law_is_owed_something() {
    let fixture = Fixture::new();
    let actor = Script(async |situation: &Situation<'_>| {
        assert_eq!(situation.goal_reached, situation.step == 2);
        if situation.goal_reached {
            let [NotRun::Blocked { action, explanation, .. }] = situation.refusals else { panic!() };
            assert_eq!(situation.vocabulary.action_name(*action), "action_stop");
            assert!(explanation.contains("wait-once") && !explanation.contains("left-once"), "{explanation}");
            return propose(situation, "action_wait");
        }
        propose(situation, "action_right")
    });
    let laws = vec![hard("wait-once", "F action_wait"), soft("left-once", "F action_left")];
    let summary = fixture.run(corridor(2), actor, facts(laws));
    assert_eq!(summary.end, Some(End::Goal));
    let steps = fixture.steps(summary.run);
    let owed: Vec<usize> = steps.iter().map(|record| record.owed.len()).collect();
    assert_eq!(owed, [2, 2, 1, 1]);
    let by: Vec<Proposer> = steps[2].proposals.iter().map(|proposal| proposal.by).collect();
    assert_eq!(by, [Proposer::Loop, Proposer::Actor]);
    // The loop's own proposal does not count as the actor's mistake.
    assert_eq!((summary.metrics.proposals, summary.metrics.blocked), (2, 0));
}

#[test]
fn a_soft_law_does_not_keep_a_run_from_stopping_at_the_goal() {
    let fixture = Fixture::new();
    let laws = vec![soft("wait-once", "F action_wait"), soft("left-at-1", "G(at_1 -> X action_left)")];
    let summary = fixture.run(corridor(2), plan(RIGHT), facts(laws));
    assert_eq!((summary.end, summary.last_step, summary.metrics.violations), (Some(End::Goal), Some(2), 0));
    let owed = vec!["wait-once".into(), "left-at-1".into()];
    assert_eq!(fixture.steps(summary.run)[2].owed, owed);
    assert_eq!(fixture.store.outcome(summary.run).unwrap().unwrap().owed, owed);
    let judged = ltlcrit_engine::replay::replay(&fixture.store, summary.run, None).unwrap();
    assert!(judged.is_same(), "{judged:?}");
}

#[test]
fn an_actor_may_stop_short_of_the_goal_when_nothing_is_owed() {
    let fixture = Fixture::new();
    let summary = fixture.run(corridor(9), plan(&[&["action_right"], &["action_stop"]]), facts(Vec::new()));
    assert_eq!((summary.end, summary.metrics.steps, summary.last_step), (Some(End::Stopped), 1, Some(2)));
}

#[test]
fn budgets_end_a_run_that_can_be_taken_up_again() {
    let fixture = Fixture::new();
    let mut short = facts(Vec::new());
    short.limits.max_steps = 2;
    let summary = fixture.run(corridor(5), plan(RIGHT), short.clone());
    assert_eq!(summary.end, Some(End::Budget { what: Budget::Steps, limit: 2 }));
    assert!(summary.resumable);
    let again = fixture.resume(corridor(5), plan(RIGHT), summary.run, None).unwrap();
    assert_eq!(again, summary);
    let done = fixture.resume(corridor(5), plan(RIGHT), summary.run, limits(9)).unwrap();
    assert_eq!((done.end, done.metrics.steps), (Some(End::Goal), 4));
    // A goal reached at the last step counts.
    let exact = fixture.run(corridor(3), plan(RIGHT), short);
    assert_eq!(exact.end, Some(End::Goal));

    let mut poor = facts(Vec::new());
    poor.limits.max_tokens = Some(250);
    let summary = fixture.run(corridor(9), plan(RIGHT), poor);
    assert_eq!(summary.end, Some(End::Budget { what: Budget::Tokens, limit: 250 }));
    assert_eq!((summary.metrics.steps, summary.metrics.usage.total()), (3, 330));
}

/// A run that observes nothing new for a number of steps ends and reports its actions. A resumed run gets as many steps
/// again.
#[test]
fn a_stalled_run_ends_and_says_what_it_did() {
    let fixture = Fixture::new();
    let mut patient = facts(Vec::new());
    patient.limits.max_stall = 4;
    let pacing: &[&[&str]] = &[&["action_right"], &["action_left"], &["action_wait"]];
    let stalled = |steps, actions: &str| Some(End::Stalled { steps, actions: actions.to_owned() });
    let summary = fixture.run(corridor(5), plan(pacing), patient.clone());
    assert_eq!((summary.end.clone(), summary.metrics.steps), (stalled(4, "3 x wait, 1 x left"), 5));
    assert!(summary.resumable && !summary.reached_goal());
    let more = fixture.resume(corridor(5), plan(pacing), summary.run, None).unwrap();
    assert_eq!((more.end, more.metrics.steps), (stalled(4, "4 x wait"), 9));

    // Observations of an earlier process count.
    let mut short = patient.clone();
    short.limits.max_steps = 4;
    let cut = fixture.run(corridor(5), plan(pacing), short).run;
    let resumed = fixture.resume(corridor(5), plan(pacing), cut, Some(patient.limits)).unwrap();
    assert_eq!((resumed.end, resumed.metrics.steps), (summary.end, 5));

    // The run continues if it observes something new in time, or if it has no limit. A goal reached at the last step
    // counts.
    let slow: &[&[&str]] = &[&["action_wait"], &["action_wait"], &["action_wait"], &["action_right"], &["action_wait"]];
    assert_eq!(fixture.run(corridor(2), plan(slow), patient).end, Some(End::Goal));
    let end = fixture.run(corridor(5), plan(pacing), facts(Vec::new())).end;
    assert_eq!(end, Some(End::Budget { what: Budget::Steps, limit: 30 }));
}

/// An uninterrupted run of a random actor through seven places.
struct Unbroken {
    seed: u64,
    export: String,
    steps: u64,
}

/// Finds the first seed whose run has refusals of every kind: the actor's actions depend on what it sees.
fn unbroken(laws: &[ltlcrit_verifier::Law]) -> Unbroken {
    let run = |seed: u64| {
        let fixture = Fixture::new();
        let mut facts = facts(laws.to_vec());
        facts.limits.max_steps = 60;
        let summary = fixture.run(corridor(7), random_actor(seed), facts);
        let metrics = &summary.metrics;
        let tells = metrics.blocked > 1 && metrics.unknown > 0 && metrics.malformed > 0 && metrics.steps > 9;
        (tells && summary.end == Some(End::Goal)).then(|| Unbroken {
            seed,
            export: fixture.export(summary.run),
            steps: summary.last_step.unwrap(),
        })
    };
    (0..200).find_map(run).unwrap()
}

fn some_laws() -> Vec<ltlcrit_verifier::Law> {
    vec![
        hard("no-left-at-2", "G(at_2 -> X !action_left)"),
        hard("visit-3-twice", "F(at_3 & X[!] F at_3)"),
        soft("on-at-4", "G(at_4 -> X !action_wait)"),
        soft("wait-at-4", "G(at_4 -> X action_wait)"),
    ]
}

#[test]
fn an_interrupted_run_goes_on_as_if_nothing_had_been() {
    let Unbroken { seed, export, steps } = unbroken(&some_laws());
    for at in 0..steps {
        let fixture = Fixture::new();
        let mut facts = facts(some_laws());
        facts.limits.max_steps = 60;
        let interrupt = Interrupt::new();
        let signal = interrupt.clone();
        let mut observer = |event: &Event<'_>| match event {
            Event::Stored { record, .. } if record.step == at => signal.request(),
            _ => {}
        };
        let summary = fixture.try_run(corridor(7), random_actor(seed), facts, &mut observer, interrupt).unwrap();
        assert_eq!((summary.end, summary.last_step, summary.resumable), (Some(End::Interrupted), Some(at), true));
        let resumed = fixture.resume(corridor(7), random_actor(seed), summary.run, None).unwrap();
        assert_eq!(resumed.end, Some(End::Goal));
        assert_eq!(fixture.export(summary.run), export, "interrupted after step {at}");
    }
}

#[test]
fn an_interrupt_does_not_wait_for_the_model() {
    let fixture = Fixture::new();
    let interrupt = Interrupt::new();
    let signal = interrupt.clone();
    let actor = Script(async move |situation: &Situation<'_>| {
        if situation.step == 3 {
            signal.request();
            std::future::pending::<()>().await;
        }
        propose(situation, "action_right")
    });
    let summary = fixture.try_run(corridor(9), actor, facts(Vec::new()), &mut Silent, interrupt).unwrap();
    assert_eq!((summary.end, summary.last_step), (Some(End::Interrupted), Some(2)));
}

/// A world that stops waiting for its server because of an interrupt is not lost.
#[test]
fn an_interrupt_does_not_wait_for_the_world() {
    let fixture = Fixture::new();
    let interrupt = Interrupt::new();
    let cancelled = || {
        interrupt.request();
        Err(WorldError::Gone("cancelled while waiting for the server".to_owned()))
    };
    let world = FailsAt { world: corridor(5), left: 3, then: &cancelled };
    let actor = Script(async |situation: &Situation<'_>| propose(situation, "action_right"));
    let summary = fixture.try_run(world, actor, facts(Vec::new()), &mut Silent, interrupt.clone()).unwrap();
    assert_eq!((summary.end, summary.last_step, summary.resumable), (Some(End::Interrupted), Some(2), true));
}

#[test]
fn a_model_that_fails_leaves_a_run_that_can_go_on() {
    for (error, cap) in [
        (|| ModelError::Cap { cap: "money", used: "$1.00".into(), limit: "$1.00".into() }, true),
        (|| ModelError::Unavailable { model: "m".into(), why: "connection refused".into() }, false),
    ] as [(fn() -> ModelError, bool); 2]
    {
        let Unbroken { seed, export, .. } = unbroken(&some_laws());
        let fixture = Fixture::new();
        let mut facts = facts(some_laws());
        facts.limits.max_steps = 60;
        let mut inner = random_actor(seed);
        let mut asked = 0;
        let actor = Script(async move |situation: &Situation<'_>| {
            asked += 1;
            if asked == 9 { Err(error()) } else { (inner.0)(situation).await }
        });
        let summary = fixture.run(corridor(7), actor, facts);
        match &summary.end {
            Some(End::Cap { message }) if cap => assert_eq!(message, "money cap reached: $1.00 of $1.00"),
            Some(End::ModelLost { message }) if !cap => assert!(message.contains("connection refused")),
            other => panic!("{other:?}"),
        }
        assert!(summary.resumable);
        fixture.resume(corridor(7), random_actor(seed), summary.run, None).unwrap();
        assert_eq!(fixture.export(summary.run), export);
    }
}

#[test]
fn a_lost_world_ends_the_run_and_keeps_what_was_done() {
    let fixture = Fixture::new();
    let gone = || Err(WorldError::Gone("connection reset".into()));
    let world = FailsAt { world: corridor(5), left: 3, then: &gone };
    let summary = fixture.run(world, plan(RIGHT), facts(Vec::new()));
    assert_eq!(summary.end, Some(End::WorldLost { message: "the world is gone: connection reset".into() }));
    assert_eq!((summary.last_step, summary.metrics.proposals, summary.resumable), (Some(2), 3, true));
    let in_flight = fixture.store.outcome(summary.run).unwrap().unwrap().in_flight.unwrap();
    assert_eq!((in_flight.step, in_flight.action.map(|action| action.0)), (3, Some(1)));
    let done = fixture.resume(corridor(5), plan(RIGHT), summary.run, None).unwrap();
    assert_eq!((done.end, done.metrics.steps, done.metrics.proposals), (Some(End::Goal), 4, 4));

    let dead = || Err(WorldError::Dead("tried to swim in lava".into()));
    let world = FailsAt { world: corridor(5), left: 2, then: &dead };
    let summary = fixture.run(world, plan(RIGHT), facts(Vec::new()));
    assert_eq!(summary.end, Some(End::Died { message: "tried to swim in lava".into() }));
    assert!(!summary.resumable);

    // A world may survive the death: then the fatal step is stored, and the actor is not asked for another.
    let died = || Ok(Outcome::new(Some(Reason("died".into())), "You drowned.", 300));
    let world = FailsAt { world: corridor(5), left: 2, then: &died };
    let summary = fixture.run(world, plan(RIGHT), facts(Vec::new()));
    assert_eq!(summary.end, Some(End::Died { message: "You drowned.".into() }));
    assert_eq!((summary.last_step, summary.metrics.steps, summary.metrics.proposals), (Some(2), 2, 2));
}

#[test]
fn a_run_killed_between_its_last_step_and_its_outcome_gets_its_outcome() {
    let fixture = Fixture::new();
    let summary = fixture.run(corridor(3), plan(RIGHT), facts(Vec::new()));
    let before = fixture.export(summary.run);
    fixture.store.reopen(summary.run).unwrap();
    assert_eq!(RunSummary::of(&fixture.store, summary.run).unwrap().end, None);
    assert_eq!(fixture.resume(corridor(3), plan(RIGHT), summary.run, None).unwrap(), summary);
    assert_eq!(fixture.export(summary.run), before);
}

#[test]
fn a_run_killed_before_its_first_step_starts_over() {
    let fixture = Fixture::new();
    let summary = fixture.run(corridor(3), plan(RIGHT), facts(Vec::new()));
    let mut manifest = fixture.store.manifest(summary.run).unwrap();
    let other = Fixture::new();
    other.store.begin(&mut manifest).unwrap();
    assert_eq!(other.resume(corridor(3), plan(RIGHT), summary.run, None).unwrap(), summary);
    assert_eq!(other.export(summary.run), fixture.export(summary.run));
}

#[test]
fn without_a_shield_the_laws_are_only_watched() {
    let fixture = Fixture::new();
    let mut facts = facts(vec![hard("no-waiting", "G !action_wait"), hard("not-there", "G !at_2")]);
    facts.shielded = false;
    let summary = fixture.run(corridor(3), plan(&[&["action_wait"], &["action_right"]]), facts);
    assert_eq!(summary.end, Some(End::Goal));
    let metrics = &summary.metrics;
    // The world predicts nothing, so a step to `at_2` was only observed afterwards.
    assert_eq!((metrics.steps, metrics.blocked, metrics.unshielded_breaches), (3, 0, 1));
    assert_eq!(metrics.violations_by_law.get("no-waiting"), Some(&1));
    assert!(metrics.violations_by_law.contains_key("not-there"));
    assert_eq!(fixture.store.conflicts(summary.run).count(), 0);
    let record = &fixture.steps(summary.run)[1];
    assert_eq!(
        record.proposals[0].ruling,
        Ruling::Unshielded { laws: vec!["no-waiting".into()], minimal: true, undecided: false }
    );
}

#[test]
fn what_the_world_does_may_violate_a_law_all_the_same() {
    let fixture = Fixture::new();
    // A world that walks when it is asked to wait, which no model predicts.
    struct WalksWhenWaiting(Corridor);
    #[async_trait(?Send)]
    impl World for WalksWhenWaiting {
        fn info(&self) -> WorldInfo {
            self.0.info()
        }
        delegate_world!(0);
        async fn execute(&mut self, _: ActionId) -> Result<Outcome, WorldError> {
            let right = self.0.vocabulary().action("action_right").unwrap();
            self.0.execute(right).await
        }
    }
    let laws = vec![hard("keep-out", "G !at_1")];
    let summary = fixture.run(WalksWhenWaiting(corridor(3)), plan(&[&["action_wait"]]), facts(laws));
    assert_eq!(summary.end, Some(End::Goal));
    assert_eq!((summary.metrics.violations, summary.metrics.blocked), (1, 0));
    assert_eq!(fixture.steps(summary.run)[1].violations, ["keep-out".into()]);
}

#[test]
fn laws_can_be_replaced_between_two_steps() {
    let run = |fixture: &Fixture, stop_after: Option<u64>| {
        let (mut world, mut actor) = (corridor(4), plan(&[&["action_wait", "action_right"]]));
        let mut new_laws = |step| (step == 3).then(|| vec![soft("no-waiting", "G !action_wait")]);
        let interrupt = Interrupt::new();
        let signal = interrupt.clone();
        let mut observer = move |event: &Event<'_>| match event {
            Event::Stored { record, .. } if Some(record.step) == stop_after => signal.request(),
            _ => {}
        };
        let agent = crate::common::agent(&mut actor, &mut observer, interrupt, &mut new_laws);
        let facts = facts(vec![hard("never-left", "G !action_left")]);
        crate::common::block_on(agent.run_in(&mut world, fixture.begin(facts))).unwrap()
    };
    let fixture = Fixture::new();
    let summary = run(&fixture, None);
    assert_eq!(summary.end, Some(End::Goal));
    let steps = fixture.steps(summary.run);
    let waits = |step: usize| steps[step].executed.as_ref().unwrap().action.0 == 2;
    assert!(waits(1) && waits(2) && !waits(3));
    assert_eq!(steps[3].new_laws.as_ref().unwrap()[0].formula, "G !action_wait");
    assert!(steps[4].new_laws.is_none());

    // A resumed run has the later laws in force.
    let other = Fixture::new();
    run(&other, Some(4));
    other.resume(corridor(4), plan(&[&["action_wait", "action_right"]]), RunId(1), None).unwrap();
    assert_eq!(other.export(RunId(1)), fixture.export(summary.run));
}

/// A world that keeps its state between runs. The test may change the state meanwhile.
struct PersistentWorld<'a> {
    world: &'a mut Corridor,
    respawns: bool,
    dies: bool,
    /// The number of times that the player has died between two actions.
    killed: u64,
    /// The observations that it recalled.
    recalled: Rc<RefCell<Vec<Observation>>>,
}

#[async_trait(?Send)]
impl World for PersistentWorld<'_> {
    fn info(&self) -> WorldInfo {
        WorldInfo { deterministic: false, ..self.world.info() }
    }
    delegate_world!(world);
    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        if std::mem::take(&mut self.dies) {
            return Ok(Outcome::new(Some(Reason("died".into())), "You drowned.", 300));
        }
        Ok(Outcome { deaths: std::mem::take(&mut self.killed), ..self.world.execute(action).await? })
    }
    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        Some(self)
    }
}

impl LiveWorld for PersistentWorld<'_> {
    fn respawns(&self) -> bool {
        self.respawns
    }
    fn recall(&mut self, observation: &Observation) {
        self.recalled.borrow_mut().push(observation.clone());
    }
}

fn persistent(world: &mut Corridor) -> PersistentWorld<'_> {
    PersistentWorld { world, respawns: true, dies: false, killed: 0, recalled: Rc::default() }
}

#[test]
fn a_world_that_lives_on_is_taken_up_where_it_is() {
    let fixture = Fixture::new();
    let mut world = corridor(6);
    let mut short = facts(Vec::new());
    short.limits.max_steps = 2;
    let run = fixture.run(persistent(&mut world), plan(RIGHT), short).run;
    let before = fixture.steps(run);
    let resumed = persistent(&mut world);
    let recalled = resumed.recalled.clone();
    let done = fixture.resume(resumed, plan(RIGHT), run, limits(9)).unwrap();
    assert_eq!((done.end, done.metrics.steps), (Some(End::Goal), 5));
    assert_eq!(fixture.steps(run)[..3], before, "nothing had changed, so nothing is amended");
    assert_eq!(*recalled.borrow(), [before[2].observation.clone()], "it is told what was observed last");
}

/// A world that is lost during an action with items in a furnace, and the progress that it restores when it is resumed.
struct LostDuringAction<'a> {
    world: PersistentWorld<'a>,
    recorder: Option<Recorder>,
    lost: bool,
    restored: Vec<Progress>,
}

impl LostDuringAction<'_> {
    fn progress() -> Progress {
        Progress { action: Some(json!({ "coal": 1 })), left_behind: Some(json!({ "furnace": "lit" })) }
    }
}

#[async_trait(?Send)]
impl World for LostDuringAction<'_> {
    fn info(&self) -> WorldInfo {
        self.world.info()
    }
    delegate_world!(world);
    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        Some(self)
    }
    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        let told = self.recorder.as_ref().is_some_and(|recorder| recorder(&LostDuringAction::progress()));
        assert!(told, "the store works");
        if self.lost {
            return Err(WorldError::Gone("the power failed".to_owned()));
        }
        self.recorder.as_ref().map(|recorder| recorder(&Progress::default()));
        self.world.execute(action).await
    }
}

impl LiveWorld for LostDuringAction<'_> {
    fn record_progress(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }
    fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError> {
        self.restored.push(progress);
        Ok(())
    }
}

/// The action in flight continues as it was proposed and judged. The state in its middle is not judged again.
#[test]
fn an_action_that_was_cut_off_goes_on() {
    for blocked_now in [false, true] {
        let fixture = Fixture::new();
        let mut corridor = corridor(4);
        let mut world =
            LostDuringAction { world: persistent(&mut corridor), recorder: None, lost: true, restored: Vec::new() };
        let (law, asked) = (hard("no-way-back", "G(at_1 -> X !action_right)"), Rc::new(RefCell::new(Vec::new())));
        let told = asked.clone();
        let mut actor = Script(async move |situation: &Situation<'_>| {
            told.borrow_mut().push(situation.step);
            propose(situation, if situation.step < 3 { "action_right" } else { "action_stop" })
        });
        let mut observer = Silent;
        let mut new_laws = |_: u64| blocked_now.then(|| vec![hard("nobody-moves", "G(at_0 -> X !action_right)")]);
        let mut same = same_laws;
        let agent = crate::common::agent(&mut actor, &mut observer, Interrupt::new(), &mut same);
        let summary = block_on(agent.run_in(&mut world, fixture.begin(facts(vec![law])))).unwrap();
        let run = summary.run;
        assert!(matches!(summary.end, Some(End::WorldLost { .. })) && summary.resumable);
        let kept = fixture.store.in_flight(run).unwrap().unwrap();
        assert_eq!((kept.step, kept.proposals.len(), kept.progress), (1, 1, Some(LostDuringAction::progress())));

        // The state looks as if the step were finished. Judged by that state, the action would be blocked.
        let right = ltlcrit_worlds::World::vocabulary(&world.world).action("action_right").unwrap();
        if !blocked_now {
            block_on(ltlcrit_worlds::World::execute(&mut *world.world.world, right)).unwrap();
        }
        world.lost = false;
        let agent = crate::common::agent(&mut actor, &mut observer, Interrupt::new(), &mut new_laws);
        let done = block_on(agent.run_in(&mut world, fixture.go_on(run, limits(2))));
        let left_behind = Progress { action: None, ..LostDuringAction::progress() };
        if blocked_now {
            // New laws block the action: it is not executed, and the world does not continue it.
            assert!(matches!(done.unwrap().end, Some(End::NoProposal { .. })));
            assert_eq!(world.restored, [left_behind]);
            continue;
        }
        assert!(done.is_ok());
        assert_eq!(world.restored, [left_behind, LostDuringAction::progress()]);
        let steps = fixture.steps(run);
        assert_eq!((steps[0].first_seen.as_ref(), steps[1].proposals.len()), (None, 1));
        assert_eq!(steps[1].proposals, kept.proposals);
        assert_eq!(asked.borrow()[..2], [1, 2], "nobody was asked for step 1 again");
        assert_eq!(fixture.store.in_flight(run).unwrap(), None);
    }
}

#[test]
fn what_changed_before_a_run_went_on_is_what_the_shield_judges_by() {
    let fixture = Fixture::new();
    let mut world = corridor(6);
    // The laws forbid to walk past 3; the corridor's end is forbidden too.
    let mut short = facts(vec![hard("no-farther", "G (at_3 -> X !action_right)"), hard("keep-out", "G !at_4")]);
    short.limits.max_steps = 2;
    let run = fixture.run(persistent(&mut world), plan(RIGHT), short).run;
    let before = fixture.steps(run);
    // Another player pushes the player forward.
    let right = ltlcrit_worlds::World::vocabulary(&world).action("action_right").unwrap();
    block_on(ltlcrit_worlds::World::execute(&mut world, right)).unwrap();
    let resumed =
        fixture.resume(persistent(&mut world), plan(&[&["action_right", "action_wait"]]), run, limits(3)).unwrap();
    let steps = fixture.steps(run);
    assert_eq!(steps[..2], before[..2]);
    assert_eq!(steps[2].first_seen.as_ref(), Some(&before[2].observation), "what was seen at first is kept");
    assert_ne!(steps[2].observation, before[2].observation);
    assert_eq!(steps[2].executed, before[2].executed);
    assert!(matches!(steps[3].proposals[0].ruling, Ruling::Blocked { .. }), "{:?}", steps[3].proposals);
    assert_eq!((resumed.metrics.blocked, resumed.metrics.steps), (1, 3));
    // The stored word is the one that the shield read: another resumption, and a replay, find it complete.
    let again = fixture.resume(persistent(&mut world), plan(&[&["action_wait"]]), run, limits(4)).unwrap();
    assert_eq!(again.metrics.steps, 4);
    assert_eq!(fixture.steps(run)[..4], steps[..]);
    assert!(fixture.export(run).contains("held_before_resuming"));
}

#[test]
fn a_player_who_comes_back_goes_on_and_its_deaths_are_counted() {
    let fixture = Fixture::new();
    let mut world = corridor(3);
    let lives = PersistentWorld { dies: true, killed: 1, ..persistent(&mut world) };
    let summary = fixture.run(lives, plan(RIGHT), facts(Vec::new()));
    assert_eq!((summary.end, summary.metrics.deaths, summary.metrics.steps), (Some(End::Goal), 2, 3));
    let mut fresh = corridor(3);
    let mortal = PersistentWorld { dies: true, respawns: false, ..persistent(&mut fresh) };
    let summary = fixture.run(mortal, plan(RIGHT), facts(Vec::new()));
    assert_eq!(summary.end, Some(End::Died { message: "You drowned.".into() }));
}

#[test]
fn a_run_is_resumed_in_the_same_world_only() {
    let fixture = Fixture::new();
    let mut short = facts(Vec::new());
    short.limits.max_steps = 2;
    let run = fixture.run(corridor(5), plan(RIGHT), short).run;
    let before = fixture.export(run);
    let attempt = |world, actor| fixture.resume(world, actor, run, limits(9)).unwrap_err().to_string();
    let error = attempt(corridor(6), plan(RIGHT));
    assert!(error.starts_with("run 1 cannot be resumed with another vocabulary"), "{error}");

    let slow = || Ok(Outcome::new(None, "action_right done", 2));
    let world = FailsAt { world: corridor(5), left: 2, then: &slow };
    let error = fixture.resume(world, plan(RIGHT), run, limits(9)).unwrap_err().to_string();
    // The observation differs too; the outcome is reported first.
    assert_eq!(
        error,
        "run 1 cannot be resumed: at step 2 the world went another way than it did: the action took 1 ticks and takes 2 now"
    );
    let stuck = || Ok(Outcome::new(None, "action_right done", 1));
    let world = FailsAt { world: corridor(5), left: 2, then: &stuck };
    let error = fixture.resume(world, plan(RIGHT), run, limits(9)).unwrap_err().to_string();
    assert!(error.ends_with("at step 2 the world went another way than it did: at_2 held then, at_1 now"), "{error}");
    assert_eq!(fixture.export(run), before, "a refused resumption changes nothing");

    let missing = fixture.resume(corridor(5), plan(RIGHT), RunId(7), None).unwrap_err().to_string();
    assert!(missing.starts_with("there is no run 7"), "{missing}");
    fixture.resume(corridor(5), plan(RIGHT), run, limits(9)).unwrap();
    let ended = fixture.resume(corridor(5), plan(RIGHT), run, None).unwrap_err();
    assert_eq!(ended.to_string(), "run 1 cannot be resumed: it has ended (goal reached)");
}

#[test]
fn wrong_laws_are_refused_before_anything_is_stored() {
    let fixture = Fixture::new();
    let attempt = |laws| {
        fixture.try_run(corridor(3), plan(RIGHT), facts(laws), &mut Silent, Interrupt::new()).unwrap_err().to_string()
    };
    assert!(attempt(vec![hard("typo", "G !at_11")]).contains("typo"));
    assert!(attempt(vec![hard("twice", "G !at_1"), soft("twice", "G !at_2")]).contains("two laws are called `twice`"));
    assert_eq!(fixture.store.run_ids().count(), 0);
}

#[test]
fn a_store_that_fails_ends_the_run_with_its_error() {
    let fixture = Fixture::new();
    // Another writer takes the step's place, so the store refuses to overwrite it.
    let store = fixture.store.clone();
    let actor = Script(async move |situation: &Situation<'_>| {
        if situation.step == 2 {
            let mut record = store.steps(RunId(1)).next_back().unwrap().unwrap();
            record.step = 2;
            store.append_step(RunId(1), &record, ltlcrit_store::Durability::EachStep).unwrap();
        }
        propose(situation, "action_right")
    });
    let error = fixture.try_run(corridor(5), actor, facts(Vec::new()), &mut Silent, Interrupt::new()).unwrap_err();
    assert!(matches!(error, AgentError::Store(_)), "{error}");
    assert_eq!(error.to_string(), "run 1: step 2 cannot be stored twice");
    assert!(matches!(fixture.steps(RunId(1))[1].proposals[0].reply, Reply::Action { .. }));
}

/// A world whose actions take two and a half seconds and report their activity.
struct Slow(Corridor, Rc<RefCell<Activity>>);

#[async_trait(?Send)]
impl World for Slow {
    fn info(&self) -> WorldInfo {
        self.0.info()
    }
    delegate_world!(0);
    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        for (doing, millis) in [("walking", 1500), ("digging down", 1000)] {
            *self.1.borrow_mut() = Activity { doing: Some(doing.to_owned()), ..Activity::default() };
            tokio::time::sleep(Duration::from_millis(millis)).await;
        }
        self.0.execute(action).await
    }
    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        Some(self)
    }
}

impl LiveWorld for Slow {
    fn watcher(&self) -> Option<Watcher> {
        let shown = self.1.clone();
        Some(Box::new(move || shown.borrow().clone()))
    }
}

#[tokio::test(start_paused = true)]
async fn what_goes_on_is_told_every_second() {
    let fixture = Fixture::new();
    let mut told = Vec::new();
    let mut observer = |event: &Event<'_>| {
        told.extend(match event {
            Event::Thinking { step, attempt, elapsed, wait } => {
                assert!(wait.is_none());
                Some(format!("{step} thinking, attempt {attempt}: {} s", elapsed.as_secs()))
            }
            Event::Executing { step, .. } => Some(format!("{step} begins")),
            Event::Acting { step, elapsed, activity, .. } => {
                let doing = activity.and_then(|activity| activity.doing.clone()).unwrap();
                Some(format!("{step} {doing}: {} s", elapsed.as_secs()))
            }
            _ => None,
        });
    };
    let mut actor = Script(async |situation: &Situation<'_>| {
        tokio::time::sleep(Duration::from_millis(if situation.refusals.is_empty() { 3200 } else { 1100 })).await;
        propose(situation, if situation.refusals.is_empty() { "action_fly" } else { "action_right" })
    });
    let mut world = Slow(corridor(2), Rc::default());
    let mut new_laws = ltlcrit_engine::agent::same_laws;
    let agent = crate::common::agent(&mut actor, &mut observer, Interrupt::new(), &mut new_laws);
    let summary = agent.run_in(&mut world, fixture.begin(facts(Vec::new()))).await.unwrap();
    assert_eq!(summary.end, Some(End::Goal));
    let expected = [
        "1 thinking, attempt 1: 1 s",
        "1 thinking, attempt 1: 2 s",
        "1 thinking, attempt 1: 3 s",
        "1 thinking, attempt 2: 1 s",
        "1 begins",
        "1 walking: 1 s",
        "1 digging down: 2 s",
        "2 begins",
    ];
    assert_eq!(told, expected);
}

/// An actor whose model explains blocks, sometimes untruly.
struct Wording<F> {
    script: Script<F>,
    asked: Rc<RefCell<Vec<ltlcrit_engine::actor::Query>>>,
}

#[ltlcrit_worlds::async_trait(?Send)]
impl<F: AsyncFnMut(&Situation<'_>) -> crate::common::Answer> ltlcrit_engine::actor::Actor for Wording<F> {
    fn name(&self) -> &str {
        "wording"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> crate::common::Answer {
        self.script.propose(situation).await
    }

    fn explains(&self) -> bool {
        true
    }

    async fn explain(&mut self, query: &ltlcrit_engine::actor::Query) -> Result<Worded, ModelError> {
        self.asked.borrow_mut().push(query.clone());
        let usage = crate::common::USAGE;
        Ok(match self.asked.borrow().len() {
            1 => Worded { answer: "You wait too long.".into(), replaced: None, usage },
            2 => Worded { answer: "{}".into(), replaced: Some("it names no law".into()), usage },
            _ => return Err(ModelError::Unavailable { model: "wording".into(), why: "it sleeps".into() }),
        })
    }
}

#[test]
fn a_block_is_told_in_the_words_of_a_model_unless_they_are_untrue() {
    let fixture = Fixture::new();
    let told = Rc::new(RefCell::new(Vec::new()));
    let (ear, asked) = (told.clone(), Rc::new(RefCell::new(Vec::new())));
    let script = Script(async move |situation: &Situation<'_>| {
        ear.borrow_mut().extend(situation.refusals.last().cloned());
        let attempt = situation.refusals.len();
        propose(situation, if situation.step == 2 && attempt < 3 { "action_wait" } else { "action_right" })
    });
    let laws = vec![hard("no-waiting", "G(at_1 -> X !action_wait)"), hard("not-back", "G(at_1 -> X !action_left)")];
    let actor = Wording { script, asked: asked.clone() };
    let summary = fixture.run(corridor(3), actor, RunFacts { limits: limits(9).unwrap(), ..facts(laws) });
    assert_eq!(summary.end, Some(End::Goal));
    let metrics = &summary.metrics;
    assert_eq!((metrics.blocked, metrics.worded, metrics.replaced), (3, 3, 2));
    // Five proposals and two answers were paid for.
    assert_eq!(metrics.usage.total(), 7 * crate::common::USAGE.total());
    let reasons: Vec<String> = told
        .borrow()
        .iter()
        .map(|refusal| match refusal {
            NotRun::Blocked { explanation, .. } => explanation.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(reasons[0], "You wait too long.");
    assert!(reasons[1].contains("Explanation of no-waiting.") && reasons[2].contains("Explanation of no-waiting."));
    let query = &asked.borrow()[0];
    assert_eq!(query.broken.iter().map(|law| &**law).collect::<Vec<_>>(), ["no-waiting"]);
    let states = |change: &ltlcrit_engine::actor::StateChange| -> Vec<String> {
        change.states.iter().map(|state| format!("{} {}", state.safe, state.literals)).collect()
    };
    assert_eq!(query.valid.iter().map(states).collect::<Vec<_>>(), [["true !at_1", "true at_1"]]);
    assert_eq!(states(&query.invalid), ["true at_1", "false action_wait"]);
    let stored = &fixture.steps(summary.run)[2].proposals;
    assert_eq!(
        stored[2].worded.as_ref().unwrap().replaced.as_deref(),
        Some("the model gave no answer: the model `wording` did not answer: it sleeps")
    );
    let replayed = ltlcrit_engine::replay::replay(&fixture.store, summary.run, None).unwrap();
    assert!(replayed.is_same());
}

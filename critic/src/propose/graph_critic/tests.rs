use ltlcrit_store::RunId;

use super::*;
use crate::blocked::{Blocked, Spared, Wanted};
use crate::change::{LawSource, Proposal, Refusal, Refused, RetireCause};
use crate::graph::{Citation, ClassOptions, RunPath, Target, TrajectoryGraph};
use crate::law::{KnownLaw, StateConflict};
use crate::propose::door::{action, law, run, state, vocabulary};

/// A door opens with its key, whatever the light; waiting changes nothing.
fn runs() -> TrajectoryGraph {
    let mut graph = TrajectoryGraph::new();
    let (key, open) = ("obs_key", "obs_key obs_open");
    graph.add(&run(1, "", &[("action_open", false, ""), ("action_take", true, key), ("action_open", true, open)]));
    let lit = "obs_light obs_key";
    graph.add(&run(
        2,
        "obs_light",
        &[
            ("action_open", false, "obs_light"),
            ("action_take", true, lit),
            ("action_open", true, "obs_light obs_key obs_open"),
        ],
    ));
    graph.add(&run(
        3,
        "",
        &[
            ("action_take", true, key),
            ("action_wait", true, "obs_light obs_key"),
            ("action_open", true, "obs_light obs_key obs_open"),
        ],
    ));
    graph.add(&run(
        4,
        "",
        &[
            ("action_take", true, key),
            ("action_wait", true, "obs_light obs_key"),
            ("action_open", true, "obs_light obs_key obs_open"),
        ],
    ));
    graph.add(&run(5, "", &[("action_take", true, key), ("action_open", true, open)]));
    graph.add(&run(6, "", &[("action_take", true, key), ("action_open", true, open)]));
    graph
}

fn propose(
    critic: &mut GraphCritic,
    graph: &TrajectoryGraph,
    laws: &[KnownLaw],
    conflicts: &[StateConflict],
    refused: &[Refused],
) -> Vec<Change> {
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    let vocabulary = vocabulary();
    let brief = Brief {
        task: "Open the door.",
        vocabulary: &vocabulary,
        graph,
        classes: &classes,
        trials: &Default::default(),
        blocked: &Default::default(),
        laws,
        conflicts,
        refused,
        round: 1,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(critic.propose(&brief)).unwrap()
}

/// What is proposed when there are no laws now, but were.
fn propose_after(critic: &mut GraphCritic, graph: &TrajectoryGraph, blocked: &Blocked) -> Vec<Change> {
    let vocabulary = vocabulary();
    let brief = Brief {
        task: "Open the door.",
        vocabulary: &vocabulary,
        graph,
        classes: &graph.classify(Target::Goal, ClassOptions::default()),
        trials: &Default::default(),
        blocked,
        laws: &[],
        conflicts: &[],
        refused: &[],
        round: 1,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(critic.propose(&brief)).unwrap()
}

fn added(changes: &[Change]) -> Vec<&Proposal> {
    fn add(change: &Change) -> &Proposal {
        match change {
            Change::Add(proposal) => proposal,
            other => panic!("{other:?}"),
        }
    }
    changes.iter().map(add).collect()
}

#[test]
fn failures_come_first_then_what_is_better() {
    let graph = runs();
    let changes = propose(&mut GraphCritic::default(), &graph, &[], &[], &[]);
    let laws = added(&changes);
    // The light has nothing to do with it.
    assert_eq!(laws.len(), 1, "{laws:?}");
    assert_eq!(laws[0].formula.text(), "G(!obs_key -> X !action_open)");
    assert_eq!(laws[0].explanation, "Here action_open never worked: it failed all 2 times (locked).");
    assert_eq!(laws[0].source, LawSource::EnvironmentFeedback);
    let cited: Vec<(u64, u64)> = laws[0].evidence.iter().map(|cited| (cited.run, cited.step)).collect();
    assert_eq!(cited, [(1, 1), (2, 1)]);

    let known = [law("no-open", "G(!obs_key -> X !action_open)", true)];
    let changes = propose(&mut GraphCritic::default(), &graph, &known, &[], &[]);
    let laws = added(&changes);
    assert_eq!(laws.len(), 1, "{laws:?}");
    // It has to be there to be chosen, and is not done twice; the light tells of the place.
    assert_eq!(laws[0].formula.text(), "G(obs_key & !obs_open -> X action_open)");
    assert_eq!(laws[0].explanation, "Here action_open gets there in fewer steps than action_wait, chosen 2 times.");
    assert_eq!(laws[0].source, LawSource::Efficiency);
    assert!(
        propose(
            &mut GraphCritic::default(),
            &graph,
            &[known[0].clone(), law("do", laws[0].formula.text(), true)],
            &[],
            &[]
        )
        .is_empty()
    );
}

#[test]
fn parts_can_be_left_out() {
    let graph = runs();
    let with = |options| propose(&mut GraphCritic::new(options), &graph, &[], &[], &[]);
    let whole = GraphCriticOptions::default();
    assert!(with(GraphCriticOptions { support: 3, ..whole }).is_empty());
    let sources = |changes: &[Change]| added(changes).iter().map(|law| law.source).collect::<Vec<_>>();
    assert_eq!(sources(&with(GraphCriticOptions { feedback: false, ..whole })), [LawSource::Efficiency]);
    assert_eq!(sources(&with(GraphCriticOptions { efficiency: false, ..whole })), [LawSource::EnvironmentFeedback]);
    let special = with(GraphCriticOptions { generalise: false, support: 1, ..whole });
    let formulas: Vec<&str> = added(&special).iter().map(|law| law.formula.text().as_str()).collect();
    assert_eq!(
        formulas,
        [
            "G(!obs_key & !obs_open & !obs_light -> X !action_open)",
            "G(!obs_key & !obs_open & obs_light -> X !action_open)"
        ]
    );
}

#[test]
fn a_counterexample_is_taken_to_heart() {
    let graph = runs();
    let mut critic = GraphCritic::default();
    let changes = propose(&mut critic, &graph, &[], &[], &[]);
    let refusal = Refusal::OverConstrains { state: vec!["obs_light".into(), "obs_open".into()], laws: vec![] };
    let counterexample = Some(vocabulary().set(["obs_light", "obs_open"]).unwrap());
    let refused = [Refused { change: changes[0].clone(), refusal, counterexample }];
    let again = propose(&mut critic, &graph, &[], &[], &refused);
    // Neither of the two states in which it failed was open.
    assert_eq!(added(&again)[0].formula.text(), "G(!obs_key & !obs_open -> X !action_open)");
}

#[test]
fn the_law_that_costs_most_is_weakened_or_goes() {
    let graph = runs();
    let known = [
        law("wait", "G(obs_light -> X action_wait)", true),
        law("open", "G(obs_key -> X action_open)", true),
        law("hard", "G(obs_open -> X !action_take)", false),
    ];
    let conflict =
        StateConflict { state: state("obs_key obs_light"), laws: vec!["wait".into(), "open".into()], met_at: None };
    let changes = propose(&mut GraphCritic::default(), &graph, &known, std::slice::from_ref(&conflict), &[]);
    let [Change::Replace { law, with, state }] = changes.as_slice() else { panic!("{changes:?}") };
    // Waiting blocks the opening that was good; where only the light is on it may stay.
    assert_eq!((&**law, with.formula.text().as_str()), ("wait", "G(obs_light & !obs_key -> X action_wait)"));
    assert_eq!(state.text(), &["obs_key", "obs_light"]);
    assert_eq!(with.source, LawSource::Conflict);
    // Refused once, it goes.
    let refusal = Refusal::NotWeaker { law: "wait".into() };
    let refused = [Refused { change: changes[0].clone(), refusal, counterexample: None }];
    let changes = propose(&mut GraphCritic::default(), &graph, &known, std::slice::from_ref(&conflict), &refused);
    assert!(
        matches!(&changes[..], [Change::Retire { law, cause: RetireCause::Conflict, .. }] if &**law == "wait"),
        "{changes:?}"
    );
    // Hard laws alone: there is nothing to be done.
    let hard = StateConflict { laws: vec!["hard".into()], ..conflict };
    assert!(propose(&mut GraphCritic::default(), &graph, &known, &[hard], &[]).is_empty());
}

/// Runs that wait for nothing over and over, in the light or not.
fn waiting(number: u64, start: &str) -> RunPath {
    run(number, start, &vec![("action_wait", true, start); 25])
}

#[test]
fn what_led_nowhere_is_blocked_wherever_runs_got_on_without_it_and_where_that_was_a_dead_end_no_more() {
    let mut graph = TrajectoryGraph::new();
    graph.add(&waiting(1, ""));
    graph.add(&waiting(2, "obs_light"));
    let propose = |blocked: &Blocked| {
        let laws = propose_after(&mut GraphCritic::default(), &graph, blocked);
        added(&laws).into_iter().cloned().collect::<Vec<_>>()
    };
    // Nothing speaks against it.
    let laws = propose(&Blocked::default());
    assert_eq!(laws[0].formula.text(), "G X !action_wait");
    assert_eq!(
        laws[0].explanation,
        "Here action_wait led nowhere: runs that made no progress any more chose it 50 times."
    );
    // Who has the key has to wait; who has none got on without.
    let first = Citation { run: RunId(1), step: 3 };
    let blocked = Blocked {
        in_dead_ends: vec![Wanted { state: state("obs_key"), action: action("action_wait"), insisted: false }],
        spared: [((state("obs_open"), action("action_wait")), Spared { runs: 4, first })].into(),
        ..Blocked::default()
    };
    let laws = propose(&blocked);
    assert_eq!(laws[0].formula.text(), "G(!obs_key -> X !action_wait)");
    assert!(
        laws[0].explanation.ends_with(" Where it was blocked, runs got on all the same."),
        "{}",
        laws[0].explanation
    );
    // What was done because something else was blocked says nothing.
    let forced = (1..=2).flat_map(|run| (1..=25).map(move |step| Citation { run: RunId(run), step }));
    let blocked = Blocked { forced: forced.collect(), ..Blocked::default() };
    assert!(propose(&blocked).is_empty());
}

#[test]
fn what_a_stuck_run_insisted_on_is_not_known_to_fail_there() {
    let mut graph = TrajectoryGraph::new();
    graph.add(&run(1, "", &[("action_open", false, "")]));
    graph.add(&run(2, "obs_light", &[("action_open", false, "obs_light")]));
    graph.add(&run(3, "obs_key", &[("action_open", true, "obs_key obs_open")]));
    let formula = |insisted| {
        let wanted = Wanted { state: state("obs_open"), action: action("action_open"), insisted };
        let blocked = Blocked { in_dead_ends: vec![wanted], ..Blocked::default() };
        added(&propose_after(&mut GraphCritic::default(), &graph, &blocked))[0].formula.text().clone()
    };
    assert_eq!(formula(false), "G(!obs_key -> X !action_open)");
    assert_eq!(formula(true), "G(!obs_key & !obs_open -> X !action_open)");
}

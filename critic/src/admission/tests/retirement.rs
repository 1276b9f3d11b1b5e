//! Laws are retired for their effects, and come back only with new evidence.

use super::super::resolve::ENOUGH_RUNS;
use super::*;
use crate::statistics::LawStatistics;

/// A book with the law that action 1 is not to be taken where `obs_0` does not hold, and its id.
fn learned(store: &Store, graph: &TrajectoryGraph) -> (Book, LawId) {
    learn(store, graph, "G(!obs_0 -> X !action_1)", (2, 1))
}

fn learn(store: &Store, graph: &TrajectoryGraph, formula: &str, cited: (u64, u64)) -> (Book, LawId) {
    let mut gate = Gate::new(&book("learned", &[]), &[], vocabulary(), graph, Staging::Adopt).unwrap();
    let GateRuling::Admitted { law } = rule(&mut gate, store, formula, &[cited]) else { panic!("{formula}") };
    (gate.finish(store, now()).unwrap(), law)
}

fn retire(law: &LawId, cause: RetireCause, state: &[&str]) -> Change {
    let names: Vec<String> = state.iter().map(|&name| name.to_owned()).collect();
    let state = (!names.is_empty()).then(|| ProposedState::named(names, &vocabulary()));
    Change::Retire { law: law.clone(), cause, state, proposer: "test".into() }
}

fn statistics(law: &LawId, counts: LawStatistics) -> Statistics {
    [(law.clone(), counts)].into_iter().collect()
}

#[test]
fn a_law_that_was_of_no_use_goes_and_stays_away() {
    let (graph, (_directory, store)) = (graph(), store());
    let (book, law) = learned(&store, &graph);
    let cases = [
        (
            RetireCause::NeverFires,
            LawStatistics { runs: ENOUGH_RUNS, ..LawStatistics::default() },
            "its condition never held",
        ),
        (
            RetireCause::BlocksGoodSteps,
            LawStatistics { fired: 9, right: 1, wrong: 4, ..LawStatistics::default() },
            "it blocked 4 good",
        ),
    ];
    for (cause, counts, reason) in cases {
        let few = statistics(&law, LawStatistics { runs: ENOUGH_RUNS - 1, right: 2, wrong: 2, ..counts.clone() });
        let mut gate = Gate::new(&book, &[], vocabulary(), &graph, Staging::Adopt).unwrap().with_statistics(&few);
        assert_eq!(gate.of_no_use(&law), None);
        let ruling = gate.admit(&store, &retire(&law, cause, &[]), now()).unwrap().ruling;
        assert!(matches!(ruling, GateRuling::Refused { refusal: Refusal::NotDue { .. } }), "{ruling:?}");

        let known = statistics(&law, LawStatistics { last_run: Some(RunId(3)), ..counts });
        let gate = || Gate::new(&book, &[], vocabulary(), &graph, Staging::Adopt).unwrap().with_statistics(&known);
        let mut first = gate();
        assert_eq!(first.of_no_use(&law), Some(cause));
        let ruling = first.admit(&store, &retire(&law, cause, &[]), now()).unwrap().ruling;
        assert_eq!(ruling, GateRuling::Retired { law: law.clone() });
        // Neither at once nor later: the same law would do the same.
        let again: Change = proposal("G(!obs_0 -> X !action_1)", &[(2, 1)]).into();
        let at_once = first.admit(&store, &again, now()).unwrap().ruling;
        let after = first.finish(&store, now()).unwrap();
        let mut later = Gate::new(&after, &[], vocabulary(), &graph, Staging::Adopt).unwrap().with_statistics(&known);
        for ruling in [at_once, later.admit(&store, &again, now()).unwrap().ruling] {
            let GateRuling::Refused { refusal } = ruling else { panic!("{ruling:?}") };
            assert_eq!(refusal.code(), "proved-useless");
            assert!(
                refusal.to_string().starts_with(&format!("it is `{law}` again, which was retired: {reason}")),
                "{refusal}"
            );
        }
        // Unless it never fired and its condition has held since.
        let earlier =
            statistics(&law, LawStatistics { runs: ENOUGH_RUNS, last_run: Some(RunId(2)), ..LawStatistics::default() });
        let mut since = Gate::new(&after, &[], vocabulary(), &graph, Staging::Adopt).unwrap().with_statistics(&earlier);
        assert!(matches!(since.admit(&store, &again, now()).unwrap().ruling, GateRuling::Admitted { .. }));
        // Where nothing is known of what it did, it is a law like any other.
        let mut unknowing = Gate::new(&after, &[], vocabulary(), &graph, Staging::Adopt).unwrap();
        assert!(matches!(unknowing.admit(&store, &again, now()).unwrap().ruling, GateRuling::Admitted { .. }));
    }
}

#[test]
fn a_law_that_demands_what_fails_goes() {
    let (mut graph, (_directory, store)) = (graph(), store());
    let (book, law) = learn(&store, &graph, "G(obs_2 -> X action_2)", (3, 2));
    let demand = |graph: &TrajectoryGraph| {
        let gate = Gate::new(&book, &[], vocabulary(), graph, Staging::Adopt).unwrap();
        gate.failing_demand(&law)
    };
    assert_eq!(demand(&graph), None, "once is not enough");
    let mut run = RunPath::new(4, state(4));
    run.step(ActionId(2), Some(Reason("stuck".into())), state(4));
    graph.add(&run);
    assert_eq!(demand(&graph), Some(state(4)));
    let mut gate = Gate::new(&book, &[], vocabulary(), &graph, Staging::Adopt).unwrap();
    let change = retire(&law, RetireCause::DemandsWhatFails, &["obs_2"]);
    assert_eq!(gate.admit(&store, &change, now()).unwrap().ruling, GateRuling::Retired { law });
}

#[test]
fn a_law_that_leaves_a_dead_end_goes() {
    let (graph, (_directory, store)) = (graph(), store());
    // Where `obs_2` holds nobody got anywhere; action 2 works elsewhere.
    let (book, law) = learn(&store, &graph, "G(!obs_1 -> X !action_2)", (3, 1));
    let wanted = |action| Wanted { state: state(4), action: ActionId(action), insisted: false };
    let stuck = vec![wanted(2)];
    let dead_end = |graph: &TrajectoryGraph, wanted: &[Wanted]| {
        let gate = Gate::new(&book, &[], vocabulary(), graph, Staging::Adopt).unwrap();
        gate.with_wanted_in_dead_ends(wanted).dead_end(&law)
    };
    assert_eq!(dead_end(&graph, &[]), None, "nobody wanted anything");
    assert_eq!(dead_end(&graph, &[wanted(0)]), None, "it does not block that");
    assert_eq!(dead_end(&graph, &stuck), Some(state(4)));
    let mut gate =
        Gate::new(&book, &[], vocabulary(), &graph, Staging::Adopt).unwrap().with_wanted_in_dead_ends(&stuck);
    let elsewhere = gate.admit(&store, &retire(&law, RetireCause::LeavesDeadEnd, &["obs_0"]), now()).unwrap().ruling;
    assert!(matches!(elsewhere, GateRuling::Refused { refusal: Refusal::NotDue { .. } }), "{elsewhere:?}");
    let here = gate.admit(&store, &retire(&law, RetireCause::LeavesDeadEnd, &["obs_2"]), now()).unwrap().ruling;
    assert_eq!(here, GateRuling::Retired { law: law.clone() });
}

#[test]
fn a_law_against_what_never_worked_leaves_a_dead_end_only_to_who_insists() {
    let (graph, (_directory, store)) = (graph(), store());
    let (book, law) = learned(&store, &graph);
    let dead_end = |insisted| {
        let wanted = [Wanted { state: state(4), action: ActionId(1), insisted }];
        let gate = Gate::new(&book, &[], vocabulary(), &graph, Staging::Adopt).unwrap();
        gate.with_wanted_in_dead_ends(&wanted).dead_end(&law)
    };
    assert_eq!(dead_end(false), None);
    assert_eq!(dead_end(true), Some(state(4)));
}

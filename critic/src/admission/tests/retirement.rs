//! Laws are retired for their effects, and come back only with new evidence.

use super::super::resolve::ENOUGH_RUNS;
use super::*;
use crate::graph::Citation;
use crate::statistics::LawStatistics;
use crate::trial::Block;

/// A book with the law that action 1 is not to be taken where `obs_0` does not hold, and its id.
fn learned() -> (Book, LawId) {
    soft("G(!obs_0 -> X !action_1)")
}

/// A book with a soft law, and its id.
fn soft(formula: &str) -> (Book, LawId) {
    let text = book("learned", &[("soft", formula)]).text().replace("strength = \"hard\"", "strength = \"soft\"");
    (Book::parse(&text, "test").unwrap().over(&vocabulary()).unwrap(), "soft".into())
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
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    let (book, law) = learned();
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
        let mut gate = runs.gate(&book).with_statistics(&few);
        assert_eq!(gate.of_no_use(&law), None);
        let ruling = gate.admit(&store, &retire(&law, cause, &[]), now()).unwrap().ruling;
        assert!(matches!(ruling, GateRuling::Refused { refusal: Refusal::NotDue { .. } }), "{ruling:?}");

        let known = statistics(&law, LawStatistics { last_run: Some(RunId(3)), ..counts });
        let gate = || runs.gate(&book).with_statistics(&known);
        let mut first = gate();
        assert_eq!(first.of_no_use(&law), Some(cause));
        let ruling = first.admit(&store, &retire(&law, cause, &[]), now()).unwrap().ruling;
        assert_eq!(ruling, GateRuling::Retired { law: law.clone() });
        // Neither at once nor later: the same law would do the same.
        let again: Change = proposal("G(!obs_0 -> X !action_1)", &[(2, 1)]).into();
        let at_once = first.admit(&store, &again, now()).unwrap().ruling;
        let after = first.finish(&store, now()).unwrap();
        let mut later = runs.gate(&after).with_statistics(&known);
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
        let mut since = runs.gate(&after).with_statistics(&earlier);
        assert!(matches!(since.admit(&store, &again, now()).unwrap().ruling, GateRuling::Admitted { .. }));
        // Where nothing is known of what it did, it is a law like any other.
        let mut unknowing = runs.gate(&after);
        assert!(matches!(unknowing.admit(&store, &again, now()).unwrap().ruling, GateRuling::Admitted { .. }));
    }
}

#[test]
fn a_law_that_demands_what_fails_goes() {
    let (_directory, store) = store();
    let (book, law) = soft("G(obs_2 -> X action_2)");
    let once = Runs::of(&three());
    assert_eq!(once.gate(&book).failing_demand(&law), None, "once is not enough");
    let twice = Runs::of(&[three(), vec![path(4, 4, &[(2, true, 4)])]].concat());
    let mut gate = twice.gate(&book);
    assert_eq!(gate.failing_demand(&law), Some(state(4)));
    let change = retire(&law, RetireCause::DemandsWhatFails, &["obs_2"]);
    assert_eq!(gate.admit(&store, &change, now()).unwrap().ruling, GateRuling::Retired { law });
}

#[test]
fn a_law_that_leaves_a_dead_end_goes() {
    let (_directory, store) = store();
    let (book, law) = soft("G(!obs_1 -> X !action_2)");
    let wanting = |action| {
        let step = Citation { run: RunId(3), step: 1 };
        let mut runs = Runs::of(&three());
        runs.trials.wanted = vec![Block { state: state(4), action: ActionId(action), step, proposed: true }];
        runs
    };
    assert_eq!(Runs::of(&three()).gate(&book).dead_end(&law), None, "nobody wanted anything");
    assert_eq!(wanting(0).gate(&book).dead_end(&law), None, "it does not block that");
    let runs = wanting(2);
    let mut gate = runs.gate(&book);
    assert_eq!(gate.dead_end(&law), Some(state(4)));
    let elsewhere = gate.admit(&store, &retire(&law, RetireCause::LeavesDeadEnd, &["obs_0"]), now()).unwrap().ruling;
    assert!(matches!(elsewhere, GateRuling::Refused { refusal: Refusal::NotDue { .. } }), "{elsewhere:?}");
    let here = gate.admit(&store, &retire(&law, RetireCause::LeavesDeadEnd, &["obs_2"]), now()).unwrap().ruling;
    assert_eq!(here, GateRuling::Retired { law: law.clone() });
}

#[test]
fn a_dead_end_in_which_the_blocked_action_would_only_stall_speaks_for_no_retirement() {
    let (_directory, store) = store();
    let (book, law) = soft("G(!obs_1 -> X !action_2)");
    let step = Citation { run: RunId(3), step: 1 };
    // Run 3 repeats action 2 where `obs_2` holds and gets nowhere; in a dead end that nobody tried it in a run wanted it.
    let runs = |steps: &[(u16, bool, u16)]| {
        let mut runs = Runs::of(&[three()[0].clone(), path(3, 4, steps)]);
        runs.trials.wanted = vec![Block { state: state(5), action: ActionId(2), step, proposed: true }];
        runs
    };
    let stalled = runs(&[(2, false, 4); 4]);
    let mut gate = stalled.gate(&book);
    assert_eq!(gate.dead_end(&law), None);
    let ruling =
        gate.admit(&store, &retire(&law, RetireCause::LeavesDeadEnd, &["obs_0", "obs_2"]), now()).unwrap().ruling;
    let GateRuling::Refused { refusal: Refusal::NotDue { why } } = ruling else { panic!("{ruling:?}") };
    assert_eq!(why, "action_2 only stalled runs wherever `soft` blocks it, so it leads out of no dead end");
    // Where it failed, or led on once, it might lead out.
    assert_eq!(runs(&[(2, true, 4); 4]).gate(&book).dead_end(&law), Some(state(5)));
    let led_on = [[(2, false, 4); 3].as_slice(), &[(2, false, 12)]].concat();
    assert_eq!(runs(&led_on).gate(&book).dead_end(&law), Some(state(5)));
}

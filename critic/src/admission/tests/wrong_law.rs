//! A wrong law gets out again: it makes a conflict where what it leaves is fruitless, and it may be exchanged for a right one.

use super::*;
use crate::graph::Citation;
use crate::trial::Block;

/// A book with one soft law.
fn soft(formula: &str) -> Book {
    let text = book("learned", &[("wrong", formula)]).text().replace("strength = \"hard\"", "strength = \"soft\"");
    Book::parse(&text, "test").unwrap().over(&vocabulary()).unwrap()
}

/// Where `obs_2` holds, actions 0 and 1 always fail; action 2 failed once and led on once elsewhere.
fn stuck() -> Runs {
    let fails = |action: u16, times: usize| vec![(action, true, 4); times];
    Runs::of(&[
        path(1, 4, &[fails(2, 1), fails(0, 3), fails(1, 3)].concat()),
        path(2, 0, &[(2, false, 1), (1, false, 8)]),
    ])
}

#[test]
fn a_state_that_keeps_only_fruitless_actions_is_a_conflict() {
    let runs = stuck();
    let gate = runs.gate(&soft("G(obs_2 -> X !action_2)"));
    let [conflict] = &gate.fruitless_conflicts()[..] else { panic!("{:?}", gate.fruitless_conflicts()) };
    assert_eq!((conflict.state, conflict.laws.as_slice()), (state(4), [LawId::from("wrong")].as_slice()));
    assert_eq!(conflict.left.names(&vocabulary()), ["action_0", "action_1"]);
    assert!(!conflict.is_over_constrained());
    // It may be retired for that, which was refused as long as only over-constrained states counted.
    let (_directory, store) = store();
    let mut gate = gate.clone();
    let retire = Change::Retire {
        law: "wrong".into(),
        cause: RetireCause::Conflict,
        state: Some(ProposedState::new(state(4), &vocabulary())),
        proposer: "test".into(),
    };
    assert_eq!(gate.admit(&store, &retire, now()).unwrap().ruling, GateRuling::Retired { law: "wrong".into() });
    let after = gate.finish(&store, now()).unwrap();
    let Status::Retired { reason } = &after.entry("wrong").unwrap().status else { panic!() };
    assert_eq!(
        reason,
        "it leaves only action_0, action_1 where obs_2 hold, which always failed or changed nothing there"
    );
    // A state where something else is left, and one that no law is to blame for, are none.
    assert!(runs.gate(&soft("G(obs_2 -> X !action_1)")).fruitless_conflicts().is_empty());
    assert!(runs.gate(&book("learned", &[("hard", "G(obs_2 -> X !action_2)")])).fruitless_conflicts().is_empty());
}

#[test]
fn a_law_that_would_leave_only_fruitless_actions_is_not_admitted() {
    let (runs, (_directory, store)) = (stuck(), store());
    let mut gate = runs.gate(&book("learned", &[]));
    let ruling = rule(&mut gate, &store, "G(obs_2 -> X !action_2)", &[(1, 1)]);
    let GateRuling::Refused { refusal } = ruling else { panic!("{ruling:?}") };
    assert_eq!(refusal.code(), "leaves-fruitless");
    assert_eq!(
        refusal.to_string(),
        "where obs_2 hold, it would leave only action_0, action_1, and that always failed or changed nothing there"
    );
}

#[test]
fn a_law_in_the_way_goes_in_the_same_answer() {
    // Where nothing holds, the book demands action 0; that action 1 fails there is what the steps show.
    let runs = Runs::of(&[path(1, 4, &[(0, true, 4), (1, true, 4), (2, false, 1)]), path(2, 4, &[(0, true, 4)])]);
    let (_directory, store) = store();
    let wrong = soft("G(obs_2 -> X (action_0 | action_1))");
    let right: Change = proposal("G(obs_2 -> X (!action_0 & !action_1))", &[(1, 1)]).into();
    let retire =
        Change::Retire { law: "wrong".into(), cause: RetireCause::Conflict, state: None, proposer: "t".into() };
    let mut gate = runs.gate(&wrong);
    let GateRuling::Refused { refusal } = gate.admit(&store, &right, now()).unwrap().ruling else { panic!() };
    assert_eq!(refusal.laws_in_the_way(), [LawId::from("wrong")], "{refusal}");
    let GateRuling::Refused { refusal } = gate.admit(&store, &retire, now()).unwrap().ruling else { panic!() };
    assert_eq!(refusal.code(), "no-conflict");
    // Each alone is refused; together they are made.
    let exchanged = gate.exchange(&store, &right, &retire, now()).unwrap().unwrap();
    assert_eq!(exchanged.out, GateRuling::Retired { law: "wrong".into() });
    let after = gate.finish(&store, now()).unwrap();
    let in_force: Vec<String> = after.laws_in_force().iter().map(|law| law.formula.to_string()).collect();
    assert_eq!(in_force, ["G(obs_2 -> X(!action_0 & !action_1))"]);
    let mut gate = runs.gate(&wrong);
    // What no step shows stays out, whatever goes.
    let unshown: Change = proposal("G(obs_2 -> X !action_2)", &[(1, 3)]).into();
    assert_eq!(gate.exchange(&store, &unshown, &retire, now()).unwrap(), None);
    assert_eq!(gate.laws().len(), 1, "nothing was changed");
}

#[test]
fn the_laws_of_a_revision_that_was_rolled_back_do_not_come_back_together() {
    use crate::notes::RolledBack;
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    let given_up = [RolledBack {
        revision: 2,
        to: 1,
        added: vec![
            ("no-1".into(), "G(!obs_0 -> X !action_1)".into()),
            ("no-2".into(), "G(obs_2 -> X !action_2)".into()),
        ],
        retired: Vec::new(),
        why: "goals fell".into(),
    }];
    let learned = book("learned", &[]);
    let mut gate = runs.gate(&learned).with_given_up(&given_up);
    assert!(matches!(rule(&mut gate, &store, "G(!obs_0 -> X !action_1)", &[(2, 1)]), GateRuling::Admitted { .. }));
    let GateRuling::Refused { refusal } = rule(&mut gate, &store, "G(obs_2 -> X !action_2)", &[(3, 1)]) else {
        panic!()
    };
    assert_eq!(refusal.to_string(), "it is `no-2` again, which was retired: revision 2 was rolled back: goals fell");
    // Another law is not meant.
    let other = rule(&mut gate, &store, "G(obs_2 & !obs_0 -> X !action_2)", &[(3, 1)]);
    assert!(matches!(other, GateRuling::Admitted { .. }), "{other:?}");
}

#[test]
fn a_narrower_law_may_take_the_place_of_the_one_in_the_way() {
    let runs = Runs::of(&[path(1, 4, &[(0, true, 4), (1, true, 4)]), path(2, 5, &[(0, true, 5), (2, false, 5)])]);
    let (_directory, store) = store();
    let wrong = soft("G(obs_2 -> X (action_0 | action_1))");
    let right: Change = proposal("G(obs_2 & !obs_0 -> X (!action_0 & !action_1))", &[(1, 1)]).into();
    let replace = |evidence: &[(u64, u64)]| Change::Replace {
        law: "wrong".into(),
        with: proposal("G(obs_2 & obs_0 -> X (action_0 | action_1))", evidence),
        state: ProposedState::new(state(4), &vocabulary()),
    };
    let mut gate = runs.gate(&wrong);
    assert_eq!(gate.exchange(&store, &right, &replace(&[]), now()).unwrap(), None, "it cites no step");
    assert_eq!(gate.exchange(&store, &right, &replace(&[(1, 1)]), now()).unwrap(), None, "it did not hold there");
    let exchanged = gate.exchange(&store, &right, &replace(&[(2, 1)]), now()).unwrap().unwrap();
    assert!(matches!(exchanged.out, GateRuling::Admitted { .. }), "{exchanged:?}");
    let after = gate.finish(&store, now()).unwrap();
    let in_force: Vec<String> = after.laws_in_force().iter().map(|law| law.formula.to_string()).collect();
    assert_eq!(
        in_force,
        ["G(obs_2 & obs_0 -> X(action_0 | action_1))", "G(obs_2 & !obs_0 -> X(!action_0 & !action_1))"]
    );
    assert!(matches!(after.entry("wrong").unwrap().status, Status::Retired { .. }));
}

#[test]
fn a_law_that_left_a_dead_end_comes_back_without_its_state() {
    // Action 1 failed where nothing holds; where `obs_2` holds, a dead end wanted it.
    let mut runs = Runs::of(&three());
    let law = runs.gate(&soft("G(!obs_3 -> X !action_1)")).changeable(&"wrong".into()).unwrap().clone();
    assert!(runs.gate(&book("learned", &[])).exception(&law, "test").is_none(), "no dead end speaks against it");
    let step = Citation { run: RunId(3), step: 1 };
    runs.trials.wanted.push(Block { state: state(4), action: ActionId(1), step, proposed: true });
    let exception = runs.gate(&book("learned", &[])).exception(&law, "test").unwrap();
    assert_eq!(exception.formula.value().unwrap().to_string(), "G(!obs_3 & !obs_2 -> X !action_1)");
    // Where the bad trials were is all that is left of it, or nothing is.
    let step = Citation { run: RunId(2), step: 1 };
    runs.trials.wanted.push(Block { state: state(0), action: ActionId(1), step, proposed: true });
    assert!(runs.gate(&book("learned", &[])).exception(&law, "test").is_none());
}

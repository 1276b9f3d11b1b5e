//! Every forbidden action and every disjunct is judged by itself, and what narrows a law is as little as it takes.

use super::*;

/// What the book holds after one proposal, or the refusal.
fn held(runs: &Runs, formula: &str, evidence: &[(u64, u64)]) -> Result<Entry, Refusal> {
    let (_directory, store) = store();
    let mut gate = runs.gate(&book("learned", &[]));
    match rule(&mut gate, &store, formula, evidence) {
        GateRuling::Admitted { law } => Ok(gate.finish(&store, now()).unwrap().entry(&law).unwrap().clone()),
        GateRuling::Refused { refusal } => Err(refusal),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_action_or_a_disjunct_that_nothing_shows_is_left_out() {
    let runs = Runs::of(&three());
    // Action 1 failed where nothing held; action 2 was never tried there, and nowhere where `obs_3` holds.
    let cases = [
        ("G(!obs_0 & !obs_2 -> X (!action_1 & !action_2))", "G(!obs_0 & !obs_2 -> X !action_1)", "!action_2 where"),
        ("G(!obs_0 | obs_3 -> X !action_1)", "G(!obs_0 -> X !action_1)", "!action_1 where obs_3"),
    ];
    for (formula, expected, dropped) in cases {
        let entry = held(&runs, formula, &[(2, 1)]).unwrap();
        assert_eq!(entry.formula_text.as_ref(), expected);
        let told = entry.explanation.contains(&format!("Narrowed: without {dropped}"));
        assert!(told && entry.explanation.contains("which no step shows"), "{}", entry.explanation);
    }
    // A demand stands or falls as a whole.
    let entry = held(&Runs::of(&three()[1..]), "G(!obs_0 & !obs_2 & !obs_3 -> X action_0)", &[(2, 1)]).unwrap();
    assert_eq!(entry.formula_text.as_ref(), "G(!obs_0 & !obs_2 & !obs_3 -> X action_0)");
}

#[test]
fn literals_that_the_axioms_imply_are_left_out() {
    let entry = held(&Runs::of(&three()), "G(!obs_0 & !obs_1 -> X !action_1)", &[(2, 1)]).unwrap();
    assert_eq!(entry.formula_text.as_ref(), "G(!obs_0 -> X !action_1)");
    assert!(!entry.explanation.contains("Narrowed"), "it says the same: {}", entry.explanation);
}

#[test]
fn what_narrows_a_law_is_minimal_and_names_the_step_that_forced_it() {
    // Action 1 fails where `obs_0`, `obs_1` and `obs_2` hold; runs need it where nothing, and where `obs_0` and `obs_1` hold.
    let runs = Runs::of(&[
        path(1, 0, &[(1, false, 1), (0, false, 3), (1, false, 8)]),
        path(2, 7, &[(1, true, 7), (0, false, 3), (1, false, 8)]),
    ]);
    let entry = held(&runs, "G(true -> X !action_1)", &[(2, 1)]).unwrap();
    // That `obs_0` holds sets it apart from the first of them only, `obs_2` from both.
    assert_eq!(entry.formula_text.as_ref(), "G(obs_2 -> X !action_1)", "{}", entry.explanation);
    assert!(
        entry.explanation.contains("with obs_2, because without it it would have blocked action_1 at run 1 step"),
        "{}",
        entry.explanation
    );
}

#[test]
fn a_rest_that_nothing_shows_is_no_new_law() {
    let runs = Runs::of(&three());
    let (_directory, store) = store();
    let hard = book("hard", &[("known", "G(!obs_0 -> X !action_1)")]);
    let mut gate = Gate::new(&book("learned", &[]), &[hard], vocabulary(), runs.seen(), Staging::Adopt).unwrap();
    let ruling = rule(&mut gate, &store, "G(!obs_0 | obs_3 -> X !action_1)", &[(2, 1)]);
    let GateRuling::Refused { refusal } = ruling else { panic!("{ruling:?}") };
    assert_eq!(
        refusal.to_string(),
        "what steps show of it adds nothing to `known`; nothing that failed or was needless shows the rest: !action_1 where obs_3"
    );
}

#[test]
fn a_law_whose_shown_piece_the_book_has_after_narrowing_is_not_called_implied() {
    let paths = [
        path(1, 4, &[(1, false, 4), (2, false, 1), (2, false, 3), (0, true, 12)]),
        path(2, 13, &[(1, true, 11)]),
        path(3, 5, &[(1, false, 1), (2, false, 12)]),
    ];
    let (runs, (_directory, store)) = (Runs::of(&paths), store());
    let hard = book("hard", &[("hard-1", "G(obs_2 & !obs_0 -> X !action_0)")]);
    let mut gate = Gate::new(&book("learned", &[]), &[hard], vocabulary(), runs.seen(), Staging::Adopt).unwrap();
    let first = rule(&mut gate, &store, "G(!obs_3 -> X !action_2)", &[(1, 2)]);
    assert!(matches!(first, GateRuling::Admitted { .. }), "{first:?}");
    let wider = rule(&mut gate, &store, "G(!obs_2 | !obs_3 -> X !action_2)", &[(1, 2)]);
    let GateRuling::Refused { refusal } = wider else { panic!("{wider:?}") };
    assert_eq!(refusal.code(), "rest-not-shown", "{refusal}");
}

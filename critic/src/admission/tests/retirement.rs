//! Laws are retired for what runs show, and those given up stay away.

use super::*;

/// A book with a soft law, proposed by `test`, and its id.
fn soft(formula: &str) -> (Book, LawId) {
    let text = book("learned", &[("soft", formula)]).text().replace("strength = \"hard\"", "strength = \"soft\"");
    let text = text.replace("{ origin = \"hand\" }", "{ origin = \"critic\", model = \"test\" }");
    (Book::parse(&text, "test").unwrap().over(&vocabulary()).unwrap(), "soft".into())
}

fn retire(law: &LawId, cause: RetireCause, proposer: &str) -> Change {
    Change::Retire { law: law.clone(), cause, state: None, proposer: proposer.to_owned() }
}

#[test]
fn a_law_goes_if_runs_speak_against_it_or_its_proposer_takes_it_back() {
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    // Run 2 fails by action 1 where `obs_0` does not hold; all runs need action 0 there; nobody took action 1 at `obs_2`.
    let (right, wrong, idle) = ("G(!obs_0 -> X !action_1)", "G(!obs_0 -> X !action_0)", "G(obs_2 -> X !action_1)");
    for (formula, due) in [(right, false), (wrong, true), (idle, false)] {
        let (book, law) = soft(formula);
        assert_eq!(runs.gate(&book).is_outweighed(&law), due, "{formula}");
        let ruling = |change| runs.gate(&book).admit(&store, &change, now()).unwrap();
        for cause in [RetireCause::BlocksGoodSteps, RetireCause::NeverFires] {
            match ruling(retire(&law, cause, "other")) {
                GateRuling::Retired { .. } => assert!(due, "{formula}"),
                GateRuling::Refused { refusal: Refusal::NotDue { .. } } => assert!(!due, "{formula}"),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(ruling(retire(&law, RetireCause::Withdrawn, "test")), GateRuling::Retired { law: law.clone() });
        let by_other = ruling(retire(&law, RetireCause::Withdrawn, "other"));
        assert_eq!(matches!(by_other, GateRuling::Retired { .. }), due, "{formula}");
    }
}

#[test]
fn a_law_with_which_runs_were_worse_is_not_admitted_again() {
    let (runs, (_directory, store)) = (Runs::of(&three()), store());
    let (before, law) = soft("G(!obs_0 -> X !action_1)");
    let mut edit = Edit::new(&before).unwrap();
    edit.set_status(&law, &Status::Retired { reason: "runs were worse".to_owned() }).unwrap();
    edit.set_trial(&law, "runs were worse").unwrap();
    let after = edit.finish().unwrap().over(&vocabulary()).unwrap();
    let mut gate = runs.gate(&after);
    let GateRuling::Refused { refusal } = rule(&mut gate, &store, "G(!obs_0 -> X !action_1)", &[(2, 1)]) else {
        panic!()
    };
    assert_eq!(refusal.code(), "proved-useless");
    let narrower = rule(&mut gate, &store, "G(!obs_0 & !obs_3 -> X !action_1)", &[(2, 1)]);
    assert!(matches!(narrower, GateRuling::Admitted { .. }), "{narrower:?}");
}

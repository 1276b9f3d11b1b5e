//! Laws that no step can show are admitted on trial, and what a trial showed counts.

use super::*;
use crate::statistics::LawStatistics;

/// Where `obs_2` holds action 2 alone was taken, and was of use; where nothing holds action 0 failed once and was needed once.
fn untried() -> Vec<RunPath> {
    vec![
        path(1, 0, &[(0, false, 1), (1, false, 3), (2, false, 8)]),
        path(2, 0, &[(0, true, 0)]),
        path(3, 4, &[(2, false, 5)]),
    ]
}

fn try_law(gate: &mut Gate<'_>, store: &Store, formula: &str, evidence: &[(u64, u64)]) -> GateRuling {
    gate.admit_or_try(store, &proposal(formula, evidence).into(), now()).unwrap().ruling
}

/// The code of the refusal that a law is on trial for, or of the one that stands.
fn code(ruling: &GateRuling) -> (&'static str, &'static str) {
    match ruling {
        GateRuling::OnTrial { refusal, .. } => ("on trial", refusal.code()),
        GateRuling::Refused { refusal } => ("refused", refusal.code()),
        GateRuling::Admitted { .. } => ("admitted", ""),
        GateRuling::Retired { .. } => ("retired", ""),
    }
}

const DEMAND: &str = "G(obs_2 & !obs_0 -> X action_0)";

#[test]
fn a_law_whose_alternative_was_never_tried_is_admitted_on_trial() {
    let (runs, (_directory, store)) = (Runs::of(&untried()), store());
    let learned = book("learned", &[]);
    assert_eq!(code(&rule(&mut runs.gate(&learned), &store, DEMAND, &[(3, 1)])), ("refused", "not-shown"));
    let mut gate = runs.gate(&learned);
    let ruling = try_law(&mut gate, &store, DEMAND, &[(3, 1)]);
    assert_eq!(code(&ruling), ("on trial", "not-shown"));
    let after = gate.finish(&store, now()).unwrap();
    let entry = after.entry("do-0").unwrap();
    let Status::OnTrial { reason } = &entry.status else { panic!("{:?}", entry.status) };
    assert!(reason.contains("neither failed nor was needless"), "{reason}");
    assert!(!entry.in_force() && after.laws_in_force().is_empty());
    let trying = after.trying("do-0").unwrap();
    assert_eq!((trying.laws_in_force().len(), trying.text()), (1, after.text()));
    assert!(trying.trying("do-0").is_none(), "it is in force already");
    // Both the proposal and the ruling are kept.
    let kept = store.proposals().last().unwrap().unwrap().1;
    assert_eq!(kept.ruling, ruling);
    // Where some run did what it leaves, something is known: the refusal stands.
    let tried = Runs::of(&[untried(), vec![path(4, 4, &[(0, false, 4)])]].concat());
    assert_eq!(code(&try_law(&mut tried.gate(&learned), &store, DEMAND, &[(3, 1)])), ("refused", "not-shown"));
    // What it does not block at the cited step, and what a step shows elsewhere, is no matter for a trial.
    let allowed = "G(obs_2 -> X (action_2 | action_1))";
    assert_eq!(code(&try_law(&mut runs.gate(&learned), &store, allowed, &[(3, 1)])), ("refused", "not-shown"));
}

#[test]
fn a_law_against_a_needed_step_is_admitted_on_trial() {
    let (runs, (_directory, store)) = (Runs::of(&untried()), store());
    let (learned, law) = (book("learned", &[]), "G(!obs_0 & !obs_2 -> X !action_0)");
    assert_eq!(code(&rule(&mut runs.gate(&learned), &store, law, &[(2, 1)])), ("refused", "blocks-good-step"));
    let mut gate = runs.gate(&learned);
    assert_eq!(code(&try_law(&mut gate, &store, law, &[(2, 1)])), ("on trial", "blocks-good-step"));
    // It counts where laws must leave an action, and not where they say something already.
    let narrower = "G(!obs_0 & !obs_2 & !obs_3 -> X !action_0)";
    assert_eq!(code(&try_law(&mut gate, &store, narrower, &[(2, 1)])).0, "on trial", "it says nothing yet");
    assert_eq!(code(&try_law(&mut gate, &store, law, &[(2, 1)])).0, "refused", "it is on trial already");
    let rest = "G(!obs_0 -> X (!action_1 & !action_2))";
    let refused = Runs::of(&[untried(), vec![path(4, 0, &[(1, true, 0), (2, true, 0)])]].concat());
    let mut gate = refused.gate(&gate.finish(&store, now()).unwrap());
    assert_eq!(code(&try_law(&mut gate, &store, rest, &[(4, 1)])), ("refused", "over-constrains"));
}

#[test]
fn few_laws_are_on_trial_at_once() {
    let (runs, (_directory, store)) = (Runs::of(&untried()), store());
    let mut gate = runs.gate(&book("learned", &[]));
    let laws = [DEMAND, "G(obs_2 & !obs_1 -> X action_0)", "G(obs_2 & !obs_3 -> X action_0)", "G(obs_2 -> X action_0)"];
    for (at, law) in laws.into_iter().enumerate() {
        let ruling = if at < MOST_ON_TRIAL { "on trial" } else { "refused" };
        assert_eq!(code(&try_law(&mut gate, &store, law, &[(3, 1)])), (ruling, "not-shown"), "{law}");
    }
}

/// A book with a soft law whose trial had this outcome.
fn after_trial(formula: &str, outcome: &str, status: &str) -> Book {
    let text = book("learned", &[("tried", formula)]).text().replace("strength = \"hard\"", "strength = \"soft\"");
    let text = text.replace("status = \"adopted\"", status);
    let text = text.replace("origin = \"hand\"", &format!("origin = \"critic\", trial = \"{outcome}\""));
    Book::parse(&text, "test").unwrap().over(&vocabulary()).unwrap()
}

#[test]
fn a_law_that_was_withdrawn_is_not_admitted_again() {
    let (runs, (_directory, store)) = (Runs::of(&untried()), store());
    let outcome = "withdrawn after a trial";
    let withdrawn = after_trial(DEMAND, outcome, &format!("status = \"retired\"\nreason = \"{outcome}\""));
    let ruling = try_law(&mut runs.gate(&withdrawn), &store, DEMAND, &[(3, 1)]);
    let GateRuling::Refused { refusal } = ruling else { panic!("{ruling:?}") };
    assert_eq!(refusal.to_string(), "it is `tried` again, which was retired: withdrawn after a trial");
    let other = "G(obs_2 & !obs_1 -> X action_0)";
    assert_eq!(code(&try_law(&mut runs.gate(&withdrawn), &store, other, &[(3, 1)])).0, "on trial");
    // One that was kept and left for another reason may come back.
    let rolled_back = after_trial(DEMAND, "kept after a trial", "status = \"retired\"\nreason = \"rolled back\"");
    assert_eq!(code(&try_law(&mut runs.gate(&rolled_back), &store, DEMAND, &[(3, 1)])).0, "on trial");
}

/// What took its place would be in force without a trial and without a step that shows it.
#[test]
fn a_law_on_trial_is_not_replaced() {
    let (runs, (_directory, store)) = (Runs::of(&untried()), store());
    let mut gate = runs.gate(&book("learned", &[]));
    let GateRuling::OnTrial { law, .. } = try_law(&mut gate, &store, DEMAND, &[(3, 1)]) else { panic!("not on trial") };
    let with = proposal("G(obs_2 & !obs_1 -> X action_0)", &[(3, 1)]);
    let replace = Change::Replace { law: law.clone(), with, state: ProposedState::new(state(4), &vocabulary()) };
    assert_eq!(code(&gate.admit(&store, &replace, now()).unwrap().ruling), ("refused", "not-due"));
    let add = Change::Add(proposal("G(obs_2 -> X !action_0)", &[(3, 1)]));
    assert_eq!(gate.exchange(&store, &add, &replace, now()).unwrap(), None);
}

#[test]
fn what_a_trial_showed_counts_more_than_single_blocks() {
    let (runs, (_directory, store)) = (Runs::of(&untried()), store());
    let counts = LawStatistics { fired: 9, right: 1, wrong: 4, ..LawStatistics::default() };
    let statistics: Statistics = [(LawId::from("tried"), counts)].into_iter().collect();
    let outcome = "kept: with it 5, without it 6";
    let kept = after_trial(DEMAND, outcome, "status = \"adopted\"");
    let mut gate = runs.gate(&kept).with_statistics(&statistics);
    assert_eq!(gate.of_no_use(&"tried".into()), None);
    let retire = Change::Retire {
        law: "tried".into(),
        cause: RetireCause::BlocksGoodSteps,
        state: None,
        proposer: "test".into(),
    };
    let GateRuling::Refused { refusal } = gate.admit(&store, &retire, now()).unwrap().ruling else { panic!() };
    assert!(
        refusal.to_string().ends_with("counts more than what single blocks did: kept: with it 5, without it 6"),
        "{refusal}"
    );
    // Without a trial, or after one that it did not pass, the same blocks retire it.
    let failed = after_trial(DEMAND, "withdrawn after a trial", "status = \"adopted\"");
    let plain = kept.text().replace(&format!(", trial = \"{outcome}\""), "");
    let plain = Book::parse(&plain, "test").unwrap().over(&vocabulary()).unwrap();
    for book in [failed, plain] {
        let gate = runs.gate(&book).with_statistics(&statistics);
        assert_eq!(gate.of_no_use(&"tried".into()), Some(RetireCause::BlocksGoodSteps));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_on_trial_leave_every_state_an_action_if_they_stay(
        (paths, proposals) in any_runs().prop_flat_map(proposals_about)
    ) {
        let (runs, (_directory, store)) = (Runs::of(&paths), store());
        let mut gate = runs.gate(&book("learned", &[]));
        for proposal in proposals {
            gate.admit_or_try(&store, &proposal.into(), now()).unwrap();
        }
        let after = gate.finish(&store, now()).unwrap();
        let on_trial: Vec<&Entry> = after.entries().iter().filter(|law| !law.in_force()).collect();
        prop_assert!(on_trial.len() <= MOST_ON_TRIAL);
        let mut edit = Edit::new(&after).unwrap();
        on_trial.iter().for_each(|law| edit.set_status(&law.id, &Status::Adopted).unwrap());
        let laws = edit.finish().unwrap().over(&vocabulary()).unwrap().laws_in_force();
        for state in states() {
            let mut actions = (0..ACTIONS).map(ActionId);
            let is_left = |action| !laws.iter().any(|law| blocks(&law.formula, &state, action));
            prop_assert!(actions.any(is_left), "nothing is left where {:?} hold", vocabulary().names(&state));
        }
    }
}

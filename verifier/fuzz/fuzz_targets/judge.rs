//! Judges, shields and checks any formula of up to 64 KiB, or refuses it, within the budget in units of work.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use ltlcrit_verifier::consistency::{AnyLaws, Beginning};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::monitor::MAX_WORK;
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{
    CompiledLaws, Formula, Law, Letter, Monitor, PropSet, Shield, ShieldOptions, Vocabulary, syntax,
};

/// Maximum cost of a question about a law here, in units of work.
const WORK: u64 = 50_000;

/// Returns the empty set of observations, the full set, and its two halves.
fn sets(vocabulary: &Vocabulary) -> [PropSet; 4] {
    let all = PropSet::first(vocabulary.observations().len());
    let half = |rest: u16| all.iter().filter(|prop| prop.0 % 2 == rest).collect();
    [PropSet::EMPTY, all, half(0), half(1)]
}

fn judge(formula: &Formula, vocabulary: &Arc<Vocabulary>) {
    let mut monitor = Monitor::new(formula, vocabulary.clone()).expect("all propositions are in the vocabulary");
    assert!(monitor.work() <= MAX_WORK, "{} units before any letter", monitor.work());
    for set in sets(vocabulary) {
        let before = monitor.work();
        monitor.advance(&Letter(set));
        let spent = monitor.work() - before;
        assert!(spent <= MAX_WORK, "{spent} units for a letter");
    }
}

fn shield(formula: &Formula, vocabulary: &Arc<Vocabulary>) {
    let law = Law::hard("law", formula.clone(), "");
    let options = ShieldOptions { budget: WORK, explanation_budget: WORK, ..ShieldOptions::default() };
    let checked = CompiledLaws::check(&law, vocabulary);
    let mut shield = match Shield::new(vocabulary.clone(), vec![law], options) {
        Ok(shield) => shield,
        Err(error) => {
            assert_eq!(error, ShieldError::TooIntricate { law: "law".into() });
            assert_eq!(checked, Err(error));
            return;
        }
    };
    let Some(action) = vocabulary.action_ids().next() else { return };
    for (position, set) in sets(vocabulary).into_iter().enumerate() {
        if position == 0 {
            shield.start(set).unwrap();
        } else {
            shield.step(action, set).unwrap();
        }
        let before = shield.stats().spent;
        shield.decide();
        let spent = shield.stats().spent - before;
        // All laws, the hard ones and the reason: the last transition of each question may exceed the budget.
        assert!(spent <= 3 * (WORK + MAX_WORK), "{spent} units for a decision");
    }
}

fn check(formula: &Formula, vocabulary: &Vocabulary) {
    // These have constant bounds of their own.
    let _ = recognise_all(formula, vocabulary);
    let _ = formula.simplified();
    let mut any = AnyLaws::new(vocabulary, std::slice::from_ref(formula)).expect("there are actions");
    any.satisfiable(&[0], Beginning::AnyAction, WORK);
    any.violable(0, WORK);
    assert!(any.work() <= 4 * WORK + 2 * MAX_WORK, "{} units", any.work());
}

fuzz_target!(|text: &str| {
    let Ok(formula) = syntax::parse(text) else { return };
    let atoms = formula.atoms();
    let Ok(plain) = Vocabulary::plain("plain", atoms.iter().cloned()) else { return };
    judge(&formula, &Arc::new(plain));
    // The last propositions, in alphabetical order, are actions.
    let observations = atoms.len().saturating_sub(3);
    let builder = Vocabulary::builder("run").observations(atoms.iter().take(observations).cloned());
    let builder = builder.actions(atoms.iter().skip(observations).cloned()).action("an action of its own");
    let Ok(run) = builder.build().map(Arc::new) else { return };
    judge(&formula, &run);
    shield(&formula, &run);
    check(&formula, &run);
});

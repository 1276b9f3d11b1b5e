//! A million decisions against brute force, with every outcome checked, by all laws and by the hard ones. The runs have
//! free observations, axioms, more than 64 actions, laws replaced on the way, and hardly any budget.

use std::fmt::Write as _;
use std::sync::Arc;

use ltlcrit_verifier::{Enforcement, Formula, Judgement, Law, Letter, Shield, ShieldOptions, Vocabulary};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::brute::{read, small, states};
use crate::formulas::{atoms, boolean_of};
use crate::joint::{Run, distinct_actions, is_minimal, kept, laws, leaves_none, positions};

/// The numbers of checks of one kind of run.
#[derive(Default)]
struct Counts {
    /// Actions judged: allowed, blocked, undecided.
    actions: [u64; 3],
    /// States: all laws, hard laws only, nothing, undecided.
    states: [u64; 4],
}

/// Compares a shield's decision in a state with the definition. If `exact`, the shield must decide.
fn check(shield: &mut Shield, run: &Run<'_>, exact: bool, counts: &mut Counts) {
    let all: Vec<usize> = (0..run.laws.len()).collect();
    let hard: Vec<usize> = all.iter().copied().filter(|&law| run.laws[law].is_hard()).collect();
    let decision = shield.decide();
    let explains = |conflict: &[_], minimal: bool| {
        let conflict = positions(conflict);
        assert!(!conflict.is_empty() && (minimal || !exact));
        match minimal {
            true => assert!(is_minimal(&conflict, |laws| leaves_none(run, laws)), "{conflict:?}"),
            false => assert!(leaves_none(run, &conflict), "{conflict:?}"),
        }
        conflict
    };
    let mut kept_here = Vec::new();
    let one_by_one = kept(run.laws, |laws| !leaves_none(run, laws));
    let (kind, in_force) = match &decision.enforcement {
        Enforcement::All => {
            assert!(!leaves_none(run, &all));
            (0, &all)
        }
        Enforcement::HardOnly { conflict, minimal } | Enforcement::Suspended { conflict, minimal, .. } => {
            explains(conflict, *minimal);
            assert!(!leaves_none(run, &hard));
            let given_up = match &decision.enforcement {
                Enforcement::Suspended { suspended, .. } => positions(suspended),
                _ => all.iter().copied().filter(|law| !hard.contains(law)).collect(),
            };
            kept_here.extend(all.iter().copied().filter(|law| !given_up.contains(law)));
            assert!(!exact || kept_here == one_by_one);
            (1, &kept_here)
        }
        Enforcement::Nothing { conflict, minimal } => {
            assert!(explains(conflict, *minimal).iter().all(|law| hard.contains(law)));
            (2, &hard)
        }
        Enforcement::Undecided { actions, laws } => {
            assert!(!exact && !actions.is_empty() && !laws.is_empty());
            // Independent of the undecided laws, no action that all laws block may run.
            (3, &all)
        }
        Enforcement::Ended => panic!("the run goes on"),
    };
    counts.states[kind] += 1;
    for action in distinct_actions(run.vocabulary) {
        let judgement = shield.judge(action);
        assert_eq!(decision.allowed.contains(action), judgement.is_allowed());
        let kind = match judgement {
            Judgement::Ended => panic!("the run goes on"),
            Judgement::Allowed => {
                let by = if kind == 3 && leaves_none(run, &all) { &hard } else { in_force };
                assert!(run.allowed(action, by), "{action:?} under {:?}", decision.enforcement);
                0
            }
            Judgement::Blocked { laws, minimal } => {
                let laws = positions(&laws);
                assert!(!laws.is_empty() && (minimal || !exact));
                match minimal {
                    true => assert!(is_minimal(&laws, |laws| !run.allowed(action, laws)), "{laws:?}"),
                    false => assert!(!run.allowed(action, &laws), "{laws:?}"),
                }
                assert!(laws.iter().all(|law| in_force.contains(law)));
                1
            }
            Judgement::Undecided { .. } => {
                assert!(!exact);
                2
            }
        };
        counts.actions[kind] += 1;
    }
    let hard_allowed = shield.hard_allowed();
    for action in distinct_actions(run.vocabulary) {
        let right = run.allowed(action, &hard);
        assert!(right || !hard_allowed.contains(action));
        assert!(!exact || right == hard_allowed.contains(action));
    }
}

/// One kind of run.
struct Kind {
    name: &'static str,
    most_laws: usize,
    axioms: bool,
    many_actions: bool,
    replaced: bool,
    budgets: &'static [u64],
}

const FULL: &[u64] = &[100_000];

const KINDS: [Kind; 5] = [
    Kind { name: "free", most_laws: 4, axioms: false, many_actions: false, replaced: false, budgets: FULL },
    Kind { name: "axioms", most_laws: 3, axioms: true, many_actions: false, replaced: false, budgets: FULL },
    Kind { name: "70 actions", most_laws: 3, axioms: false, many_actions: true, replaced: false, budgets: FULL },
    Kind { name: "replaced", most_laws: 3, axioms: false, many_actions: false, replaced: true, budgets: FULL },
    Kind {
        name: "little work",
        most_laws: 4,
        axioms: true,
        many_actions: false,
        replaced: true,
        budgets: &[0, 1, 3, 10, 30, 100, 300, 1_000],
    },
];

struct Draws(TestRunner);

impl Draws {
    fn draw<T>(&mut self, strategy: impl Strategy<Value = T>) -> T {
        strategy.new_tree(&mut self.0).unwrap().current()
    }
}

/// Drives one run of a kind; skips it if brute force would take too long.
fn walk(kind: &Kind, draws: &mut Draws, counts: &mut Counts) {
    let axioms = if kind.axioms { vec![draws.draw(boolean_of(atoms(&["p", "q"]), 2, 12))] } else { Vec::new() };
    let vocabulary = Arc::new(match kind.many_actions {
        true => {
            let others = (0..67).map(|at| format!("other_{at}"));
            let builder = Vocabulary::builder("many").observations(["p", "q"]).action("a").actions(others).action("b");
            builder.build().unwrap()
        }
        false => small(axioms),
    });
    let states = states(&vocabulary);
    if states.is_empty() {
        return;
    }
    let first = draws.draw(laws(kind.most_laws));
    // Some laws stay, others are added, and the order changes.
    let mut second: Vec<Law> = first.iter().skip(1).rev().cloned().collect();
    for law in draws.draw(laws(2)) {
        let formula: Formula = law.formula.clone();
        second.insert(0, Law { formula, ..law });
    }
    second.truncate(kind.most_laws);
    for (at, law) in second.iter_mut().enumerate() {
        // Names are positions. A law that keeps its formula but not its name begins anew; one that keeps both
        // continues.
        law.id = format!("law-{at}").as_str().into();
    }
    let budget = draws.draw(prop::sample::select(kind.budgets));
    let explanation_budget = if budget < 100_000 { budget } else { ShieldOptions::default().explanation_budget };
    let options = ShieldOptions { budget, raise: 3, explanation_budget, ..ShieldOptions::default() };
    let mut shield = Shield::new(vocabulary.clone(), first.clone(), options).unwrap();
    let Some(mut run) = Run::new(&vocabulary, &first) else { return };
    let exact = budget >= 100_000;
    let initial = draws.draw(prop::sample::select(states));
    let broken = positions(&shield.start(initial).unwrap());
    let expected = run.advance(Letter::initial(initial));
    assert_eq!(broken, expected);
    check(&mut shield, &run, exact, counts);
    let length = draws.draw(1..6usize);
    let replaced_at = if kind.replaced { draws.draw(0..length) } else { length };
    let moves: Vec<Letter> =
        run.letters.iter().copied().filter(|letter| letter.action(&vocabulary) != vocabulary.stop()).collect();
    for at in 0..length {
        if at == replaced_at {
            let Some((other, expected)) = run.under(&second) else { return };
            assert_eq!(positions(&shield.replace_laws(second.clone()).unwrap()), expected);
            run = other;
            check(&mut shield, &run, exact, counts);
        }
        let letter = draws.draw(prop::sample::select(moves.clone()));
        let broken = positions(&read(&mut shield, letter));
        assert_eq!(broken, run.advance(letter));
        check(&mut shield, &run, exact, counts);
    }
}

fn decisions(each: u64) -> String {
    let mut table = String::new();
    for kind in &KINDS {
        let mut draws = Draws(TestRunner::deterministic());
        let mut counts = Counts::default();
        while counts.actions.iter().sum::<u64>() < each {
            walk(kind, &mut draws, &mut counts);
        }
        let ([allowed, blocked, undecided], [all, hard, nothing, open]) = (counts.actions, counts.states);
        writeln!(
            table,
            "{}: {allowed} allowed, {blocked} blocked, {undecided} undecided; all laws {all}, hard only {hard}, nothing \
             {nothing}, undecided {open}",
            kind.name
        )
        .unwrap();
        let decided = kind.budgets == FULL;
        assert!(allowed > 0 && blocked > 0 && all > 0 && hard > 0 && nothing > 0, "{table}");
        assert_eq!((undecided == 0, open == 0), (decided, decided), "{table}");
    }
    table
}

#[test]
fn decisions_are_those_of_brute_force() {
    println!("{}", decisions(5_000));
}

#[test]
#[ignore = "minutes"]
fn a_million_decisions_are_those_of_brute_force() {
    println!("{}", decisions(125_000));
}

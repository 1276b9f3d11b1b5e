//! Tests against brute force over every state and every set of laws of small random systems.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::formula::Formula;
use crate::formulas::boolean_of;
use crate::vocabulary::PropId;

const OBSERVATIONS: usize = 4;
const ACTIONS: usize = 3;

fn observation(index: usize) -> Formula {
    Formula::atom(format!("o{index}"))
}

fn action(index: usize) -> Formula {
    // The index after the last action is stopping.
    if index == ACTIONS { Formula::atom("action_stop") } else { Formula::atom(format!("a{index}")) }
}

fn vocabulary(axioms: Vec<Formula>) -> Vocabulary {
    let numbered = |letter: &'static str, count| (0..count).map(move |i| format!("{letter}{i}"));
    let builder =
        Vocabulary::builder("small").observations(numbered("o", OBSERVATIONS)).actions(numbered("a", ACTIONS));
    builder.axioms(axioms).build().unwrap()
}

fn guarded() -> impl Strategy<Value = GuardedLaw> {
    let guard = boolean_of(
        prop_oneof![20 => (0..OBSERVATIONS).prop_map(observation), 1 => Just(Formula::True), 1 => Just(Formula::False)],
        3,
        5,
    );
    let demand = prop_oneof![
        3 => (0..=ACTIONS).prop_map(action),
        3 => (0..=ACTIONS).prop_map(|i| action(i).not()),
        2 => boolean_of((0..=ACTIONS).prop_map(action), 3, 4),
    ];
    (guard, demand).prop_map(|(guard, demand)| GuardedLaw { guard, demand })
}

fn laws() -> impl Strategy<Value = Vec<Vec<GuardedLaw>>> {
    prop::collection::vec(prop::collection::vec(guarded(), 1..=2), 1..=6)
}

fn axioms() -> impl Strategy<Value = Vec<Formula>> {
    prop::collection::vec(boolean_of((0..OBSERVATIONS).prop_map(observation), 3, 4), 0..=2)
}

/// The definition by enumeration: the actions that each law blocks in each state.
struct Brute {
    states: Vec<PropSet>,
    /// The blocked actions as bits, stopping last, by law and state.
    blocked: Vec<Vec<u32>>,
}

const ALL: u32 = (1 << (ACTIONS + 1)) - 1;
const BUT_STOP: u32 = (1 << ACTIONS) - 1;

impl Brute {
    fn new(vocabulary: &Vocabulary, laws: &[Vec<GuardedLaw>]) -> Self {
        let states: Vec<PropSet> = (0..1u64 << OBSERVATIONS)
            .map(|bits| PropSet::from_words([bits]))
            .filter(|state| vocabulary.axioms().iter().all(|axiom| holds(vocabulary, &axiom.formula, state)))
            .collect();
        let blocked = laws
            .iter()
            .map(|law| {
                states
                    .iter()
                    .map(|state| {
                        law.iter()
                            .filter(|rule| holds(vocabulary, &rule.guard, state))
                            .flat_map(|rule| {
                                vocabulary.action_ids().filter(|action| {
                                    let letter = [vocabulary.action_prop(*action)].into_iter().collect();
                                    !holds(vocabulary, &rule.demand, &letter)
                                })
                            })
                            .fold(0, |bits, action| bits | 1 << action.0)
                    })
                    .collect()
            })
            .collect();
        Self { states, blocked }
    }

    fn together(&self, laws: u32, state: usize) -> u32 {
        (0..self.blocked.len()).filter(|law| laws >> law & 1 == 1).fold(0, |bits, law| bits | self.blocked[law][state])
    }

    fn over_constrains(&self, laws: u32, state: usize) -> bool {
        self.together(laws, state) & BUT_STOP == BUT_STOP
    }

    fn anywhere(&self, laws: u32) -> bool {
        (0..self.states.len()).any(|state| self.over_constrains(laws, state))
    }

    fn minimal_conflicts(&self) -> Vec<Vec<usize>> {
        let subsets = || 0..1u32 << self.blocked.len();
        let mut found: Vec<Vec<usize>> = subsets()
            .filter(|set| self.anywhere(*set))
            .filter(|set| (0..self.blocked.len()).all(|law| set >> law & 1 == 0 || !self.anywhere(set & !(1 << law))))
            .map(|set| (0..self.blocked.len()).filter(|law| set >> law & 1 == 1).collect())
            .collect();
        found.sort_by_key(|laws: &Vec<usize>| (laws.len(), laws.clone()));
        found
    }

    fn implies(&self, by: u32, law: usize) -> bool {
        (0..self.states.len()).all(|state| self.blocked[law][state] & !self.together(by, state) == 0)
    }
}

fn holds(vocabulary: &Vocabulary, formula: &Formula, set: &PropSet) -> bool {
    crate::semantics::holds_at(formula, 0, 1, &|name, _| set.contains(vocabulary.id(name).unwrap()))
}

fn bits(laws: &[usize]) -> u32 {
    laws.iter().fold(0, |bits, law| bits | 1 << law)
}

fn system<'a>(vocabulary: &'a Vocabulary, laws: &[Vec<GuardedLaw>]) -> LawSystem<'a> {
    LawSystem::new(vocabulary, laws, DEFAULT_BUDGET).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn all_minimal_conflicts_are_found_and_no_others((axioms, laws) in (axioms(), laws())) {
        let vocabulary = vocabulary(axioms);
        let brute = Brute::new(&vocabulary, &laws);
        let mut system = system(&vocabulary, &laws);
        let all = vec![true; laws.len()];
        let found = system.conflicts(&all, 1_000).unwrap();
        prop_assert!(found.complete);
        let sets: Vec<Vec<usize>> = found.conflicts.iter().map(|conflict| conflict.laws.clone()).collect();
        prop_assert_eq!(&sets, &brute.minimal_conflicts());
        for conflict in &found.conflicts {
            let state = brute.states.iter().position(|state| *state == conflict.witness);
            prop_assert!(state.is_some_and(|state| brute.over_constrains(bits(&conflict.laws), state)));
            let smaller = brute.states.iter().enumerate().any(|(state, observations)| {
                *observations != conflict.witness
                    && observations.is_subset(&conflict.witness)
                    && brute.over_constrains(bits(&conflict.laws), state)
            });
            prop_assert!(!smaller, "the witness is not minimal");
        }
        // Ask the same question again, and for one conflict alone.
        prop_assert_eq!(system.conflicts(&all, 1_000).unwrap(), found.clone());
        match system.check().unwrap() {
            Consistency::Consistent => prop_assert!(sets.is_empty()),
            Consistency::OverConstrained(conflict) => prop_assert!(sets.contains(&conflict.laws)),
            Consistency::Undecided => prop_assert!(false, "undecided"),
        }
        let some = system.conflicts(&all, 1).unwrap();
        prop_assert_eq!(some.conflicts.len(), sets.len().min(1));
        prop_assert_eq!(some.complete, sets.len() <= 1);
    }

    #[test]
    fn conflicts_in_a_state_are_those_of_the_definition((axioms, laws) in (axioms(), laws())) {
        let vocabulary = vocabulary(axioms);
        let brute = Brute::new(&vocabulary, &laws);
        let system = system(&vocabulary, &laws);
        let all = (1 << laws.len()) - 1;
        for (state, observations) in brute.states.iter().enumerate() {
            let allowed: u32 = system.allowed_at(observations).iter().fold(0, |bits, action| bits | 1 << action.0);
            prop_assert_eq!(allowed, ALL & !brute.together(all, state));
            match system.conflict_at(observations) {
                None => prop_assert!(!brute.over_constrains(all, state)),
                Some(laws) => {
                    prop_assert!(brute.over_constrains(bits(&laws), state));
                    for law in &laws {
                        prop_assert!(!brute.over_constrains(bits(&laws) & !(1 << law), state), "not minimal");
                    }
                }
            }
        }
    }

    #[test]
    fn implied_vacuous_and_contradicting_laws_are_those_of_the_definition(
        (axioms, laws, among) in (axioms(), laws(), prop::collection::vec(any::<bool>(), 6))
    ) {
        let vocabulary = vocabulary(axioms);
        let brute = Brute::new(&vocabulary, &laws);
        let mut system = system(&vocabulary, &laws);
        prop_assert_eq!(system.axioms_are_satisfiable().unwrap(), !brute.states.is_empty());
        let among = &among[..laws.len()];
        let marked: Vec<usize> = (0..laws.len()).filter(|law| among[*law]).collect();
        for law in 0..laws.len() {
            let idle = brute.blocked[law].iter().all(|blocked| *blocked == 0);
            let vacuous = system.vacuous(law).unwrap();
            prop_assert_eq!(vacuous.is_some(), idle);
            let others = bits(&marked) & !(1 << law);
            match system.implied_by(law, among).unwrap() {
                None => prop_assert!(!brute.implies(others, law)),
                Some(by) => {
                    prop_assert!(bits(&by) & !others == 0 && brute.implies(bits(&by), law));
                    for one in &by {
                        prop_assert!(!brute.implies(bits(&by) & !(1 << one), law), "{} is superfluous", one);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A state that is over-constrained here is over-constrained for the shield, which decides by continuations of
    /// words.
    #[test]
    fn agrees_with_the_shield_in_every_state(laws in laws(), axioms in axioms()) {
        use crate::{Enforcement, Law, Shield, ShieldOptions};
        let vocabulary = Arc::new(vocabulary(axioms));
        let brute = Brute::new(&vocabulary, &laws);
        let system = system(&vocabulary, &laws);
        let formula = |rules: &Vec<GuardedLaw>| rules.iter().map(GuardedLaw::to_formula).reduce(Formula::and).unwrap();
        let hard: Vec<Law> =
            laws.iter().enumerate().map(|(law, rules)| Law::hard(format!("l{law}"), formula(rules), "")).collect();
        if brute.states.is_empty() {
            return Ok(());
        }
        let mut shield = Shield::new(vocabulary.clone(), hard, ShieldOptions::default()).unwrap();
        for state in &brute.states {
            prop_assert!(shield.start(*state).unwrap().is_empty());
            let decision = shield.decide();
            match system.conflict_at(state) {
                None => {
                    prop_assert_eq!(&decision.enforcement, &Enforcement::All);
                    prop_assert_eq!(decision.allowed, system.allowed_at(state).into_iter().collect());
                }
                Some(_) => prop_assert!(matches!(decision.enforcement, Enforcement::Nothing { .. }), "{:?}", decision),
            }
        }
    }
}

#[test]
fn a_law_over_the_wrong_propositions_is_refused() {
    let vocabulary = vocabulary(vec![]);
    let over_actions = GuardedLaw { guard: action(0), demand: action(1) };
    assert!(matches!(
        check(&vocabulary, &[over_actions]),
        Err(ConsistencyError::BadPart { law: 0, part: "guard", .. })
    ));
    let over_observations = GuardedLaw { guard: Formula::True, demand: observation(1) };
    assert!(matches!(
        check(&vocabulary, &[over_observations]),
        Err(ConsistencyError::BadPart { law: 0, part: "demand", .. })
    ));
    let plain = Vocabulary::plain("plain", ["p"]).unwrap();
    assert_eq!(check(&plain, &[]), Err(ConsistencyError::NoActions("plain".to_owned())));
}

#[test]
fn running_out_of_budget_is_undecided_never_consistent() {
    // The pigeonhole principle: pigeons 0 to 5 in holes 0 to 4. It is unsatisfiable and hard for resolution.
    let sits = |pigeon: usize, hole: usize| Formula::atom(format!("p{pigeon}h{hole}"));
    let observations = (0..6).flat_map(|p| (0..5).map(move |h| format!("p{p}h{h}")));
    let mut guard =
        (0..6).map(|p| (0..5).map(|h| sits(p, h)).reduce(Formula::or).unwrap()).reduce(Formula::and).unwrap();
    for hole in 0..5 {
        for one in 0..6 {
            for other in one + 1..6 {
                guard = guard.and(sits(one, hole).and(sits(other, hole)).not());
            }
        }
    }
    let vocabulary = Vocabulary::builder("pigeons").observations(observations).action("a").build().unwrap();
    let laws = [vec![GuardedLaw { guard, demand: Formula::atom("a").not() }]];
    let ask = |budget| LawSystem::new(&vocabulary, &laws, budget).unwrap().check().unwrap();
    assert_eq!(ask(5), Consistency::Undecided);
    assert_eq!(ask(DEFAULT_BUDGET), Consistency::Consistent);
}

#[test]
fn axioms_that_contradict_each_other_are_found() {
    let vocabulary = vocabulary(vec![observation(0), observation(0).not()]);
    let mut system = LawSystem::new(&vocabulary, &[], DEFAULT_BUDGET).unwrap();
    assert!(!system.axioms_are_satisfiable().unwrap());
}

#[test]
fn the_witness_is_small() {
    let vocabulary = vocabulary(vec![observation(1).implies(observation(0))]);
    let law = GuardedLaw { guard: observation(0).or(observation(1)), demand: Formula::atom("action_stop") };
    let Consistency::OverConstrained(conflict) = check(&vocabulary, &[law]).unwrap() else {
        panic!("over-constrained")
    };
    assert_eq!(conflict.witness, [PropId(0)].into_iter().collect());
}

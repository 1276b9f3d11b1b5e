//! Every fact against enumeration: all sequences of known world states, up to some length, on small random models.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::compiled::CompiledLaws;
use crate::environment::Environment;
use crate::formula::Formula;
use crate::law::Law;
use crate::options::ShieldOptions;
use crate::transitions::Transitions;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

const PLACES: u16 = 4;
const ACTIONS: u16 = 3;
/// Satisfying sequences of up to so many letters are enumerated.
const LONGEST: usize = 5;

/// For each place and action, the place it leads to.
struct Doors(Vec<u16>);

fn at(place: u16) -> PropSet {
    PropSet::one(PropId(place))
}

impl Transitions for Doors {
    fn next(&self, observations: &PropSet, action: ActionId) -> Option<PropSet> {
        let here = observations.iter().next()?;
        Some(at(self.0[usize::from(here.0 * ACTIONS + action.0)]))
    }
}

fn vocabulary() -> Arc<Vocabulary> {
    let places = (0..PLACES).fold(Vocabulary::builder("doors"), |all, at| all.observation(&*format!("at_{at}")));
    let all = (0..ACTIONS).fold(places, |all, go| all.action(&*format!("go_{go}")));
    Arc::new(all.build().unwrap())
}

fn law() -> impl Strategy<Value = Formula> {
    let atom = (0..PLACES).prop_map(|place| Formula::atom(format!("at_{place}")));
    let action = (0..ACTIONS).prop_map(|go| Formula::atom(format!("go_{go}")));
    (atom.clone(), atom.clone(), atom, action, 0..12u8).prop_map(|(a, b, c, go, kind)| match kind {
        0 => a.finally(),
        1 => a.not().globally(),
        2 => a.not().weak_until(b),
        3 => a.not().until(b),
        4 => a.implies(b.finally()).globally(),
        5 => a.implies(b.not().globally()).globally(),
        6 => a.and(b.finally()).finally(),
        7 => a.clone().implies(a.clone().weak_until(a.not().globally())).globally(),
        8 => a.finally().and(b.not().weak_until(c)),
        9 => a.implies(go.finally()).globally(),
        10 => go.finally().and(a.finally()),
        _ => a.implies(b.next()).globally().and(c.finally()),
    })
}

/// One letter of a sequence: the world state's number, and what the law reads there.
type Visit = (usize, Code);

/// All sequences over known world states from a state of a law that satisfy it.
fn satisfying(joint: &mut Joint, visits: &[Visit], state: StateRef) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<usize>, StateRef)> = vec![(Vec::new(), state)];
    while let Some((sequence, state)) = open.pop() {
        if state.accepts() {
            found.push(sequence.clone());
        }
        if sequence.len() < LONGEST {
            for &(world, code) in visits {
                let next = joint.step(0, state, code);
                open.push((sequence.iter().copied().chain([world]).collect(), next));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn check(facts: &Facts, view: &View, sequence: &[usize]) -> Result<(), TestCaseError> {
    let positions = |class: usize| -> Vec<usize> {
        let visited = sequence.iter().enumerate().filter(|(_, world)| usize::from(view.class[**world]) == class);
        visited.map(|(at, _)| at).collect()
    };
    prop_assert!(!facts.dead, "{sequence:?} satisfies it");
    for class in 0..view.worlds.len() {
        let here = positions(class);
        let says = |classes: Classes, other: usize| classes >> other & 1 == 1;
        prop_assert!(!says(facts.must, class) || !here.is_empty(), "must: {class} in {sequence:?}");
        prop_assert!(!says(facts.never, class) || here.is_empty(), "never: {class} in {sequence:?}");
        let (Some(&first), Some(&last)) = (here.first(), here.last()) else { continue };
        prop_assert!(!says(facts.once, class) || last - first + 1 == here.len(), "once: {class} in {sequence:?}");
        for other in (0..view.worlds.len()).filter(|other| *other != class) {
            let there = positions(other);
            let (begins, ends) = (there.first().copied(), there.last().copied());
            let case = || format!("{class} and {other} in {sequence:?}");
            prop_assert!(!says(facts.implies[class], other) || begins.is_some(), "implies: {}", case());
            let before = begins.is_some_and(|begins| begins < first);
            prop_assert!(!says(facts.first_first[class], other) || before, "first before first: {}", case());
            let after = ends.is_some_and(|ends| ends > last);
            prop_assert!(!says(facts.last_last[class], other) || after, "last after last: {}", case());
            let after = ends.is_some_and(|ends| ends > first);
            prop_assert!(!says(facts.first_last[class], other) || after, "last after first: {}", case());
            let after = begins.is_none_or(|begins| begins > last);
            prop_assert!(!says(facts.last_first[class], other) || after, "first after last: {}", case());
        }
    }
    Ok(())
}

fn joint(laws: Vec<Formula>, doors: Vec<u16>) -> Joint {
    let vocabulary = vocabulary();
    let named = |(at, formula)| Law::hard(format!("law-{at}"), formula, "");
    let laws = laws.into_iter().enumerate().map(named).collect();
    let laws = CompiledLaws::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    Joint::new(laws, Environment::modelled(Arc::new(Doors(doors)), &vocabulary))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fact_holds_of_every_satisfying_sequence(
        formula in law(),
        doors in prop::collection::vec(0..PLACES, usize::from(PLACES * ACTIONS)),
        before in prop::collection::vec(0..PLACES, 0..3),
    ) {
        let mut joint = joint(vec![formula], doors);
        prop_assume!(joint.laws.watched.len() == 1);
        let mut states: Vec<StateRef> = joint.initial_states().collect();
        for place in before {
            joint.read_all(&mut states, &Letter::initial(at(place)), |_| {});
        }
        let mut landmarks = Landmarks::default();
        let (known, _) = landmarks.enter(&joint, at(0), 1);
        prop_assert!(known);
        let facts = landmarks.facts(&mut joint, 0, 0, states[0]);
        let view = landmarks.views[0].as_ref().unwrap();
        let visits: Vec<Visit> = (0..view.class.len())
            .flat_map(|world| view.codes[usize::from(view.class[world])].iter().map(move |&code| (world, code)))
            .collect();
        let sequences = satisfying(&mut joint, &visits, states[0]);
        for sequence in &sequences {
            check(&facts, view, sequence)?;
        }
    }

    /// What contradicts each other has no common continuation, by the exhaustive search.
    #[test]
    fn laws_that_contradict_each_other_have_no_continuation(
        formulas in prop::collection::vec(law(), 2..7),
        doors in prop::collection::vec(0..PLACES, usize::from(PLACES * ACTIONS)),
        start in 0..PLACES,
    ) {
        let mut joint = joint(formulas, doors);
        let letter = Letter::initial(at(start));
        let mut states: Vec<StateRef> = joint.initial_states().collect();
        joint.read_all(&mut states, &letter, |_| {});
        let laws: Vec<usize> = (0..states.len()).collect();
        let mut landmarks = Landmarks::default();
        prop_assert!(landmarks.enter(&joint, at(start), laws.len()).0);
        let among: Vec<(usize, StateRef)> = states.iter().copied().enumerate().collect();
        let Some(core) = landmarks.contradiction(&mut joint, &laws, &among) else { return Ok(()) };
        prop_assert!(core.iter().any(|&law| !states[law].accepts()), "the run could stop here");
        let group = joint.group(core.iter().map(|&law| joint.laws.watched[law]).collect::<Vec<_>>());
        let now = Now { letter: &letter, states: &states };
        for action in joint.vocabulary().clone().action_ids() {
            let possible = joint.possible(now, &group, action);
            prop_assert!(matches!(possible, crate::joint::Possible::No(_)), "{core:?} after {action:?}: {possible:?}");
        }
    }
}

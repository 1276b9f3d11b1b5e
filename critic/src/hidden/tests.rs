use ltlcrit_store::RunId;
use ltlcrit_verifier::Definition;
use ltlcrit_verifier::definition::Quantity;
use proptest::prelude::*;

use super::contrast::{Contrast, MixedState, Place, contrasts};
use super::{Compared, derive, is_clock};
use crate::graph::Citation;

fn quantity(name: &str) -> Quantity {
    format!("inventory[{name}] >= 0").parse::<Definition>().unwrap().quantity().clone()
}

/// Trials: the world and the value before each.
type Values<'a> = &'a [(u64, f64)];

/// Converts good and bad trials to states, with the values of one quantity in all of them.
fn table(states: &[(Values, Values)]) -> (Vec<MixedState>, Vec<Option<f64>>) {
    let mut values = Vec::new();
    let mut side = |trials: Values| {
        let numbered = trials.iter().map(|(world, value)| {
            values.push(Some(*value));
            (Place::Seed(*world), values.len() - 1)
        });
        numbered.collect::<Vec<_>>()
    };
    let states = states.iter().map(|(good, bad)| MixedState { good: side(good), bad: side(bad) }).collect();
    (states, values)
}

fn found(states: &[(Values, Values)], significance: f64) -> Vec<(String, u32)> {
    let (states, values) = table(states);
    let contrasts = contrasts(states, &[(values, quantity("log"))], significance, 3);
    contrasts.into_iter().map(|Contrast { definition, weight, .. }| (definition.to_string(), weight)).collect()
}

fn each(worlds: std::ops::Range<u64>, value: f64) -> Vec<(u64, f64)> {
    worlds.map(|world| (world, value)).collect()
}

#[test]
fn a_count_tells_needless_from_needed() {
    let (good, bad) = (each(0..8, 4.0), each(0..8, 5.0));
    assert_eq!(found(&[(&good, &bad)], 0.05), [("inventory[log] >= 5".to_owned(), 8)]);
    // The sides are swapped.
    assert_eq!(found(&[(&bad, &good)], 0.05), [("inventory[log] <= 4".to_owned(), 8)]);
    // A state in which more is needed is not separated, and does not matter.
    let (more, most) = (each(0..1, 6.0), each(0..3, 5.0));
    assert_eq!(found(&[(&good, &bad), (&more, &most)], 0.05), [("inventory[log] >= 5".to_owned(), 8)]);
}

#[test]
fn few_worlds_are_no_evidence_however_often_it_happens_there() {
    let (good, bad) = (each(0..2, 4.0), each(0..2, 5.0));
    let often: Vec<(u64, f64)> = bad.iter().copied().cycle().take(200).collect();
    assert!(found(&[(&good, &bad)], 0.05).is_empty());
    assert!(found(&[(&good, &often)], 0.05).is_empty());
    // More states do not help: a peculiarity of two worlds shows in all of them.
    assert!(found(&[(&good[..], &bad[..]); 20], 0.05).is_empty());
}

#[test]
fn numbers_are_as_short_as_the_evidence_allows() {
    let (good, bad) = (each(0..8, 4.23), each(0..8, 7.81));
    assert_eq!(found(&[(&good, &bad)], 0.05)[0].0, "inventory[log] >= 7");
    let (half, near) = (each(0..8, 4.5), each(0..8, 4.536));
    assert_eq!(found(&[(&half, &near)], 0.05)[0].0, "inventory[log] >= 4.53");
    assert_eq!(found(&[(&near, &half)], 0.05)[0].0, "inventory[log] <= 4.5");
}

/// Computes the p-value by enumerating all choices of the worlds with good trials.
fn chance_by_enumeration(good: usize, held: usize, others: usize) -> f64 {
    let worlds = good + held + others;
    let choices: Vec<u32> = (0u32..1 << worlds).filter(|choice| choice.count_ones() as usize == good).collect();
    let apart = choices.iter().filter(|choice| *choice & ((1 << held) - 1) == 0).count();
    apart as f64 / choices.len() as f64
}

proptest! {
    #[test]
    fn the_test_is_exact(good in 1usize..5, held in 1usize..5, others in 0usize..4) {
        let worlds = |count: usize, value: f64| (0..count).map(|world| (world as u64, value)).collect::<Vec<_>>();
        let bad: Vec<(u64, f64)> = (0..held).map(|world| (world as u64, 9.0)).chain((0..others).map(|world| (100 + world as u64, 5.0))).collect();
        let chance = chance_by_enumeration(good, held, others);
        let good = worlds(good, 5.0);
        // A single comparison is tested.
        prop_assert_eq!(found(&[(&good, &bad)], chance * 1.0001).len(), 1);
        prop_assert_eq!(found(&[(&good, &bad)], chance * 0.9999).len(), 0);
    }

    /// No other threshold that separates the trials covers more bad ones.
    #[test]
    fn no_threshold_separates_more(
        states in proptest::collection::vec((proptest::collection::vec((0u64..4, 0u8..6), 1..5), proptest::collection::vec((0u64..4, 0u8..6), 1..8)), 1..4),
    ) {
        let floats = |side: &[(u64, u8)]| side.iter().map(|(world, value)| (*world, f64::from(*value))).collect::<Vec<_>>();
        let states: Vec<_> = states.iter().map(|(good, bad)| (floats(good), floats(bad))).collect();
        let borrowed: Vec<(Values, Values)> = states.iter().map(|(good, bad)| (good.as_slice(), bad.as_slice())).collect();
        // Without a limit on significance, the first comparison found is the best.
        let found = found(&borrowed, f64::MAX);
        let weight = |holds: &dyn Fn(f64) -> bool| -> u32 {
            let separated = states.iter().filter(|(good, _)| !good.iter().any(|(_, value)| holds(*value)));
            let worlds = |bad: &[(u64, f64)]| bad.iter().filter(|(_, value)| holds(*value)).map(|(world, _)| *world).collect::<std::collections::BTreeSet<_>>().len();
            separated.map(|(_, bad)| worlds(bad) as u32).sum()
        };
        let best = (0..6).flat_map(|number| { let number = f64::from(number); [weight(&|value| value >= number), weight(&|value| value <= number)] }).max().unwrap();
        prop_assert_eq!(found.first().map_or(0, |(_, weight)| *weight), best);
    }
}

#[test]
fn runs_without_a_seed_are_worlds_of_their_own() {
    let state = MixedState {
        good: (0..8).map(|run| (Place::Run(RunId(run)), 0)).collect(),
        bad: (0..8).map(|run| (Place::Run(RunId(run)), 1)).collect(),
    };
    let values = vec![Some(1.0), Some(2.0)];
    assert_eq!(contrasts(vec![state], &[(values, quantity("log"))], 0.05, 3).len(), 1);
}

#[test]
fn what_a_proposer_misses_is_derived_once() {
    let vocabulary =
        ltlcrit_verifier::Vocabulary::builder("v").observations(["obs_log"]).actions(["action_chop"]).build().unwrap();
    let coal = || "inventory[coal] >= 3".parse::<Definition>().unwrap();
    let derived = derive(&vocabulary, [coal(), coal()]);
    let [one] = &derived[..] else { panic!("{derived:?}") };
    assert_eq!(one.definition.as_deref(), Some(&coal()));
    let wider = vocabulary.extended(derived.clone()).unwrap();
    assert!(wider.id(&one.name).is_some());
    assert!(derive(&wider, [coal()]).is_empty(), "the vocabulary has it");
}

#[test]
fn a_quantity_that_rises_with_every_step_is_a_clock() {
    let step =
        |(at, (run, step)): (usize, &(u64, u32))| (Citation { run: RunId(*run), step: *step }, (Place::Seed(*run), at));
    let compared = |steps: &[(u64, u32)]| steps.iter().enumerate().map(step).collect::<Compared>();
    let two_runs = compared(&[(1, 1), (1, 4), (1, 9), (2, 2), (2, 3)]);
    let clock = |values: [f64; 5]| is_clock(&values.map(Some), &two_runs);
    assert!(clock([0.0, 80.0, 200.0, 20.0, 60.0]));
    // Logs are spent, and stay the same at times.
    assert!(!clock([0.0, 2.0, 1.0, 0.0, 1.0]));
    assert!(!clock([0.0, 2.0, 3.0, 1.0, 1.0]));
    // Two steps of two runs say nothing.
    assert!(!is_clock(&[Some(1.0), Some(2.0)], &compared(&[(1, 1), (2, 2)])));
}

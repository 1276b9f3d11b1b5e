//! Over 200 seeds the scripted best policy, which sees only observations, gets the diamond in every one.
use std::collections::BTreeMap;

use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Sight};

const SEEDS: u64 = 200;
/// More than any seed needs; a run this long counts as failed.
const BUDGET: usize = 80;

/// Steps to the diamond.
fn steps(seed: u64, options: EmbeddedOptions) -> Result<usize, String> {
    let mut world = EmbeddedWorld::new(seed, options);
    let mut policy = Policy::default();
    let mut last = None;
    for step in 0..BUDGET {
        let observation = world.look();
        match policy.next(&observation, last.as_ref()) {
            Some(action) => last = Some(world.act(action).map_err(|error| format!("seed {seed}: {error}"))?),
            None if observation.inventory.contains_key("diamond") => return Ok(step),
            None => return Err(format!("seed {seed}: no plan at step {step}")),
        }
    }
    Err(format!("seed {seed}: no diamond after {BUDGET} steps"))
}

/// The distribution of steps over the seeds, on two threads.
fn distribution(options: EmbeddedOptions) -> BTreeMap<usize, usize> {
    let half = |from: u64| move || (from..=SEEDS).step_by(2).map(|seed| steps(seed, options)).collect::<Vec<_>>();
    let results = std::thread::scope(|scope| {
        let other = scope.spawn(half(2));
        let mut results = half(1)();
        results.extend(other.join().unwrap());
        results
    });
    let failures: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(failures.is_empty(), "{failures:?}");
    let mut counts = BTreeMap::new();
    for steps in results.into_iter().flatten() {
        *counts.entry(steps).or_insert(0) += 1;
    }
    counts
}

fn mean(counts: &BTreeMap<usize, usize>) -> f64 {
    counts.iter().map(|(steps, count)| steps * count).sum::<usize>() as f64 / SEEDS as f64
}

#[test]
fn the_best_policy_gets_the_diamond_in_every_seed() {
    let counts = distribution(EmbeddedOptions::default());
    println!("steps: seeds {counts:?}, mean {:.2}", mean(&counts));
    assert!((38.0..=41.0).contains(&mean(&counts)), "{counts:?}");
    insta::assert_snapshot!(format!("{counts:?}, mean {:.2}", mean(&counts)));
}

#[test]
fn with_every_loaded_block_in_sight_it_is_no_harder() {
    let counts = distribution(EmbeddedOptions { sight: Sight::Loaded, ..EmbeddedOptions::default() });
    println!("steps: seeds {counts:?}, mean {:.2}", mean(&counts));
    assert!((36.0..=40.0).contains(&mean(&counts)), "{counts:?}");
}

#[test]
fn in_the_compact_world_it_takes_the_optimum() {
    let counts = distribution(EmbeddedOptions::compact());
    println!("steps: seeds {counts:?}");
    assert!(mean(&counts) < 38.5, "{counts:?}");
}

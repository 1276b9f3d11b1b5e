//! The scripted best policy, which sees only observations, gets the diamond in every seed.
use std::collections::BTreeMap;

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::terrain::TerrainKind;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits, Sight};

const SEEDS: u64 = 200;
/// The number of seeds at which the standard error of the mean (about 0.2 steps) is small compared with the ranges
/// below.
const FEW: u64 = 40;
/// The number of steps after which a run counts as failed; no seed needs as many.
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
fn distribution(seeds: u64, options: EmbeddedOptions) -> BTreeMap<usize, usize> {
    let half = |from: u64| move || (from..=seeds).step_by(2).map(|seed| steps(seed, options)).collect::<Vec<_>>();
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
    let seeds: usize = counts.values().sum();
    counts.iter().map(|(steps, count)| steps * count).sum::<usize>() as f64 / seeds as f64
}

/// Checks the first seeds, and returns the distribution in the default world.
fn gets_the_diamond(seeds: u64) -> BTreeMap<usize, usize> {
    let default = distribution(seeds, EmbeddedOptions::default());
    assert!((38.0..=41.0).contains(&mean(&default)), "{default:?}");
    let all_in_sight = distribution(
        seeds,
        EmbeddedOptions { limits: Limits { sight: Sight::Loaded, ..Limits::default() }, ..EmbeddedOptions::default() },
    );
    assert!((36.0..=40.0).contains(&mean(&all_in_sight)), "{all_in_sight:?}");
    let compact = distribution(seeds, EmbeddedOptions::compact());
    assert!(mean(&compact) < 38.5, "{compact:?}");
    default
}

#[test]
fn the_best_policy_gets_the_diamond() {
    gets_the_diamond(FEW);
}

/// Worlds in which the first ways down are dead ends: the player does not alternate between two of them.
#[test]
fn gets_on_from_dead_ends() {
    for (terrain, seed) in [(TerrainKind::Caverns, 74), (TerrainKind::Caverns, 83), (TerrainKind::Varied, 81)] {
        let steps = steps(seed, EmbeddedOptions { terrain, ..EmbeddedOptions::default() });
        assert!(steps.as_ref().is_ok_and(|steps| *steps < 50), "{terrain:?}: {steps:?}");
    }
}

/// The player stands on a tree over a hole. It leaps if no other way leads on. It explores if its table has no place there.
#[test]
fn gets_down_from_trees() {
    for seed in [6597, 6605] {
        let steps = steps(seed, EmbeddedOptions { terrain: TerrainKind::Ocean, ..EmbeddedOptions::default() });
        assert!(steps.as_ref().is_ok_and(|steps| *steps < 60), "{steps:?}");
    }
}

/// On an island in the air, which nothing leads down from, the player makes what it can: it does not explore for ever.
#[test]
fn makes_what_it_can_where_it_cannot_get_away() {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::compact());
    let feet = world.game().player.feet.offset(0, 80, 0);
    let game = world.game_mut();
    for (x, z) in (-4..=4).flat_map(|x| (-4..=4).map(move |z| (x, z))) {
        game.ground.put(feet.offset(x, -1, z), Block::Dirt);
        (-4..=-2).for_each(|y| game.ground.put(feet.offset(x, y, z), Block::Stone));
    }
    (0..8).for_each(|y| game.ground.put(feet.offset(3, y, 3), Block::OakLog));
    game.player.feet = feet;
    let (mut policy, mut last) = (Policy::default(), None);
    for _ in 0..40 {
        let action = policy.next(&world.look(), last.as_ref()).unwrap();
        last = Some(world.act(action).unwrap());
    }
    assert!(world.look().inventory.contains_key("stone_pickaxe"), "{}", world.look());
}

#[test]
#[ignore = "200 seeds take half a minute"]
fn the_best_policy_gets_the_diamond_in_every_seed() {
    let counts = gets_the_diamond(SEEDS);
    insta::assert_snapshot!(format!("{counts:?}, mean {:.2}", mean(&counts)));
}

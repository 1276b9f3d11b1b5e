//! Whole episodes of the best policy, terrain included, and single actions.

use divan::Bencher;
use divan::counter::ItemsCount;
use ltlcrit_minecraft::planner::{Goal, Planner, Policy, State};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits, Sight, vocabulary};
use ltlcrit_worlds::Details;

fn main() {
    divan::main();
}

/// Plays a seed to the diamond and returns the number of actions. The planner has a warm cache, as in a batch.
fn episode(seed: u64, options: EmbeddedOptions, policy: &Policy) -> usize {
    let mut world = EmbeddedWorld::new(seed, options);
    let mut policy = policy.clone();
    let mut last = None;
    let mut steps = 0;
    while steps < 80 {
        let observation = world.look();
        let Some(action) = policy.next(&observation, last.as_ref()) else { break };
        last = world.act(action).ok();
        steps += 1;
    }
    steps
}

fn warm_policy() -> Policy {
    let mut policy = Policy::default();
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::default());
    let _ = policy.next(&world.look(), None);
    Policy::default().with_planner_of(policy)
}

/// Each sample plays the next of the seeds 1 to 100, so the median is taken over seeds.
fn over_seeds(bencher: Bencher, options: EmbeddedOptions) {
    let policy = warm_policy();
    let mut seed = 0;
    bencher
        .with_inputs(|| {
            seed = seed % 100 + 1;
            seed
        })
        .bench_local_values(|seed| episode(seed, options, &policy));
}

#[divan::bench(sample_count = 100, sample_size = 1)]
fn whole_episode_exposed(bencher: Bencher) {
    over_seeds(bencher, EmbeddedOptions::default());
}

#[divan::bench(sample_count = 100, sample_size = 1)]
fn whole_episode_loaded(bencher: Bencher) {
    over_seeds(
        bencher,
        EmbeddedOptions { limits: Limits { sight: Sight::Loaded, ..Limits::default() }, ..EmbeddedOptions::default() },
    );
}

#[divan::bench(sample_count = 100, sample_size = 1)]
fn whole_episode_compact(bencher: Bencher) {
    over_seeds(bencher, EmbeddedOptions::compact());
}

/// Twenty explorations from an empty inventory, as an actor makes that likes to explore. Nearly all the time is spent
/// in searches for paths.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn twenty_explorations(bencher: Bencher) {
    let explore = ["action_explore_general", "action_explore_diamond_down"].map(|name| vocabulary().action(name));
    let mut seed = 0;
    bencher
        .with_inputs(|| {
            seed = seed % 20 + 1;
            EmbeddedWorld::new(seed, EmbeddedOptions::default())
        })
        .bench_local_values(|mut world| {
            for step in 0..20 {
                world.look();
                let _ = explore[usize::from(step % 4 == 3)].map(|explore| world.act(explore));
            }
            world.game().ground.tick
        });
}

#[divan::bench(sample_count = 100, sample_size = 1)]
fn new_world(bencher: Bencher) {
    let mut seed = 0;
    bencher
        .with_inputs(|| {
            seed = seed % 100 + 1;
            seed
        })
        .bench_local_values(|seed| EmbeddedWorld::new(seed, EmbeddedOptions::default()));
}

#[divan::bench]
fn observation(bencher: Bencher) {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::default());
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| world.look());
}

/// The observation as the agent's loop receives it, in a type-erased [`Details`].
#[divan::bench]
fn observation_as_details(bencher: Bencher) {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::default());
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| Details::new(world.look()));
}

/// Crafting planks repeatedly: actions without walking.
#[divan::bench]
fn actions_without_walking(bencher: Bencher) {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::default());
    let craft = vocabulary().action("action_craft_planks");
    world.game_mut().inventory.add(ltlcrit_minecraft::items::Item::OakLog, 64);
    let start = world.game().inventory.clone();
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
        if world.game().inventory.count(ltlcrit_minecraft::items::Item::OakLog) == 0 {
            world.game_mut().inventory = start.clone();
        }
        craft.map(|craft| world.act(craft))
    });
}

/// The optimum from an empty inventory, with a cold cache.
#[divan::bench]
fn plan_from_nothing() -> Option<u32> {
    Planner::new(Goal::diamond()).distance(&State::beginning())
}

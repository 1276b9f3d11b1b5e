//! Plays the best policy over seeds and prints the steps and game ticks to the diamond, and the ticks of each action:
//! `cargo run --release -p ltlcrit-minecraft --example seeds -- 1 200 [loaded] [trace] [TERRAIN]`.

use std::collections::BTreeMap;
use std::time::Instant;

use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::terrain::TerrainKind;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits, Sight};
use ltlcrit_worlds::LiveWorld;
use strum::VariantArray as _;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = arguments.iter().filter_map(|argument| argument.parse::<u64>().ok());
    let (from, to) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(20));
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let terrain = TerrainKind::VARIANTS.iter().find(|terrain| has(terrain.name())).copied().unwrap_or_default();
    let sight = if has("loaded") { Sight::Loaded } else { Sight::Exposed };
    let options = EmbeddedOptions { terrain, limits: Limits { sight, ..Limits::default() } };
    let mut policy = Policy::default();
    let (mut all_steps, mut all_times) = (Vec::new(), Vec::new());
    // For each action: the number of times it ran, and the ticks of all of them.
    let mut spent: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut ticks = 0;
    for seed in from..=to {
        let begin = Instant::now();
        let mut world = EmbeddedWorld::new(seed, options);
        let created = begin.elapsed();
        policy = Policy::default().with_planner_of(policy);
        let mut last = None;
        let (mut steps, mut failures, mut explored) = (0, Vec::new(), 0);
        let mut reached = false;
        while steps < 120 {
            let observation = world.look();
            if steps == 0 && has("trace") {
                println!("{observation}");
            }
            let Some(action) = policy.next(&observation, last.as_ref()) else {
                reached = observation.inventory.contains_key("diamond");
                break;
            };
            let name = ltlcrit_minecraft::vocabulary().action_name(action).to_owned();
            explored += u32::from(name.contains("explore"));
            let start = Instant::now();
            let Ok(outcome) = world.act(action) else { break };
            if has("trace") {
                println!("{steps:3} {name}: {} ({} ticks, {:?})", outcome.message, outcome.ticks, start.elapsed());
                for line in world.trace() {
                    println!("      {line}");
                }
            }
            let (times, all) = spent.entry(name.trim_start_matches("action_").to_owned()).or_default();
            *times += 1;
            *all += outcome.ticks;
            if let Some(reason) = &outcome.failure {
                failures.push(format!("{}:{reason}", name.trim_start_matches("action_")));
            }
            steps += 1;
            last = Some(outcome);
        }
        let took = begin.elapsed();
        ticks += world.game().ground.tick;
        println!(
            "seed {seed:4}: {steps} steps, {explored} explorations, reached {reached}, {} ticks, health {}, created {:.1} ms, {:.1} ms {}",
            world.game().ground.tick,
            world.game().player.health,
            created.as_secs_f64() * 1e3,
            took.as_secs_f64() * 1e3,
            failures.iter().take(6).cloned().collect::<Vec<_>>().join(" ")
        );
        all_steps.push(if reached { steps } else { 999 });
        all_times.push(took);
    }
    all_times.sort();
    let reached = all_steps.iter().filter(|steps| **steps < 999).count();
    let mean = all_steps.iter().filter(|steps| **steps < 999).sum::<i32>() as f64 / reached.max(1) as f64;
    all_steps.sort_unstable();
    let seeds = all_steps.len().max(1);
    println!(
        "{reached} of {seeds} reached, mean {mean:.2} steps, {:.0} ticks, median time {:?}",
        ticks as f64 / seeds as f64,
        all_times.get(all_times.len() / 2).copied().unwrap_or_default()
    );
    println!("{all_steps:?}");
    for (name, (times, all)) in spent {
        let seeds = seeds as f64;
        println!("{name:24} {:6.2} times, {:7.1} ticks a seed", times as f64 / seeds, all as f64 / seeds);
    }
}

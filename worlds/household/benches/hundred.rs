//! Decision time of the shield under a hundred constraints in the house of 105 objects, over walks of allowed actions.
//! Prints a table; it is not a statistical benchmark.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ltlcrit_household::{names, task};
use ltlcrit_pddl::PddlWorld;
use ltlcrit_verifier::{ActionId, Enforcement, Law, Shield, ShieldOptions};
use ltlcrit_worlds::{Forecast, World as _};

/// The constraints of all tasks in the house, and constraints of the same kinds about things that the tasks do not
/// mention.
fn laws(count: usize) -> Vec<Law> {
    let mut formulas: Vec<String> = Vec::new();
    for name in names().unwrap().iter().filter(|name| name.starts_with("mobile-")) {
        formulas.extend(task(name).unwrap().constraints.iter().map(|one| one.formula.to_string()));
    }
    formulas.sort();
    formulas.dedup();
    let things = "salmon bread knife cuttingboard kettle bowl apple plate glass vase candle cup fork sponge pan pot milk \
                  cheese butter juice egg sugar salt flour teabag remote magazine ashtray cushion blanket atlas dictionary \
                  photo chess cards tablecloth pillow quilt alarmclock glasses shirt coat scarf socks belt soap toothbrush \
                  razor towel medicine plaster shoes boots keys letter pen paper";
    let rooms = ["kitchen", "livingroom", "bedroom", "bathroom", "study"];
    let is_new = |thing: &&str| !formulas.iter().any(|formula| formula.contains(&format!("({thing}")));
    let new: Vec<&str> = things.split_whitespace().filter(is_new).collect();
    // The second pass gives each thing another constraint.
    for (at, thing) in new.iter().enumerate().chain(new.iter().enumerate().map(|(at, thing)| (at + 1, thing))) {
        let room = rooms[at % rooms.len()];
        formulas.push(match at % 4 {
            0 => format!("!is_grabbed({thing}) W agent_at({room})"),
            1 => format!("G(is_grabbed({thing}) -> !agent_at({room}))"),
            2 => format!("G(is_grabbed({thing}) -> F !is_grabbed({thing}))"),
            _ => format!("G(is_grabbed({thing}) -> F agent_at({room}))"),
        });
    }
    formulas.truncate(count);
    let law = |(at, formula): (usize, &String)| Law::hard(format!("c{at}"), formula.parse().unwrap(), "");
    formulas.iter().enumerate().map(law).collect()
}

fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
}

/// Hashes two numbers (the finaliser of SplitMix64).
fn mixed(seed: u64, step: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(step.wrapping_mul(0xD1B5_4A32_D192_ED03));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn main() {
    println!("laws  walks x steps  ready ms  median us  99% us  worst us  blocked  undecided");
    for count in [10, 25, 50, 75, 100] {
        let laws = laws(count);
        let mentioned: BTreeSet<String> =
            laws.iter().flat_map(|law| law.formula.atoms()).map(|atom| atom.to_string()).collect();
        let fresh = PddlWorld::under(&task("mobile-1").unwrap().task, Some(&|_| mentioned.clone())).unwrap();
        let vocabulary = fresh.vocabulary();
        let (mut times, mut blocked, mut undecided, mut ready) = (Vec::new(), 0, 0, Duration::ZERO);
        let (walks, steps) = (10, 100);
        for seed in 1..=walks {
            let mut world = fresh.clone();
            let began = Instant::now();
            let mut shield = Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap();
            let mut now = world.observation(world.state());
            shield.start(now.holds).unwrap();
            ready += began.elapsed();
            for step in 0..steps {
                let applicable = world.outlook(&now).applicable().unwrap();
                let mut tried = 0;
                // Draws applicable actions until one is allowed.
                let action = loop {
                    let action = applicable[(mixed(seed, step * 97 + tried) % applicable.len() as u64) as usize];
                    tried += 1;
                    if Some(action) == vocabulary.stop() {
                        continue;
                    }
                    if judged(&mut shield, &world, &now, action, &mut times, &mut undecided) {
                        break Some(action);
                    }
                    blocked += 1;
                    if tried > 200 {
                        break None;
                    }
                };
                let Some(action) = action else { break };
                let outcome = world.act(action).unwrap();
                let letter = vocabulary.in_letters(action);
                for passed in &outcome.passed {
                    assert!(shield.go_through(letter, *passed).unwrap().is_empty());
                }
                now = world.observation(world.state());
                assert!(shield.step(letter, now.holds).unwrap().is_empty());
            }
        }
        println!(
            "{:>4}  {walks:>5} x {steps:>5}  {:>8.1}  {:>9.1}  {:>6.1}  {:>8.1}  {blocked:>7}  {undecided:>9}",
            laws.len(),
            ready.as_secs_f64() * 1e3 / walks as f64,
            percentile(&mut times, 0.5),
            percentile(&mut times, 0.99),
            percentile(&mut times, 1.0),
        );
    }
}

/// Returns whether the shield allows an action, and adds the time of the decision without the world's prediction.
fn judged(
    shield: &mut Shield,
    world: &PddlWorld,
    now: &ltlcrit_worlds::Observation,
    action: ActionId,
    times: &mut Vec<Duration>,
    undecided: &mut usize,
) -> bool {
    let Forecast { passes, then } = world.outlook(now).forecast(action);
    let letter = shield.vocabulary().in_letters(action);
    let began = Instant::now();
    shield.predict_ways(letter, vec![ltlcrit_verifier::Way { through: passes, then }]);
    let judgement = shield.judge(letter);
    times.push(began.elapsed());
    *undecided += usize::from(matches!(judgement, ltlcrit_verifier::Judgement::Undecided { .. }));
    assert!(shield.decide().enforcement == Enforcement::All || !judgement.is_allowed());
    judgement.is_allowed()
}

//! The search that looks ahead in a world: which actions leave a lawful way on, in every state of random walks.
//!
//! Names on the command line select workloads. `--quick` walks less.

#![allow(clippy::unwrap_used)]

#[path = "../../verifier/benches/workload/mod.rs"]
mod workload;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ltlcrit_verifier::{Law, PropId, PropSet, Vocabulary};
use ltlcrit_worlds::search::{Found, Space, shortest};
use ltlcrit_worlds::{Lawful, Lettered};
use rand::RngExt;
use workload::{IDLE, PLACES};

/// The most states that one search keeps.
const MAX_STATES: usize = 20_000;

/// Twenty places, of which at most one holds: `goto_i` goes to place `i`, five actions change nothing. A run may end anywhere.
struct Rooms(Arc<Vocabulary>);

impl Space for Rooms {
    /// The place, if there is one.
    type State = Option<u16>;

    fn actions(&self, _: &Self::State, into: &mut Vec<usize>) {
        into.extend(0..PLACES + IDLE);
    }

    fn successor(&self, state: &Self::State, action: usize) -> Option<Self::State> {
        Some(if action < PLACES { Some(action as u16) } else { *state })
    }

    fn is_goal(&self, _: &Self::State) -> bool {
        true
    }
}

impl Lettered for Rooms {
    fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.0
    }

    fn holds(&self, state: &Self::State) -> PropSet {
        state.map(PropId).into_iter().collect()
    }
}

#[derive(Default)]
struct Measured {
    decisions: Vec<Duration>,
    gave_up: usize,
    ended: usize,
    unsatisfiable: usize,
}

/// Walks by uniformly chosen actions that leave a lawful way on.
fn walk(laws: &[Law], seed: u64, steps: usize, measured: &mut Measured) {
    let rooms = Rooms(workload::rooms());
    let product = Lawful::new(&rooms, laws).unwrap();
    let mut random = workload::random(seed);
    let start = product.after(&None, &[]);
    if shortest(&product, start.clone(), MAX_STATES) == Found::None {
        measured.unsatisfiable += 1;
        return;
    }
    let mut state = start.clone();
    for _ in 0..steps {
        let began = Instant::now();
        let (mut next, mut unsure) = (Vec::new(), false);
        for action in 0..PLACES + IDLE {
            let Some(after) = product.successor(&state, action) else { continue };
            match shortest(&product, after.clone(), MAX_STATES) {
                Found::Plan(_) => next.push(after),
                Found::None => {}
                Found::GaveUp => unsure = true,
            }
        }
        measured.decisions.push(began.elapsed());
        measured.gave_up += usize::from(unsure);
        state = match next.len() {
            0 => {
                measured.ended += 1;
                start.clone()
            }
            count => next.swap_remove(random.random_range(0..count)),
        };
    }
}

fn percentile(sorted: &[Duration], share: f64) -> f64 {
    let at = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(at).map_or(0.0, |took| took.as_secs_f64() * 1e6)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let names: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    println!("decisions of all actions, in us    median       p99       max  gave up  ended  unsatisfiable");
    for (name, count, goals) in [
        ("tied(10, 0)", 10, 0.0),
        ("tied(20, 0)", 20, 0.0),
        ("tied(50, 0)", 50, 0.0),
        ("tied(100, 0)", 100, 0.0),
        ("tied(10, 15%)", 10, 0.15),
    ] {
        if !names.is_empty() && !names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let (seeds, steps) = if quick { (1, 10) } else { (2, 50) };
        let mut measured = Measured::default();
        for seed in 1..=seeds {
            walk(&workload::room_laws(count, goals, seed), seed, steps, &mut measured);
        }
        measured.decisions.sort_unstable();
        let [median, most, max] = [0.5, 0.99, 1.0].map(|share| percentile(&measured.decisions, share));
        let Measured { gave_up, ended, unsatisfiable, .. } = measured;
        println!(
            "{name:<30} {median:>10.1} {most:>9.1} {max:>9.0} {gave_up:>8} {ended:>6} {unsatisfiable:>8} of {seeds}"
        );
    }
}

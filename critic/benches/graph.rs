//! The graph of a million steps: how long it takes to build and to classify, and the memory it holds. Prints a table; not a
//! statistical bench. `cargo bench -p ltlcrit-critic --bench graph [-- --stored STEPS]`

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

#[path = "../store/tests/it/common.rs"]
mod common;

use std::time::Instant;

use common::mix;
use ltlcrit_critic::graph::{ClassOptions, RunPath, Target, TrajectoryGraph};
use ltlcrit_store::{Durability, Store};
use ltlcrit_verifier::{ActionId, PropId, PropSet};
use ltlcrit_worlds::Reason;

const OBSERVATIONS: u16 = 30;
const ACTIONS: u64 = 20;
const STEPS_A_RUN: usize = 100;

/// The observations of a state: its number's bits, spread.
fn holds(state: u64) -> PropSet {
    (0..OBSERVATIONS).filter(|bit| mix(&[state, 7]) >> bit & 1 == 1).map(PropId).collect()
}

/// A run through a world of so many states, in which some actions lead nearer to state 0, some away, some nowhere.
fn run(number: u64, states: u64) -> RunPath {
    let mut here = 1 + mix(&[number]) % states;
    let mut path = RunPath::new(number, holds(here));
    for step in 0..STEPS_A_RUN as u64 {
        let action = mix(&[number, step, 1]) % ACTIONS;
        let luck = mix(&[number, step, 2]) % 10;
        let kind = mix(&[here, action]) % 8;
        let (to, failure) = match kind {
            0 => (here, Some("not_visible")),
            1 => (here, (luck < 3).then_some("missing_ingredients")),
            2 | 3 => (here / 2, None),
            4 => (here.saturating_sub(1 + luck), None),
            _ => (mix(&[here, action, luck / 4]) % states, None),
        };
        path.step(ActionId(action as u16), failure.map(|reason| Reason(reason.into())), holds(to));
        here = to;
        if here == 0 {
            path.reached_goal();
            break;
        }
    }
    path
}

/// Runs of so many steps together.
fn runs(states: u64, steps: usize) -> Vec<RunPath> {
    let (mut runs, mut taken) = (Vec::new(), 0);
    while taken < steps {
        let run = run(runs.len() as u64 + 1, states);
        taken += run.len();
        runs.push(run);
    }
    runs
}

/// Memory in use, in MiB.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok()).map_or(f64::NAN, |kib| kib / 1024.0)
}

fn line(name: &str, built: std::time::Duration, before: f64, graph: &TrajectoryGraph) {
    let began = Instant::now();
    let classes = graph.classify(Target::Goal, ClassOptions::default());
    let mut counts = [0; 4];
    for (choice, ..) in graph.choices() {
        counts[classes.class(graph, choice) as usize] += 1;
    }
    let classified = began.elapsed();
    println!(
        "{name:<26} {:>9} {:>8} {:>8} {:>8} {:>8.2} {:>8.2} {:>8.0}   {counts:?}",
        graph.step_count(),
        graph.runs().count(),
        graph.states().count(),
        graph.graph().edge_count(),
        built.as_secs_f64(),
        classified.as_secs_f64(),
        memory() - before,
    );
}

fn in_memory(name: &str, states: u64, steps: usize) {
    let runs = runs(states, steps);
    let before = memory();
    let mut graph = TrajectoryGraph::new();
    let began = Instant::now();
    runs.iter().for_each(|run| graph.add(run));
    line(name, began.elapsed(), before, &graph);
}

/// The same from a store, whose steps say much more than the graph needs.
fn stored(steps: usize) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    let mut runs = Vec::new();
    for number in 0..steps / (STEPS_A_RUN + 1) {
        let mut manifest = common::manifest();
        let run = store.begin(&mut manifest).unwrap();
        for step in 0..=STEPS_A_RUN as u64 {
            let mut record = common::step(step);
            let state = mix(&[number as u64 / 7, step]) % 5_000;
            record.observation.holds = (0..2).filter(|bit| state >> bit & 1 == 1).map(PropId).collect();
            record.letter.0 = record.observation.holds;
            if step > 0 {
                record.letter.0.insert(PropId(2));
            }
            store.append_step(run, &record, Durability::EachEpisode).unwrap();
        }
        runs.push(run);
    }
    store.flush().unwrap();
    let before = memory();
    let mut graph = TrajectoryGraph::new();
    let began = Instant::now();
    for run in runs {
        graph.add_stored(&store, run).unwrap();
    }
    line("read from a store", began.elapsed(), before, &graph);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let quick = std::env::args().any(|argument| argument == "--test" || argument == "--quick");
    let steps = if quick { 10_000 } else { 1_000_000 };
    println!(
        "{:<26} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}   efficient, inefficient, failed, unknown",
        "", "steps", "runs", "states", "edges", "build s", "class s", "MiB"
    );
    in_memory("a thousand states", 1_000, steps);
    in_memory("a hundred thousand states", 100_000, steps);
    in_memory("nearly all states differ", 1 << 30, steps);
    let asked = arguments.find(|argument| argument == "--stored").and_then(|_| arguments.next()?.parse().ok());
    stored(asked.unwrap_or(if quick { 2_000 } else { 100_000 }));
}

//! Validation of plans: the time of one plan, of all checked-in plans of the six tasks, and of a long plan.

#![allow(clippy::disallowed_methods)]

use std::path::Path;

use divan::Bencher;
use divan::counter::ItemsCount;
use ltlcrit_pddl::{Task, Validator};
use serde_json::Value;

fn main() {
    divan::main();
}

/// Returns the checked-in tasks, and each plan with the number of its task.
fn plans() -> (Vec<Task>, Vec<(usize, String)>) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let vectors = std::fs::read_to_string(data.join("vectors/public.jsonl")).unwrap_or_default();
    let (mut names, mut tasks, mut plans) = (Vec::<String>::new(), Vec::new(), Vec::new());
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).unwrap_or_default();
        let (Some(name), Some(plan)) = (vector["task"].as_str(), vector["plan_text"].as_str()) else { continue };
        let task = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            tasks.extend(Task::read(&data.join("tasks").join(name)));
            names.len() - 1
        });
        plans.push((task, plan.to_owned()));
    }
    (tasks, plans)
}

/// Each sample judges the next plan, so the median is the median over plans.
#[divan::bench(sample_count = 688, sample_size = 1)]
fn one_plan(bencher: Bencher) {
    let (tasks, plans) = plans();
    let validators: Vec<Validator> = tasks.iter().map(Validator::new).collect();
    let mut next = 0;
    bencher
        .with_inputs(|| {
            next = (next + 1) % plans.len();
            next
        })
        .bench_local_values(|plan| {
            let (task, text) = &plans[plan];
            validators[*task].validate(text)
        });
}

/// Judges all plans, one after the other.
#[divan::bench(sample_count = 20)]
fn all_plans(bencher: Bencher) {
    let (tasks, plans) = plans();
    let validators: Vec<Validator> = tasks.iter().map(Validator::new).collect();
    bencher
        .counter(ItemsCount::new(plans.len()))
        .bench_local(|| plans.iter().filter(|(task, text)| validators[*task].validate(text).is_ok()).count());
}

/// Judges a plan with dangerous steps only; a plan twice as long takes twice the time.
#[divan::bench(args = [100, 200, 400], sample_count = 50)]
fn dangerous_steps(bencher: Bencher, steps: usize) {
    let (tasks, plans) = plans();
    let Some((task, _)) = plans.first() else { return };
    let validator = Validator::new(&tasks[*task]);
    let text = "(open_container) (grab_container) ".to_owned()
        + &"(navigate_to_drop_off) (navigate_to_counter) ".repeat(steps);
    bencher.bench_local(|| validator.validate(&text));
}

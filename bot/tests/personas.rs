//! The personas against the papers' figures, through the real loop in the embedded world (LTLCrit tables 1 and 2).
#![allow(clippy::unwrap_used)] // Helpers count as tests too.

mod common;

use common::{block_on, facts};
use ltlcrit::actor::AnyActor;
use ltlcrit::agent::metrics::{Row, aggregate};
use ltlcrit::agent::{Agent, Interrupt, RunFacts, RunSummary, Silent, same_laws};
use ltlcrit_critic::model::simulated::{Persona, Simulated};
use ltlcrit_critic::model::{ChatModel, Price};
use ltlcrit_critic::store::{Durability, Limits, Store};
use ltlcrit_verifier::Law;
use ltlcrit_worlds::minecraft::{EmbeddedOptions, EmbeddedWorld, vocabulary};

const SEEDS: std::ops::Range<u64> = 0..50;

fn laws(books: &[&str]) -> Vec<Law> {
    books.iter().flat_map(|book| ltlcrit_laws::open(book, &[vocabulary()]).unwrap().0.laws_in_force()).collect()
}

/// Runs an actor with its persona on every seed, at most 100 steps each, under the laws of some books.
fn runs(actor: &str, persona: Persona, books: &[&str]) -> Vec<RunSummary> {
    // Every core takes its share; the order does not matter, the seeds decide everything.
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || share(actor, persona, books, SEEDS.skip(worker as usize).step_by(workers as usize))))
            .collect();
        shares.into_iter().flat_map(|share| share.join().unwrap()).collect()
    })
}

fn share(actor: &str, persona: Persona, books: &[&str], seeds: impl Iterator<Item = u64>) -> Vec<RunSummary> {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    seeds.map(|seed| run(actor, persona, books, seed, &store)).collect()
}

fn run(actor: &str, persona: Persona, books: &[&str], seed: u64, store: &Store) -> RunSummary {
    let model = Simulated::new(persona, seed);
    let mut actor = AnyActor::new(actor, model.clone()).unwrap();
    let facts = RunFacts {
        model: model.info(),
        price: Some(Price::FREE),
        seed,
        shielded: actor.shielded(),
        limits: Limits { max_steps: 100, ..Limits::default() },
        ..facts(laws(books))
    };
    let agent = Agent {
        world: &mut EmbeddedWorld::new(seed, EmbeddedOptions::default()),
        actor: &mut actor,
        store,
        observer: &mut Silent,
        interrupt: Interrupt::new(),
        new_laws: &mut same_laws,
        durability: Durability::EachEpisode,
    };
    let summary = block_on(agent.run(facts)).unwrap();
        if std::env::var("TRACE").ok().and_then(|t| t.parse().ok()) == Some(seed) {
            for step in store.steps(summary.run) {
                let step = step.unwrap();
                let v = vocabulary();
                let Some(e) = &step.executed else { continue };
                println!("{} {} {} {} | {:?} {}", step.step, v.action_name(e.action), e.outcome.failure.as_ref().map_or("ok", |r| &r.0), e.outcome.message, step.force, step.proposals.len());
            }
        }
    summary
}

fn table(name: &str, runs: &[RunSummary]) -> Row {
    let row = aggregate(runs).remove(0);
    let subgoals: Vec<String> = row
        .subgoals
        .iter()
        .map(|it| format!("{} {:.1} ({})", it.name, it.mean_steps.unwrap_or(f64::NAN), it.reached))
        .collect();
    println!(
        "{name}: {} of {} diamonds; {}; failed {:.1}%, blocked {:.1}%, fallbacks {}, breaches {}",
        row.goals,
        row.runs,
        subgoals.join(", "),
        100.0 * row.failed_share.unwrap_or(0.0),
        100.0 * row.blocked_share.unwrap_or(0.0),
        runs.iter().map(|run| run.metrics.fallbacks).sum::<u64>(),
        runs.iter().map(|run| run.metrics.unshielded_breaches).sum::<u64>(),
    );
    let mut ends = std::collections::BTreeMap::<String, usize>::new();
    for run in runs {
        *ends.entry(format!("{:?}", run.end).chars().take(60).collect()).or_default() += 1;
    }
    println!("   {ends:?}");
    row
}

#[test]
fn explore() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let try_out = |name: &str, actor: &str, persona, books: &[&str]| {
        if only.is_empty() || only.split(',').any(|o| name.contains(o)) {
            let began = std::time::Instant::now();
            table(name, &runs(actor, persona, books));
            println!("   {:?}", began.elapsed());
        }
    };
    use Persona::*;
    try_out("A inner-monologue", "inner-monologue", InnerMonologue, &[]);
    try_out("B inner-monologue + paper", "inner-monologue", InnerMonologue, &["inner-monologue"]);
    try_out("C inner-monologue + hard", "inner-monologue", InnerMonologue, &["minecraft-hard"]);
    try_out("D saycan + hard", "saycan", SayCan, &["saycan-hard"]);
    try_out("E saycan + hard + soft", "saycan", SayCan, &["saycan-hard", "saycan-soft"]);
    try_out("F naive + hard", "naive", Naive, &["minecraft-hard"]);
    try_out("G nl + 0", "nl-constraints", NlConstraints, &[]);
    try_out("G nl + 4", "nl-constraints", NlConstraints, &["minecraft-hard"]);
    try_out("H nl + 34", "nl-constraints", NlConstraints, &["saycan-hard", "saycan-soft"]);
    try_out("I careful", "inner-monologue", Careful, &[]);
}

//! A critique of fifty stored runs: reading them, proposing laws, judging and keeping them. Prints a table; not a statistical
//! bench. `cargo bench -p ltlcrit-critic --bench critique [-- --store PATH]`
//!
//! The runs are the best policy's in the embedded world, with mistakes of five kinds from a seeded generator: the same ones
//! every time. With `--store`, they are those of a store that `ltlcrit run` filled.

#![allow(clippy::unwrap_used)]

#[path = "../store/tests/it/common.rs"]
mod common;

use std::time::Instant;

use ltlcrit_critic::critique::{Critic, CritiqueOptions};
use ltlcrit_critic::propose::{Proposer as Critics, TrialCritic};
use ltlcrit_laws::{Book, shipped};
use ltlcrit_minecraft::abstraction::propositions;
use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, vocabulary};
use ltlcrit_store::{
    Budget, Durability, End, Executed, LawRecord, Limits, ProposalRecord, Proposer, Reply, Ruling, RunOutcome,
    StepRecord, Store, VocabularyRecord,
};
use ltlcrit_verifier::{ActionId, Letter};
use ltlcrit_worlds::{Details, Observation, Outcome, World as _};
use rand::RngExt;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

const MAX_STEPS: u64 = 80;
/// The share of steps that are mistakes.
const MISTAKES: f64 = 0.2;

/// A step as the loop stores it.
fn record(number: u64, world: &mut EmbeddedWorld, done: Option<(ActionId, Outcome)>) -> StepRecord {
    let full = world.look();
    let observation = Observation { holds: propositions(&full), details: Details::new(full) };
    let letter = match &done {
        Some((action, _)) => Letter::after(&vocabulary(), *action, observation.holds),
        None => Letter::initial(observation.holds),
    };
    let executed = done.map(|(action, outcome)| Executed { action, thought: None, outcome, trace: Vec::new() });
    let proposal = |executed: &Executed| ProposalRecord {
        by: Proposer::Actor,
        reply: Reply::Action { action: executed.action },
        ruling: Ruling::Allowed,
        thought: None,
        usage: ltlcrit_model::Usage::default(),
        worded: None,
    };
    StepRecord {
        proposals: executed.iter().map(proposal).collect(),
        executed,
        observation,
        letter,
        step: number,
        ..common::step(0)
    }
}

/// Stores a run that takes the policy's action in most steps, and one of four other actions in the rest. Which four, the
/// seed decides: five seeds in a row have all twenty.
fn run(store: &Store, seed: u64, policy: &Policy) {
    let vocabulary = vocabulary();
    let stop = vocabulary.stop().unwrap();
    let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
    let mut manifest = common::manifest();
    manifest.world = world.info();
    manifest.task = world.task().to_owned();
    manifest.vocabulary = VocabularyRecord::of(&vocabulary);
    manifest.subgoals = world.subgoals().to_vec();
    manifest.seed = seed;
    manifest.limits = Limits { max_steps: MAX_STEPS, ..Limits::default() };
    let law = |law: ltlcrit_verifier::Law| LawRecord {
        id: law.id.clone(),
        formula: law.formula.to_string(),
        hard: law.is_hard(),
        explanation: law.explanation,
        weight: law.weight,
    };
    manifest.laws = shipped("minecraft-hard").unwrap().laws_in_force().into_iter().map(law).collect();
    let run = store.begin(&mut manifest).unwrap();

    let mut random = Pcg32::seed_from_u64(seed);
    let (mut policy, mut last) = (policy.clone(), None);
    let append = |record: &StepRecord| store.append_step(run, record, Durability::EachEpisode).unwrap();
    append(&record(0, &mut world, None));
    let mut end = End::Budget { what: Budget::Steps, limit: MAX_STEPS };
    let mut steps = 0;
    while steps < MAX_STEPS {
        let next = policy.next(&world.look(), last.as_ref());
        let action = match next {
            None => stop,
            Some(_) if random.random_bool(MISTAKES) => ActionId((seed % 5) as u16 * 4 + random.random_range(0..4)),
            Some(best) => best,
        };
        let outcome = match action == stop {
            true => Outcome::new(None, "The run stopped.", 0),
            false => world.act(action).unwrap(),
        };
        steps += 1;
        append(&record(steps, &mut world, Some((action, outcome.clone()))));
        if action == stop {
            end = End::Goal;
            break;
        }
        if outcome.failure.as_ref().is_some_and(|reason| reason.0 == "died") {
            end = End::Died { message: outcome.message };
            break;
        }
        last = Some(outcome);
    }
    store.finish(run, &RunOutcome { end, last_step: steps, owed: Vec::new(), in_flight: None }).unwrap();
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test" || argument == "--quick");
    let (runs, rounds) = if quick { (5, 1) } else { (50, 5) };
    let directory = tempfile::tempdir().unwrap();
    let asked = std::env::args().skip_while(|argument| argument != "--store").nth(1);
    let store = match &asked {
        Some(path) => Store::open_to_read(path).unwrap(),
        None => Store::open(directory.path().join("runs")).unwrap(),
    };
    if asked.is_none() {
        let policy = Policy::default();
        (1..=runs).for_each(|seed| run(&store, seed, &policy));
    }
    store.flush().unwrap();
    let vocabulary = vocabulary();
    let book = Book::parse("name = \"learned\"\nrevision = 1\nvocabulary = \"minecraft\"\n", "learned").unwrap();
    let hard = shipped("minecraft-hard").unwrap().over(&vocabulary).unwrap();
    let now = "2026-01-02T03:04:05Z".parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    println!("  runs  goals  steps  read s  critic s  together s  proposed  admitted");
    for round in 0..rounds {
        let rulings = Store::open(directory.path().join(format!("rulings-{round}"))).unwrap();
        let began = Instant::now();
        let mut critic = Critic::new(vocabulary.clone());
        critic.read(&store, store.run_ids().map(Result::unwrap)).unwrap();
        let read = began.elapsed().as_secs_f64();
        let mut proposers: [Box<dyn Critics>; 1] = [Box::new(TrialCritic::default())];
        let (others, options) = (std::slice::from_ref(&hard), CritiqueOptions::default());
        let critic = critic.deriving(&store, options, &[]).unwrap().unwrap_or(critic);
        let critique = critic.critique(&rulings, "Mine a diamond.", &book, others, &mut proposers, options, now);
        let critique = runtime.block_on(critique).unwrap();
        let together = began.elapsed().as_secs_f64();
        let graph = critic.graph();
        println!(
            "{:>6} {:>6} {:>6} {read:>7.2} {:>9.2} {together:>11.2} {:>9} {:>9}",
            graph.runs().count(),
            graph.runs().filter(|run| run.has_reached_goal()).count(),
            graph.step_count(),
            together - read,
            critique.ruled.len(),
            critique.admitted()
        );
    }
}

//! The gate: a hundred proposals against a store of a hundred thousand steps, reading the store included. Prints a table;
//! not a statistical bench. `cargo bench -p ltlcrit-critic --bench admission`

#![allow(clippy::unwrap_used)]

#[path = "../store/tests/it/common.rs"]
mod common;

use std::collections::BTreeMap;
use std::time::Instant;

use common::mix;
use ltlcrit_critic::admission::{Gate, GateRuns, Staging};
use ltlcrit_critic::change::{GateRuling, LawSource, Proposal, ProposedFormula};
use ltlcrit_critic::critique::Critic;
use ltlcrit_critic::graph::TrajectoryGraph;
use ltlcrit_laws::{Book, Evidence, shipped};
use ltlcrit_store::{Durability, Store, VocabularyRecord};
use ltlcrit_verifier::{ActionId, Letter, PropId, PropSet};

const STEPS_A_RUN: u64 = 100;

/// Observations that drift: each step changes a few.
fn holds(run: u64, step: u64) -> PropSet {
    (0..30u16)
        .filter(|bit| mix(&[run % 97, (step + u64::from(*bit)) / 6, u64::from(*bit)]) & 1 == 1)
        .map(PropId)
        .collect()
}

fn fill(store: &Store, steps: u64) {
    let vocabulary = ltlcrit_minecraft::vocabulary();
    for number in 0..steps / STEPS_A_RUN {
        let mut manifest = common::manifest();
        manifest.vocabulary = VocabularyRecord::of(&vocabulary);
        let run = store.begin(&mut manifest).unwrap();
        for step in 0..=STEPS_A_RUN {
            let mut record = common::step(step);
            record.observation.holds = holds(number, step);
            let action = ActionId((mix(&[number, step]) % 20) as u16);
            record.letter = match &mut record.executed {
                None => Letter::initial(record.observation.holds),
                Some(executed) => {
                    executed.action = action;
                    Letter::after(&vocabulary, action, record.observation.holds)
                }
            };
            store.append_step(run, &record, Durability::EachEpisode).unwrap();
        }
        if number % 5 == 0 {
            store.finish(run, &common::outcome(STEPS_A_RUN)).unwrap();
        }
    }
}

/// Laws that block what was done in the step they cite, on condition of some of what held.
fn proposals(graph: &TrajectoryGraph, count: u64) -> Vec<Proposal> {
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let runs: Vec<_> = graph.runs().collect();
    (0..count)
        .map(|number| {
            let run = runs[(mix(&[number, 1]) % runs.len() as u64) as usize];
            let at = (mix(&[number, 2]) % run.len() as u64) as usize;
            let (state, action) = (run.state_before(at), run.steps()[at].action);
            let literals: Vec<String> = (0..2 + number % 4)
                .map(|part| {
                    let prop = PropId((mix(&[number, 3, part]) % 30) as u16);
                    let name = vocabulary.names(&PropSet::one(prop))[0].to_owned();
                    if state.contains(prop) { name } else { format!("!{name}") }
                })
                .collect();
            Proposal {
                formula: ProposedFormula::parse(
                    &format!("G({} -> X !{})", literals.join(" & "), vocabulary.action_name(action)),
                    &vocabulary,
                ),
                explanation: "It did no good.".into(),
                source: LawSource::Efficiency,
                proposer: "bench".into(),
                evidence: vec![Evidence { run: run.id().0, step: at as u64 + 1 }],
            }
        })
        .collect()
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test" || argument == "--quick");
    let (steps, count) = if quick { (2_000, 10) } else { (100_000, 100) };
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    fill(&store, steps);
    let vocabulary = ltlcrit_minecraft::vocabulary();

    let began = Instant::now();
    let mut critic = Critic::new(vocabulary.clone());
    critic.read(&store, store.run_ids().map(Result::unwrap)).unwrap();
    let (graph, trials) = (critic.graph(), critic.trials(Default::default()));
    let read = began.elapsed();
    let proposals = proposals(graph, count);
    let empty = Book::parse("name = \"learned\"\nrevision = 1\nvocabulary = \"minecraft\"\n", "learned").unwrap();
    let hard = shipped("minecraft-hard").unwrap().over(&vocabulary).unwrap();
    let began = Instant::now();
    let mut gate = Gate::new(&empty, &[hard], vocabulary, GateRuns { graph, trials: &trials }, Staging::Adopt).unwrap();
    let mut rulings: BTreeMap<&str, usize> = BTreeMap::new();
    for proposal in &proposals {
        let ruling = gate.admit(&store, &proposal.clone().into(), "2026-01-02T03:04:05Z".parse().unwrap()).unwrap();
        *rulings
            .entry(match &ruling {
                GateRuling::Admitted { .. } => "admitted",
                GateRuling::OnTrial { .. } => "on trial",
                GateRuling::Retired { .. } => "retired",
                GateRuling::Refused { refusal } => refusal.code(),
            })
            .or_default() += 1;
    }
    let book = gate.finish(&store, "2026-01-02T03:04:05Z".parse().unwrap()).unwrap();
    println!(
        "{} steps read in {:.2} s, {} proposals judged and kept in {:.2} s, {} laws in the book; {rulings:?}",
        graph.step_count(),
        read.as_secs_f64(),
        proposals.len(),
        began.elapsed().as_secs_f64(),
        book.entries().len()
    );
}

//! Ablations: learning with one part of the critic left out. Takes minutes; `docs/learning.md` has the figures.

use ltlcrit::actor::ActorKind;
use ltlcrit::learn::EpisodeFigures;
use ltlcrit_critic::admission::{Gate, GateRuns, Staging};
use ltlcrit_critic::change::Change;
use ltlcrit_critic::critique::Critic;
use ltlcrit_critic::graph::{ClassOptions, Target};
use ltlcrit_critic::propose::{Brief, Proposer, TrialCritic, TrialCriticOptions};
use ltlcrit_laws::{Book, Edit, NewLaw, Provenance, Status, Strength};
use ltlcrit_minecraft::vocabulary;

use super::laboratory::{Laboratory, empty_book, figures, shipped, times_optimum};
use super::proved_consistent;
use crate::common::block_on;

const TRAINING: std::ops::Range<u64> = 0..50;
const FRESH: std::ops::Range<u64> = 1000..1100;

#[test]
#[ignore = "takes minutes"]
fn each_part_left_out() {
    let whole = TrialCriticOptions::default();
    let rows = [
        ("everything", whole),
        ("environment feedback only", TrialCriticOptions { efficiency: false, ..whole }),
        ("efficiency only", TrialCriticOptions { feedback: false, ..whole }),
        ("without generalisation", TrialCriticOptions { generalise: false, ..whole }),
        ("nothing", TrialCriticOptions { feedback: false, efficiency: false, ..whole }),
    ];
    let mut steps = Vec::new();
    for (name, options) in rows {
        let laboratory = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue");
        let (book, _) = laboratory.learn(empty_book(), &[], TRAINING, 3, options);
        let fresh = laboratory.run(std::slice::from_ref(&book), FRESH);
        println!("(simulated) {name}: {}; {} laws", figures(&fresh), book.laws_in_force().len());
        assert!(proved_consistent(&[book]));
        steps.push(times_optimum(&fresh));
    }
    let hard = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue").run(&[shipped("minecraft-hard")], FRESH);
    println!("(simulated) hard laws only: {}", figures(&hard));
    let (everything, nothing) = (steps[0], steps[4]);
    assert!(steps[1..].iter().all(|other| everything <= *other + 0.01), "{steps:?}");
    assert!(everything + 0.1 < nothing, "{steps:?}");
}

#[test]
#[ignore = "takes minutes"]
fn without_the_gate_states_become_over_constrained() {
    let laboratory = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue");
    let (mut book, mut critic) = (empty_book(), Critic::new(vocabulary()));
    for _ in 0..4 {
        let runs = laboratory.run(std::slice::from_ref(&book), TRAINING);
        critic.read(&laboratory.store, runs.iter().map(|run| run.run)).unwrap();
        book = everything_proposed(&critic, &book);
    }
    let fresh = laboratory.run(std::slice::from_ref(&book), FRESH);
    println!("(simulated) without the gate: {}; {} laws", figures(&fresh), book.laws_in_force().len());
    assert!(!proved_consistent(std::slice::from_ref(&book)), "nothing kept the laws from leaving a state no action");
    println!("over-constrained steps met: {}", EpisodeFigures::of(&fresh).fallbacks);
}

/// A book with whatever the trial critic proposes, unexamined.
fn everything_proposed(critic: &Critic, book: &Book) -> Book {
    let (graph, trials, vocabulary) = (critic.graph(), critic.trials(14), vocabulary());
    let mut proposer = TrialCritic::new(TrialCriticOptions::default());
    let mut book = book.clone();
    for round in 1..=3 {
        let gate =
            Gate::new(&book, &[], vocabulary.clone(), GateRuns { graph, trials: &trials }, Staging::Adopt).unwrap();
        let classes = graph.classify(graph.farthest_target().unwrap_or(Target::Goal), ClassOptions::default());
        let brief = Brief {
            task: "Mine a diamond.",
            vocabulary: &vocabulary,
            graph,
            classes: &classes,
            laws: &gate.laws(),
            trials: &trials,
            conflicts: &[],
            refused: &[],
            round,
        };
        let mut edit = Edit::new(&book).unwrap();
        for change in block_on(proposer.propose(&brief)).unwrap() {
            let Change::Add(proposal) = change else { continue };
            let id = format!("law-{round}-{}", edit.text().matches("[[law]]").count());
            let law = NewLaw {
                id,
                formula: proposal.formula.text().clone(),
                strength: Strength::Soft,
                explanation: proposal.explanation,
                provenance: Provenance::hand(),
                status: Status::Adopted,
                note: None,
            };
            edit.add_law(&law).unwrap();
        }
        book = edit.finish().unwrap().over(&vocabulary).unwrap();
    }
    book
}

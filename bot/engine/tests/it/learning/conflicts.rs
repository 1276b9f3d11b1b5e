//! States in which laws leave no action, met by runs or found by proof, and resolved by the critic.

use std::collections::BTreeSet;

use jiff::Timestamp;
use ltlcrit_critic::admission::{Gate, GateRuns, Staging};
use ltlcrit_critic::critique::{Critic, CritiqueOptions};
use ltlcrit_critic::evidence::Objective;
use ltlcrit_critic::propose::{Proposer, TrialCritic};
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::learn::EpisodeFigures;
use ltlcrit_laws::{Book, Status};
use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, vocabulary};
use ltlcrit_verifier::PropSet;
use ltlcrit_worlds::World;

use super::laboratory::{Laboratory, figures, shipped};
use super::proved_consistent;
use crate::common::block_on;

/// Returns the paper's books as printed, each with the books in force with it and its actor.
fn papers_books() -> [(&'static str, Vec<Book>, ActorKind, &'static str); 2] {
    [
        ("inner-monologue", vec![], ActorKind::InnerMonologue, "inner-monologue"),
        ("saycan-soft", vec![shipped("saycan-hard")], ActorKind::SayCan, "saycan"),
    ]
}

/// The conflicts are proved from the books. The seeds show that the actor still reaches the goal without the retired
/// laws.
#[test]
fn conflicts_of_the_papers_books_are_resolved() {
    conflicts_are_resolved(2, [2, 2]);
}

#[test]
#[ignore = "80 episodes take half a minute"]
fn conflicts_of_the_papers_books_are_resolved_on_many_seeds() {
    conflicts_are_resolved(10, [9, 9]);
}

/// Requires a minimum number of goals under each of the papers' books.
fn conflicts_are_resolved(seeds: u64, least: [u64; 2]) {
    for ((name, others, actor, persona), least) in papers_books().into_iter().zip(least) {
        let mut laboratory = Laboratory::new(actor, persona);
        // Derived observations would teach these actors further laws.
        laboratory.critique.derive = None;
        let before = shipped(name);
        let all = |book: &Book| others.iter().chain([book]).cloned().collect::<Vec<_>>();
        assert!(!proved_consistent(&all(&before)), "{name} is over-constrained as printed");
        let (book, said) = laboratory.learn(before.clone(), &others, 0..seeds, 3);
        said.iter().for_each(|line| println!("(simulated) {name} {line}"));
        let runs = laboratory.run(&all(&book), 0..seeds);
        println!("(simulated) {name} resolved: {}", figures(&runs));
        let retired = book.entries().iter().filter(|entry| matches!(entry.status, Status::Retired { .. })).count();
        println!("{name}: {} laws, {retired} retired", book.entries().len());
        assert!(proved_consistent(&all(&book)), "{name} is consistent now");
        let figures = EpisodeFigures::of(&runs);
        assert_eq!(figures.fallbacks, 0);
        assert!(figures.goals as u64 >= least, "{name}: {} goals", figures.goals);
    }
}

#[test]
fn a_conflict_that_a_run_met_is_resolved_before_the_next() {
    let laboratory = Laboratory::new(ActorKind::InnerMonologue, "careful");
    let law = |id: &str, formula: &str| {
        format!(
            "[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"soft\"\nexplanation = \"It is so.\"\n\
             status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n\n"
        )
    };
    let wood = law("wood", "G(!obs_has_log & !obs_has_plank & !obs_has_wood_pickaxe -> X action_mine_log)");
    let stone = law("stone", "G(!obs_has_log & !obs_has_plank -> X action_mine_stone)");
    let text = format!("name = \"quarrel\"\nrevision = 1\nvocabulary = \"minecraft\"\n\n{wood}{stone}");
    let book = Book::parse(&text, "quarrel").unwrap().over(&vocabulary()).unwrap();
    let before = laboratory.run(std::slice::from_ref(&book), 3..4);
    assert!(before[0].metrics.fallbacks > 0, "it began where the laws leave nothing");
    assert_eq!(laboratory.store.conflicts(before[0].run).count() as u64, before[0].metrics.fallbacks);

    let (book, said) = laboratory.learn(book, &[], 3..5, 1);
    said.iter().for_each(|line| println!("(simulated) {line}"));
    // The law that blocked the right actions is retired.
    assert!(book.entry("wood").unwrap().in_force());
    assert!(!book.entry("stone").unwrap().in_force());
    assert!(proved_consistent(std::slice::from_ref(&book)));
    let after = laboratory.run(std::slice::from_ref(&book), 3..5);
    assert_eq!(after.iter().map(|run| run.metrics.fallbacks).sum::<u64>(), 0);
    assert!(after.iter().all(|run| run.reached_goal()), "{}", figures(&after));
}

/// Creates a world in which the planner played until it held an iron pickaxe and then fetched wood. The actors never
/// reach this state under the book.
fn with_wood_too_late(seed: u64) -> EmbeddedWorld {
    let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
    let (mut policy, mut last) = (Policy::default(), None);
    let equipped = vocabulary().id("obs_iron_pickaxe_equipped").unwrap();
    while !block_on(world.observe()).unwrap().holds.contains(equipped) {
        let action = policy.next(&world.look(), last.as_ref()).unwrap();
        last = Some(world.act(action).unwrap());
    }
    let more = [("action_mine_log", 1 + seed % 3), ("action_craft_planks", seed % 4)];
    for (action, times) in more {
        let action = vocabulary().action(action).unwrap();
        (0..times).for_each(|_| drop(world.act(action).unwrap()));
    }
    world
}

#[test]
fn conflicts_that_runs_met_in_the_papers_books_are_resolved() {
    conflicts_met_are_resolved(5);
}

#[test]
#[ignore = "160 episodes take minutes"]
fn conflicts_that_runs_met_in_the_papers_books_are_resolved_on_many_seeds() {
    conflicts_met_are_resolved(20);
}

/// Requires that at least nine of ten runs reach the goal from such worlds after learning.
fn conflicts_met_are_resolved(seeds: u64) {
    for (name, others, actor, persona) in papers_books() {
        let laboratory = Laboratory::new(actor, persona);
        let printed = shipped(name);
        let all = |book: &Book| others.iter().chain([book]).cloned().collect::<Vec<_>>();
        let run = |seed, book: &Book| laboratory.go_on(with_wood_too_late(seed), seed, &all(book));
        let (mut critic, mut book, mut met) = (Critic::new(vocabulary()), printed, BTreeSet::new());
        let mut proposers: [Box<dyn Proposer>; 1] = [Box::new(TrialCritic::default())];
        for round in 1..=3 {
            let runs: Vec<_> = (0..seeds).map(|seed| run(seed, &book)).collect();
            let conflicts = runs.iter().flat_map(|run| laboratory.store.conflicts(run.run));
            let states: BTreeSet<PropSet> = conflicts.map(|conflict| conflict.unwrap().observation.holds).collect();
            println!(
                "(simulated) {name}, round {round}: {} states left without an action; {}",
                states.len(),
                figures(&runs)
            );
            // The conflict is met in the first round and resolved before the second.
            assert_eq!(states.is_empty(), round > 1, "{name}");
            met.extend(states);

            critic.read(&laboratory.store, runs.iter().map(|run| run.run)).unwrap();
            let (store, options, now) = (&laboratory.store, CritiqueOptions::default(), Timestamp::UNIX_EPOCH);
            let critique = critic.critique(store, "Mine a diamond.", &book, &others, &mut proposers, options, now);
            let critique = block_on(critique).unwrap();
            assert!(critique.unresolved.is_empty(), "{:?}", critique.unresolved);
            book = critique.book;
            let runs = GateRuns { graph: critic.graph(), trials: &critic.trials(Objective::default()) };
            let gate = Gate::new(&book, &others, vocabulary(), runs, Staging::Adopt).unwrap();
            assert!(met.iter().all(|state| gate.conflict_at(state).unwrap().is_none()), "{name}");
            assert!(proved_consistent(&all(&book)), "{name}");
        }

        let runs: Vec<_> = (0..seeds).map(|seed| run(seed, &book)).collect();
        println!("(simulated) {name}, resolved: {}", figures(&runs));
        let after = EpisodeFigures::of(&runs);
        assert_eq!(after.fallbacks, 0, "{name}");
        assert!(10 * after.goals as u64 >= 9 * seeds, "{name}: {} of {seeds}", after.goals);
    }
}

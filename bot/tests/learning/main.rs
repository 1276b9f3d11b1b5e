//! Learning as the paper has it, with simulated personas in the embedded world: they show that the machinery works and say
//! nothing about language models.
#![allow(clippy::unwrap_used, clippy::panic)] // Helpers count as tests too.

#[path = "../common/mod.rs"]
mod common;

mod ablations;
mod laboratory;

use laboratory::{Laboratory, empty_book, figures, optimum, shipped, times_optimum};
use ltlcrit::learn::EpisodeFigures;
use ltlcrit_critic::model::simulated::Persona;
use ltlcrit_critic::propose::GraphCriticOptions;
use ltlcrit_laws::{Book, Status};
use ltlcrit_verifier::consistency::{Consistency, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::form::recognise_all;
use ltlcrit_worlds::minecraft::vocabulary;

#[test]
fn inner_monologue_becomes_near_optimal_in_three_iterations() {
    let laboratory = Laboratory::new("inner-monologue", Persona::InnerMonologue);
    let (book, said) = laboratory.learn(empty_book(), &[], 0..50, 3, GraphCriticOptions::default());
    said.iter().for_each(|line| println!("(simulated) {line}"));
    let fresh = laboratory.run(std::slice::from_ref(&book), 1000..1100);
    println!("(simulated) fresh seeds: {}", figures(&fresh));
    println!("{}", book.text());
    let after = EpisodeFigures::of(&fresh);
    assert_eq!(after.goals, 100);
    assert!(times_optimum(&fresh) <= 1.05, "{}", times_optimum(&fresh));
    assert!(after.failed_actions.unwrap() <= 0.01, "{:?}", after.failed_actions);
    assert_eq!(after.fallbacks, 0, "no state was over-constrained");
    assert!(proved_consistent(&[book]));
}

#[test]
fn saycan_learns_from_nothing_but_dead_ends() {
    let laboratory = Laboratory::new("saycan", Persona::SayCan);
    let hard = shipped("saycan-hard");
    let before = laboratory.run(std::slice::from_ref(&hard), 1000..1010);
    assert_eq!(EpisodeFigures::of(&before).goals, 0, "as in the paper");
    let (book, said) =
        laboratory.learn(empty_book(), std::slice::from_ref(&hard), 0..10, 4, GraphCriticOptions::default());
    said.iter().for_each(|line| println!("(simulated) saycan {line}"));
    let books = [hard, book];
    let fresh = laboratory.run(&books, 1000..1050);
    println!("(simulated) saycan, fresh seeds: {}", figures(&fresh));
    assert!(EpisodeFigures::of(&fresh).goals >= 45, "{}", figures(&fresh));
    assert!(proved_consistent(&books));
}

#[test]
fn conflicts_of_the_papers_books_are_resolved() {
    for (name, others, actor, persona) in [
        ("inner-monologue", vec![], "inner-monologue", Persona::InnerMonologue),
        ("saycan-soft", vec![shipped("saycan-hard")], "saycan", Persona::SayCan),
    ] {
        let laboratory = Laboratory::new(actor, persona);
        let before = shipped(name);
        let all = |book: &Book| others.iter().chain([book]).cloned().collect::<Vec<_>>();
        assert!(!proved_consistent(&all(&before)), "{name} is over-constrained as printed");
        let (book, said) = laboratory.learn(before.clone(), &others, 0..5, 2, GraphCriticOptions::default());
        said.iter().for_each(|line| println!("(simulated) {name} {line}"));
        let runs = laboratory.run(&all(&book), 0..10);
        println!("(simulated) {name} resolved: {}", figures(&runs));
        let retired = book.entries().iter().filter(|entry| matches!(entry.status, Status::Retired { .. })).count();
        println!("{name}: {} laws, {retired} retired", book.entries().len());
        assert!(proved_consistent(&all(&book)), "{name} is consistent now");
        let figures = EpisodeFigures::of(&runs);
        assert_eq!(figures.fallbacks, 0);
        assert!(figures.goals >= 9, "{name}: {} of 10", figures.goals);
    }
}

#[test]
fn a_conflict_that_a_run_met_is_resolved_before_the_next() {
    let laboratory = Laboratory::new("inner-monologue", Persona::Careful);
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

    let (book, said) = laboratory.learn(book, &[], 3..5, 1, GraphCriticOptions::default());
    said.iter().for_each(|line| println!("(simulated) {line}"));
    // The law that kept runs from what was right is the one that gives way.
    assert!(book.entry("wood").unwrap().in_force());
    assert!(!book.entry("stone").unwrap().in_force());
    assert!(proved_consistent(std::slice::from_ref(&book)));
    let after = laboratory.run(std::slice::from_ref(&book), 3..5);
    assert_eq!(after.iter().map(|run| run.metrics.fallbacks).sum::<u64>(), 0);
    assert!(after.iter().all(|run| run.reached_goal()), "{}", figures(&after));
}

/// Whether it is proved that the laws in force leave every state an action, whichever book they are of.
fn proved_consistent(books: &[Book]) -> bool {
    let vocabulary = vocabulary();
    let laws: Vec<_> = books.iter().flat_map(Book::laws_in_force).collect();
    let guarded: Vec<_> = laws.iter().map(|law| recognise_all(&law.formula, &vocabulary).unwrap()).collect();
    let mut system = LawSystem::new(&vocabulary, &guarded, DEFAULT_BUDGET).unwrap();
    system.check().unwrap() == Consistency::Consistent
}

#[test]
fn the_optimum_is_the_planners() {
    assert!((0..10).map(optimum).all(|steps| (32..60).contains(&steps)));
}

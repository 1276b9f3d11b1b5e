//! Learning as the paper has it, with simulated personas in the embedded world: they show that the machinery works and say
//! nothing about language models.
#![allow(clippy::unwrap_used, clippy::panic)] // Helpers count as tests too.

#[path = "../common/mod.rs"]
mod common;

mod ablations;
mod conflicts;
mod laboratory;

use laboratory::{Laboratory, empty_book, figures, shipped, times_optimum};
use ltlcrit::learn::EpisodeFigures;
use ltlcrit_critic::model::simulated::Persona;
use ltlcrit_critic::propose::GraphCriticOptions;
use ltlcrit_laws::Book;
use ltlcrit_verifier::consistency::{Consistency, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
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
    let options = GraphCriticOptions::default();
    let (book, said) = laboratory.learn(empty_book(), std::slice::from_ref(&hard), 0..50, 4, options);
    assert!(said.last().is_some_and(|line| line.contains("50 of 50 diamonds")), "{said:?}");
    said.iter().for_each(|line| println!("(simulated) saycan {line}"));
    let books = [hard, book];
    let fresh = laboratory.run(&books, 1000..1100);
    println!("(simulated) saycan, fresh seeds: {}", figures(&fresh));
    assert_eq!(EpisodeFigures::of(&fresh).goals, 100);
    assert!(proved_consistent(&books));
}

/// Whether it is proved that the laws in force leave every state an action, whichever book they are of.
fn proved_consistent(books: &[Book]) -> bool {
    let vocabulary = vocabulary();
    let laws: Vec<_> = books.iter().flat_map(Book::laws_in_force).collect();
    let guarded: Vec<_> = laws.iter().map(|law| recognise_all(&law.formula, &vocabulary).unwrap()).collect();
    let mut system = LawSystem::new(&vocabulary, &guarded, DEFAULT_BUDGET).unwrap();
    system.check().unwrap() == Consistency::Consistent
}

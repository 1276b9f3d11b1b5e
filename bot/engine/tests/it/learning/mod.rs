//! Learning with simulated personas in the embedded world. It shows that the program works and is not evidence about
//! language models. `.ci/figures` prints the metrics.

mod conflicts;
mod derived;
mod held_out;
mod laboratory;
mod paper;

use std::ops::Range;

use laboratory::{Laboratory, empty_book, figures, shipped, times_optimum};
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::learn::EpisodeFigures;
use ltlcrit_laws::{Book, joint_vocabulary};
use ltlcrit_minecraft::vocabulary;
use ltlcrit_verifier::consistency::{Consistency, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;

/// Returns seeds from 1000 on, which are not used for learning.
fn fresh_seeds(count: u64) -> Range<u64> {
    1000..1000 + count
}

/// Learns without prior laws on the first seeds and evaluates the book on fresh ones. `failed` bounds the share of
/// failed actions there, and `times` bounds the steps as a multiple of the optimum.
fn inner_monologue_becomes_near_optimal(training: u64, count: u64, failed: f64, times: f64) {
    let laboratory = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue");
    let (book, said) = laboratory.learn(empty_book(), &[], 0..training, 3);
    said.iter().for_each(|line| println!("(simulated) {line}"));
    let fresh = laboratory.run(std::slice::from_ref(&book), fresh_seeds(count));
    println!("(simulated) fresh seeds: {}", figures(&fresh));
    println!("{}", book.text());
    let after = EpisodeFigures::of(&fresh);
    assert_eq!(after.goals as u64, count);
    assert!(times_optimum(&fresh) <= times, "{}", times_optimum(&fresh));
    assert!(after.failed_actions.unwrap() <= failed, "{:?}", after.failed_actions);
    assert_eq!(after.fallbacks, 0, "no state was over-constrained");
    assert!(proved_consistent(&[book]));
}

/// Ten seeds do not show every rare failure, so the bounds are less tight.
#[test]
fn inner_monologue_becomes_near_optimal_in_three_iterations() {
    inner_monologue_becomes_near_optimal(10, 10, 0.05, 1.10);
}

#[test]
#[ignore = "250 episodes take a minute"]
fn inner_monologue_becomes_near_optimal_on_many_seeds() {
    inner_monologue_becomes_near_optimal(50, 100, 0.02, 1.05);
}

/// Learns from runs that never reach the goal and evaluates the book on fresh seeds, of which at least `least` reach
/// it.
fn saycan_learns(training: u64, count: u64, least: usize) {
    let laboratory = Laboratory::new(ActorKind::SayCan, "saycan");
    let hard = shipped("saycan-hard");
    let before = laboratory.run(std::slice::from_ref(&hard), fresh_seeds(count.min(10)));
    assert_eq!(EpisodeFigures::of(&before).goals, 0, "as in the paper");
    let (book, said) = laboratory.learn(empty_book(), std::slice::from_ref(&hard), 0..training, 4);
    said.iter().for_each(|line| println!("(simulated) saycan {line}"));
    let books = [hard, book];
    let fresh = laboratory.run(&books, fresh_seeds(count));
    println!("(simulated) saycan, fresh seeds: {}", figures(&fresh));
    let goals = EpisodeFigures::of(&fresh).goals;
    assert!(goals >= least, "{goals} of {count}");
    assert!(proved_consistent(&books));
}

/// Ten seeds do not show every world.
#[test]
fn saycan_learns_from_nothing_but_dead_ends() {
    saycan_learns(10, 10, 5);
}

/// Learns from ten training seeds.
#[test]
#[ignore = "140 episodes, those before it learned to the step limit, take minutes"]
fn saycan_learns_from_nothing_but_dead_ends_on_many_seeds() {
    saycan_learns(10, 100, 50);
}

/// Returns whether the laws of all books in force together are proved to leave every state an action.
fn proved_consistent(books: &[Book]) -> bool {
    let vocabulary = joint_vocabulary(&vocabulary(), books).unwrap();
    let laws: Vec<_> = books.iter().flat_map(Book::laws_in_force).collect();
    let guarded: Vec<_> = laws.iter().map(|law| recognise_all(&law.formula, &vocabulary).unwrap()).collect();
    let mut system = LawSystem::new(&vocabulary, &guarded, DEFAULT_BUDGET).unwrap();
    system.check().unwrap() == Consistency::Consistent
}

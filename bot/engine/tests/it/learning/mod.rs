//! Learning with simulated personas in the embedded world. It shows that the program works and is not evidence about
//! language models. `.ci/figures` prints the metrics.

mod conflicts;
mod derived;
mod held_out;
mod laboratory;
mod paper;
mod random_actors;

use std::ops::Range;

use ltlcrit_laws::{Book, joint_vocabulary};
use ltlcrit_minecraft::vocabulary;
use ltlcrit_verifier::consistency::{Consistency, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;

/// Returns seeds from 1000 on, which are not used for learning.
fn fresh_seeds(count: u64) -> Range<u64> {
    1000..1000 + count
}

/// Returns whether the laws of all books in force together are proved to leave every state an action.
fn proved_consistent(books: &[Book]) -> bool {
    let vocabulary = joint_vocabulary(&vocabulary(), books).unwrap();
    let laws: Vec<_> = books.iter().flat_map(Book::laws_in_force).collect();
    let guarded: Vec<_> = laws.iter().map(|law| recognise_all(&law.formula, &vocabulary).unwrap()).collect();
    let mut system = LawSystem::new(&vocabulary, &guarded, DEFAULT_BUDGET).unwrap();
    system.check().unwrap() == Consistency::Consistent
}

//! The episodes of learning.

use ltlcrit_laws::Book;
use ltlcrit_store::Store;

use crate::agent::RunSummary;

/// Runs episodes.
pub trait Episodes {
    /// The reason why an episode cannot be run.
    type Error;

    /// Runs an episode for every seed under books, the learned one last, and stores them in this order. `None` if one was
    /// interrupted and learning must stop.
    ///
    /// # Errors
    /// An episode that cannot be run; missing the goal is not an error.
    fn run(&mut self, store: &Store, seeds: &[u64], books: &[Book]) -> Result<Option<Vec<RunSummary>>, Self::Error>;
}

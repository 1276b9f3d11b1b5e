//! Batches: the cells of a plan, each in a fresh world, with a table of paired comparisons.
//!
//! A [`Plan`] spans a grid of conditions over the same seeds. The [`Directory`] is the experiment: what is finished in it never
//! runs again, so a batch that was interrupted or killed goes on when it is called again. With simulated models in the embedded
//! world `results.jsonl` has the same bytes whatever the number of threads and the interruptions.

mod book_lists;
mod condition;
mod directory;
mod experiment;
mod files;
mod merge;
mod plan;
mod process;
mod reference;
mod result;
mod run;
mod seeds;
mod shard;
mod status;
mod summary;

pub use book_lists::{BookList, BookLists};
pub use condition::{Cell, Condition};
pub use directory::{CellState, Directory};
pub use experiment::Experiment;
pub use files::{Contents, DirectoryError, claim};
pub use merge::{MergeError, merge};
pub use plan::{Plan, PlanError};
pub use process::Process;
pub use reference::{Reference, ReferenceRow};
pub use result::CellResult;
pub use run::{Batch, BatchProgress};
pub use seeds::Seeds;
pub use shard::Shard;
pub use status::{BatchStatus, CellStatus, DirectoryState, DirectoryStatus, SHARDS};
pub use summary::{BatchSummary, CONFIDENCE, ConditionFigures, PairedComparison, SubgoalFigures};

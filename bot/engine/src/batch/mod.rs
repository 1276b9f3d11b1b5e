//! Batches: the cells of a plan, each in a fresh world, with a table of paired comparisons.
//!
//! A [`Plan`] spans a grid of conditions over the same seeds. The [`Directory`] is the experiment: finished cells never
//! run again, so a batch that was interrupted or killed is resumed by the next call. With simulated models in the
//! embedded world, `results.jsonl` has the same bytes for any number of threads and interruptions.

mod book_lists;
mod cells;
mod comparison;
mod condition;
mod contents;
mod directory;
mod experiment;
mod figures;
mod files;
mod growth;
mod learned;
mod learning;
mod merge;
mod outcome;
mod plan;
mod rates;
mod reason;
mod reference;
mod result;
mod results;
mod run;
mod runs;
mod schedule;
mod seeds;
mod shard;
mod status;
mod summary;
mod worlds;

pub use book_lists::{BookList, BookLists};
pub use cells::{CellStatus, Cells};
pub use comparison::{CONFIDENCE, PairedComparison};
pub use condition::{Cell, Condition};
pub use contents::Contents;
pub use directory::Directory;
pub use experiment::Experiment;
pub use figures::{ConditionFigures, SubgoalFigures};
pub use files::DirectoryError;
pub use learned::{Learning, learnings};
pub use merge::merge;
pub use outcome::{BatchOutcome, Failure, LearningUsed};
pub use plan::Plan;
pub use rates::{Rates, RatesByNumber};
pub use reference::{Reference, ReferenceRow};
pub use result::CellResult;
pub use run::{Batch, BatchProgress};
pub use runs::runs_of_cells;
pub use schedule::Schedule;
pub use seeds::Seeds;
pub use shard::Shard;
pub use status::{BatchStatus, DirectoryState, DirectoryStatus};
pub use summary::BatchSummary;

//! The tables of results, which are the same in the terminal, in pages and in exports.

mod batch;
mod exam;

pub use batch::{
    beside, comparisons, conditions, intervals, learnings, main_tables, means, pooled, rates, subgoals_by_name,
    suspended, usage,
};
pub use exam::{exam, joint};

//! The tables of results, which the terminal, pages and exports show alike.

mod batch;
mod exam;

pub use batch::{
    beside, comparisons, conditions, learnings, main_tables, means, rates, subgoals, subgoals_by_name, suspended, usage,
};
pub use exam::{exam, joint};

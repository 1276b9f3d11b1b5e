//! Rows for other programs: CSV, JSON lines, Markdown, LaTeX, Parquet.
//!
//! A [`RowWriter`] gets its [`Column`]s first and then row after row, so tables of any length need constant memory.

mod cell;
mod cells;
mod csv;
mod format;
mod jsonl;
mod latex;
mod markdown;
mod parquet;
mod steps;
mod table;

pub use cell::{Column, Kind, RowWriter};
pub use cells::{batch_rows, batch_tables, run_rows};
pub use format::RowFormat;
pub use steps::step_rows;
pub use table::Rows;

#[cfg(test)]
mod tests;

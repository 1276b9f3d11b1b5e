//! What learning needs: stored trajectories, the graph they make, and the language-model boundary.
//!
//! This crate knows nothing of azalea or the command line.

pub mod graph;
pub mod model;
pub mod store;

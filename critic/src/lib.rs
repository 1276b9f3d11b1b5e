//! What learning needs: stored trajectories, the graph they make, the gate for learned laws, and the language-model boundary.
//!
//! This crate knows nothing of azalea or the command line.

pub mod admission;
pub mod graph;
pub mod model;
pub mod store;

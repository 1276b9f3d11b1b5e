//! What learning needs: stored trajectories, the graph they make, the gate for learned laws, and the language-model boundary.
//!
//! This crate knows nothing of azalea or the command line.

pub mod admission;
pub mod blocked;
pub mod critique;
pub mod graph;
pub mod merit;
pub mod minimise;
pub mod model;
pub mod propose;
pub mod store;

//! The critic: the graph that trajectories make, laws proposed from it, and the gate they must pass.
//!
//! This crate knows nothing of azalea, HTTP or the command line.

pub mod admission;
pub mod blocked;
pub mod change;
pub mod critique;
pub mod graph;
pub mod hindsight;
pub mod law;
pub mod minimise;
pub mod propose;
pub mod statistics;
pub mod trial;

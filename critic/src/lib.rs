//! The critic: the graph that trajectories make, laws proposed from it, and the gate they must pass.
//!
//! This crate knows nothing of azalea, HTTP or the command line.

pub mod admission;
pub mod change;
pub mod critique;
mod cube;
pub mod evidence;
pub mod graph;
pub mod hidden;
pub mod hindsight;
pub mod law;
pub mod notes;
pub mod propose;
pub mod statistics;

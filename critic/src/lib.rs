//! What learning needs: stored trajectories and the language-model boundary.
//!
//! This crate knows nothing of azalea or the command line.

pub mod model;
pub mod store;

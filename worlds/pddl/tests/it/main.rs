//! Tests of the crate's public interface.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)] // Helpers count as tests too.

mod allocations;
mod bounded;
mod data;
mod far;
mod made;
mod naive;
mod random_task;
mod reading;
mod second_opinion;
mod trajectories;
mod vectors;
mod ways;
mod world;

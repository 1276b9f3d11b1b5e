//! Tests of the embedded world by its public interface.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

mod below;
mod common;
mod conservation;
mod determinism;
mod effects;
mod goals;
mod hazards;
mod invariants;
mod memory;
mod mining;
mod obstacles;
mod optima;
mod placed;
mod reasons;
mod seeds;
mod terrain;
mod water;

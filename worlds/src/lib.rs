//! Worlds an agent can act in: the [`World`] trait, observations, and symbolic worlds for tests.
//!
//! This crate knows no game, no model, and no critic.

pub mod activity;
mod details;
mod interrupt;
mod progress;
pub mod scripted;
pub mod world;

pub use activity::{Activity, Watcher};
pub use details::{Details, Facts, WorldObservation};
pub use interrupt::Interrupt;
pub use progress::{Progress, Recorder};
pub use world::{Observation, Outcome, Reason, World, WorldError, WorldInfo};

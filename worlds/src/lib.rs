//! Worlds an agent can act in: the [`World`] trait, vocabularies, and an embedded Minecraft-like world.
//!
//! This crate knows nothing of models, critics or azalea's client.

pub mod activity;
pub mod minecraft;
pub mod scripted;
#[cfg(feature = "server")]
pub mod server;
pub mod world;

pub use activity::{Activity, Doing, Watcher};
pub use world::{Details, Observation, Outcome, Reason, World, WorldError, WorldInfo};

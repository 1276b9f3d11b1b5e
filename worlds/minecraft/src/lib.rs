//! Minecraft for LTLCrit: the vocabulary, the full observation and its abstraction, and the embedded world.
//!
//! The game's rules are defined once, for the embedded world and for the server: [`blocks`], [`items`], [`recipes`],
//! [`fuel`], [`smelting`], [`terrain`], [`grid`], [`ground`], [`inventory`], [`player`], [`game`]. The [`primitives`]
//! execute one abstract action at a time: they decide from a [`land`] and act through a [`body`], the embedded world's
//! or a client's.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod above;
pub mod abstraction;
pub mod activity;
pub mod blocks;
pub mod body;
#[cfg(feature = "test-support")]
pub mod conformance;
pub mod effects;
pub mod embedded;
pub mod exposed;
pub mod failure;
pub mod fuel;
pub mod game;
mod goals;
pub mod grid;
pub mod ground;
pub mod inventory;
pub mod items;
pub mod land;
pub mod memory;
pub mod observation;
pub mod observe;
pub mod options;
mod path;
pub mod planner;
pub mod player;
mod primitive;
pub mod primitives;
pub mod progress;
pub mod recipes;
mod region;
pub mod sight;
pub mod sightings;
pub mod smelting;
pub mod spawn;
pub mod terrain;
pub mod vocabulary;

pub use body::Body;
pub use embedded::{EmbeddedWorld, Optima};
pub use goals::{milestones, subgoals_to};
pub use land::{Cell, Land};
pub use observation::MinecraftObservation;
pub use options::{EmbeddedOptions, Limits};
pub use primitives::PrimitiveState;
pub use sight::Sight;
pub use vocabulary::vocabulary;

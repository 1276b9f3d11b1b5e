//! Minecraft as LTLCrit sees it: its vocabulary, the full observation and its abstraction, and the embedded world.
//!
//! What the game is made of lives once, for the embedded world and for a server that serves it: [`blocks`], [`items`],
//! [`recipes`], [`fuel`], [`smelting`], [`terrain`], [`grid`], [`ground`], [`inventory`], [`player`], [`game`]. What a
//! player does with it, one abstract action at a time, is in [`primitives`]: decided from a [`land`] and done with a
//! [`body`], the embedded world's or a client's.

pub mod abstraction;
pub mod blocks;
pub mod body;
pub mod doing;
pub mod drill;
pub mod embedded;
pub mod fuel;
pub mod game;
pub mod grid;
pub mod ground;
pub mod inventory;
pub mod items;
pub mod land;
pub mod mind;
pub mod observation;
pub mod optima;
pub mod options;
pub mod outlook;
mod path;
pub mod planner;
pub mod player;
pub mod primitives;
pub mod progress;
pub mod recipes;
pub mod sight;
pub mod smelting;
pub mod spawn;
pub mod terrain;
pub mod vocabulary;

pub use body::Body;
pub use embedded::EmbeddedWorld;
pub use land::{Cell, Land};
pub use mind::Mind;
pub use observation::MinecraftObservation;
pub use optima::Optima;
pub use options::{EmbeddedOptions, Limits};
pub use sight::Sight;
pub use vocabulary::vocabulary;

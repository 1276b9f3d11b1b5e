//! A Minecraft server for the embedded world: protocol 775 (Minecraft 26.1), on loopback by default.
//!
//! It serves the same world as the embedded game: [`ltlcrit_minecraft::ground`], blocks, items, recipes and bodies are
//! shared. This crate adds the protocol and support for several players.
//!
//! [`Server::start`] opens a thread. On it, one task owns the [`state`] of the game and runs the [`game_loop`]; each
//! connection has a task that only reads and writes. A client's input is checked twice: its bytes on arrival
//! ([`inbound`]), and its actions by the systems of the game, which refuse and correct invalid ones. A client that
//! misbehaves loses its connection, and no other client is affected.
//!
//! The feature `test-support` adds methods to [`Server`] that inspect and change the running game.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod blocks;
mod changes;
mod chunk;
mod connection;
mod digging;
mod dispatch;
mod dropped_item;
mod drops;
mod eating;
mod entities;
mod events;
mod frame;
mod game_loop;
mod health;
mod hull;
mod inbound;
mod listener;
mod login;
mod movement;
mod names;
mod offline_players;
mod options;
mod outbox;
mod packets;
mod physics;
mod placing;
mod player;
mod registries;
mod running;
mod saving;
mod session;
mod state;
mod status;
#[cfg(test)]
mod test_harness;
#[cfg(feature = "test-support")]
mod test_support;
mod view;
mod visibility;
mod windows;

pub use options::ServerOptions;
pub use running::{Server, ServerError};
pub use saving::SaveError;
#[cfg(feature = "test-support")]
pub use test_support::{Ticker, understand};

/// The Minecraft version of the protocol.
pub const VERSION: &str = azalea_protocol::packets::VERSION_NAME;
/// The protocol number.
pub const PROTOCOL: i32 = azalea_protocol::packets::PROTOCOL_VERSION;

//! The embedded world as a Minecraft server: protocol 775 (Minecraft 26.1), on loopback unless told otherwise.
//!
//! It is the embedded world, not a second one: [`ltlcrit_minecraft::ground`], blocks, items, recipes and bodies are the
//! ones the embedded game uses. What is here is the protocol and many players at a time.
//!
//! How it runs: [`Server::start`] opens a thread of its own. On it one task owns everything of the game (the
//! [`realm`]) and lets time pass; every connection has a task that reads and writes and nothing else. What a client sends
//! is checked twice: its bytes where they arrive ([`inbound`]), its wishes by the realm, which refuses and corrects what
//! the game would not allow. A connection that misbehaves is closed, and nothing else is.

mod absence;
mod chunk;
mod connection;
mod digging;
mod drops;
mod frame;
mod inbound;
mod listener;
mod living;
mod lobby;
mod login;
mod movement;
mod names;
mod options;
mod outbox;
mod packets;
mod physics;
mod placing;
mod player;
mod realm;
mod registries;
#[cfg(test)]
mod rehearsal;
mod running;
mod saving;
mod status;
mod talking;
mod view;
mod watching;
mod windows;

pub use inbound::understand;
pub use options::ServerOptions;
pub use running::{Server, ServerError, Ticker};
pub use saving::SaveError;

/// The Minecraft version it speaks.
pub const VERSION: &str = azalea_protocol::packets::VERSION_NAME;
/// The number of the protocol it speaks.
pub const PROTOCOL: i32 = azalea_protocol::packets::PROTOCOL_VERSION;

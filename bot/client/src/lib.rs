//! A Minecraft client as a [`World`](ltlcrit_worlds::World), built on azalea. It works with any server of its version.
//!
//! [`ClientWorld`] joins a server and executes the paper's actions there. The primitives
//! ([`ltlcrit_minecraft::primitives`]) make the decisions, as in the embedded world. This crate executes them over the
//! protocol:
//!
//! * `engine`, `engine_core`: azalea's ECS on a thread of its own, with our clock. `events` records incoming packets in
//!   the `state` of each player; the player's actions reach both through `link`.
//! * `inbound`, `wire`, `connection`: packets to and from a server, with limits on frames, inflation and queues.
//! * `probe`, `session`: check a server, join it, and join it again after a lost connection.
//! * `land`, `classify`: the blocks that the server has sent, as the cells that the primitives use.
//! * `body` and its actions `walk`, `afloat`, `dig`, `place`, `drops`, `craft`, `furnace`, `hands`, `eat`. Steering and
//!   digging need exact timing and run in the engine's game tick; all other actions wait for the server's answer.
//! * `synced_windows`, `expected_window`, `windows`: the inventory as the server sent it, and clicks. The client
//!   predicts only the `wear` of tools.
//! * `watch`: the current activity of the player, for live displays.
//! * `text`: a server's text, made safe to print.

mod account;
mod address;
mod afloat;
mod body;
mod classify;
mod clock;
mod connection;
mod craft;
mod dig;
mod drops;
mod eat;
mod engine;
mod engine_core;
mod erased;
mod error;
mod events;
mod expected_window;
mod food;
mod furnace;
mod hands;
mod inbound;
mod land;
mod link;
mod options;
mod place;
mod player;
mod probe;
mod reach;
mod rubble;
#[cfg(feature = "test-support")]
mod sent_packets;
mod session;
mod stance;
mod state;
mod synced_windows;
#[cfg(feature = "test-support")]
mod test_support;
mod text;
mod walk;
mod watch;
mod wear;
mod windows;
mod wire;
mod world;

pub use account::{Account, AccountError};
pub use address::DEFAULT_PORT;
pub use engine::Engine;
pub use error::{CLIENT_PROTOCOL, CLIENT_VERSION, JoinError};
pub use options::{ClientOptions, Reconnect};
pub use probe::{LoginResult, Status, check_login, status};
#[cfg(feature = "test-support")]
pub use test_support::Lockstep;
pub use world::ClientWorld;

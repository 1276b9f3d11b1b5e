//! The client: azalea as a [`World`](ltlcrit_worlds::World), on any server of the version it speaks. Nothing here knows
//! which server it talks to.
//!
//! [`ClientWorld`] joins a server and performs the paper's actions on it. What to do is decided where the embedded world
//! decides it ([`ltlcrit_minecraft::primitives`]); here is how it is done over the protocol:
//!
//! * `engine`: azalea's ECS on a thread of its own, with our clock. `events` writes down what comes in, in the `state` of
//!   each player; `link` is how verbs reach both.
//! * `probe`, `session`: looking at a server, joining it, losing it and joining it again.
//! * `fault`: a panic inside azalea is a lost connection; the engine is started anew.
//! * `land`, `classify`: the blocks the server has sent, as cells a body can do something with.
//! * `body` and the verbs `walk`, `dig`, `place`, `drops`, `craft`, `furnace`, `hands`. What needs exact timing (steering,
//!   blows) happens in the engine's game tick; what needs the server's word waits for it.
//! * `synced_windows`, `expected_window`, `windows`: items as the server tells them, and clicks. Nothing is predicted but the `wear` of tools.
//! * `watch`: what the player is doing, for live displays.
//! * `chat`: commands from players who may give them.

mod account;
mod address;
mod body;
mod chat;
mod classify;
mod clock;
mod craft;
mod dig;
mod drops;
mod engine;
mod engine_core;
mod error;
mod events;
mod expected_window;
mod fault;
mod furnace;
mod hands;
mod land;
mod link;
mod lockstep;
mod options;
mod place;
mod player;
mod probe;
mod reach;
mod rubble;
mod session;
mod stance;
mod state;
mod synced_windows;
mod walk;
mod watch;
mod wear;
mod windows;
mod world;

pub use account::{Account, AccountError};
pub use address::DEFAULT_PORT;
pub use chat::{ChatCommands, Command, Line, Operators, plain};
pub use engine::Engine;
pub use error::{CLIENT_PROTOCOL, CLIENT_VERSION, JoinError};
pub use lockstep::Lockstep;
pub use options::{ClientOptions, Reconnect};
pub use probe::{Reception, Status, knock, status};
pub use world::ClientWorld;

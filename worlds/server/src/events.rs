//! Messages to the game loop: from connections, and from the owner of the server.

use azalea_protocol::packets::game::ServerboundGamePacket;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use uuid::Uuid;

use super::outbox::Outbox;
use super::state::GameState;

/// A message from a connection.
pub(super) enum Event {
    /// A client has logged in.
    Join(Joining),
    /// A client has sent a packet. The permit bounds how many packets of one client wait.
    Packet(i32, Box<ServerboundGamePacket>, OwnedSemaphorePermit),
    /// A client is gone, or must be disconnected for this reason.
    Leave(i32, Option<String>),
}

/// A client that has logged in.
pub(super) struct Joining {
    pub(super) name: String,
    pub(super) uuid: Uuid,
    /// The view distance the client asks for, in chunks.
    pub(super) distance: u32,
    pub(super) outbox: Outbox,
    /// Receives the player's entity id; dropped if the player is refused.
    pub(super) joined: oneshot::Sender<i32>,
}

/// A function to run on the game state, from the owner of the server.
pub(super) type Command = Box<dyn FnOnce(&mut GameState) + Send>;

/// The end of the game loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Disconnects players with a reason, and saves the world.
    Cleanly,
    /// Ends at once, as in a power failure.
    #[cfg(feature = "test-support")]
    Abruptly,
}

/// The receivers of the game loop.
pub(super) struct Inbox {
    pub(super) events: mpsc::Receiver<Event>,
    pub(super) commands: mpsc::UnboundedReceiver<Command>,
    pub(super) stop: oneshot::Receiver<Stop>,
}

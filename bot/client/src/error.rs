//! Errors of joining a server, and of an engine that has stopped.

use thiserror::Error;

/// The engine has stopped.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(super) enum EngineStopped {
    /// It was stopped on request.
    #[error("the game client has stopped")]
    Stopped,
    /// azalea panicked with this message.
    #[error("the game client failed: {0}")]
    Failed(String),
}

/// The reason that a server could not be joined. Every message says what to change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum JoinError {
    /// The address cannot be parsed.
    #[error("`{0}` is not a server address: write HOST or HOST:PORT")]
    Address(String),
    /// The host was not found.
    #[error("the host `{host}` was not found: {reason}")]
    Host {
        /// The name that was looked up.
        host: String,
        /// The resolver's message.
        reason: String,
    },
    /// No server answers at the address.
    #[error("no server answers at {address}: {reason}")]
    Unreachable {
        /// The address.
        address: String,
        /// The operating system's message.
        reason: String,
    },
    /// The server did not answer within the time limit.
    #[error("the server at {address} did not answer within {seconds} s while {doing}")]
    Timeout {
        /// The address.
        address: String,
        /// The time limit, in seconds.
        seconds: u64,
        /// The step that timed out.
        doing: &'static str,
    },
    /// The answer does not follow the game's protocol.
    #[error("{address} is not a Minecraft server: {reason}")]
    NotMinecraft {
        /// The address.
        address: String,
        /// The error in its answer.
        reason: String,
    },
    /// The server uses another version of the protocol.
    #[error(
        "the server at {address} speaks Minecraft {name} (protocol {protocol}), this client {CLIENT_VERSION} (protocol \
         {CLIENT_PROTOCOL}): run a server of version {CLIENT_VERSION}, or one that accepts it"
    )]
    Version {
        /// The address.
        address: String,
        /// The server's name for its version.
        name: String,
        /// The protocol number.
        protocol: i32,
    },
    /// The server requires authentication, which offline accounts lack.
    #[error(
        "the server at {address} is in online mode and does not take offline accounts: join with `microsoft:EMAIL`, or \
         set `online-mode=false` in its server.properties"
    )]
    OnlineMode {
        /// The address.
        address: String,
    },
    /// The server closed the connection before the player was in the world.
    #[error("the server at {address} refused the player: {reason}")]
    Refused {
        /// The address.
        address: String,
        /// The server's reason.
        reason: String,
    },
    /// The server broke the rules of honest servers, and the client ended the connection.
    #[error("the server at {address} misbehaves: {what}")]
    Misbehaved {
        /// The address.
        address: String,
        /// The misbehaviour.
        what: String,
    },
    /// A Microsoft account could not be opened.
    #[error("the Microsoft account {email} could not be opened: {reason}")]
    Account {
        /// The account.
        email: String,
        /// The service's message.
        reason: String,
    },
    /// The client itself failed.
    #[error("the game client failed: {0}")]
    Client(String),
    /// The run was cancelled while the player joined.
    #[error("cancelled while joining")]
    Cancelled,
    /// The connections were lost soon after they were made, and the attempts were used up.
    #[error("the connection did not last, and `server.reconnects` ({attempts}) is used up")]
    Unsteady {
        /// The maximum number of attempts.
        attempts: u32,
    },
    /// Another client is on the server under the same name, or has displaced this one.
    #[error(
        "another client is on the server as {name}, and a server has room for one of them: stop it, or give this one \
         another name with `--account offline:NAME`"
    )]
    NameTaken {
        /// The name.
        name: String,
    },
}

impl JoinError {
    /// Returns whether trying again later may help.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Host { .. } | Self::Unreachable { .. } | Self::Timeout { .. })
    }
}

impl From<EngineStopped> for JoinError {
    fn from(gone: EngineStopped) -> Self {
        match gone {
            EngineStopped::Failed(why) => Self::Client(why),
            EngineStopped::Stopped => Self::Client("it has stopped".to_owned()),
        }
    }
}

/// The Minecraft version of the client.
pub const CLIENT_VERSION: &str = azalea::protocol::packets::VERSION_NAME;
/// The protocol number of the client.
pub const CLIENT_PROTOCOL: i32 = azalea::protocol::packets::PROTOCOL_VERSION;

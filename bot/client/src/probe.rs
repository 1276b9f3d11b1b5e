//! Checks a server before joining it: its status, its version, and whether it accepts the account.

use std::io::ErrorKind;
use std::time::Duration;

use azalea::protocol::address::ResolvedAddr;
use azalea::protocol::connect::{Connection, ConnectionError};
use azalea::protocol::packets::ClientIntention;
use azalea::protocol::packets::handshake::ServerboundIntention;
use azalea::protocol::packets::login::{ClientboundLoginPacket, ServerboundHello};
use azalea::protocol::packets::status::{ClientboundStatusPacket, ServerboundStatusRequest};
use serde::Serialize;
use tokio::time::timeout;

use super::account::Account;
use super::address;
use super::erased::erased;
use super::error::{CLIENT_PROTOCOL, JoinError};

/// A server's answer to a status request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Its name for its version.
    pub version: String,
    /// Its protocol number.
    pub protocol: i32,
    /// The number of players online.
    pub players: i32,
    /// The largest number of players.
    pub most_players: i32,
    /// Its description, without colours.
    pub description: String,
}

impl Status {
    /// The server's name for its version, cut to what fits a line.
    pub fn shown_version(&self) -> String {
        super::chat::short(&self.version)
    }

    /// Checks that this client supports the server's protocol.
    ///
    /// # Errors
    /// [`JoinError::Version`].
    pub fn check(&self, address: &str) -> Result<(), JoinError> {
        if self.protocol == CLIENT_PROTOCOL {
            return Ok(());
        }
        Err(JoinError::Version { address: address.to_owned(), name: self.shown_version(), protocol: self.protocol })
    }
}

/// Asks a server for its status.
///
/// # Errors
/// The address is invalid, or there is no Minecraft server that answers in time.
pub async fn status(address: &str, patience: Duration) -> Result<Status, JoinError> {
    let resolved = address::resolve(address, patience).await?;
    let ask = erased(async {
        let mut connection = connect(&resolved, ClientIntention::Status).await?.status();
        connection.write(ServerboundStatusRequest {}).await.map_err(|error| closed(address, &error.to_string()))?;
        loop {
            let packet = connection.read().await.map_err(|error| closed(address, &error.to_string()))?;
            if let ClientboundStatusPacket::StatusResponse(answer) = packet {
                return Ok(Status {
                    version: super::chat::plain(&answer.version.name),
                    protocol: answer.version.protocol,
                    players: answer.players.online,
                    most_players: answer.players.max,
                    description: super::chat::plain(&answer.description.to_string()),
                });
            }
        }
    });
    timeout(patience, ask).await.unwrap_or_else(|_| Err(late(address, patience, "being asked for its status")))
}

/// A server's answer to a login.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum LoginResult {
    /// It accepts the player.
    #[serde(rename = "welcome")]
    Accepted,
    /// It asks the player to authenticate: online mode.
    Authenticate,
    /// It refuses the player: a whitelist, a ban, a full server.
    Refused {
        /// The server's reason.
        reason: String,
    },
}

/// Begins a login and disconnects as soon as the server has answered it. Players on the server do not notice.
///
/// # Errors
/// As [`status`].
pub async fn check_login(address: &str, account: &Account, patience: Duration) -> Result<LoginResult, JoinError> {
    let resolved = address::resolve(address, patience).await?;
    let azalea = account.open().await?;
    let ask = erased(async {
        let mut connection = connect(&resolved, ClientIntention::Login).await?.login();
        let hello = ServerboundHello { name: azalea.username().to_owned(), profile_id: azalea.uuid() };
        connection.write(hello).await.map_err(|error| closed(address, &error.to_string()))?;
        loop {
            return Ok(match connection.read().await.map_err(|error| closed(address, &error.to_string()))? {
                ClientboundLoginPacket::Hello(hello) if hello.should_authenticate => LoginResult::Authenticate,
                ClientboundLoginPacket::Hello(_) | ClientboundLoginPacket::LoginFinished(_) => LoginResult::Accepted,
                ClientboundLoginPacket::LoginDisconnect(refusal) => {
                    LoginResult::Refused { reason: super::chat::plain(&refusal.reason.to_string()) }
                }
                ClientboundLoginPacket::LoginCompression(compression) => {
                    connection.set_compression_threshold(compression.compression_threshold);
                    continue;
                }
                _ => continue,
            });
        }
    });
    timeout(patience, ask).await.unwrap_or_else(|_| Err(late(address, patience, "being asked for admission")))
}

type Handshake = Connection<
    azalea::protocol::packets::handshake::ClientboundHandshakePacket,
    azalea::protocol::packets::handshake::ServerboundHandshakePacket,
>;

async fn connect(resolved: &ResolvedAddr, intention: ClientIntention) -> Result<Handshake, JoinError> {
    let address = resolved.server.to_string();
    let mut connection = Connection::new(&resolved.socket).await.map_err(|error| unreachable_at(&address, &error))?;
    let hello = ServerboundIntention {
        protocol_version: CLIENT_PROTOCOL,
        hostname: resolved.server.host.clone(),
        port: resolved.server.port,
        intention,
    };
    connection.write(hello).await.map_err(|error| closed(&address, &error.to_string()))?;
    Ok(connection)
}

/// A connection that could not be made.
pub(super) fn unreachable_at(address: &str, error: &ConnectionError) -> JoinError {
    let reason = match error {
        ConnectionError::Io(error) if error.kind() == ErrorKind::ConnectionRefused => {
            "the connection was refused; is the server running?".to_owned()
        }
        other => other.to_string(),
    };
    JoinError::Unreachable { address: address.to_owned(), reason }
}

fn closed(address: &str, reason: &str) -> JoinError {
    JoinError::NotMinecraft { address: address.to_owned(), reason: reason.to_owned() }
}

pub(super) fn late(address: &str, patience: Duration, doing: &'static str) -> JoinError {
    JoinError::Timeout { address: address.to_owned(), seconds: patience.as_secs(), doing }
}

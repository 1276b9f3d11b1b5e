//! Checks a server before joining it: its status, its version, and whether it accepts the account.

use std::fmt::Debug;
use std::io::{self, ErrorKind};
use std::time::Duration;

use azalea::protocol::address::{ResolvedAddr, ServerAddr};
use azalea::protocol::packets::handshake::{ServerboundHandshakePacket, ServerboundIntention};
use azalea::protocol::packets::login::{ClientboundLoginPacket, ServerboundHello, ServerboundLoginPacket};
use azalea::protocol::packets::status::{ClientboundStatusPacket, ServerboundStatusPacket, ServerboundStatusRequest};
use azalea::protocol::packets::{ClientIntention, Packet, ProtocolPacket};
use azalea::protocol::write::write_packet;
use serde::Serialize;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use super::account::Account;
use super::address;
use super::erased::erased;
use super::error::{CLIENT_PROTOCOL, JoinError};
use super::inbound::{self, Inbound};

/// The maximum number of packets to read for one answer. Servers answer with the first or second.
const MAX_PACKETS: usize = 64;

/// A server's answer to a status request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Its name for its version.
    pub version: String,
    /// Its protocol number.
    pub protocol: i32,
    /// The number of players online.
    pub players: i32,
    /// The maximum number of players.
    pub most_players: i32,
    /// Its description, without colours.
    pub description: String,
    /// The names of players online, as far as the server lists them.
    #[serde(skip)]
    pub names: Vec<String>,
}

impl Status {
    /// The server's name for its version, cut to fit a line.
    pub fn shown_version(&self) -> String {
        super::text::short(&self.version)
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
/// The address is invalid, or no Minecraft server answers in time.
pub async fn status(address: &str, patience: Duration) -> Result<Status, JoinError> {
    let resolved = address::resolve(address, patience).await?;
    let ask = erased(async {
        let mut asked = Enquiry::begin(&resolved, ClientIntention::Status).await?;
        asked.write::<ServerboundStatusPacket>(ServerboundStatusRequest {}).await?;
        for _ in 0..MAX_PACKETS {
            if let ClientboundStatusPacket::StatusResponse(answer) = asked.read().await? {
                return Ok(Status {
                    version: super::text::plain(&answer.version.name),
                    protocol: answer.version.protocol,
                    players: answer.players.online,
                    most_players: answer.players.max,
                    description: super::text::plain(&answer.description.to_string()),
                    names: answer.players.sample.into_iter().map(|player| player.name).collect(),
                });
            }
        }
        Err(evades(address))
    });
    timeout(patience, ask).await.unwrap_or_else(|_| Err(late(address, patience, "being asked for its status")))
}

/// A server's answer to a login.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum LoginResult {
    /// The server accepts the player.
    #[serde(rename = "welcome")]
    Accepted,
    /// The server asks the player to authenticate: online mode.
    Authenticate,
    /// The server refuses the player: a whitelist, a ban, a full server.
    Refused {
        /// The server's reason.
        reason: String,
    },
}

/// Begins a login and disconnects as soon as the server has answered it. Other players do not notice it.
///
/// # Errors
/// As [`status`].
pub async fn check_login(address: &str, account: &Account, patience: Duration) -> Result<LoginResult, JoinError> {
    let resolved = address::resolve(address, patience).await?;
    let azalea = account.open().await?;
    let ask = erased(async {
        let mut asked = Enquiry::begin(&resolved, ClientIntention::Login).await?;
        let hello = ServerboundHello { name: azalea.username().to_owned(), profile_id: azalea.uuid() };
        asked.write::<ServerboundLoginPacket>(hello).await?;
        for _ in 0..MAX_PACKETS {
            match asked.read().await? {
                ClientboundLoginPacket::Hello(hello) if hello.should_authenticate => {
                    return Ok(LoginResult::Authenticate);
                }
                ClientboundLoginPacket::Hello(_) | ClientboundLoginPacket::LoginFinished(_) => {
                    return Ok(LoginResult::Accepted);
                }
                ClientboundLoginPacket::LoginDisconnect(refusal) => {
                    return Ok(LoginResult::Refused { reason: super::text::plain(&refusal.reason.to_string()) });
                }
                ClientboundLoginPacket::LoginCompression(compression) => {
                    asked.from_server.set_compressed(compression.compression_threshold >= 0);
                }
                _ => {}
            }
        }
        Err(evades(address))
    });
    timeout(patience, ask).await.unwrap_or_else(|_| Err(late(address, patience, "being asked for admission")))
}

/// A connection for a question to a server before the game.
struct Enquiry {
    address: String,
    from_server: Inbound<OwnedReadHalf>,
    to_server: OwnedWriteHalf,
}

impl Enquiry {
    /// Connects and sends the intention.
    async fn begin(resolved: &ResolvedAddr, intention: ClientIntention) -> Result<Self, JoinError> {
        let (from_server, to_server) = dial(resolved).await?.into_split();
        let address = resolved.server.to_string();
        let mut begun = Self { address, from_server: Inbound::new(from_server), to_server };
        begun.write::<ServerboundHandshakePacket>(handshake(resolved, intention)).await?;
        Ok(begun)
    }

    async fn write<P: ProtocolPacket + Debug>(&mut self, packet: impl Packet<P>) -> Result<(), JoinError> {
        let sent = write_packet(&packet.into_variant(), &mut self.to_server, None, &mut None).await;
        sent.map_err(|error| not_minecraft(&self.address, error.to_string()))
    }

    async fn read<P: ProtocolPacket + Debug>(&mut self) -> Result<P, JoinError> {
        let packet = self.from_server.packet().await;
        packet
            .and_then(|packet| inbound::parse(&packet))
            .map_err(|error| not_minecraft(&self.address, error.to_string()))
    }
}

/// Connects to a server.
///
/// # Errors
/// [`JoinError::Unreachable`].
pub(super) async fn dial(resolved: &ResolvedAddr) -> Result<TcpStream, JoinError> {
    let connected = async {
        let stream = TcpStream::connect(resolved.socket).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    };
    connected.await.map_err(|error: io::Error| {
        let reason = match error.kind() {
            ErrorKind::ConnectionRefused => "the connection was refused; is the server running?".to_owned(),
            _ => error.to_string(),
        };
        JoinError::Unreachable { address: resolved.server.to_string(), reason }
    })
}

/// The first packet of a connection.
pub(super) fn handshake(resolved: &ResolvedAddr, intention: ClientIntention) -> ServerboundIntention {
    let ServerAddr { host, port } = resolved.server.clone();
    ServerboundIntention { protocol_version: CLIENT_PROTOCOL, hostname: host, port, intention }
}

fn not_minecraft(address: &str, reason: String) -> JoinError {
    JoinError::NotMinecraft { address: address.to_owned(), reason }
}

fn evades(address: &str) -> JoinError {
    not_minecraft(address, format!("it sent {MAX_PACKETS} packets and none of them is an answer"))
}

pub(super) fn late(address: &str, patience: Duration, doing: &'static str) -> JoinError {
    JoinError::Timeout { address: address.to_owned(), seconds: patience.as_secs(), doing }
}

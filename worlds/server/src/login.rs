//! The phases before the game: handshake, status or login, configuration.

use std::fmt::Debug;
use std::io::{self, Cursor};
use std::time::Duration;

use azalea_auth::game_profile::GameProfile;
use azalea_buf::AzBufVar;
use azalea_protocol::packets::config::{
    ClientboundConfigPacket, ClientboundFinishConfiguration, ServerboundConfigPacket, ServerboundFinishConfiguration,
    s_client_information::ServerboundClientInformation,
};
use azalea_protocol::packets::handshake::ServerboundHandshakePacket;
use azalea_protocol::packets::handshake::s_intention::ServerboundIntention;
use azalea_protocol::packets::login::c_login_finished::ClientboundLoginFinished;
use azalea_protocol::packets::login::{
    ClientboundLoginDisconnect, ClientboundLoginPacket, ServerboundHello, ServerboundLoginPacket,
};
use azalea_protocol::packets::status::{ClientboundPongResponse, ClientboundStatusPacket, ServerboundStatusPacket};
use azalea_protocol::packets::{ClientIntention, Packet, ProtocolPacket};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::watch;
use uuid::Uuid;

use super::frame;
use super::options::ServerOptions;
use super::status::{self, Roster};
use super::{PROTOCOL, VERSION, registries};

/// The maximum number of packets in a client's configuration.
const MAX_SETTINGS: usize = 64;
/// The time for which a connection stays open, so that its client can read the reason of the disconnect.
const LINGER: Duration = Duration::from_secs(1);

/// A client that has logged in.
pub(super) struct LoggedInClient {
    pub(super) name: String,
    pub(super) uuid: Uuid,
    /// The view distance the client asks for, in chunks.
    pub(super) distance: u32,
}

/// The reason that a connection ended.
#[derive(Debug, Error)]
pub(super) enum ConnectionEnd {
    #[error("the client has gone")]
    Gone,
    #[error("it was sent away: {0}")]
    Disconnected(String),
    #[error("what it sent makes no sense: {0}")]
    Malformed(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The sending side of a connection.
pub(super) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// A connection's stream of packets.
pub(super) struct PacketStream {
    from: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    to: Writer,
    frame: Vec<u8>,
}

impl PacketStream {
    pub(super) fn new(
        from: impl AsyncRead + Send + Unpin + 'static,
        to: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self { from: BufReader::new(Box::new(from)), to: Box::new(to), frame: Vec::new() }
    }

    /// Splits it into its two directions.
    pub(super) fn split(mut self) -> (Self, Writer) {
        let to = std::mem::replace(&mut self.to, Box::new(tokio::io::sink()));
        (self, to)
    }

    /// The next frame's bytes.
    pub(super) async fn frame(&mut self) -> Result<&[u8], ConnectionEnd> {
        match frame::read(&mut self.from, &mut self.frame).await? {
            true => Ok(&self.frame),
            false => Err(ConnectionEnd::Gone),
        }
    }

    async fn read<P: ProtocolPacket>(&mut self) -> Result<P, ConnectionEnd> {
        parse(self.frame().await?)
    }

    async fn write<P: ProtocolPacket + Debug>(&mut self, packet: impl Packet<P>) -> Result<(), ConnectionEnd> {
        let frame = frame::of(&packet.into_variant())?;
        Ok(self.to.write_all(&frame).await?)
    }

    /// Ends the login with a reason that the client shows.
    async fn send_away(&mut self, reason: String) -> ConnectionEnd {
        let packet = ClientboundLoginDisconnect { reason: reason.as_str().into() };
        let sent = self.write::<ClientboundLoginPacket>(packet).await;
        self.drain().await;
        sent.err().unwrap_or(ConnectionEnd::Disconnected(reason))
    }

    /// Closes the sending side and keeps reading for a while, so that the last packet arrives.
    async fn drain(&mut self) {
        let _ = self.to.shutdown().await;
        let mut rest = [0; 1024];
        let to_the_end = async { while self.from.read(&mut rest).await.is_ok_and(|read| read > 0) {} };
        let _ = tokio::time::timeout(LINGER, to_the_end).await;
    }
}

fn parse<P: ProtocolPacket>(frame: &[u8]) -> Result<P, ConnectionEnd> {
    let mut bytes = Cursor::new(frame);
    let id = u32::azalea_read_var(&mut bytes).map_err(|error| ConnectionEnd::Malformed(error.to_string()))?;
    P::read(id, &mut bytes).map_err(|error| ConnectionEnd::Malformed(error.to_string()))
}

/// Handles the phases before the game. Returns `None` for a client that only asked for the status.
pub(super) async fn serve_login(
    stream: &mut PacketStream,
    options: &ServerOptions,
    roster: &watch::Receiver<Roster>,
) -> Result<Option<LoggedInClient>, ConnectionEnd> {
    let ServerboundHandshakePacket::Intention(ServerboundIntention { protocol_version, intention, .. }) =
        stream.read().await?;
    if intention == ClientIntention::Status {
        return tell_status(stream, options, roster).await.map(|()| None);
    }
    if protocol_version != PROTOCOL {
        let reason = format!(
            "This server speaks Minecraft {VERSION} (protocol {PROTOCOL}), and your client protocol {protocol_version}. \
             Join with Minecraft {VERSION}."
        );
        return Err(stream.send_away(reason).await);
    }
    let ServerboundLoginPacket::Hello(ServerboundHello { name, .. }) = stream.read().await? else {
        return Err(ConnectionEnd::Malformed("a login begins with a name".to_owned()));
    };
    if !is_name(&name) {
        let reason = "A player's name has 3 to 16 letters, digits and underscores.".to_owned();
        return Err(stream.send_away(reason).await);
    }
    let full = {
        let players = roster.borrow();
        players.len() >= options.max_players && !players.iter().any(|(player, _)| *player == name)
    };
    if full {
        return Err(stream.send_away(format!("The server is full: {} players.", options.max_players)).await);
    }
    let uuid = azalea_crypto::offline::generate_uuid(&name);
    let game_profile = GameProfile::new(uuid, name.clone());
    stream.write::<ClientboundLoginPacket>(ClientboundLoginFinished { game_profile }).await?;
    loop {
        match stream.read().await? {
            ServerboundLoginPacket::LoginAcknowledged(_) => break,
            ServerboundLoginPacket::CookieResponse(_) | ServerboundLoginPacket::CustomQueryAnswer(_) => {}
            _ => return Err(ConnectionEnd::Malformed("the login is over".to_owned())),
        }
    }
    let distance = configure(stream, options).await?;
    Ok(Some(LoggedInClient { name, uuid, distance }))
}

/// Returns whether a player may have this name.
fn is_name(name: &str) -> bool {
    (3..=16).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

async fn tell_status(
    stream: &mut PacketStream,
    options: &ServerOptions,
    roster: &watch::Receiver<Roster>,
) -> Result<(), ConnectionEnd> {
    let mut told = false;
    loop {
        match stream.read().await {
            Ok(ServerboundStatusPacket::StatusRequest(_)) if !told => {
                let answer = status::answer(&options.description, options.max_players, &roster.borrow());
                stream.write::<ClientboundStatusPacket>(answer).await?;
                told = true;
            }
            Ok(ServerboundStatusPacket::StatusRequest(_)) => {
                return Err(ConnectionEnd::Malformed("the status has been told".to_owned()));
            }
            Ok(ServerboundStatusPacket::PingRequest(ping)) => {
                stream.write::<ClientboundStatusPacket>(ClientboundPongResponse { time: ping.time }).await?;
                stream.drain().await;
                return Ok(());
            }
            Err(ConnectionEnd::Gone) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// Sends the registries and returns the client's view distance.
async fn configure(stream: &mut PacketStream, options: &ServerOptions) -> Result<u32, ConnectionEnd> {
    for registry in registries::all() {
        stream.write::<ClientboundConfigPacket>(registry).await?;
    }
    stream.write::<ClientboundConfigPacket>(ClientboundFinishConfiguration).await?;
    let done = Packet::<ServerboundConfigPacket>::into_variant(ServerboundFinishConfiguration).id();
    let settings = Packet::<ServerboundConfigPacket>::into_variant(ServerboundClientInformation {
        information: azalea_protocol::common::client_information::ClientInformation::default(),
    })
    .id();
    let mut distance = options.view_distance;
    for _ in 0..MAX_SETTINGS {
        let frame = stream.frame().await?;
        let id = u32::azalea_read_var(&mut Cursor::new(frame))
            .map_err(|error| ConnectionEnd::Malformed(error.to_string()))?;
        if id == done {
            return Ok(distance);
        }
        if id == settings
            && let ServerboundConfigPacket::ClientInformation(said) = parse(frame)?
        {
            distance = u32::from(said.information.view_distance);
        }
    }
    Err(ConnectionEnd::Malformed("it does not come to an end of its configuration".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for name in ["bot", "Bot_1", "ABCDEFGHIJKLMNOP"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "ab", "two words", "tab\t", "ABCDEFGHIJKLMNOPQ", "näme", "a§b", "a/../b"] {
            assert!(!is_name(name), "{name}");
        }
    }
}

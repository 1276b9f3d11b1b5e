//! Everything before the game: handshake, status or login, configuration.

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

use super::frame::{self, FrameError};
use super::options::ServerOptions;
use super::status::{self, Roster};
use super::{PROTOCOL, VERSION, registries};

/// The largest number of packets in a client's configuration.
const MOST_SETTINGS: usize = 64;
/// How long a connection stays open for its client to read why it is disconnected.
const FAREWELL: Duration = Duration::from_secs(1);

/// A client that has logged in.
pub(super) struct Guest {
    pub(super) name: String,
    pub(super) uuid: Uuid,
    /// The view distance the client asks for, in chunks.
    pub(super) distance: u32,
}

/// The reason why a connection ended.
#[derive(Debug, Error)]
pub(super) enum Ending {
    #[error("the client has gone")]
    Gone,
    #[error("it was sent away: {0}")]
    SentAway(String),
    #[error("others needed its place")]
    Crowded,
    #[error("what it sent makes no sense: {0}")]
    Nonsense(String),
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A connection's stream of packets.
pub(super) struct Wire<R, W> {
    from: BufReader<R>,
    to: W,
    frame: Vec<u8>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Wire<R, W> {
    pub(super) fn new(from: R, to: W) -> Self {
        Self { from: BufReader::new(from), to, frame: Vec::new() }
    }

    /// Splits it into its two directions.
    pub(super) fn split(self) -> (Wire<R, tokio::io::Sink>, W) {
        (Wire { from: self.from, to: tokio::io::sink(), frame: self.frame }, self.to)
    }

    /// The next frame's bytes.
    pub(super) async fn frame(&mut self) -> Result<&[u8], Ending> {
        match frame::read(&mut self.from, &mut self.frame).await? {
            true => Ok(&self.frame),
            false => Err(Ending::Gone),
        }
    }

    async fn read<P: ProtocolPacket>(&mut self) -> Result<P, Ending> {
        parse(self.frame().await?)
    }

    async fn write<P: ProtocolPacket + Debug>(&mut self, packet: impl Packet<P>) -> Result<(), Ending> {
        let frame = frame::of(&packet.into_variant())?;
        Ok(self.to.write_all(&frame).await?)
    }

    /// Ends the login with a reason the client shows.
    async fn send_away(&mut self, reason: String) -> Ending {
        let packet = ClientboundLoginDisconnect { reason: reason.as_str().into() };
        let sent = self.write::<ClientboundLoginPacket>(packet).await;
        self.drain().await;
        sent.err().unwrap_or(Ending::SentAway(reason))
    }

    /// Closes the sending side and reads on for a while, so that the last packet arrives.
    async fn drain(&mut self) {
        let _ = self.to.shutdown().await;
        let mut rest = [0; 1024];
        let to_the_end = async { while self.from.read(&mut rest).await.is_ok_and(|read| read > 0) {} };
        let _ = tokio::time::timeout(FAREWELL, to_the_end).await;
    }
}

fn parse<P: ProtocolPacket>(frame: &[u8]) -> Result<P, Ending> {
    let mut bytes = Cursor::new(frame);
    let id = u32::azalea_read_var(&mut bytes).map_err(|error| Ending::Nonsense(error.to_string()))?;
    P::read(id, &mut bytes).map_err(|error| Ending::Nonsense(error.to_string()))
}

/// Handles everything before the game. Returns `None` for a client that only asked for the status.
pub(super) async fn greet<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    wire: &mut Wire<R, W>,
    options: &ServerOptions,
    roster: &watch::Receiver<Roster>,
) -> Result<Option<Guest>, Ending> {
    let ServerboundHandshakePacket::Intention(ServerboundIntention { protocol_version, intention, .. }) =
        wire.read().await?;
    if intention == ClientIntention::Status {
        return tell_status(wire, options, roster).await.map(|()| None);
    }
    if protocol_version != PROTOCOL {
        let reason = format!(
            "This server speaks Minecraft {VERSION} (protocol {PROTOCOL}), and your client protocol {protocol_version}. \
             Join with Minecraft {VERSION}."
        );
        return Err(wire.send_away(reason).await);
    }
    let ServerboundLoginPacket::Hello(ServerboundHello { name, .. }) = wire.read().await? else {
        return Err(Ending::Nonsense("a login begins with a name".to_owned()));
    };
    if !is_name(&name) {
        let reason = "A player's name has 3 to 16 letters, digits and underscores.".to_owned();
        return Err(wire.send_away(reason).await);
    }
    let full = {
        let roster = roster.borrow();
        roster.players.len() >= options.max_players && !roster.players.iter().any(|(player, _)| *player == name)
    };
    if full {
        return Err(wire.send_away(format!("The server is full: {} players.", options.max_players)).await);
    }
    let uuid = azalea_crypto::offline::generate_uuid(&name);
    let game_profile = GameProfile::new(uuid, name.clone());
    wire.write::<ClientboundLoginPacket>(ClientboundLoginFinished { game_profile }).await?;
    loop {
        match wire.read().await? {
            ServerboundLoginPacket::LoginAcknowledged(_) => break,
            ServerboundLoginPacket::CookieResponse(_) | ServerboundLoginPacket::CustomQueryAnswer(_) => {}
            _ => return Err(Ending::Nonsense("the login is over".to_owned())),
        }
    }
    let distance = configure(wire, options).await?;
    Ok(Some(Guest { name, uuid, distance }))
}

/// Whether a player may have this name.
fn is_name(name: &str) -> bool {
    (3..=16).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

async fn tell_status<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    wire: &mut Wire<R, W>,
    options: &ServerOptions,
    roster: &watch::Receiver<Roster>,
) -> Result<(), Ending> {
    let mut told = false;
    loop {
        match wire.read().await {
            Ok(ServerboundStatusPacket::StatusRequest(_)) if !told => {
                let answer = status::answer(&options.description, options.max_players, &roster.borrow());
                wire.write::<ClientboundStatusPacket>(answer).await?;
                told = true;
            }
            Ok(ServerboundStatusPacket::StatusRequest(_)) => {
                return Err(Ending::Nonsense("the status has been told".to_owned()));
            }
            Ok(ServerboundStatusPacket::PingRequest(ping)) => {
                wire.write::<ClientboundStatusPacket>(ClientboundPongResponse { time: ping.time }).await?;
                wire.drain().await;
                return Ok(());
            }
            Err(Ending::Gone) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// Sends the registries and returns the client's view distance.
async fn configure<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    wire: &mut Wire<R, W>,
    options: &ServerOptions,
) -> Result<u32, Ending> {
    for registry in registries::all() {
        wire.write::<ClientboundConfigPacket>(registry).await?;
    }
    wire.write::<ClientboundConfigPacket>(ClientboundFinishConfiguration).await?;
    let done = Packet::<ServerboundConfigPacket>::into_variant(ServerboundFinishConfiguration).id();
    let settings = Packet::<ServerboundConfigPacket>::into_variant(ServerboundClientInformation {
        information: azalea_protocol::common::client_information::ClientInformation::default(),
    })
    .id();
    let mut distance = options.view_distance;
    for _ in 0..MOST_SETTINGS {
        let frame = wire.frame().await?;
        let id = u32::azalea_read_var(&mut Cursor::new(frame)).map_err(|error| Ending::Nonsense(error.to_string()))?;
        if id == done {
            return Ok(distance);
        }
        if id == settings
            && let ServerboundConfigPacket::ClientInformation(said) = parse(frame)?
        {
            distance = u32::from(said.information.view_distance);
        }
    }
    Err(Ending::Nonsense("it does not come to an end of its configuration".to_owned()))
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

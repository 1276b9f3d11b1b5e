//! A relay between client and server that offers the client a resource pack and handles its answer as servers do. Our
//! own server has no packs.

use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use azalea::protocol::packets::config::{self, ClientboundConfigPacket, ServerboundConfigPacket};
use azalea::protocol::packets::game::{self, ClientboundGamePacket, ServerboundGamePacket};
use azalea::protocol::packets::{Packet, ProtocolPacket, login};
use azalea::protocol::write::serialize_packet;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A resource pack, and the time at which it is offered.
#[derive(Clone, Debug)]
pub struct Pack {
    pub url: String,
    /// True if a client that declines it is disconnected.
    pub required: bool,
    /// True if it is offered during configuration, which then waits for the answer, instead of during the game.
    pub before_the_game: bool,
}

/// A relay at work, for as long as its runtime lives.
pub struct Relay {
    pub address: SocketAddr,
    answers: Arc<Mutex<Vec<String>>>,
}

impl Relay {
    pub async fn start(server: SocketAddr, pack: Pack) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let answers = Arc::<Mutex<Vec<String>>>::default();
        let heard = answers.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, server, pack.clone(), heard.clone()));
            }
        });
        Self { address, answers }
    }

    /// The clients' answers, in the game's terms.
    pub fn answers(&self) -> Vec<String> {
        self.answers.lock().unwrap().clone()
    }
}

async fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    pack: Pack,
    answers: Arc<Mutex<Vec<String>>>,
) -> io::Result<()> {
    let (mut server, asks_only) = connect(&mut client, server).await?;
    if asks_only {
        copy_bidirectional(&mut client, &mut server).await?;
        return Ok(());
    }
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let loaded = Notify::new();
    let down = async {
        pass_until(&mut from_server, &mut to_client, number(&login_finished())).await?;
        if pack.before_the_game {
            send(&mut to_client, &in_configuration(&pack)).await?;
            loaded.notified().await;
        }
        let finish: ClientboundConfigPacket = config::ClientboundFinishConfiguration.into_variant();
        pass_until(&mut from_server, &mut to_client, number(&finish)).await?;
        if !pack.before_the_game {
            let welcome = frame(&mut from_server).await?;
            send(&mut to_client, &welcome).await?;
            send(&mut to_client, &in_game(&pack)).await?;
        }
        tokio::io::copy(&mut from_server, &mut to_client).await
    };
    let hear = |answer: String| {
        let taken = ["Accepted", "SuccessfullyLoaded"].contains(&answer.as_str());
        if answer == "SuccessfullyLoaded" {
            loaded.notify_one();
        }
        answers.lock().unwrap().push(answer);
        if taken || !pack.required { Ok(()) } else { Err(io::Error::other("the pack is required")) }
    };
    let up = async {
        let acknowledged: login::ServerboundLoginPacket = login::ServerboundLoginAcknowledged.into_variant();
        pass_until(&mut from_client, &mut to_server, number(&acknowledged)).await?;
        let finish: ServerboundConfigPacket = config::ServerboundFinishConfiguration.into_variant();
        let mut playing = false;
        loop {
            let packet = frame(&mut from_client).await?;
            let answer = if playing { answer_in_game(&packet) } else { answer_in_configuration(&packet) };
            match answer {
                Some(answer) => hear(answer)?,
                None => send(&mut to_server, &packet).await?,
            }
            playing |= packet.first() == Some(&number(&finish));
        }
    };
    tokio::select! {
        ended = down => ended.map(|_| ()),
        ended = up => ended,
    }
}

/// Connects a client to the server and forwards its handshake. Also returns whether it only requests the status.
pub async fn connect(client: &mut TcpStream, server: SocketAddr) -> io::Result<(TcpStream, bool)> {
    let mut server = TcpStream::connect(server).await?;
    server.set_nodelay(true)?;
    client.set_nodelay(true)?;
    let handshake = frame(client).await?;
    send(&mut server, &handshake).await?;
    // The purpose of the handshake is its last byte: 1 is the status.
    Ok((server, handshake.last() == Some(&1)))
}

pub fn login_finished() -> login::ClientboundLoginPacket {
    let game_profile = azalea::auth::game_profile::GameProfile::new(Default::default(), String::new());
    login::ClientboundLoginFinished { game_profile }.into_variant()
}

fn in_configuration(pack: &Pack) -> Vec<u8> {
    let Pack { url, required, .. } = pack.clone();
    let (id, hash, prompt) = (Default::default(), String::new(), Some("Please take this.".into()));
    let packet: ClientboundConfigPacket =
        config::ClientboundResourcePackPush { id, url, hash, required, prompt }.into_variant();
    serialize_packet(&packet).unwrap().into_vec()
}

fn in_game(pack: &Pack) -> Vec<u8> {
    let Pack { url, required, .. } = pack.clone();
    let (id, hash, prompt) = (Default::default(), String::new(), Some("Please take this.".into()));
    let packet: ClientboundGamePacket =
        game::ClientboundResourcePackPush { id, url, hash, required, prompt }.into_variant();
    serialize_packet(&packet).unwrap().into_vec()
}

/// The client's answer to the offer, if the packet contains it.
fn answer_in_configuration(packet: &[u8]) -> Option<String> {
    match ServerboundConfigPacket::read(u32::from(packet[0]), &mut Cursor::new(&packet[1..])) {
        Ok(ServerboundConfigPacket::ResourcePack(answer)) => Some(format!("{:?}", answer.action)),
        _ => None,
    }
}

fn answer_in_game(packet: &[u8]) -> Option<String> {
    match ServerboundGamePacket::read(u32::from(packet[0]), &mut Cursor::new(&packet[1..])) {
        Ok(ServerboundGamePacket::ResourcePack(answer)) => Some(format!("{:?}", answer.action)),
        _ => None,
    }
}

/// A packet's number; all packets used here have a number of one byte.
pub fn number(packet: &impl ProtocolPacket) -> u8 {
    u8::try_from(packet.id()).unwrap()
}

/// Forwards packets up to and including the first of this number.
pub async fn pass_until(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    last: u8,
) -> io::Result<()> {
    loop {
        let packet = frame(from).await?;
        send(to, &packet).await?;
        if packet.first() == Some(&last) {
            return Ok(());
        }
    }
}

/// The next packet, its number first.
pub async fn frame(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let (mut length, mut shift) = (0usize, 0);
    loop {
        let byte = from.read_u8().await?;
        length |= usize::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    let mut packet = vec![0; length];
    from.read_exact(&mut packet).await?;
    Ok(packet)
}

pub async fn send(to: &mut (impl AsyncWrite + Unpin), packet: &[u8]) -> io::Result<()> {
    let mut frame = Vec::new();
    varint(packet.len(), &mut frame);
    frame.extend(packet);
    to.write_all(&frame).await
}

pub fn varint(mut number: usize, to: &mut Vec<u8>) {
    while number >= 128 {
        to.push(number as u8 | 128);
        number >>= 7;
    }
    to.push(number as u8);
}

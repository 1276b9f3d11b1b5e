//! A relay between client and server that decides packet by packet: what it leaves out, a server that knows only a part of
//! the game does not say; where it is cut, a process or a network ends.

use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::sync::Arc;

use azalea::protocol::packets::config::{self, ClientboundConfigPacket, ServerboundConfigPacket};
use azalea::protocol::packets::game::{ClientboundGamePacket, ServerboundGamePacket};
use azalea::protocol::packets::{Packet, ProtocolPacket, login};
use tokio::io::{BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::relay::{connect, frame, login_finished, number, pass_until, send};
use crate::scene::{Clock, Scene, client_options, server_options};

/// What becomes of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    Passed,
    LeftOut,
    /// Neither it nor anything after it is passed, in either direction.
    Cut,
}

/// The rules of a sieve; the first connection that logs in has the number 0.
pub trait Rules: Send + Sync + 'static {
    /// A packet to the client.
    fn down(&self, connection: usize, packet: &ClientboundGamePacket) -> Fate;
    /// A packet to the server.
    fn up(&self, _connection: usize, _packet: &ServerboundGamePacket) -> Fate {
        Fate::Passed
    }
}

/// Whether a packet to the client is passed.
impl<F: Fn(usize, &ClientboundGamePacket) -> bool + Send + Sync + 'static> Rules for F {
    fn down(&self, connection: usize, packet: &ClientboundGamePacket) -> Fate {
        if self(connection, packet) { Fate::Passed } else { Fate::LeftOut }
    }
}

/// The small world, and a client that hears only what is passed.
pub async fn sifted(passes: impl Fn(usize, &ClientboundGamePacket) -> bool + Send + Sync + 'static) -> Scene {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let address = start(server.address(), passes).await;
    let world = clock.join(client_options(address)).await;
    Scene { world, server, clock }
}

/// Starts a sieve, for as long as its runtime lives.
pub async fn start(server: SocketAddr, rules: impl Rules) -> SocketAddr {
    let rules = Arc::new(rules);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut connections = 0;
        while let Ok((mut client, _)) = listener.accept().await {
            let Ok((mut server, asks_only)) = connect(&mut client, server).await else { continue };
            if asks_only {
                tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
                continue;
            }
            tokio::spawn(pass(client, server, connections, rules.clone()));
            connections += 1;
        }
    });
    address
}

async fn pass(client: TcpStream, server: TcpStream, connection: usize, rules: Arc<impl Rules>) -> io::Result<()> {
    let (from_client, mut to_client) = client.into_split();
    let (from_server, mut to_server) = server.into_split();
    let (mut from_client, mut from_server) = (BufReader::new(from_client), BufReader::new(from_server));
    let down = async {
        pass_until(&mut from_server, &mut to_client, number(&login_finished())).await?;
        let finish: ClientboundConfigPacket = config::ClientboundFinishConfiguration.into_variant();
        pass_until(&mut from_server, &mut to_client, number(&finish)).await?;
        loop {
            let packet = frame(&mut from_server).await?;
            let read = ClientboundGamePacket::read(u32::from(packet[0]), &mut Cursor::new(&packet[1..]));
            let known = read.ok().filter(|_| packet[0] < 128);
            match known.map_or(Fate::Passed, |known| rules.down(connection, &known)) {
                Fate::Passed => send(&mut to_client, &packet).await?,
                Fate::LeftOut => {}
                Fate::Cut => return Ok::<_, io::Error>(()),
            }
        }
    };
    let up = async {
        let acknowledged: login::ServerboundLoginPacket = login::ServerboundLoginAcknowledged.into_variant();
        pass_until(&mut from_client, &mut to_server, number(&acknowledged)).await?;
        let finish: ServerboundConfigPacket = config::ServerboundFinishConfiguration.into_variant();
        pass_until(&mut from_client, &mut to_server, number(&finish)).await?;
        loop {
            let packet = frame(&mut from_client).await?;
            let read = ServerboundGamePacket::read(u32::from(packet[0]), &mut Cursor::new(&packet[1..]));
            match read.map_or(Fate::Passed, |known| rules.up(connection, &known)) {
                Fate::Passed => send(&mut to_server, &packet).await?,
                Fate::LeftOut => {}
                Fate::Cut => return Ok(()),
            }
        }
    };
    tokio::select! {
        ended = down => ended,
        ended = up => ended,
    }?;
    // It was cut: the server hears of the end when the client is gone.
    tokio::io::copy(&mut from_client, &mut tokio::io::sink()).await.map(|_| ())
}

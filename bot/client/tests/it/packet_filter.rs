//! A relay between client and server that forwards, drops or cuts at each packet. Dropped packets imitate servers that
//! lack a part of the game. A cut imitates the end of a process or a network failure.

use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::sync::Arc;

use azalea::protocol::packets::config::{self, ClientboundConfigPacket, ServerboundConfigPacket};
use azalea::protocol::packets::game::{ClientboundGamePacket, ServerboundGamePacket};
use azalea::protocol::packets::{Packet, ProtocolPacket, login};
use azalea::protocol::write::serialize_packet;
use ltlcrit_client::{ClientOptions, Reconnect};
use tokio::io::{BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::relay::{connect, frame, login_finished, number, pass_until, send};
use crate::scene::{Clock, Scene, client_options, server_options};

/// The treatment of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PacketAction {
    Forward,
    Drop,
    /// Neither this packet nor any later one is forwarded, in either direction.
    Cut,
}

/// The rules of a packet filter; the first connection that logs in has the number 0.
pub trait FilterRules: Send + Sync + 'static {
    /// A packet to the client.
    fn down(&self, connection: usize, packet: &ClientboundGamePacket) -> PacketAction;
    /// A packet to the server.
    fn up(&self, _connection: usize, _packet: &ServerboundGamePacket) -> PacketAction {
        PacketAction::Forward
    }
    /// Packets to the client that follow this one.
    fn after(&self, _packet: &ClientboundGamePacket) -> Vec<ClientboundGamePacket> {
        Vec::new()
    }
}

/// A rule that returns whether a packet to the client is passed.
impl<F: Fn(usize, &ClientboundGamePacket) -> bool + Send + Sync + 'static> FilterRules for F {
    fn down(&self, connection: usize, packet: &ClientboundGamePacket) -> PacketAction {
        if self(connection, packet) { PacketAction::Forward } else { PacketAction::Drop }
    }
}

/// The small world, and a client that receives only the packets that `passes` accepts.
pub async fn filtered_scene(passes: impl Fn(usize, &ClientboundGamePacket) -> bool + Send + Sync + 'static) -> Scene {
    scene_behind(passes).await
}

/// The small world, and a client behind a packet filter.
pub async fn scene_behind(rules: impl FilterRules) -> Scene {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let address = start(server.address(), rules).await;
    // The connection is never lost; a player that leaves by itself may come back.
    let reconnect = Reconnect { attempts: 0, ..Reconnect::default() };
    let world = clock.join(ClientOptions { reconnect, ..client_options(address) }).await;
    Scene { world, server, clock }
}

/// Starts a packet filter, for as long as its runtime lives.
pub async fn start(server: SocketAddr, rules: impl FilterRules) -> SocketAddr {
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

async fn pass(client: TcpStream, server: TcpStream, connection: usize, rules: Arc<impl FilterRules>) -> io::Result<()> {
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
            match known.as_ref().map_or(PacketAction::Forward, |known| rules.down(connection, known)) {
                PacketAction::Forward => send(&mut to_client, &packet).await?,
                PacketAction::Drop => {}
                PacketAction::Cut => return Ok::<_, io::Error>(()),
            }
            for more in known.iter().flat_map(|known| rules.after(known)) {
                send(&mut to_client, &serialize_packet(&more).map_err(io::Error::other)?).await?;
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
            match read.map_or(PacketAction::Forward, |known| rules.up(connection, &known)) {
                PacketAction::Forward => send(&mut to_server, &packet).await?,
                PacketAction::Drop => {}
                PacketAction::Cut => return Ok(()),
            }
        }
    };
    tokio::select! {
        ended = down => ended,
        ended = up => ended,
    }?;
    // After a cut, the server notices the end only when the client disconnects.
    tokio::io::copy(&mut from_client, &mut tokio::io::sink()).await.map(|_| ())
}

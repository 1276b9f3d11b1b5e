//! A sieve between client and server: it leaves out some of what the server says, as servers do that know only a part of
//! the game.

use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::sync::Arc;

use azalea::protocol::packets::config::{self, ClientboundConfigPacket};
use azalea::protocol::packets::game::ClientboundGamePacket;
use azalea::protocol::packets::{Packet, ProtocolPacket};
use ltlcrit_client::ClientWorld;
use ltlcrit_server::Server;
use ltlcrit_worlds::Interrupt;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

use super::relay::{frame, login_finished, number, pass_until, send};
use super::scene::{Scene, client_options, server_options};

/// Whether a packet is let through, of the connection of this number; the first is 0.
type Lets = dyn Fn(usize, &ClientboundGamePacket) -> bool + Send + Sync;

/// The small world, and a client that hears only what is let through.
pub async fn sifted(lets: impl Fn(usize, &ClientboundGamePacket) -> bool + Send + Sync + 'static) -> Scene {
    let server = Server::start(server_options()).unwrap();
    let address = start(server.address(), lets).await;
    let world = ClientWorld::join(client_options(address), Arc::new(Interrupt::new())).await.unwrap();
    Scene { world, server }
}

/// Starts a sieve, for as long as its runtime lives.
pub async fn start(
    server: SocketAddr,
    lets: impl Fn(usize, &ClientboundGamePacket) -> bool + Send + Sync + 'static,
) -> SocketAddr {
    let lets: Arc<Lets> = Arc::new(lets);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut connections = 0;
        while let Ok((mut client, _)) = listener.accept().await {
            let Ok(mut server) = TcpStream::connect(server).await else { return };
            let Ok(handshake) = frame(&mut client).await else { continue };
            if send(&mut server, &handshake).await.is_err() {
                continue;
            }
            // What the handshake is for is said last: 1 is the status.
            if handshake.last() == Some(&1) {
                tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
                continue;
            }
            tokio::spawn(pass(client, server, connections, lets.clone()));
            connections += 1;
        }
    });
    address
}

async fn pass(client: TcpStream, server: TcpStream, connection: usize, lets: Arc<Lets>) -> io::Result<()> {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let down = async {
        pass_until(&mut from_server, &mut to_client, number(&login_finished())).await?;
        let finish: ClientboundConfigPacket = config::ClientboundFinishConfiguration.into_variant();
        pass_until(&mut from_server, &mut to_client, number(&finish)).await?;
        loop {
            let packet = frame(&mut from_server).await?;
            let read = ClientboundGamePacket::read(u32::from(packet[0]), &mut Cursor::new(&packet[1..]));
            if packet[0] >= 128 || read.is_err() || read.is_ok_and(|read| lets(connection, &read)) {
                send(&mut to_client, &packet).await?;
            }
        }
    };
    tokio::select! {
        ended = down => ended,
        ended = tokio::io::copy(&mut from_client, &mut to_server) => ended.map(|_| ()),
    }
}

//! Servers that encrypt. Our own server does not, so a relay does it instead.

use std::net::SocketAddr;

use azalea::protocol::packets::login::{self, ClientboundLoginPacket, ServerboundLoginPacket};
use azalea::protocol::packets::{Packet, ProtocolPacket};
use azalea::protocol::write::serialize_packet;
use ltlcrit_worlds::World;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use super::relay::{connect, frame, send};
use super::scene::{Clock, Scene, client_options, server_options};

/// An RSA key of 1024 bits with the exponent 1, as DER: encryption leaves the padded data unchanged.
fn transparent_key() -> Vec<u8> {
    let tagged = |tag: u8, contents: &[u8]| {
        let length = contents.len() as u8;
        let mut der = vec![tag];
        if length >= 128 {
            der.extend([0x81, length])
        } else {
            der.push(length)
        }
        der.extend(contents);
        der
    };
    let modulus = tagged(2, &[&[0][..], &[0xFF; 128]].concat());
    let numbers = tagged(0x30, &[modulus, tagged(2, &[1])].concat());
    let algorithm = tagged(0x30, &[0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]);
    tagged(0x30, &[algorithm, tagged(3, &[&[0][..], &numbers].concat())].concat())
}

/// Starts a relay to a server that encrypts every login, for as long as its runtime lives.
async fn encrypting(server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let Ok((mut server, asks_only)) = connect(&mut client, server).await else { continue };
            if asks_only {
                tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
            } else {
                tokio::spawn(pass(client, server));
            }
        }
    });
    address
}

async fn pass(mut client: TcpStream, mut server: TcpStream) -> std::io::Result<()> {
    let hello = frame(&mut client).await?;
    send(&mut server, &hello).await?;
    let request: ClientboundLoginPacket = login::ClientboundHello {
        server_id: String::new(),
        public_key: transparent_key(),
        challenge: vec![1, 2, 3, 4],
        should_authenticate: false,
    }
    .into_variant();
    send(&mut client, &serialize_packet(&request).unwrap()).await?;
    let answer = frame(&mut client).await?;
    let answer = ServerboundLoginPacket::read(u32::from(answer[0]), &mut std::io::Cursor::new(&answer[1..]));
    let Ok(ServerboundLoginPacket::Key(key)) = answer else { panic!("{answer:?}") };
    assert!(key.encrypted_challenge.ends_with(&[1, 2, 3, 4]));
    let (mut encrypt, mut decrypt) = azalea_crypto::create_cipher(&key.key_bytes[key.key_bytes.len() - 16..]);
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let down = async {
        let mut bytes = vec![0; 1 << 14];
        loop {
            let count = from_server.read(&mut bytes).await?;
            azalea_crypto::encrypt_packet(&mut encrypt, &mut bytes[..count]);
            to_client.write_all(&bytes[..count]).await?;
            if count == 0 {
                return Ok(());
            }
        }
    };
    let up = async {
        let mut bytes = vec![0; 1 << 14];
        loop {
            let count = from_client.read(&mut bytes).await?;
            azalea_crypto::decrypt_packet(&mut decrypt, &mut bytes[..count]);
            to_server.write_all(&bytes[..count]).await?;
            if count == 0 {
                return Ok(());
            }
        }
    };
    tokio::select! {
        ended = down => ended,
        ended = up => ended,
    }
}

#[tokio::test]
async fn plays_on_an_encrypted_connection() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let address = encrypting(server.address()).await;
    let mut world = clock.join(client_options(address)).await;
    world.observe().await.unwrap();
    let mut scene = Scene { world, server, clock };
    scene.does("mine_log").await;
    assert_eq!(scene.world.reconnects(), 0);
}

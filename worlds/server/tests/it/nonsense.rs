//! Clients that send invalid data, too much data, or nothing: only their own connection is closed.

use std::time::Duration;

use azalea_protocol::packets::game::{ClientboundGamePacket, ServerboundMovePlayerPos};
use ltlcrit_server::{Server, ServerOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::wire::{compact, in_time, join};

/// The bytes of a handshake of protocol 775 that requests a login, and of a login as `raw`.
const HANDSHAKE: &[u8] = &[16, 0, 0x87, 0x06, 9, b'l', b'o', b'c', b'a', b'l', b'h', b'o', b's', b't', 0x63, 0xDD, 2];
const HELLO: &[u8] = &[21, 0, 3, b'r', b'a', b'w', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// The acknowledgements of the login and of the configuration.
const READY: &[u8] = &[1, 3, 1, 3];

/// Sends bytes and reads until the server closes.
async fn ends(server: &Server, parts: &[&[u8]]) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    for part in parts {
        // The server may close the connection before everything is sent.
        let _ = stream.write_all(part).await;
    }
    let mut answer = Vec::new();
    let _ = in_time(stream.read_to_end(&mut answer)).await;
    answer
}

#[tokio::test]
async fn nonsense_before_the_game_closes_that_connection() {
    let patience = Duration::from_secs(1);
    let server = crate::wire::server(ServerOptions { patience, ..ServerOptions::compact() });
    let mut bystander = join(&server, "bystander").await;
    let endless_name: Vec<u8> = [&[0xFF, 0x3F, 0, 0xFF, 0xFF, 0x03][..], &[b'x'; 3000]].concat();
    let table: &[(&str, &[&[u8]])] = &[
        ("nothing at all", &[]),
        ("a request for a web page", &[b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"]),
        ("an old client's ping", &[&[0xFE, 0x01, 0xFA]]),
        ("an endless length", &[&[0xFF; 16]]),
        ("no length", &[&[0]]),
        ("a frame that is far too long", &[&[0xFF, 0xFF, 0x7F], &[0; 4096]]),
        ("half a handshake", &[&HANDSHAKE[..7]]),
        ("a handshake with a wrong number", &[&[1, 9]]),
        ("a handshake for nothing there is", &[&HANDSHAKE[..16], &[7]]),
        ("a login without a name", &[HANDSHAKE, &[1, 0]]),
        ("a name without an end", &[HANDSHAKE, &endless_name]),
        ("bytes too many in a login", &[HANDSHAKE, &[22], &HELLO[1..], &[1]]),
        ("a key nobody asked for", &[HANDSHAKE, HELLO, &[4, 1, 1, 0, 0]]),
        ("an endless configuration", &[HANDSHAKE, HELLO, &[1, 3], &[1, 4].repeat(200)]),
    ];
    for (what, parts) in table {
        let mut parts = parts.to_vec();
        if *what == "nothing at all" {
            parts.push(&[]);
        }
        tokio::select! {
            _ = ends(&server, &parts) => {}
            () = async { while bystander.next().await.is_some() {} } => panic!("{what}: the bystander is gone"),
        }
        assert_eq!(server.players().unwrap(), ["bystander"], "{what}");
        bystander.settled().await;
    }
}

#[tokio::test]
async fn nonsense_in_the_game_closes_that_connection_and_says_why() {
    let server = compact();
    let mut bystander = join(&server, "bystander").await;
    let table: &[(&str, &[u8])] = &[
        ("a packet number nobody has", &[2, 0xC8, 0x01]),
        ("half a position", &[5, 30, 1, 2, 3, 4]),
        (
            "a position and more",
            &[27, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ),
        ("a click in a slot of nobody's", &[3, 18, 0xFF, 0xFF]),
        ("no length", &[0]),
        ("an endless length", &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ("a frame far too long", &[0xFF, 0xFF, 0x7F, 1, 2, 3]),
    ];
    for (what, bytes) in table {
        let answer = ends(&server, &[HANDSHAKE, HELLO, READY, bytes]).await;
        let told = String::from_utf8_lossy(&answer);
        assert!(told.contains("makes no sense"), "{what}: nothing was said");
        crate::wire::until(&mut bystander, what, || server.players().unwrap() == ["bystander"]).await;
    }
}

#[tokio::test]
async fn invalid_packets_affect_no_other_client() {
    let server = compact();
    let mut bystander = join(&server, "bystander").await;
    // A pseudo-random sequence with a fixed seed.
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..60 {
        let mut frames = Vec::new();
        for _ in 0..next() % 30 {
            let length = next() as usize % 40 + 1;
            frames.push(length as u8);
            frames.push((next() % 69) as u8);
            frames.extend((1..length).map(|_| next() as u8));
        }
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        for part in [HANDSHAKE, HELLO, READY, &frames] {
            let _ = stream.write_all(part).await;
        }
        drop(stream);
        bystander.settled().await;
    }
    crate::wire::until(&mut bystander, "the others to be gone", || server.players().unwrap() == ["bystander"]).await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected_without_delay_for_others() {
    let patience = Duration::from_millis(1500);
    let server = crate::wire::server(ServerOptions { patience, ..ServerOptions::compact() });
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    for part in [HANDSHAKE, HELLO, READY] {
        stream.write_all(part).await.unwrap();
    }
    let mut bystander = join(&server, "bystander").await;
    crate::wire::until(&mut bystander, "the deaf one to be gone", || server.players().unwrap() == ["bystander"]).await;
    drop(stream);
}

/// Half as many connections as there may be. Each sends some bytes and is then silent.
async fn crowd(server: &Server, parts: &[&[u8]]) -> Vec<TcpStream> {
    let mut crowd = Vec::new();
    for _ in 0..130 {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let _ = stream.write_all(&parts.concat()).await;
        crowd.push(stream);
    }
    crowd
}

#[tokio::test]
async fn idle_connections_do_not_block_new_ones() {
    // A short view distance, so that every player receives all chunks.
    let server = crate::wire::server(ServerOptions { view_distance: 2, ..ServerOptions::compact() });
    for (what, parts) in [
        ("nothing said", &[][..]),
        ("half a handshake", &[&HANDSHAKE[..7]]),
        ("only a name", &[HANDSHAKE, HELLO]),
        ("in and not reading, one after the other under one name", &[HANDSHAKE, HELLO, READY]),
    ] {
        let crowd = crowd(&server, parts).await;
        let honest = in_time(crate::wire::try_join(server.address(), "honest")).await;
        assert!(honest.is_ok(), "{what}: {:?}", honest.err());
        drop(crowd);
    }
}

/// A full server closes new connections at once, until it has closed those that do not log in.
#[tokio::test]
async fn too_many_connections_are_closed() {
    let patience = Duration::from_millis(500);
    let server = crate::wire::server(ServerOptions { patience, ..ServerOptions::compact() });
    let crowds = [crowd(&server, &[]).await, crowd(&server, &[]).await];
    let mut late = TcpStream::connect(server.address()).await.unwrap();
    assert!(!matches!(in_time(late.read(&mut [0; 16])).await, Ok(1..)), "closed without a word");
    for mut stream in crowds.into_iter().flatten() {
        // Each is closed after its time.
        let _ = in_time(stream.read(&mut [0; 16])).await;
    }
    assert!(in_time(crate::wire::try_join(server.address(), "honest")).await.is_ok());
}

#[tokio::test]
async fn one_client_cannot_drown_the_others() {
    let server = compact();
    let mut flood = join(&server, "flood").await;
    let mut bystander = join(&server, "bystander").await;
    let at = flood.at;
    let flooding = async move {
        for _ in 0..50_000 {
            flood.say(ServerboundMovePlayerPos { pos: at, flags: Default::default() }).await;
        }
    };
    let answered = async {
        for _ in 0..20 {
            bystander.settled().await;
        }
        let heard = bystander.settled().await;
        heard.iter().filter(|packet| matches!(packet, ClientboundGamePacket::Disconnect(_))).count()
    };
    let (flooded, disconnects) = tokio::join!(tokio::time::timeout(crate::wire::DEADLINE, flooding), answered);
    assert_eq!(disconnects, 0);
    assert!(flooded.is_ok(), "the flood was taken in");
}

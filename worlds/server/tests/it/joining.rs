//! Joining a server: status, login, configuration, the land, and leaving.

use std::time::Duration;

use azalea_protocol::connect::Connection;
use azalea_protocol::packets::game::ClientboundGamePacket;
use azalea_protocol::packets::login::{ClientboundLoginPacket, ServerboundHello};
use azalea_protocol::packets::status::s_ping_request::ServerboundPingRequest;
use azalea_protocol::packets::status::s_status_request::ServerboundStatusRequest;
use azalea_protocol::packets::status::{ClientboundStatusPacket, c_status_response::ClientboundStatusResponse};
use azalea_protocol::packets::{ClientIntention, PROTOCOL_VERSION};
use azalea_registry::builtin::BlockKind;
use ltlcrit_server::{Server, ServerOptions};
use tokio::net::TcpStream;

use crate::wire::{compact, in_time, intention, join, try_join};

async fn status(server: &Server, protocol: i32) -> ClientboundStatusResponse {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let mut connection = Connection::new_from_stream(stream).await.unwrap();
    connection.write(intention(protocol, ClientIntention::Status)).await.unwrap();
    let mut connection = connection.status();
    connection.write(ServerboundStatusRequest).await.unwrap();
    let ClientboundStatusPacket::StatusResponse(answer) = in_time(connection.read()).await.unwrap() else {
        panic!("no status");
    };
    connection.write(ServerboundPingRequest { time: 42 }).await.unwrap();
    let ClientboundStatusPacket::PongResponse(pong) = in_time(connection.read()).await.unwrap() else {
        panic!("no pong");
    };
    assert_eq!(pong.time, 42);
    answer
}

#[tokio::test]
async fn the_status_tells_version_and_players() {
    let server = compact();
    let empty = status(&server, PROTOCOL_VERSION).await;
    assert_eq!((empty.players.online, empty.players.max), (0, 20));
    let _client = join(&server, "somebody").await;
    let one = status(&server, PROTOCOL_VERSION).await;
    assert_eq!(one.players.online, 1);
    assert_eq!(one.players.sample[0].name, "somebody");
    let other_version = status(&server, 3).await;
    assert_eq!((other_version.version.name.as_str(), other_version.version.protocol), ("26.1", 775));
}

#[tokio::test]
async fn another_version_is_told_which_one_to_use() {
    let server = compact();
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let mut connection = Connection::new_from_stream(stream).await.unwrap();
    connection.write(intention(774, ClientIntention::Login)).await.unwrap();
    let mut connection = connection.login();
    let hello = ServerboundHello { name: "oldtimer".to_owned(), profile_id: uuid::Uuid::nil() };
    connection.write(hello).await.unwrap();
    let ClientboundLoginPacket::LoginDisconnect(refused) = in_time(connection.read()).await.unwrap() else {
        panic!("let in");
    };
    let reason = refused.reason.to_string();
    assert!(reason.contains("26.1") && reason.contains("774"), "{reason}");
}

#[tokio::test]
async fn one_stands_on_the_land_with_the_land_around() {
    let server = compact();
    let mut client = join(&server, "visitor").await;
    let names: Vec<String> = client.registries.iter().map(|registry| registry.registry_id.to_string()).collect();
    assert_eq!(names, ["minecraft:dimension_type", "minecraft:worldgen/biome", "minecraft:damage_type"]);
    let feet = client.feet();
    let kind = |state: azalea_block::BlockState| state.as_block_kind();
    assert_eq!(client.block(feet.x, feet.y, feet.z).map(kind), Some(BlockKind::Air));
    assert_eq!(client.block(feet.x, feet.y - 1, feet.z).map(kind), Some(BlockKind::GrassBlock));
    assert_eq!(client.block(feet.x, -64, feet.z).map(kind), Some(BlockKind::Bedrock));
    // Finally, all chunks within the view distance have arrived, each once.
    let far = 2 * 4 + 1;
    while client.chunks.len() < far * far {
        client
            .wait("more chunks", |packet| matches!(packet, ClientboundGamePacket::ChunkBatchFinished(_)).then_some(()))
            .await;
    }
    client.settled().await;
    assert_eq!(client.chunks.len(), far * far);
}

#[tokio::test]
async fn a_full_server_says_so_and_names_are_taken_over() {
    let server = crate::wire::server(ServerOptions { max_players: 2, ..ServerOptions::compact() });
    let mut first = join(&server, "first").await;
    let _second = join(&server, "second").await;
    let refused = try_join(server.address(), "third").await.err().unwrap();
    assert!(refused.contains("full"), "{refused}");
    let _again = join(&server, "first").await;
    assert_eq!(first.closed().await.as_deref(), Some("You logged in from another place."));
    let refused = try_join(server.address(), "no spaces").await.err().unwrap();
    assert!(refused.contains("name"), "{refused}");
}

/// The unit tests check the exact time with a manual clock; this time limit is long enough for a busy machine.
#[tokio::test]
async fn a_client_without_keep_alive_answers_is_disconnected() {
    let patience = Duration::from_secs(3);
    let server = crate::wire::server(ServerOptions { patience, ..ServerOptions::compact() });
    let mut dead = join(&server, "dead").await;
    dead.answers = false;
    // This client joins last, because it answers only while it listens.
    let mut lively = join(&server, "lively").await;
    let heard = async {
        loop {
            match lively.next().await.expect("the lively one stays") {
                // The third comes only after the answers to the first two, when the silent client has timed out.
                ClientboundGamePacket::KeepAlive(asked) if asked.id == 3 => break,
                _ => {}
            }
        }
    };
    let (reason, ()) = tokio::join!(dead.closed(), heard);
    assert_eq!(reason.as_deref(), Some("Timed out"));
    lively.settled().await;
}

#[tokio::test]
async fn stopping_sends_everybody_away() {
    let server = compact();
    let mut client = join(&server, "visitor").await;
    let address = server.address();
    tokio::task::spawn_blocking(move || server.stop().unwrap()).await.unwrap();
    assert_eq!(client.closed().await.as_deref(), Some("The server stops."));
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

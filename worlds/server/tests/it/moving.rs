//! Movement on a server: possible moves are accepted, impossible ones are corrected.

use azalea_core::position::Vec3;
use azalea_protocol::common::movements::MoveFlags;
use azalea_protocol::packets::game::{ClientboundGamePacket, ServerboundAcceptTeleportation, ServerboundMovePlayerPos};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_server::Server;

use crate::wire::{Client, FLOOR, compact, join};

/// A floor of stone with a wall two blocks high to the east of its middle, and a client in its middle.
async fn scene() -> (Server, Client) {
    let server = compact();
    let client = crate::wire::scene(&server, Block::Stone).await;
    for z in 0..16 {
        for y in 0..2 {
            server.set_block(BlockPos::new(11, FLOOR + y, z), Block::Stone).unwrap();
        }
    }
    (server, client)
}

fn moved(packet: &ClientboundGamePacket) -> Option<Vec3> {
    match packet {
        ClientboundGamePacket::PlayerPosition(moved) => Some(moved.change.pos),
        _ => None,
    }
}

/// Moves in steps, as clients do. Returns the position to which the server moves the client back, if any.
async fn walk(client: &mut Client, steps: &[[f64; 3]]) -> Option<[f64; 3]> {
    let start = client.at;
    for [x, y, z] in steps {
        client.go(start.x + x, start.y + y, start.z + z).await;
    }
    let heard = client.settled().await;
    let put_back = heard.iter().find_map(moved).map(|at| [at.x - start.x, at.y - start.y, at.z - start.z]);
    client.heard.clear();
    // Positions sent before the correction arrived are ignored.
    client.at = if let Some([x, y, z]) = put_back { start + Vec3 { x, y, z } } else { client.at };
    put_back
}

#[tokio::test]
async fn walking_and_jumping_are_believed() {
    let (server, mut client) = scene().await;
    let ahead: Vec<[f64; 3]> = (1..=10).map(|step| [0.0, 0.0, 0.28 * f64::from(step)]).collect();
    assert_eq!(walk(&mut client, &ahead).await, None);
    // A jump as in the game's physics.
    let mut jump = Vec::new();
    let (mut height, mut speed) = (0.0, 0.42);
    while height >= 0.0 {
        jump.push([0.0, height, 0.0]);
        height += speed;
        speed = (speed - 0.08) * 0.98;
    }
    jump.push([0.0, 0.0, 0.0]);
    for _ in 0..3 {
        assert_eq!(walk(&mut client, &jump).await, None);
    }
    let [x, y, z] = server.position("player").unwrap();
    assert_eq!((x, y), (8.5, f64::from(FLOOR)));
    assert!((z - 11.3).abs() < 1e-9);
}

#[tokio::test]
async fn moves_through_walls_or_floors_are_refused() {
    let (server, mut client) = scene().await;
    assert_eq!(walk(&mut client, &[[1.0, 0.0, 0.0], [2.1, 0.0, 0.0]]).await, None, "up to the wall");
    assert_eq!(walk(&mut client, &[[2.0, 0.0, 0.0]]).await, Some([0.0; 3]), "not through it");
    assert_eq!(walk(&mut client, &[[0.5, 0.0, 0.0]]).await, Some([0.0; 3]), "nor into it");
    assert_eq!(walk(&mut client, &[[0.0, -1.5, 0.0]]).await, Some([0.0; 3]), "nor into the floor");
    assert_eq!(server.position("player").unwrap(), [10.6, f64::from(FLOOR), 8.5]);
    server.set_block(BlockPos::new(11, FLOOR, 8), Block::Air).unwrap();
    server.set_block(BlockPos::new(11, FLOOR + 1, 8), Block::Air).unwrap();
    assert_eq!(walk(&mut client, &[[1.0, 0.0, 0.0]]).await, None, "through a gap");
}

#[tokio::test]
async fn moves_faster_than_a_player_are_refused() {
    let (_server, mut client) = scene().await;
    assert_eq!(walk(&mut client, &[[0.0, 0.0, 6.0]]).await, Some([0.0; 3]), "in one leap");
    let there_and_back: Vec<[f64; 3]> = (0..40).map(|step| [0.0, 0.0, f64::from(step % 2)]).collect();
    assert!(walk(&mut client, &there_and_back).await.is_some(), "forty blocks at once");
}

#[tokio::test]
async fn flying_is_refused() {
    let (_server, mut client) = scene().await;
    let up: Vec<[f64; 3]> = (1..=10).map(|step| [0.0, 0.3 * f64::from(step), 0.0]).collect();
    assert_eq!(walk(&mut client, &up).await, Some([0.0; 3]), "put back on the floor");
    let hover: Vec<[f64; 3]> = (0..40).map(|_| [0.0, 1.0, 0.0]).collect();
    assert_eq!(walk(&mut client, &hover).await, Some([0.0; 3]));
    // A client that sends nothing does not stay in the air.
    assert_eq!(walk(&mut client, &[[0.0, 1.0, 0.0]]).await, None);
    client.wait("being let down", |packet| moved(packet).filter(|at| at.y == f64::from(FLOOR))).await;
}

#[tokio::test]
async fn moves_before_a_confirmed_teleport_are_ignored() {
    let (server, mut client) = scene().await;
    client.answers = false;
    server.teleport("player", [4.5, f64::from(FLOOR), 4.5]).unwrap();
    let id = client
        .wait("a move", |packet| match packet {
            ClientboundGamePacket::PlayerPosition(moved) => Some(moved.id),
            _ => None,
        })
        .await;
    client.go(8.6, f64::from(FLOOR), 8.5).await;
    client.settled().await;
    assert_eq!(server.position("player").unwrap(), [4.5, f64::from(FLOOR), 4.5]);
    let again = client
        .wait("being told again", |packet| match packet {
            ClientboundGamePacket::PlayerPosition(moved) => Some(moved.id),
            _ => None,
        })
        .await;
    assert_eq!(again, id);
    client.say(ServerboundAcceptTeleportation { id }).await;
    client.go(4.6, f64::from(FLOOR), 4.5).await;
    client.settled().await;
    assert_eq!(server.position("player").unwrap(), [4.6, f64::from(FLOOR), 4.5]);
}

#[tokio::test]
async fn places_that_are_none_end_the_connection() {
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let (_server, mut client) = scene().await;
        let flags = MoveFlags::default();
        client.say(ServerboundMovePlayerPos { pos: Vec3 { x: bad, y: 80.0, z: 0.0 }, flags }).await;
        assert_eq!(client.closed().await.as_deref(), Some("Your client sent an invalid position."));
    }
}

#[tokio::test]
async fn the_land_comes_along() {
    let server = compact();
    let mut client = join(&server, "player").await;
    let [x, y, z] = server.position("player").unwrap();
    server.teleport("player", [x + 320.0, y + 20.0, z]).unwrap();
    client
        .wait("new land", |packet| match packet {
            ClientboundGamePacket::LevelChunkWithLight(chunk) => (chunk.x == (x as i32 + 320) >> 4).then_some(()),
            _ => None,
        })
        .await;
    let near: Vec<i32> = client.chunks.iter().map(|((cx, _), _)| *cx).filter(|cx| *cx <= 10).collect();
    assert!(near.is_empty(), "what is far away is forgotten: {near:?}");
}

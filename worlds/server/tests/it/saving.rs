//! Saved worlds: their content after a stop or a crash, and unusable save files.

use std::fs;
use std::path::Path;
use std::time::Duration;

use azalea_core::direction::Direction;
use azalea_protocol::packets::game::s_player_action::Action;
use azalea_protocol::packets::game::{ClientboundGamePacket, ServerboundSetCarriedItem};
use azalea_registry::builtin::BlockKind;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_server::{Server, ServerError, ServerOptions};

use crate::wire::{CENTRE, FLOOR, carried, in_time, join, place, scene, ticks, until, wire};

fn options(path: &Path) -> ServerOptions {
    ServerOptions {
        save: Some(path.to_owned()),
        save_every: Duration::from_millis(50),
        ticks_per_second: 100,
        ..ServerOptions::compact()
    }
}

#[tokio::test]
async fn everything_is_found_again_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world");
    let server = Server::start(options(&path)).unwrap();
    let mut client = scene(&server, Block::Stone).await;
    server.give("player", Item::Furnace, 1).unwrap();
    server.give("player", Item::WoodenPickaxe, 1).unwrap();
    server.give("player", Item::Diamond, 5).unwrap();
    let furnace = CENTRE.offset(2, 0, 0);
    client.use_on(wire(furnace.down()), Direction::Up, 1).await;
    assert_eq!(client.acknowledged(wire(furnace), 1).await, BlockKind::Furnace);
    // Uses the tool once.
    client.say(ServerboundSetCarriedItem { slot: 1 }).await;
    let leaves = CENTRE.offset(0, 0, 2);
    server.set_block(leaves, Block::OakLeaves).unwrap();
    client.act(Action::StartDestroyBlock, wire(leaves), 2).await;
    client.act(Action::StopDestroyBlock, wire(leaves), 3).await;
    client.becomes(wire(leaves), BlockKind::Air).await;
    // Flowing water, and a dropped item.
    for (x, z) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        server.set_block(CENTRE.offset(-4 + x, 0, z), Block::Stone).unwrap();
    }
    server.set_block(CENTRE.offset(-4, 0, 0), Block::Water).unwrap();
    client.look(0.0, 0.0).await;
    client.say(ServerboundSetCarriedItem { slot: 2 }).await;
    client.act(Action::DropItem, wire(CENTRE), 4).await;
    client.settled().await;
    server.set_health("player", 13).unwrap();
    place(&server, &mut client, [3.5, f64::from(FLOOR), 12.25]).await;
    let tick = server.ticks().unwrap();
    server.set_block(CENTRE.offset(-5, 0, 0), Block::Air).unwrap();
    let before = server.inventory("player").unwrap();
    tokio::task::spawn_blocking(move || server.stop().unwrap()).await.unwrap();
    assert!(path.exists() && !folder.path().join("world.new").exists());

    let server = Server::start(options(&path)).unwrap();
    assert!(server.ticks().unwrap() >= tick);
    assert_eq!(server.block(furnace).unwrap(), Block::Furnace);
    let mut client = join(&server, "player").await;
    assert_eq!(server.position("player").unwrap(), [3.5, f64::from(FLOOR), 12.25]);
    assert_eq!(server.health("player").unwrap(), 13);
    assert_eq!(server.inventory("player").unwrap(), before);
    assert_eq!(before[1].map(|stack| (stack.item, stack.wear)), Some((Item::WoodenPickaxe, 1)));
    until(&mut client, "the water to flow on", || server.block(CENTRE.offset(-6, 0, 0)).unwrap() == Block::Water).await;
    place(&server, &mut client, [8.5, f64::from(FLOOR), 11.5]).await;
    until(&mut client, "the thrown diamond", || carried(&server, "player", Item::Diamond) == 5).await;
}

#[tokio::test]
async fn a_killed_server_comes_back_with_what_was_saved_last() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world");
    let server = Server::start(options(&path)).unwrap();
    let address = server.address();
    let mut client = scene(&server, Block::Stone).await;
    server.give("player", Item::IronIngot, 3).unwrap();
    // Waits for a save that includes all of this.
    until(&mut client, "a saving", || fs::read_to_string(&path).is_ok_and(|text| text.contains("iron_ingot"))).await;
    tokio::task::spawn_blocking(move || server.stop_abruptly().unwrap()).await.unwrap();
    assert_eq!(client.closed().await, None, "not a word");
    let server = Server::start(ServerOptions { bind: address, ..options(&path) }).unwrap();
    let _client = join(&server, "player").await;
    assert_eq!(carried(&server, "player", Item::IronIngot), 3);
    assert_eq!(server.block(CENTRE.offset(1, -1, 1)).unwrap(), Block::Stone);
}

#[tokio::test]
async fn coming_and_going_keeps_what_one_has() {
    let server = crate::wire::compact();
    let mut client = scene(&server, Block::Stone).await;
    server.give("player", Item::Coal, 7).unwrap();
    place(&server, &mut client, [5.5, f64::from(FLOOR), 5.5]).await;
    drop(client);
    in_time(async {
        while !server.players().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    let mut client = join(&server, "player").await;
    assert_eq!(server.position("player").unwrap(), [5.5, f64::from(FLOOR), 5.5]);
    let told = client
        .wait("the inventory", |packet| match packet {
            ClientboundGamePacket::ContainerSetContent(content) => Some(content.items[36].count()),
            _ => None,
        })
        .await;
    assert_eq!(told, 7);
    ticks(&server, &mut client, 2).await;
    assert_eq!(carried(&server, "player", Item::Coal), 7);
}

#[test]
fn a_damaged_or_foreign_file_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world");
    Server::start(options(&path)).unwrap().stop().unwrap();
    let good = fs::read(&path).unwrap();
    let refusal = |bytes: &[u8], options: ServerOptions| {
        fs::write(&path, bytes).unwrap();
        let error = Server::start(options).expect_err("it was taken");
        assert_eq!(fs::read(&path).unwrap(), bytes, "it is left as it is");
        assert!(matches!(error, ServerError::Save(_)));
        error.to_string()
    };
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 4;
    for (bytes, why) in [
        (&good[..good.len() - 1], "its checksum is wrong"),
        (&flipped[..], "its checksum is wrong"),
        (&good[..5], "it has no first line"),
        (b"", "it has no first line"),
        (b"level.dat\n\x00\x01", "it does not begin with"),
        (b"ltlcrit world 1 xyz\n{}", "its checksum cannot be read"),
    ] {
        let told = refusal(bytes, options(&path));
        assert!(told.contains(why) && told.contains("damaged") && told.contains("world"), "{told}");
    }
    // Correct checksums over invalid contents.
    let signed = |body: &str| format!("ltlcrit world 1 {:08x}\n{body}", crc32fast::hash(body.as_bytes()));
    let text = String::from_utf8(good.clone()).unwrap();
    let body = text.split_once('\n').unwrap().1;
    for (from, to, why) in [
        ("\"blocks\":[]", "\"blocks\":[[[0,70,0],\"cheese\"]]", "there is no block cheese"),
        (
            "\"drops\":[]",
            "\"drops\":[{\"at\":[0,70,0],\"speed\":[0,0,0],\"stack\":[\"stick\",65,0]}]",
            "no stack of 65 stick",
        ),
        (
            "\"drops\":[]",
            "\"drops\":[{\"at\":[0,70,0],\"speed\":[0,0,0],\"stack\":[\"wooden_pickaxe\",1,59]}]",
            "worn by 59",
        ),
        (
            "\"drops\":[]",
            "\"drops\":[{\"at\":[0,7e70,0],\"speed\":[0,0,0],\"stack\":[\"stick\",1,0]}]",
            "there is no place",
        ),
        ("\"tick\"", "\"tock\"", "tock"),
    ] {
        let broken = body.replace(from, to);
        assert_ne!(broken, body);
        let told = refusal(signed(&broken).as_bytes(), options(&path));
        assert!(told.contains(why), "{told}");
    }
    let told = refusal(&good, ServerOptions { seed: 2, ..options(&path) });
    assert!(told.contains("seed 1 and compact terrain"), "{told}");
    // The valid file can still be read.
    fs::write(&path, &good).unwrap();
    Server::start(options(&path)).unwrap().stop().unwrap();
}

#[test]
fn one_file_belongs_to_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world");
    let first = Server::start(options(&path)).unwrap();
    let told = Server::start(options(&path)).err().unwrap().to_string();
    assert!(told.contains("another server"), "{told}");
    first.stop().unwrap();
    Server::start(options(&path)).unwrap().stop().unwrap();
}

/// A server can start, or fail to start, inside another runtime.
#[tokio::test]
async fn starting_in_vain_is_an_error_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "no folder").unwrap();
    let told = Server::start(options(&folder.path().join("file/world"))).err().unwrap().to_string();
    assert!(told.contains("file/world"), "{told}");
}

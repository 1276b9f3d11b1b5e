//! Servers that omit packets or are slow.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use azalea::protocol::packets::game::ClientboundGamePacket;
use ltlcrit_client::ClientOptions;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::vocabulary;
use ltlcrit_worlds::World;

use super::packet_filter::{filtered_scene, start};
use super::scene::{Clock, NAME, Scene, Warnings, client_options, meadow, server_options};

/// A server that is slow to send the player's position gets more time than a silent one, as long as it sends packets.
#[tokio::test]
async fn waits_to_be_placed_while_the_server_is_at_work() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let told = AtomicBool::new(false);
    let address = start(server.address(), move |_: usize, packet: &ClientboundGamePacket| match packet {
        ClientboundGamePacket::PlayerPosition(_) => told.swap(true, Ordering::Relaxed),
        _ => true,
    })
    .await;
    let options = ClientOptions { patience: Duration::from_secs(4), ..client_options(address) };
    let place = async {
        clock.until("it has come", || server.players().unwrap() == [NAME]).await;
        // Eight seconds.
        clock.ticks(160).await;
        let spawn = server.position(NAME).unwrap();
        server.teleport(NAME, spawn).unwrap();
    };
    let (world, ()) = tokio::join!(clock.join(options), place);
    let mut scene = Scene { world, server, clock };
    scene.does("mine_log").await;
}

/// A body in a chunk that does not arrive cannot move: the player joins again.
#[tokio::test]
async fn joins_again_if_its_own_land_does_not_come() {
    let spawn = meadow().await.look().await.position;
    let (x, z) = (spawn.x >> 4, spawn.z >> 4);
    let mut scene = filtered_scene(move |connection, packet| match packet {
        ClientboundGamePacket::LevelChunkWithLight(chunk) => connection > 0 || (chunk.x, chunk.z) != (x, z),
        _ => true,
    })
    .await;
    let warnings = Warnings::listen();
    scene.does("mine_log").await;
    assert_eq!((scene.carries(Item::OakLog), scene.world.reconnects()), (1, 1));
    assert_eq!(warnings.text(), "", "all went well");
}

/// The player also joins again after a death if the server assumes that it has kept its chunks.
#[tokio::test]
async fn joins_again_if_land_does_not_come_after_a_death() {
    let spawn = meadow().await.look().await.position;
    let beside = (spawn.x >> 4, (spawn.z >> 4) + 1);
    let died = AtomicBool::new(false);
    let mut scene = filtered_scene(move |connection, packet| match packet {
        ClientboundGamePacket::Respawn(_) => {
            died.store(true, Ordering::Relaxed);
            true
        }
        ClientboundGamePacket::LevelChunkWithLight(chunk) => {
            connection > 0 || !died.load(Ordering::Relaxed) || (chunk.x, chunk.z) != beside
        }
        _ => true,
    })
    .await;
    scene.look().await;
    scene.server.set_health(NAME, 0).unwrap();
    scene.clock.until("the player has died", || scene.world.deaths() == 1).await;
    let told = scene.act("mine_log").await;
    assert!(told.message.starts_with("Before this action you died and respawned. Mined 1 oak_log."), "{told:?}");
    assert_eq!(told.deaths, 1, "it counts in the run's summary");
    assert_eq!(scene.does("mine_log").await.find("died"), None, "it is told once");
    assert_eq!((scene.carries(Item::OakLog), scene.world.reconnects(), scene.world.deaths()), (2, 1, 1));
}

/// If the server does not send an existing fire, unneeded fuel is taken out again.
#[tokio::test]
async fn takes_along_fuel_that_was_not_needed() {
    let mut scene = filtered_scene(|_, packet| !matches!(packet, ClientboundGamePacket::ContainerSetData(_))).await;
    scene.give(&[(Item::Furnace, 1), (Item::RawIron, 3), (Item::Coal, 2)]).await;
    scene.does("place_furnace").await;
    for (ingots, coal) in [(1, 1), (2, 1), (3, 1)] {
        scene.does("smelt_iron").await;
        assert_eq!(
            [Item::IronIngot, Item::Coal, Item::RawIron].map(|item| scene.carries(item)),
            [ingots, coal, 3 - ingots]
        );
        assert_eq!(scene.look().await.inventory["coal"], coal);
    }
}

/// Items that an interrupted smelting left in the furnace do not block the next one.
#[tokio::test]
async fn smelts_where_it_left_something_behind() {
    let mut scene = meadow().await;
    scene.give(&[(Item::Furnace, 1), (Item::RawIron, 2), (Item::Coal, 2)]).await;
    scene.does("place_furnace").await;
    let smelt = vocabulary().action("action_smelt_iron").unwrap();
    let server = &scene.server;
    let put_in = scene.clock.until("the ore is in the furnace", || {
        let slots = server.inventory(NAME).unwrap();
        slots.iter().flatten().filter(|stack| stack.item == Item::RawIron).map(|stack| stack.count).sum::<u32>() == 1
    });
    tokio::select! {
        outcome = scene.world.execute(smelt) => panic!("it should have been broken off: {outcome:?}"),
        () = put_in => {}
    }
    scene.does("smelt_iron").await;
    assert_eq!(scene.carries(Item::IronIngot) + scene.carries(Item::RawIron), 2);
    assert!(scene.carries(Item::IronIngot) > 0 && scene.carries(Item::Coal) > 0);
}

/// A server under load: its clock runs at a fifth of the speed of the client's.
#[tokio::test]
async fn works_where_time_passes_slowly() {
    let clock = Clock::start();
    let server = clock.serve_slowly(server_options(), 5);
    let world = clock.join(client_options(server.address())).await;
    let mut scene = Scene { world, server, clock };
    for name in ["mine_log", "mine_log", "craft_planks", "craft_crafting_table", "place_crafting_table"] {
        scene.does(name).await;
    }
    scene.give(&[(Item::Furnace, 1), (Item::RawIron, 1), (Item::Coal, 1)]).await;
    scene.does("place_furnace").await;
    assert_eq!(scene.does("smelt_iron").await, "Smelted 1 iron_ingot, burning coal.");
}

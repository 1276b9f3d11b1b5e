//! Deep water on a server. All times are game ticks.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;

use super::scene::{Clock, NAME, Scene, arena, client_options, server_options};

/// A player that joins over deep water does not sink before its first action, however long that takes.
#[tokio::test]
async fn stays_afloat_from_joining_on() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let mut first = Scene { world: clock.join_as("first", &server).await, server, clock };
    let spawn = first.look().await.position;
    for (x, z) in (-4..=4).flat_map(|x| (-4..=4).map(move |z| (x, z))) {
        for y in -30..=-1 {
            first.server.set_block(spawn.offset(x, y, z), Block::Water).unwrap();
        }
    }
    let Scene { server, clock, .. } = first;
    let world = clock.join(client_options(server.address())).await;
    clock.ticks(400).await;
    let mut scene = Scene { world, server, clock };
    let seen = scene.look().await;
    assert!((seen.health, seen.air) == (20.0, 300) && !seen.head_in_water, "{seen}");
    assert!(seen.position.y >= spawn.y - 3, "{seen}");
    // Nor while it thinks.
    scene.clock.ticks(400).await;
    let seen = scene.look().await;
    assert!((seen.health, seen.air) == (20.0, 300), "{seen}");
}

/// A hungry player eats what it carries before it acts: hunger keeps wounds from healing.
#[tokio::test]
async fn eats_when_hungry() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::Apple, 3), (Item::WoodenPickaxe, 1)]).await;
    scene.server.set_food(NAME, 12).unwrap();
    scene.until("it is hungry", |seen| seen.hunger == 12.0).await;
    scene.does("equip_wood_pickaxe").await;
    scene.until("it has eaten", |seen| seen.hunger == 20.0).await;
    assert_eq!(scene.carries(Item::Apple), 1, "no more than needed");
    let seen = scene.look().await;
    assert_eq!(seen.equipped.as_deref(), Some("wooden_pickaxe"));
}

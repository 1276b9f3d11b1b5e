//! Deep water on a server. All times are game ticks.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::vocabulary;
use ltlcrit_worlds::{LiveWorld, World};

use super::scene::{CENTRE, Clock, NAME, Scene, arena, client_options, server_options};

/// Fills a box of blocks, both corners included, relative to the middle.
fn fill(scene: &Scene, from: [i32; 3], to: [i32; 3], block: Block) {
    for x in from[0]..=to[0] {
        for y in from[1]..=to[1] {
            (from[2]..=to[2]).for_each(|z| scene.put(x, y, z, block));
        }
    }
}

/// A player that joins over deep water does not sink before its first action, even after a long time.
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
    // It does not sink while it thinks either.
    scene.clock.ticks(400).await;
    let seen = scene.look().await;
    assert!((seen.health, seen.air) == (20.0, 300), "{seen}");
}

/// On the way back from the end of a flooded tunnel, the player swims without a stop: its breath lasts no longer.
#[tokio::test]
async fn comes_up_in_one_go() {
    let mut scene = arena(Block::Bedrock).await;
    fill(&scene, [-2, 0, -1], [12, 4, 1], Block::Bedrock);
    fill(&scene, [0, 0, 0], [0, 2, 0], Block::Air);
    fill(&scene, [0, 0, 0], [11, 1, 0], Block::Water);
    scene.give(&[(Item::WoodenPickaxe, 1)]).await;
    scene.stand(CENTRE.offset(10, 0, 0)).await;
    scene.until("breath is short", |seen| seen.air < 155).await;
    let outcome = scene.act("equip_wood_pickaxe").await;
    let seen = scene.look().await;
    assert_eq!((seen.health, seen.air), (20.0, 300), "{outcome:?} {:?}", LiveWorld::trace(&scene.world));
    // Ten steps, and the time to recover the breath.
    assert!(outcome.ticks < 10 * 15 + 120, "{outcome:?} {:?}", LiveWorld::trace(&scene.world));
}

/// The player swims over open water, straight and diagonally, to an island with a log. The client sprints, and reports
/// it.
#[tokio::test]
async fn swims_fast_over_the_sea() {
    for [x, z] in [[26, 0], [20, 20]] {
        let mut scene = arena(Block::Bedrock).await;
        fill(&scene, [-3, -4, -3], [34, -4, 30], Block::Bedrock);
        fill(&scene, [-3, -3, -3], [34, -1, 30], Block::Water);
        fill(&scene, [x - 6, -3, z - 6], [x + 2, -1, z + 2], Block::Bedrock);
        fill(&scene, [x, 0, z], [x, 0, z], Block::OakLog);
        scene.stand(CENTRE.offset(0, -1, 0)).await;
        scene.sees(&["oak_log"]).await;
        let Scene { world, server, clock } = &mut scene;
        let mine = vocabulary().action("action_mine_log").unwrap();
        let sprints = clock.until("the server is told of the sprint", || server.is_sprinting(NAME).unwrap());
        let (outcome, ()) = tokio::join!(world.execute(mine), sprints);
        let outcome = outcome.unwrap();
        assert!(!server.is_sprinting(NAME).unwrap(), "the server is told of its end");
        assert!(outcome.succeeded(), "{outcome:?} {:?}", LiveWorld::trace(&scene.world));
        assert!(outcome.ticks < 260, "{outcome:?} {:?}", LiveWorld::trace(&scene.world));
    }
}

/// A stream carries a drop away, and the player follows it through the water.
#[tokio::test]
async fn follows_a_drop_down_a_stream() {
    let mut scene = arena(Block::Bedrock).await;
    fill(&scene, [2, -1, -2], [11, 3, 2], Block::Bedrock);
    fill(&scene, [3, 0, 0], [10, 2, 0], Block::Air);
    fill(&scene, [2, 1, 0], [2, 2, 0], Block::Air);
    fill(&scene, [2, 0, 0], [2, 0, 0], Block::Bedrock);
    // The spring, opened last, and the ore beside it, over the stream.
    fill(&scene, [3, 0, 0], [3, 0, 0], Block::Water);
    fill(&scene, [4, 0, 0], [4, 0, 0], Block::Air);
    fill(&scene, [4, 1, 0], [4, 1, 0], Block::IronOre);
    scene.give(&[(Item::StonePickaxe, 1)]).await;
    scene.does("equip_stone_pickaxe").await;
    scene.clock.ticks(100).await;
    scene.sees(&["iron_ore"]).await;
    let outcome = scene.act("mine_iron_ore").await;
    assert_eq!(scene.carries(Item::RawIron), 1, "{outcome:?}");
    assert!(outcome.ticks < 135, "{outcome:?}");
    let seen = scene.look().await;
    assert!(!seen.head_in_water && seen.health == 20.0, "{seen}");
}

/// A hungry player eats carried food before it acts, because hunger keeps health from regenerating.
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

/// In a hollow far below ground, the way up is a shaft, with the blocks dug above placed under the feet.
#[tokio::test]
async fn climbs_a_shaft_on_what_it_digs() {
    let mut scene = arena(Block::Stone).await;
    fill(&scene, [-3, 0, -3], [5, 9, 3], Block::Stone);
    fill(&scene, [0, 0, 0], [0, 1, 0], Block::Air);
    fill(&scene, [2, 10, 0], [2, 10, 0], Block::OakLog);
    scene.give(&[(Item::StonePickaxe, 1)]).await;
    scene.sees(&["oak_log"]).await;
    let outcome = scene.act("mine_log").await;
    assert!(outcome.succeeded(), "{outcome:?} {:?}", LiveWorld::trace(&scene.world));
    let left = scene.look().await.tools["stone_pickaxe"];
    assert!(131 - left <= 14, "{} blocks for ten levels: {:?}", 131 - left, LiveWorld::trace(&scene.world));
}

//! Deep water on a server. All times are game ticks.

use ltlcrit_minecraft::blocks::Block;

use super::scene::{Clock, Scene, client_options, server_options};

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

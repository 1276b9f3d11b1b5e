//! Damage and hunger on a server. All times are game ticks.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;

use super::scene::{CENTRE, NAME, arena};

/// An outcome tells the cause of damage, once, also of damage before the action.
#[tokio::test]
async fn tells_the_cause_of_damage() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::WoodenPickaxe, 1)]).await;
    scene.put(0, 8, 0, Block::Bedrock);
    scene.stand(CENTRE.offset(0, 9, 0)).await;
    scene.put(0, 8, 0, Block::Air);
    scene.until("it has fallen", |seen| seen.health < 20.0).await;
    let said = scene.does("equip_wood_pickaxe").await;
    assert!(said.contains("You were hurt (fall) and have ") && said.contains(" of 20 health."), "{said}");
    assert!(!scene.act("equip_wood_pickaxe").await.message.contains("hurt"), "it is told once");
    // Under water, without air.
    scene.server.set_health(NAME, 20).unwrap();
    for y in 0..=4 {
        for (x, z) in (-1..=1).flat_map(|x| (-1..=1).map(move |z| (x, z))) {
            let inside = (x, z) == (0, 0) && y < 4;
            scene.put(x, y, z, if inside { Block::Water } else { Block::Bedrock });
        }
    }
    scene.until("it drowns", |seen| seen.air == 0 && seen.health < 20.0).await;
    let outcome = scene.act("equip_wood_pickaxe").await;
    assert!(outcome.message.contains("You were hurt (drown)"), "{outcome:?}");
}

/// Below ground there is nothing to eat, so a player eats its fill before the way down; before other actions it eats
/// only when hunger keeps its health from returning.
#[tokio::test]
async fn eats_before_the_way_down() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::Apple, 3), (Item::WoodenPickaxe, 1)]).await;
    scene.server.set_food(NAME, 18).unwrap();
    scene.until("it is hungry", |seen| seen.hunger == 18.0).await;
    scene.does("equip_wood_pickaxe").await;
    assert_eq!(scene.carries(Item::Apple), 3);
    // The floor of bedrock leaves no way down.
    scene.act("explore_diamond_down").await;
    assert_eq!((scene.carries(Item::Apple), scene.look().await.hunger), (2, 20.0));
}

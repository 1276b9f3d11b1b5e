//! Land as in the game, on a server: ice, drops, water.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;

use super::scene::{CENTRE, Scene, arena};

impl Scene {
    /// Fills a box of blocks, both corners included, relative to the middle.
    fn fill(&self, from: [i32; 3], to: [i32; 3], block: Block) {
        for x in from[0]..=to[0] {
            for y in from[1]..=to[1] {
                for z in from[2]..=to[2] {
                    self.put(x, y, z, block);
                }
            }
        }
    }
}

/// A body slides on ice: it must stop where it mines, and turn corners.
#[tokio::test]
async fn walks_on_ice() {
    for ice in [Block::Ice, Block::BlueIce] {
        let mut scene = arena(ice).await;
        scene.fill([3, 0, -6], [3, 2, 5], Block::Bedrock);
        scene.put(6, 0, -5, Block::OakLog);
        scene.sees(&["oak_log"]).await;
        scene.does("mine_log").await;
        assert_eq!(scene.carries(Item::OakLog), 1, "on {}", ice.name());
        assert!(scene.look().await.position.y >= CENTRE.y, "it stays on the ice");
    }
}

#[tokio::test]
async fn closes_the_hole_below_ore() {
    let mut scene = arena(Block::Stone).await;
    scene.fill([1, -22, -1], [3, -1, 1], Block::Bedrock);
    scene.fill([2, -21, 0], [2, -1, 0], Block::Air);
    scene.put(2, 0, 0, Block::IronOre);
    scene.give(&[(Item::StonePickaxe, 1), (Item::Cobblestone, 1)]).await;
    scene.does("equip_stone_pickaxe").await;
    scene.sees(&["iron_ore"]).await;
    scene.does("mine_iron_ore").await;
    assert_eq!((scene.carries(Item::RawIron), scene.carries(Item::Cobblestone)), (1, 0));
}

/// A player on a rock in a chasm lays a floor of carried blocks.
#[tokio::test]
async fn bridges_a_chasm() {
    let mut scene = arena(Block::Bedrock).await;
    scene.fill([-8, -20, -8], [12, -1, 8], Block::Air);
    scene.put(0, -1, 0, Block::Bedrock);
    scene.fill([5, -1, -1], [8, -1, 1], Block::Bedrock);
    scene.put(8, 0, 0, Block::OakLog);
    scene.give(&[(Item::Cobblestone, 4)]).await;
    scene.sees(&["oak_log"]).await;
    scene.does("mine_log").await;
    assert_eq!((scene.carries(Item::OakLog), scene.carries(Item::Cobblestone)), (1, 0));
}

#[tokio::test]
async fn places_a_table_out_of_the_water() {
    let mut scene = arena(Block::Bedrock).await;
    scene.fill([-3, 0, -3], [3, 1, 3], Block::Bedrock);
    scene.fill([-2, 0, -2], [2, 1, 2], Block::Water);
    scene.give(&[(Item::CraftingTable, 1)]).await;
    scene.does("place_crafting_table").await;
    assert!(!scene.holds("obs_head_in_water").await);
    assert!(scene.holds("obs_near_crafting_table").await);
}

/// The trace of an action shows its plans.
#[tokio::test]
async fn tells_what_it_tried() {
    let mut scene = arena(Block::Bedrock).await;
    scene.fill([4, 0, -1], [6, 2, 1], Block::Bedrock);
    scene.put(5, 1, 0, Block::OakLog);
    scene.put(5, 2, 0, Block::Air);
    scene.fill([3, 3, -2], [7, 6, 2], Block::Bedrock);
    scene.fill([4, 3, -1], [6, 5, 1], Block::Air);
    scene.sees(&["oak_log"]).await;
    assert_eq!(scene.reason("mine_log").await, "unreachable");
    let trace = ltlcrit_worlds::LiveWorld::trace(&scene.world);
    assert!(trace.iter().any(|line| line.contains("is given up")), "{trace:?}");
}

/// On the way to ore far from the crafting table, the player takes the table along and places it again there.
#[tokio::test]
async fn takes_the_table_along() {
    let mut scene = arena(Block::Bedrock).await;
    scene.fill([-3, -1, -1], [46, 3, 1], Block::Bedrock);
    scene.fill([-2, 0, 0], [44, 2, 0], Block::Air);
    scene.fill([-2, 0, 0], [-2, 0, 0], Block::CraftingTable);
    scene.fill([26, 1, 1], [26, 1, 1], Block::IronOre);
    scene.fill([43, 1, 1], [43, 1, 1], Block::IronOre);
    scene.give(&[(Item::StonePickaxe, 1), (Item::Stick, 2), (Item::Cobblestone, 3)]).await;
    scene.does("equip_stone_pickaxe").await;
    scene.sees(&["iron_ore", "crafting_table"]).await;
    scene.does("mine_iron_ore").await;
    assert_eq!(scene.carries(Item::CraftingTable), 0, "it is near so far");
    scene.until("the far ore is in sight", |seen| seen.nearby.contains_key("iron_ore")).await;
    let said = scene.does("mine_iron_ore").await;
    assert_eq!((scene.carries(Item::CraftingTable), scene.carries(Item::RawIron)), (1, 2), "{said}");
    assert!(said.contains("Taken along: crafting_table."), "{said}");
    scene.does("place_crafting_table").await;
    scene.does("craft_stone_pickaxe").await;
}

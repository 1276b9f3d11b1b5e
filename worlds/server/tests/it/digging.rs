//! Digging and placing on a server: times, reach, drops, wear, and the packets that clients receive.

use std::time::{Duration, Instant};

use azalea_core::direction::Direction;
use azalea_core::position::BlockPos as WirePos;
use azalea_entity::EntityDataValue;
use azalea_protocol::packets::game::s_player_action::Action;
use azalea_protocol::packets::game::{ClientboundGamePacket, ServerboundPlayerInput};
use azalea_registry::builtin::{BlockKind, EntityKind, ItemKind};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_server::{Server, ServerOptions};

use crate::wire::{CENTRE, Client, FLOOR, carried, join, place, scene, server, ticks, until, wire};

/// A server with fast digging, and a client on a floor.
async fn quick(floor: Block) -> (Server, Client) {
    let server = server(ServerOptions { ticks_per_second: 200, ..ServerOptions::compact() });
    let client = scene(&server, floor).await;
    (server, client)
}

/// Digs a block for this many ticks and reports it as broken. Returns the block that the server then sends.
async fn dig(server: &Server, client: &mut Client, pos: WirePos, for_ticks: u64) -> BlockKind {
    client.act(Action::StartDestroyBlock, pos, 1).await;
    client.acknowledged(pos, 1).await;
    ticks(server, client, for_ticks).await;
    client.act(Action::StopDestroyBlock, pos, 2).await;
    client.acknowledged(pos, 2).await
}

#[tokio::test]
async fn a_block_takes_its_time_drops_and_is_picked_up() {
    let (server, mut client) = quick(Block::Stone).await;
    server.give("player", Item::WoodenPickaxe, 1).unwrap();
    let pos = CENTRE.offset(2, 0, 0);
    server.set_block(pos, Block::Stone).unwrap();
    let before = server.ticks().unwrap();
    assert_eq!(dig(&server, &mut client, wire(pos), 23).await, BlockKind::Air);
    assert!(server.ticks().unwrap() >= before + 23);
    let number = client
        .wait("the drop", |packet| match packet {
            ClientboundGamePacket::AddEntity(entity) => (entity.entity_type == EntityKind::Item).then_some(entity.id),
            _ => None,
        })
        .await;
    let kind = client
        .wait("what it is", |packet| match packet {
            ClientboundGamePacket::SetEntityData(data) if data.id == number => match &data.packed_items[0].value {
                EntityDataValue::ItemStack(stack) => Some((data.packed_items[0].index, stack.kind(), stack.count())),
                _ => None,
            },
            _ => None,
        })
        .await;
    assert_eq!(kind, (8, ItemKind::Cobblestone, 1));
    ticks(&server, &mut client, 40).await;
    assert_eq!(carried(&server, "player", Item::Cobblestone), 0, "it is too far away");
    place(&server, &mut client, [9.2, f64::from(FLOOR), 8.5]).await;
    let taker = client
        .wait("being picked up", |packet| match packet {
            ClientboundGamePacket::TakeItemEntity(taken) => {
                (taken.item_id as i32 == number.0).then_some((taken.player_id.0, taken.amount))
            }
            _ => None,
        })
        .await;
    assert_eq!(taker, (client.id, 1));
    client
        .wait("its end", |packet| match packet {
            ClientboundGamePacket::RemoveEntities(gone) => gone.entity_ids.contains(&number).then_some(()),
            _ => None,
        })
        .await;
    assert_eq!(carried(&server, "player", Item::Cobblestone), 1);
    let tool = server.inventory("player").unwrap()[0].unwrap();
    assert_eq!((tool.item, tool.wear), (Item::WoodenPickaxe, 1));
}

/// The unit tests check the exact tick with a manual clock. This test runs in real time, so it only checks bounds.
#[tokio::test]
async fn a_block_reported_too_early_breaks_after_its_whole_time() {
    let server = server(ServerOptions { ticks_per_second: 40, ..ServerOptions::compact() });
    let mut client = scene(&server, Block::Stone).await;
    let pos = wire(CENTRE.offset(1, -1, 0));
    let begun = Instant::now();
    client.act(Action::StartDestroyBlock, pos, 1).await;
    client.act(Action::StopDestroyBlock, pos, 2).await;
    assert_eq!(client.acknowledged(pos, 2).await, BlockKind::Stone, "150 ticks by hand");
    client.becomes(pos, BlockKind::Air).await;
    // The first tick may come at once. The last one may come early after a late one.
    assert!(begun.elapsed() >= Duration::from_secs(148) / 40);
}

#[tokio::test]
async fn impossible_digging_is_refused_and_corrected() {
    let (server, mut client) = quick(Block::Stone).await;
    server.set_block(CENTRE.offset(0, -1, 2), Block::Bedrock).unwrap();
    server.set_block(CENTRE.offset(0, -1, 1), Block::Water).unwrap();
    for (pos, kind) in [
        (CENTRE.offset(7, -1, 0), BlockKind::Stone),
        (CENTRE.offset(0, -1, 2), BlockKind::Bedrock),
        (CENTRE.offset(0, -1, 1), BlockKind::Water),
        (CENTRE.offset(0, 2, 0), BlockKind::Air),
    ] {
        let block = server.block(pos).unwrap();
        assert_eq!(dig(&server, &mut client, wire(pos), 200).await, kind);
        assert_eq!(server.block(pos).unwrap(), block);
    }
    // The same case without a begin packet.
    let pos = wire(CENTRE.offset(1, -1, 0));
    client.act(Action::StopDestroyBlock, pos, 9).await;
    assert_eq!(client.acknowledged(pos, 9).await, BlockKind::Stone);
}

#[tokio::test]
async fn by_hand_stone_yields_nothing_and_a_worn_tool_breaks() {
    let (server, mut client) = quick(Block::Stone).await;
    assert_eq!(dig(&server, &mut client, wire(CENTRE.offset(1, -1, 0)), 150).await, BlockKind::Air);
    server.give("player", Item::WoodenPickaxe, 1).unwrap();
    let pos = CENTRE.offset(2, 0, 0);
    for left in (0..59).rev() {
        server.set_block(pos, Block::OakLeaves).unwrap();
        assert_eq!(dig(&server, &mut client, wire(pos), 6).await, BlockKind::Air);
        let tool = server.inventory("player").unwrap()[0];
        assert_eq!(tool.map_or(0, |stack| 59 - stack.wear), left);
    }
    let heard = client.settled().await;
    let dropped = |packet: &ClientboundGamePacket| matches!(packet, ClientboundGamePacket::AddEntity(_));
    assert!(!heard.iter().any(dropped), "neither stone by hand nor leaves drop anything");
}

#[tokio::test]
async fn everybody_sees_what_is_dug() {
    let (server, mut client) = quick(Block::Stone).await;
    let mut other = join(&server, "other").await;
    let pos = CENTRE.offset(1, -1, 0);
    place(&server, &mut other, [4.5, f64::from(FLOOR), 4.5]).await;
    dig(&server, &mut client, wire(pos), 150).await;
    other.becomes(wire(pos), BlockKind::Air).await;
}

#[tokio::test]
async fn sand_falls_and_water_flows_when_the_way_is_open() {
    let (server, mut client) = quick(Block::Stone).await;
    let under = CENTRE.offset(2, 0, 0);
    server.set_block(under, Block::Dirt).unwrap();
    server.set_block(under.up(), Block::Sand).unwrap();
    server.set_block(under.up().up(), Block::Gravel).unwrap();
    client.settled().await;
    client.heard.clear();
    dig(&server, &mut client, wire(under), 15).await;
    client.settled().await;
    let kind =
        |pos: ltlcrit_minecraft::observation::BlockPos| client.block(pos.x, pos.y, pos.z).unwrap().as_block_kind();
    assert_eq!(kind(under), BlockKind::Sand);
    assert_eq!(kind(under.up()), BlockKind::Gravel);
    assert_eq!(kind(under.up().up()), BlockKind::Air);
    // A basin with a spring, and a wall to dig away.
    let spring = CENTRE.offset(-2, 0, 0);
    for beside in [spring.offset(1, 0, 0), spring.offset(-1, 0, 0), spring.offset(0, 0, 1), spring.offset(0, 0, -1)] {
        server.set_block(beside, Block::Dirt).unwrap();
    }
    server.set_block(spring, Block::Water).unwrap();
    dig(&server, &mut client, wire(spring.offset(0, 0, 1)), 15).await;
    client.becomes(wire(spring.offset(0, 0, 1)), BlockKind::Water).await;
    let next = wire(spring.offset(0, 0, 2));
    client.becomes(next, BlockKind::Water).await;
    let level = client.block(next.x, next.y, next.z).unwrap().property::<azalea_block::properties::WaterLevel>();
    assert_eq!(level, Some(azalea_block::properties::WaterLevel::_2));
}

#[tokio::test]
async fn blocks_are_placed_where_there_is_room() {
    let (server, mut client) = quick(Block::Stone).await;
    let mut other = join(&server, "other").await;
    place(&server, &mut other, [4.5, f64::from(FLOOR), 4.5]).await;
    server.give("player", Item::Cobblestone, 5).unwrap();
    let on = |x: i32, z: i32| wire(CENTRE.offset(x, -1, z));
    let above = |x: i32, z: i32| wire(CENTRE.offset(x, 0, z));
    client.use_on(on(2, 0), Direction::Up, 1).await;
    assert_eq!(client.acknowledged(above(2, 0), 1).await, BlockKind::Cobblestone);
    other.becomes(above(2, 0), BlockKind::Cobblestone).await;
    assert_eq!(carried(&server, "player", Item::Cobblestone), 4);
    // A block cannot be placed into a player's body, out of reach, or without a neighbour.
    for (seq, pos, way, kept) in [
        (2, on(0, 0), Direction::Up, above(0, 0)),
        (3, on(-4, -4), Direction::Up, above(-4, -4)),
        (4, on(7, 0), Direction::Up, above(7, 0)),
        (5, wire(CENTRE.offset(0, 3, 0)), Direction::Up, wire(CENTRE.offset(0, 4, 0))),
    ] {
        client.use_on(pos, way, seq).await;
        assert_eq!(client.acknowledged(kept, seq).await, BlockKind::Air, "attempt {seq}");
    }
    assert_eq!(carried(&server, "player", Item::Cobblestone), 4);
    // A block can be placed into water through any of its faces.
    server.set_block(CENTRE.offset(0, 0, 2), Block::Water).unwrap();
    client.use_on(on(0, 2), Direction::Up, 6).await;
    assert_eq!(client.acknowledged(above(0, 2), 6).await, BlockKind::Cobblestone);
    // An item that is not a block stays in the hand.
    server.give("player", Item::Stick, 1).unwrap();
    client.say(azalea_protocol::packets::game::ServerboundSetCarriedItem { slot: 1 }).await;
    client.use_on(on(3, 0), Direction::Up, 7).await;
    assert_eq!(client.acknowledged(above(3, 0), 7).await, BlockKind::Air);
    assert_eq!(carried(&server, "player", Item::Stick), 1);
}

#[tokio::test]
async fn sand_does_not_stay_in_the_air_when_placed() {
    let (server, mut client) = quick(Block::Stone).await;
    server.set_block(CENTRE.offset(2, 1, 0), Block::Stone).unwrap();
    server.give("player", Item::Sand, 1).unwrap();
    client.use_on(wire(CENTRE.offset(2, 1, 0)), Direction::West, 1).await;
    assert_eq!(client.acknowledged(wire(CENTRE.offset(1, 1, 0)), 1).await, BlockKind::Air);
    assert_eq!(server.block(CENTRE.offset(1, 0, 0)).unwrap(), Block::Sand);
}

#[tokio::test]
async fn tables_open_and_crouching_places_on_them() {
    let (server, mut client) = quick(Block::Stone).await;
    let table = CENTRE.offset(2, 0, 0);
    server.set_block(table, Block::CraftingTable).unwrap();
    server.give("player", Item::Dirt, 2).unwrap();
    client.use_on(wire(table), Direction::Up, 1).await;
    client.wait("a window", |packet| matches!(packet, ClientboundGamePacket::OpenScreen(_)).then_some(())).await;
    assert_eq!(server.block(table.up()).unwrap(), Block::Air);
    client.say(ServerboundPlayerInput { shift: true, ..ServerboundPlayerInput::default() }).await;
    client.use_on(wire(table), Direction::Up, 2).await;
    assert_eq!(client.acknowledged(wire(table.up()), 2).await, BlockKind::Dirt);
}

#[tokio::test]
async fn things_are_thrown_and_taken_up_by_others() {
    let (server, mut client) = quick(Block::Stone).await;
    let mut other = join(&server, "other").await;
    place(&server, &mut other, [12.5, f64::from(FLOOR), 8.5]).await;
    server.give("player", Item::Diamond, 3).unwrap();
    client.look(-90.0, 0.0).await;
    client.act(Action::DropItem, WirePos::default(), 1).await;
    client.act(Action::DropAllItems, WirePos::default(), 2).await;
    until(&mut other, "three diamonds", || carried(&server, "other", Item::Diamond) == 3).await;
    assert_eq!(carried(&server, "player", Item::Diamond), 0);
}

#[tokio::test]
async fn a_full_inventory_leaves_things_where_they_are() {
    let (server, mut client) = quick(Block::Stone).await;
    server.give("player", Item::Cobblestone, 64 * 36).unwrap();
    server.set_block(CENTRE.offset(1, 0, 0), Block::Dirt).unwrap();
    dig(&server, &mut client, wire(CENTRE.offset(1, 0, 0)), 15).await;
    ticks(&server, &mut client, 100).await;
    assert_eq!(carried(&server, "player", Item::Dirt), 0);
    client.look(-90.0, -30.0).await;
    client.act(Action::DropAllItems, WirePos::default(), 3).await;
    until(&mut client, "room for the dirt", || carried(&server, "player", Item::Dirt) == 1).await;
}

//! Dropping, throwing and picking up items.

use azalea_core::position::Vec3;
use azalea_protocol::packets::game::ClientboundTakeItemEntity;
use ltlcrit_minecraft::observation::BlockPos;

use super::blocks::Blocks;
use super::dropped_item::DroppedItem;
use super::entities::Entities;
use super::hull::{ITEM, PLAYER, hull};
use super::visibility::contents;
use super::windows::stack::Stack;

/// Ticks before an item dropped by a block can be picked up.
const BLOCK_DELAY: u64 = 10;
/// Ticks before an item thrown by a player can be picked up.
const THROW_DELAY: u64 = 40;
/// The maximum number of dropped items; the oldest disappear first.
const MAX_DROPS: usize = 1000;
/// The distance around a body at which items are picked up, in blocks: horizontally and vertically.
const PICKUP_RANGE: (f64, f64) = (1.0, 0.5);
/// The speed of a thrown item, in blocks per tick.
const THROW_SPEED: f64 = 0.3;

/// Drops a stack from a block.
pub(super) fn drop_at(entities: &mut Entities, tick: u64, pos: BlockPos, stack: Stack) {
    let at = Vec3 { x: f64::from(pos.x) + 0.5, y: f64::from(pos.y) + 0.25, z: f64::from(pos.z) + 0.5 };
    restore(entities, tick, stack, at, Vec3::ZERO);
}

/// Throws stacks in the direction a player looks.
pub(super) fn throw(entities: &mut Entities, tick: u64, player: i32, stacks: impl IntoIterator<Item = Stack>) {
    let Some(thrower) = entities.players.get(&player) else { return };
    let (yaw, pitch) = (f64::from(thrower.look.y_rot()).to_radians(), f64::from(thrower.look.x_rot()).to_radians());
    let flat = THROW_SPEED * pitch.cos();
    let speed = Vec3 { x: -yaw.sin() * flat, y: 0.1 - THROW_SPEED * pitch.sin(), z: yaw.cos() * flat };
    let eyes = thrower.eyes();
    for stack in stacks {
        add(entities, DroppedItem::new(stack, Vec3 { y: eyes.y - 0.3, ..eyes }, speed, tick, THROW_DELAY));
    }
}

/// Drops the stacks of a player who died at a position.
pub(super) fn spill(entities: &mut Entities, tick: u64, at: Vec3, stacks: Vec<Stack>) {
    for stack in stacks {
        add(entities, DroppedItem::new(stack, Vec3 { y: at.y + 0.3, ..at }, Vec3::ZERO, tick, THROW_DELAY));
    }
}

/// Puts a stack into the world at a position and speed.
pub(super) fn restore(entities: &mut Entities, tick: u64, stack: Stack, at: Vec3, speed: Vec3) {
    add(entities, DroppedItem::new(stack, at, speed, tick, BLOCK_DELAY));
}

fn add(entities: &mut Entities, item: DroppedItem) {
    let id = entities.next_id();
    entities.drops.insert(id, item);
    while entities.drops.len() > MAX_DROPS {
        entities.drops.pop_first();
    }
}

/// Moves all dropped items by one tick and lets players pick them up.
pub(super) fn one_tick(entities: &mut Entities, blocks: &mut Blocks) {
    let tick = blocks.ground.tick;
    entities.drops.retain(|_, drop| drop.one_tick(blocks, tick));
    let mut taken: Vec<(i32, i32, u32)> = Vec::new();
    for player in entities.players.values_mut().filter(|player| player.is_alive()) {
        let range = hull(player.at, PLAYER).grown(PICKUP_RANGE.0, PICKUP_RANGE.1);
        for (id, drop) in &mut entities.drops {
            if tick < drop.ready || drop.stack.count == 0 || !range.meets(&hull(drop.at, ITEM)) {
                continue;
            }
            let left = player.screen.inventory_mut().add(drop.stack).map_or(0, |left| left.count);
            if left < drop.stack.count {
                taken.push((*id, player.id, drop.stack.count - left));
                drop.stack.count = left;
            }
        }
    }
    for (id, player, amount) in taken {
        let packet = ClientboundTakeItemEntity { item_id: id.unsigned_abs(), player_id: player.into(), amount };
        entities.send_watchers(id, packet);
        match entities.drops.get(&id) {
            Some(drop) if drop.stack.count > 0 => entities.send_watchers(id, contents(id, drop)),
            _ => {
                entities.drops.remove(&id);
            }
        }
    }
}

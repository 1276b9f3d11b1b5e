//! Using items on blocks: placing blocks and opening windows.

use azalea_protocol::packets::game::ClientboundBlockChangedAck;
use azalea_protocol::packets::game::s_interact::InteractionHand;
use azalea_protocol::packets::game::s_use_item_on::ServerboundUseItemOn;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::terrain::{MAX_Y, MIN_Y};

use super::blocks::Blocks;
use super::entities::Entities;
use super::hull::{Hull, PLAYER, hull};
use super::names::ours;
use super::player::REACH_TOLERANCE;
use super::windows;

/// Handles a client's use of the item in a hand on a block.
pub(super) fn use_on(entities: &mut Entities, blocks: &mut Blocks, id: i32, packet: &ServerboundUseItemOn) {
    let hit = &packet.block_hit;
    let (clicked, at) = (ours(hit.block_pos), ours(hit.block_pos.offset_with_direction(hit.direction)));
    if packet.hand == InteractionHand::MainHand {
        try_to_use(entities, blocks, id, clicked, at);
    }
    // The client expects the blocks' states before the acknowledgement, even if nothing was placed.
    for pos in [clicked, at] {
        entities.send(id, blocks.update(pos));
    }
    entities.send(id, ClientboundBlockChangedAck { seq: packet.seq });
}

fn try_to_use(entities: &mut Entities, blocks: &mut Blocks, id: i32, clicked: BlockPos, at: BlockPos) {
    let Some(player) = entities.living(id).filter(|player| player.reaches(clicked, REACH_TOLERANCE)) else { return };
    let inventory = player.screen.inventory();
    let held = inventory.hand();
    // A crouching player places the item in its hand even on a block with a window.
    if !(player.is_crouching && held.is_some()) && windows::open(entities, blocks, id, clicked) {
        return;
    }
    let is_air = blocks.state(clicked).is_air();
    let at = if blocks.ground.block(clicked).is_open() { clicked } else { at };
    let new = held.and_then(|stack| Block::from_name(stack.item.name())).filter(|new| {
        let is_free = !is_air && (MIN_Y..MAX_Y).contains(&at.y) && blocks.ground.block(at).is_open();
        let cube = Hull::block(at);
        let mut bodies = entities.players.values().filter(|other| other.is_alive());
        is_free && !(new.is_solid() && bodies.any(|other| hull(other.at, PLAYER).meets(&cube)))
    });
    let Some(player) = entities.players.get_mut(&id) else { return };
    let Some(new) = new else {
        // The client has already taken one item out of its hand.
        return windows::send_all_slots(player, &blocks.furnaces);
    };
    player.screen.inventory_mut().take_from_hand(1);
    blocks.ground.put(at, new);
    if blocks.ground.let_fall(at) && blocks.ground.block(at) != new {
        blocks.ground.open(at);
    }
    blocks.publish_changes(entities);
}

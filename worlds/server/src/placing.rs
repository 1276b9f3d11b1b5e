//! Using things on blocks: placing what the hand holds, opening what can be opened.

use azalea_core::direction::Direction;
use azalea_protocol::packets::game::ClientboundBlockChangedAck;
use azalea_protocol::packets::game::s_interact::InteractionHand;
use azalea_protocol::packets::game::s_use_item_on::ServerboundUseItemOn;

use super::digging::{LEEWAY, reaches};
use super::names::ours;
use super::physics::{Hull, PLAYER, hull};
use super::realm::Realm;
use super::windows::inventory::OFFHAND;
use super::windows::stack::split;
use ltlcrit_minecraft::blocks::{BLOCKS, Block};
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::terrain::{MAX_Y, MIN_Y};

/// The block an item is placed as; nothing for what cannot be placed.
fn placed(item: Item) -> Option<Block> {
    BLOCKS.into_iter().find(|block| block.name() == item.name())
}

/// The block beside another, that way.
fn beside(pos: BlockPos, way: Direction) -> BlockPos {
    match way {
        Direction::Down => pos.down(),
        Direction::Up => pos.up(),
        Direction::North => pos.offset(0, 0, -1),
        Direction::South => pos.offset(0, 0, 1),
        Direction::West => pos.offset(-1, 0, 0),
        Direction::East => pos.offset(1, 0, 0),
    }
}

impl Realm {
    /// A client uses what a hand holds on a block.
    pub(super) fn use_on(&mut self, id: i32, said: &ServerboundUseItemOn) {
        let clicked = ours(said.block_hit.block_pos);
        let at = beside(clicked, said.block_hit.direction);
        self.try_to_use(id, clicked, at, said.hand);
        // Whatever came of it, the client hears first what is there and then that it was heard.
        for pos in [clicked, at] {
            let update = self.block_update(pos);
            if let Some(player) = self.players.get(&id) {
                player.tell(update);
            }
        }
        if let Some(player) = self.players.get(&id) {
            player.tell(ClientboundBlockChangedAck { seq: said.seq });
        }
    }

    fn try_to_use(&mut self, id: i32, clicked: BlockPos, at: BlockPos, hand: InteractionHand) {
        let Some(player) = self.players.get_mut(&id) else { return };
        if !player.is_alive() || !reaches(player, clicked, LEEWAY) {
            return;
        }
        let inventory = player.screen.inventory();
        let slot = if hand == InteractionHand::MainHand { inventory.held() } else { OFFHAND };
        let held = inventory.get(slot);
        let block = self.ground.block(clicked);
        // Who crouches with something in the hand places it even on what can be opened.
        if !(player.crouches && held.is_some()) && self.open_station(id, clicked) {
            return;
        }
        let at = if block.is_open() { clicked } else { at };
        let Some(new) = held.and_then(|stack| placed(stack.item)) else {
            self.tell_slots(id);
            return;
        };
        let is_free = block != Block::Air && (MIN_Y..MAX_Y).contains(&at.y) && self.ground.block(at).is_open();
        let cube = Hull::block(at);
        let in_the_way = new.is_solid()
            && self.players.values().any(|other| other.is_alive() && hull(other.at, PLAYER).meets(&cube));
        if !is_free || in_the_way {
            // The client has taken one out of its hand already.
            self.tell_slots(id);
            return;
        }
        if let Some(player) = self.players.get_mut(&id) {
            let inventory = player.screen.inventory_mut();
            let mut stack = inventory.get(slot);
            split(&mut stack, 1);
            inventory.set(slot, stack);
        }
        self.ground.put(at, new);
        if self.ground.let_fall(at) && self.ground.block(at) != new {
            self.ground.open(at);
        }
        self.show_changes();
    }
}

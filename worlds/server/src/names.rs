//! The same things under two names: this world's blocks, items and positions, and the protocol's.

use std::str::FromStr;
use std::sync::LazyLock;

use azalea_block::BlockState;
use azalea_block::blocks::{Furnace, Lava, Water};
use azalea_block::properties::{FacingCardinal, LavaLevel, WaterLevel};
use azalea_core::position::{BlockPos as WireBlockPos, Vec3};
use azalea_registry::builtin::{BlockKind, ItemKind};

use ltlcrit_minecraft::blocks::{BLOCK_KINDS, BLOCKS, Block};
use ltlcrit_minecraft::ground::SOURCE;
use ltlcrit_minecraft::items::{ITEMS, Item};
use ltlcrit_minecraft::observation::BlockPos;

static STATES: LazyLock<[BlockState; BLOCK_KINDS]> =
    LazyLock::new(|| BLOCKS.map(|block| BlockKind::from_str(block.name()).map_or(BlockState::AIR, BlockState::from)));

/// The state in which a block is shown; fluids as sources.
pub(super) fn state(block: Block) -> BlockState {
    STATES[block as usize]
}

/// The state in which a fluid is shown that has this much left of its source's level.
pub(super) fn fluid_state(block: Block, level: u8) -> BlockState {
    // The protocol counts from the source down.
    let come = u16::from(SOURCE.saturating_sub(level));
    match block {
        Block::Water => Water { level: WaterLevel::from(come) }.into(),
        Block::Lava => Lava { level: LavaLevel::from(come) }.into(),
        _ => state(block),
    }
}

/// The state in which a furnace is shown.
pub(super) fn furnace_state(lit: bool) -> BlockState {
    Furnace { facing: FacingCardinal::North, lit }.into()
}

/// The protocol's name of an item.
pub(super) fn item_kind(item: Item) -> ItemKind {
    static KINDS: LazyLock<Vec<ItemKind>> =
        LazyLock::new(|| ITEMS.iter().map(|item| ItemKind::from_str(item.name()).unwrap_or(ItemKind::Air)).collect());
    KINDS.get(item as usize).copied().unwrap_or(ItemKind::Air)
}

/// The item of this name in the protocol, if it is one of this world.
pub(super) fn item(kind: ItemKind) -> Option<Item> {
    ITEMS.into_iter().find(|item| item_kind(*item) == kind)
}

/// A block's position in the protocol's terms.
pub(super) fn wire(pos: BlockPos) -> WireBlockPos {
    WireBlockPos::new(pos.x, pos.y, pos.z)
}

/// A block's position in the world's terms.
pub(super) fn ours(pos: WireBlockPos) -> BlockPos {
    BlockPos::new(pos.x, pos.y, pos.z)
}

/// The block a point is in.
pub(super) fn cell(point: Vec3) -> BlockPos {
    BlockPos::new(point.x.floor() as i32, point.y.floor() as i32, point.z.floor() as i32)
}

#[cfg(test)]
mod tests {
    use azalea_block::fluid_state::{FluidKind, FluidState};

    use super::*;

    #[test]
    fn every_block_and_item_has_a_name_in_the_protocol() {
        for block in BLOCKS {
            let kind = state(block).as_block_kind();
            assert_eq!(kind.to_str(), format!("minecraft:{}", block.name()));
        }
        for item in ITEMS {
            assert_eq!(item_kind(item).to_str(), format!("minecraft:{}", item.name()));
            assert_eq!(super::item(item_kind(item)), Some(item));
        }
    }

    #[test]
    fn fluids_show_how_far_they_have_come() {
        let level = |block, level| {
            let state = FluidState::from(fluid_state(block, level));
            (state.kind, state.amount)
        };
        assert_eq!(level(Block::Water, SOURCE), (FluidKind::Water, 8));
        assert_eq!(level(Block::Water, 7), (FluidKind::Water, 7));
        assert_eq!(level(Block::Lava, 2), (FluidKind::Lava, 2));
    }
}

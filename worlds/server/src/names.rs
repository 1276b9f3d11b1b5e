//! Converts blocks, items and positions between this world and the protocol.

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

/// The protocol's state of a block; fluids as sources.
pub(super) fn state(block: Block) -> BlockState {
    STATES[block as usize]
}

/// The protocol's state of a fluid with this level.
pub(super) fn fluid_state(block: Block, level: u8) -> BlockState {
    // The protocol counts from the source down.
    let come = u16::from(SOURCE.saturating_sub(level));
    match block {
        Block::Water => Water { level: WaterLevel::from(come) }.into(),
        Block::Lava => Lava { level: LavaLevel::from(come) }.into(),
        _ => state(block),
    }
}

/// The protocol's state of a furnace.
pub(super) fn furnace_state(facing: FacingCardinal, lit: bool) -> BlockState {
    Furnace { facing, lit }.into()
}

/// The protocol's kind of an item.
pub(super) fn item_kind(item: Item) -> ItemKind {
    static KINDS: LazyLock<Vec<ItemKind>> =
        LazyLock::new(|| ITEMS.iter().map(|item| ItemKind::from_str(item.name()).unwrap_or(ItemKind::Air)).collect());
    KINDS.get(item as usize).copied().unwrap_or(ItemKind::Air)
}

/// The item of a protocol kind, if this world has it.
pub(super) fn item(kind: ItemKind) -> Option<Item> {
    ITEMS.iter().copied().find(|item| item_kind(*item) == kind)
}

/// A block position in the protocol's type.
pub(super) fn wire(pos: BlockPos) -> WireBlockPos {
    WireBlockPos::new(pos.x, pos.y, pos.z)
}

/// A block position in this world's type.
pub(super) fn ours(pos: WireBlockPos) -> BlockPos {
    BlockPos::new(pos.x, pos.y, pos.z)
}

/// The block that contains a point.
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
        for &item in ITEMS {
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

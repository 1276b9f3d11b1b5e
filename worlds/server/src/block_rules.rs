//! The rules for every block state of the protocol, also for those that our table of blocks does not have.

use std::str::FromStr;
use std::sync::{LazyLock, OnceLock};

use azalea_block::fluid_state::{FluidKind, FluidState};
use azalea_block::properties::{LavaLevel, WaterLevel};
use azalea_block::{BlockState, BlockTrait};
use azalea_physics::collision::BlockWithShape;
use azalea_registry::builtin::BlockKind;
use azalea_registry::tags::blocks as tags;
use ltlcrit_minecraft::blocks::{BLOCKS, Block};
use ltlcrit_minecraft::items::Tier;
use ltlcrit_minecraft::land::Digging;
use ltlcrit_minecraft::terrain::SOURCE;

use super::hull::Hull;

/// How a block state behaves.
#[derive(Debug)]
pub(super) struct BlockRules {
    /// The block of our table, or the one that it is most like: air, water, or bedrock for whatever stops a body.
    pub(super) block: Block,
    /// Whether our table has it. The rest is the table's affair then, except for [`Self::boxes`] and [`Self::opaque`].
    pub(super) known: bool,
    /// The boxes that stop a body, relative to the block's corner.
    pub(super) boxes: Box<[Hull]>,
    /// Whether sight and light end at it.
    pub(super) opaque: bool,
    /// Whether there is a fluid in it.
    pub(super) fluid: bool,
    /// Whether a body in it hangs on to it: ladders, vines, cobwebs.
    pub(super) holds: bool,
    /// Whether a placed block takes its place, as that of grass.
    pub(super) replaceable: bool,
    /// The effort of breaking it; `None` if it does not break.
    pub(super) digging: Option<Digging>,
    /// Whether water is left where it was.
    pub(super) leaves_water: bool,
}

/// The rules for a state.
pub(super) fn rules(state: BlockState) -> &'static BlockRules {
    static RULES: LazyLock<Vec<OnceLock<BlockRules>>> =
        LazyLock::new(|| (0..=BlockState::MAX_STATE).map(|_| OnceLock::new()).collect());
    RULES[usize::from(state.id())].get_or_init(|| BlockRules::of(state))
}

impl BlockRules {
    fn of(state: BlockState) -> Self {
        let kind = state.as_block_kind();
        let shape = state.collision_shape();
        let boxes: Box<[Hull]> = if shape.is_empty() {
            Box::default()
        } else {
            let boxes = shape.to_aabbs().into_iter();
            boxes
                .map(|aabb| Hull {
                    low: [aabb.min.x, aabb.min.y, aabb.min.z],
                    high: [aabb.max.x, aabb.max.y, aabb.max.z],
                })
                .collect()
        };
        let known = known(kind);
        let fluid = if is_water_plant(kind) { FluidKind::Water } else { FluidState::from(state).kind };
        let block = known.unwrap_or(match fluid {
            _ if !boxes.is_empty() => Block::Bedrock,
            FluidKind::Water => Block::Water,
            _ => Block::Air,
        });
        let glassy = tags::IMPERMEABLE.contains(&kind) || tags::ICE.contains(&kind) || tags::LEAVES.contains(&kind);
        Self {
            block,
            known: known.is_some(),
            opaque: match known {
                Some(block) => !block.is_see_through(),
                None => state.is_collision_shape_full() && !glassy && !is_clear(kind),
            },
            boxes,
            fluid: fluid != FluidKind::Empty,
            holds: tags::CLIMBABLE.contains(&kind) || matches!(kind, BlockKind::Cobweb | BlockKind::PowderSnow),
            replaceable: tags::REPLACEABLE.contains(&kind),
            digging: digging(state, kind),
            leaves_water: fluid == FluidKind::Water && kind != BlockKind::Water,
        }
    }
}

/// The block of our table for a kind of block, except scenery: its states differ more than our table knows.
fn known(kind: BlockKind) -> Option<Block> {
    static KNOWN: LazyLock<Vec<(BlockKind, Block)>> = LazyLock::new(|| {
        let ours = BLOCKS.into_iter().filter(|block| !block.is_scenery());
        let named = ours.filter_map(|block| Some((BlockKind::from_str(block.name()).ok()?, block)));
        named.chain([(BlockKind::CaveAir, Block::Air), (BlockKind::VoidAir, Block::Air)]).collect()
    });
    KNOWN.iter().find(|(known, _)| *known == kind).map(|(_, block)| *block)
}

/// Whether a block grows only in water, without a property that says so.
fn is_water_plant(kind: BlockKind) -> bool {
    use BlockKind as B;
    matches!(kind, B::Seagrass | B::TallSeagrass | B::Kelp | B::KelpPlant | B::BubbleColumn)
}

/// Whether a full block that is neither glass nor ice nor leaves can be seen through.
fn is_clear(kind: BlockKind) -> bool {
    use BlockKind as B;
    matches!(
        kind,
        B::Barrier | B::SlimeBlock | B::HoneyBlock | B::Spawner | B::TrialSpawner | B::Vault | B::MangroveRoots
    )
}

fn digging(state: BlockState, kind: BlockKind) -> Option<Digging> {
    let behavior = Box::<dyn BlockTrait>::from(state).behavior();
    if behavior.destroy_time < 0.0 || kind == BlockKind::BubbleColumn {
        return None;
    }
    let pickaxe = tags::MINEABLE_PICKAXE.contains(&kind);
    let least = if !behavior.requires_correct_tool_for_drops {
        Some(Tier::Hand)
    } else if !pickaxe || tags::NEEDS_DIAMOND_TOOL.contains(&kind) {
        None
    } else if tags::NEEDS_IRON_TOOL.contains(&kind) {
        Some(Tier::Iron)
    } else if tags::NEEDS_STONE_TOOL.contains(&kind) {
        Some(Tier::Stone)
    } else {
        Some(Tier::Wood)
    };
    Some(Digging { hardness: (behavior.destroy_time * 100.0).round() as u16, pickaxe, least })
}

/// The level of the fluid in a state, 1 to [`SOURCE`]; [`SOURCE`] too if it has none.
pub(super) fn fluid_level(state: BlockState) -> u8 {
    let come = match (state.property::<WaterLevel>(), state.property::<LavaLevel>()) {
        (Some(level), _) if state.as_block_kind() == BlockKind::Water => level as u8,
        (_, Some(level)) if state.as_block_kind() == BlockKind::Lava => level as u8,
        _ => 0,
    };
    match come {
        0..8 => SOURCE - come,
        // It falls.
        _ => SOURCE - 1,
    }
}

#[cfg(test)]
mod tests {
    use azalea_block::blocks::{OakSlab, Water};
    use azalea_block::properties::SlabKind;

    use super::*;

    fn of(kind: BlockKind) -> &'static BlockRules {
        rules(kind.into())
    }

    #[test]
    fn every_block_of_the_table_has_its_own_rules() {
        for block in BLOCKS.into_iter().filter(|block| !block.is_scenery()) {
            let rules = of(BlockKind::from_str(block.name()).unwrap());
            assert_eq!((rules.block, rules.known), (block, true));
            assert_eq!(rules.boxes.is_empty(), block.is_open(), "{}", block.name());
            assert_eq!(rules.opaque, !block.is_see_through(), "{}", block.name());
            assert_eq!(rules.fluid, block.is_fluid(), "{}", block.name());
        }
    }

    #[test]
    fn other_blocks_are_like_air_water_or_bedrock() {
        for (kind, block, opaque) in [
            (BlockKind::ShortGrass, Block::Air, false),
            (BlockKind::Torch, Block::Air, false),
            (BlockKind::Kelp, Block::Water, false),
            (BlockKind::OakPlanks, Block::Bedrock, true),
            (BlockKind::OakStairs, Block::Bedrock, false),
            (BlockKind::Glass, Block::Bedrock, false),
            (BlockKind::Barrier, Block::Bedrock, false),
        ] {
            assert_eq!((of(kind).block, of(kind).opaque, of(kind).known), (block, opaque, false), "{kind}");
        }
        let slab = OakSlab { kind: SlabKind::Bottom, waterlogged: true };
        let slab = rules(slab.into());
        assert_eq!((slab.boxes.len(), slab.boxes[0].high[1], slab.leaves_water), (1, 0.5, true));
        assert!(of(BlockKind::Ladder).holds && of(BlockKind::ShortGrass).replaceable);
    }

    #[test]
    fn other_blocks_break_in_the_games_time() {
        let ticks = |kind, tool| of(kind).digging.map(|digging| digging.ticks(tool));
        assert_eq!(ticks(BlockKind::OakPlanks, None), Some(60));
        assert_eq!(ticks(BlockKind::ShortGrass, None), Some(1));
        assert_eq!(ticks(BlockKind::GoldOre, Some(ltlcrit_minecraft::items::Item::StonePickaxe)), Some(75));
        assert_eq!(ticks(BlockKind::Barrier, None), None);
        assert_eq!(ticks(BlockKind::EndPortalFrame, None), None);
    }

    #[test]
    fn fluids_have_the_level_of_their_state() {
        let level = |level: u16| fluid_level(Water { level: WaterLevel::from(level) }.into());
        assert_eq!([0, 1, 7, 8, 12].map(level), [8, 7, 1, 7, 7]);
        assert_eq!(fluid_level(BlockKind::Kelp.into()), SOURCE);
    }
}

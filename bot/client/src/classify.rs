//! Converts the game's blocks and items into the primitives' types, with a table of all block states.

use std::sync::LazyLock;

use azalea::block::fluid_state::{FluidKind, FluidState};
use azalea::block::{BlockState, BlockTrait};
use azalea::inventory::{ItemStack, components};
use azalea::physics::collision::BlockWithShape;
use azalea::registry::builtin::{BlockKind, ItemKind};
use azalea::registry::tags::blocks as tags;
use ltlcrit_minecraft::blocks::{BLOCKS, Block, Digging};
use ltlcrit_minecraft::inventory::Stack;
use ltlcrit_minecraft::items::{ITEMS, Item, Tier};
use ltlcrit_minecraft::land::{Cell, DigReluctance, Space};

/// The index of a cell. Block states share cells, which saves a factor of sixty in memory.
pub(super) type CellId = u8;

/// All distinct cells, and the cell of each block state.
pub(super) struct Cells {
    cells: Vec<Cell>,
    of_state: Vec<CellId>,
}

/// The index of [`Cell::UNKNOWN`].
pub(super) const UNKNOWN: CellId = 0;

/// The table.
pub(super) fn cells() -> &'static Cells {
    static CELLS: LazyLock<Cells> = LazyLock::new(Cells::make);
    &CELLS
}

impl Cells {
    fn make() -> Self {
        let mut cells = vec![Cell::UNKNOWN];
        let of_state = (0..=u32::from(BlockState::MAX_STATE))
            .map(|id| {
                let cell = BlockState::try_from(id).map_or(Cell::UNKNOWN, classify);
                let known = cells.iter().position(|known| *known == cell);
                let place = known.unwrap_or_else(|| {
                    cells.push(cell);
                    cells.len() - 1
                });
                // Cells beyond the range of indices would become unknown; a test checks that there are no such cells.
                CellId::try_from(place).unwrap_or(UNKNOWN)
            })
            .collect();
        Self { cells, of_state }
    }

    /// The index of a block state's cell.
    pub fn id(&self, state: BlockState) -> CellId {
        self.of_state.get(usize::from(state.id())).copied().unwrap_or(UNKNOWN)
    }

    /// The cell at an index.
    pub fn get(&self, id: CellId) -> Cell {
        self.cells.get(usize::from(id)).copied().unwrap_or(Cell::UNKNOWN)
    }
}

/// The cell of a block state.
pub(super) fn cell_of(state: BlockState) -> Cell {
    let cells = cells();
    cells.get(cells.id(state))
}

/// The game's name for a kind of block, without `minecraft:`.
fn name(kind: BlockKind) -> &'static str {
    let name = kind.to_str();
    name.strip_prefix("minecraft:").unwrap_or(name)
}

/// The block of our table for a kind of block. Scenery is classified by its state, like blocks outside the table.
fn known(kind: BlockKind) -> Option<Block> {
    match kind {
        BlockKind::CaveAir | BlockKind::VoidAir => Some(Block::Air),
        _ => BLOCKS.into_iter().find(|block| block.name() == name(kind) && !block.is_scenery()),
    }
}

/// Blocks that hurt, trap or carry away a body in them or on them, besides those of the tags in [`is_trap`].
const TRAPS: &str = "\
    magma_block cactus sweet_berry_bush wither_rose powder_snow cobweb bubble_column tripwire honey_block \
    slime_block sculk_sensor calibrated_sculk_sensor sculk_shrieker pointed_dripstone tnt";
/// Blocks that grow only in water. Water fills their cells, although their states do not show it.
const WATER_PLANTS: &str = "seagrass tall_seagrass kelp kelp_plant";
/// Blocks of natural terrain, besides those of the tags in [`is_natural`].
const NATURAL: &str = "\
    gravel clay lily_pad calcite sandstone red_sandstone dripstone_block smooth_basalt amethyst_block obsidian \
    packed_mud raw_iron_block raw_copper_block moss_carpet pale_moss_carpet brown_mushroom red_mushroom \
    brown_mushroom_block red_mushroom_block mushroom_stem mangrove_roots muddy_mangrove_roots sugar_cane bamboo \
    azalea flowering_azalea big_dripleaf pumpkin melon sculk cobblestone mossy_cobblestone cobbled_deepslate";
/// Blocks that are slightly lower than a full one and can be stood on.
const GROUND: &str = "farmland dirt_path soul_sand mud snow";
/// Blocks that fall, besides those of the tags in [`classify`].
const LOOSE: &str = "suspicious_gravel dragon_egg";
/// Full blocks that are see-through, besides those of the tags in [`is_glassy`].
const GLASSY: &str = "slime_block honey_block spawner trial_spawner mangrove_roots barrier";

/// Returns whether a list has the name of a kind of block.
fn is_one_of(names: &str, kind: BlockKind) -> bool {
    let own = name(kind);
    names.split_whitespace().any(|name| name == own)
}

/// Returns whether a block hurts, traps or carries away a body in it or on it.
fn is_trap(kind: BlockKind) -> bool {
    tags::FIRE.contains(&kind)
        || tags::CAMPFIRES.contains(&kind)
        || tags::PORTALS.contains(&kind)
        || tags::PRESSURE_PLATES.contains(&kind)
        || is_one_of(TRAPS, kind)
        // azalea's body falls through water plants as if there were no water.
        || is_one_of(WATER_PLANTS, kind)
}

/// Returns whether natural terrain contains the block. Only such blocks may be dug out of the way.
fn is_natural(kind: BlockKind) -> bool {
    let grown =
        [&*tags::LEAVES, &*tags::SAPLINGS, &*tags::FLOWERS, &*tags::REPLACEABLE, &*tags::OVERWORLD_NATURAL_LOGS];
    let ground = [
        &*tags::BASE_STONE_OVERWORLD,
        &*tags::SUBSTRATE_OVERWORLD,
        &*tags::DIRT,
        &*tags::GRASS_BLOCKS,
        &*tags::MUD,
        &*tags::MOSS_BLOCKS,
        &*tags::SAND,
        &*tags::SNOW,
        &*tags::ICE,
        &*tags::TERRACOTTA,
        &*tags::ICE,
    ];
    grown.into_iter().chain(ground).chain(ores()).any(|tag| tag.contains(&kind)) || is_one_of(NATURAL, kind)
}

fn ores() -> [&'static azalea::registry::tags::RegistryTag<BlockKind>; 8] {
    [
        &*tags::COAL_ORES,
        &*tags::COPPER_ORES,
        &*tags::DIAMOND_ORES,
        &*tags::EMERALD_ORES,
        &*tags::GOLD_ORES,
        &*tags::IRON_ORES,
        &*tags::LAPIS_ORES,
        &*tags::REDSTONE_ORES,
    ]
}

/// The effort of breaking it, regardless of permission.
fn digging(state: BlockState, kind: BlockKind) -> Option<Digging> {
    let behavior = Box::<dyn BlockTrait>::from(state).behavior();
    if behavior.destroy_time < 0.0 {
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

fn classify(state: BlockState) -> Cell {
    let kind = state.as_block_kind();
    if let Some(block) = known(kind) {
        return Cell::of(block);
    }
    let fluid = FluidState::from(state).kind;
    let shape = state.collision_shape();
    let bounds = (!shape.is_empty()).then(|| shape.bounds());
    let height = bounds.as_ref().map_or(0.0, |bounds| bounds.max.y);
    // Carpets and thin snow do not affect walking. A lily pad stops a swimmer's head.
    let thin = height <= 0.26 && kind != BlockKind::LilyPad;
    let low = is_one_of(GROUND, kind) && (0.87..=1.0).contains(&height);
    let solid = state.is_collision_shape_full() || low;
    let space = if is_trap(kind) {
        Space::Obstacle
    } else if fluid == FluidKind::Lava {
        Space::Lava
    } else if thin && fluid == FluidKind::Water {
        Space::Water
    } else if thin {
        Space::Passable
    } else if solid {
        Space::Solid
    } else {
        Space::Obstacle
    };
    let leaves = tags::LEAVES.contains(&kind);
    let reluctance = if [&*tags::DIAMOND_ORES, &*tags::EMERALD_ORES].into_iter().any(|tag| tag.contains(&kind)) {
        DigReluctance::Never
    } else if ores().into_iter().any(|tag| tag.contains(&kind)) {
        DigReluctance::Ore
    } else if tags::LOGS.contains(&kind) {
        DigReluctance::Wood
    } else {
        DigReluctance::Free
    };
    let may_dig = is_natural(kind) && !is_trap(kind) && fluid == FluidKind::Empty;
    Cell {
        space,
        block: None,
        digging: digging(state, kind).filter(|_| may_dig),
        reluctance: if may_dig { reluctance } else { DigReluctance::Never },
        falls: [&*tags::SAND, &*tags::CONCRETE_POWDER, &*tags::ANVIL].into_iter().any(|tag| tag.contains(&kind))
            || is_one_of(LOOSE, kind),
        see_through: leaves || !state.is_collision_shape_full() || is_glassy(kind),
        leaves,
        replaceable: tags::REPLACEABLE.contains(&kind) && thin,
        wet: fluid == FluidKind::Water || is_one_of(WATER_PLANTS, kind) || kind == BlockKind::BubbleColumn,
    }
}

/// Returns whether a full block is see-through.
fn is_glassy(kind: BlockKind) -> bool {
    tags::IMPERMEABLE.contains(&kind) || tags::ICE.contains(&kind) || is_one_of(GLASSY, kind)
}

/// The item of our table for the game's kind.
pub(super) fn item_of(kind: ItemKind) -> Option<Item> {
    static ITEMS_OF: LazyLock<Vec<(ItemKind, Item)>> =
        LazyLock::new(|| ITEMS.iter().filter_map(|item| Some((kind_of(*item)?, *item))).collect());
    ITEMS_OF.iter().find(|(known, _)| *known == kind).map(|(_, item)| *item)
}

/// The game's kind for an item of our table.
pub(super) fn kind_of(item: Item) -> Option<ItemKind> {
    item.name().parse().ok()
}

/// The game's name for an item, without `minecraft:`.
pub(super) fn item_name(kind: ItemKind) -> &'static str {
    let name = kind.to_str();
    name.strip_prefix("minecraft:").unwrap_or(name)
}

/// A stack in our table's types; `None` if it is empty or its item is not in the table.
pub(super) fn stack_of(stack: &ItemStack) -> Option<Stack> {
    let data = stack.as_present()?;
    let wear = data.get_component::<components::Damage>().map_or(0, |damage| damage.amount.max(0) as u32);
    Some(Stack { item: item_of(data.kind)?, count: u32::try_from(data.count).ok()?, wear })
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::blocks::Shape;

    use super::*;

    fn states(kind: BlockKind) -> impl Iterator<Item = BlockState> {
        (0..=u32::from(BlockState::MAX_STATE))
            .filter_map(|id| BlockState::try_from(id).ok())
            .filter(move |state| state.as_block_kind() == kind)
    }

    fn block_kind(block: Block) -> Option<BlockKind> {
        block.name().parse().ok()
    }

    #[test]
    fn lists_name_blocks_of_the_game() {
        for name in [TRAPS, WATER_PLANTS, NATURAL, GROUND, LOOSE, GLASSY].iter().flat_map(|list| list.split(' ')) {
            assert!(name.parse::<BlockKind>().is_ok(), "{name}");
        }
    }

    fn cell(name: &str) -> Cell {
        cell_of(BlockState::from(name.parse::<BlockKind>().unwrap()))
    }

    /// The box of a block state's shape. For powder snow, the shape depends on the falling body.
    fn shape_of(state: BlockState) -> Option<Shape> {
        let shape = state.collision_shape();
        if shape.is_empty() || state.as_block_kind() == BlockKind::PowderSnow {
            return None;
        }
        let bounds = shape.bounds();
        let sixteenths = |part: f64| (part * 16.0).round() as u8;
        Some(Shape {
            low: [bounds.min.x, bounds.min.y, bounds.min.z].map(sixteenths),
            high: [bounds.max.x, bounds.max.y, bounds.max.z].map(sixteenths),
        })
    }

    #[test]
    fn every_state_of_every_block_of_the_table_is_that_block() {
        for block in BLOCKS {
            let kind = block_kind(block).unwrap_or_else(|| panic!("the game has no {}", block.name()));
            assert!(states(kind).count() > 0);
            // Our server sends scenery in this state.
            let default = block.is_scenery().then(|| BlockState::from(kind));
            for state in states(kind).filter(|state| default.is_none_or(|default| default == *state)) {
                assert_eq!(cell_of(state), Cell::of(block), "{state:?}");
            }
        }
    }

    #[test]
    fn every_item_of_the_table_is_the_games() {
        for &item in ITEMS {
            assert_eq!(item_of(kind_of(item).unwrap()), Some(item));
            let stack = ItemStack::new(kind_of(item).unwrap(), 1);
            let most = stack.get_component::<components::MaxStackSize>().map(|size| size.count);
            assert_eq!(most, Some(item.stack_size() as i32), "{}", item.name());
            let durability = stack.get_component::<components::MaxDamage>().map_or(0, |damage| damage.amount);
            assert_eq!(durability, item.durability() as i32, "{}", item.name());
        }
    }

    /// Hardness, tool and tier in our table agree with azalea's data from the game.
    #[test]
    fn the_table_digs_as_the_game_does() {
        for block in BLOCKS.into_iter().filter(|block| !block.is_open()) {
            let kind = block_kind(block).unwrap();
            let ours = block.digging();
            let games = digging(BlockState::from(kind), kind);
            assert_eq!(ours, games, "{}", block.name());
        }
    }

    #[test]
    fn the_table_falls_and_covers_as_the_game_does() {
        for block in BLOCKS.into_iter().filter(|block| !block.is_open()) {
            let kind = block_kind(block).unwrap();
            let state = BlockState::from(kind);
            assert_eq!(shape_of(state), block.shape(), "{}", block.name());
            assert_eq!(block.falls(), tags::SAND.contains(&kind) || kind == BlockKind::Gravel, "{}", block.name());
            assert_eq!(block.is_leaves(), tags::LEAVES.contains(&kind));
            assert_eq!(block.is_log(), tags::LOGS_THAT_BURN.contains(&kind));
        }
    }

    #[test]
    fn tells_what_a_body_can_do_with_other_blocks() {
        let space = |name: &str| cell(name).space;
        for solid in [
            "andesite",
            "tuff",
            "podzol",
            "acacia_leaves",
            "farmland",
            "dirt_path",
            "mud",
            "glass",
            "oak_planks",
            "ice",
        ] {
            assert_eq!(space(solid), Space::Solid, "{solid}");
        }
        for passable in ["short_grass", "torch", "poppy", "snow", "moss_carpet", "rail", "oak_sapling", "leaf_litter"] {
            assert_eq!(space(passable), Space::Passable, "{passable}");
        }
        for obstacle in [
            "oak_slab",
            "oak_fence",
            "chest",
            "cactus",
            "fire",
            "cobweb",
            "magma_block",
            "powder_snow",
            "sweet_berry_bush",
            "oak_door",
            "ladder",
            "nether_portal",
            "pointed_dripstone",
            "bubble_column",
            "tnt",
            "kelp",
            "seagrass",
            "lily_pad",
        ] {
            assert_eq!(space(obstacle), Space::Obstacle, "{obstacle}");
        }
        assert_eq!(cell("cave_air"), Cell::of(Block::Air));
    }

    #[test]
    fn digs_terrain_only() {
        for natural in
            ["andesite", "tuff", "podzol", "clay", "copper_ore", "short_grass", "red_sand", "snow_block", "ice"]
        {
            assert!(cell(natural).digging.is_some(), "{natural}");
        }
        for built in ["chest", "oak_planks", "white_bed", "glass", "spawner", "oak_door", "barrel"] {
            assert_eq!((cell(built).digging, cell(built).reluctance), (None, DigReluctance::Never), "{built}");
        }
        assert_eq!(cell("copper_ore").reluctance, DigReluctance::Ore);
        assert_eq!(cell("emerald_ore").reluctance, DigReluctance::Never);
        assert!(cell("red_sand").falls && cell("suspicious_gravel").falls);
        assert_eq!(cell("andesite").digging.unwrap().least, Some(Tier::Wood));
        assert_eq!(cell("copper_ore").digging.unwrap().least, Some(Tier::Stone));
        assert_eq!(cell("obsidian").digging.unwrap().least, None);
        assert_eq!(cell("snow_block").digging.unwrap().least, None);
    }

    #[test]
    fn sees_through_what_does_not_cover() {
        for clear in ["glass", "ice", "oak_slab", "torch", "acacia_leaves", "water", "cave_air"] {
            assert!(cell(clear).see_through, "{clear}");
        }
        for opaque in ["andesite", "oak_planks", "snow_block"] {
            assert!(!cell(opaque).see_through, "{opaque}");
        }
        assert!(cell("short_grass").replaceable && !cell("torch").replaceable && !cell("andesite").replaceable);
    }

    #[test]
    fn tells_where_water_is() {
        for wet in ["water", "kelp", "kelp_plant", "seagrass", "tall_seagrass", "bubble_column"] {
            assert!(cell(wet).wet, "{wet}");
        }
        for dry in ["air", "lava", "sand", "cactus", "oak_fence"] {
            assert!(!cell(dry).wet, "{dry}");
        }
    }

    #[test]
    fn the_numbers_of_cells_suffice() {
        assert!(cells().cells.len() <= 256, "{} cells", cells().cells.len());
    }
}

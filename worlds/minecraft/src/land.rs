//! The land: a player's knowledge of the blocks around it, in any world.
//!
//! Paths, sight and primitives see blocks through [`Land`] as [`Cell`]s, which describe what a body can do with a
//! block, not its name. So blocks outside our table (andesite, podzol, tall grass) are walked on and dug like any
//! other.

use super::blocks::{Block, Digging};
use super::observation::BlockPos;
use super::sight::{RANGE, Sight, VisibleKind, distance, section_distance};

/// The space that a cell offers to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Air.
    Open,
    /// Blocks without collision that do no harm: grass, flowers, torches, a single layer of snow.
    Passable,
    /// Water, and plants in it.
    Water,
    /// Lava.
    Lava,
    /// A full cube, or nearly: a body stands on it with the feet in the cell above.
    Solid,
    /// A cell that bodies can neither stand on nor enter: slabs, fences, cactus, chests, fire, cobwebs, and every block
    /// that is not loaded or not known.
    Obstacle,
}

/// The reluctance to dig a path through a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DigReluctance {
    /// No reluctance.
    Free,
    /// A log: spared if the detour is short.
    Wood,
    /// An ore: spared if there is any other path.
    Ore,
    /// Never dug: diamonds, crafting tables, furnaces.
    Never,
}

/// The properties of a position for a body. Small and `Copy`: a client builds a table with one cell for every block
/// state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The space for a body.
    pub space: Space,
    /// The block, if our table has it and the diamond task names it; see [`Block::is_scenery`].
    pub block: Option<Block>,
    /// The effort of breaking it; `None` for blocks that cannot be broken, for those that must not be (chests, beds,
    /// spawners, other players' work, anything not loaded), and for air and fluids.
    pub digging: Option<Digging>,
    /// The reluctance to dig a path through it.
    pub reluctance: DigReluctance,
    /// True if it falls without support.
    pub falls: bool,
    /// True if it is see-through: everything except full opaque cubes.
    pub see_through: bool,
    /// Leaves of any wood.
    pub leaves: bool,
    /// True if a block can replace it without breaking it first: air, fluids, grass.
    pub replaceable: bool,
    /// True if water fills it, also around a plant or another block.
    pub wet: bool,
}

impl Cell {
    /// A position that is not loaded or not known: impassable and untouchable.
    pub const UNKNOWN: Self = Self {
        space: Space::Obstacle,
        block: None,
        digging: None,
        reluctance: DigReluctance::Never,
        falls: false,
        see_through: false,
        leaves: false,
        replaceable: false,
        wet: false,
    };

    /// The cell of a block of our table.
    pub const fn of(block: Block) -> Self {
        let space = match block {
            Block::Air => Space::Open,
            Block::Water => Space::Water,
            Block::Lava => Space::Lava,
            _ if block.is_obstacle() => Space::Obstacle,
            _ if block.is_passable() => Space::Passable,
            _ => Space::Solid,
        };
        let reluctance = match block {
            Block::DiamondOre | Block::DeepslateDiamondOre | Block::CraftingTable | Block::Furnace => {
                DigReluctance::Never
            }
            _ if !block.may_be_dug() => DigReluctance::Never,
            _ if block.is_log() => DigReluctance::Wood,
            _ if block.is_landmark() || block.is_other_ore() => DigReluctance::Ore,
            _ => DigReluctance::Free,
        };
        Self {
            space,
            block: if block.is_scenery() { None } else { Some(block) },
            digging: if block.may_be_dug() { block.digging() } else { None },
            reluctance,
            falls: block.falls(),
            see_through: block.is_see_through(),
            leaves: block.is_leaves(),
            replaceable: block.is_open(),
            wet: matches!(block, Block::Water),
        }
    }

    /// Returns whether it is air for a body.
    pub(crate) fn is_airy(self) -> bool {
        matches!(self.space, Space::Open | Space::Passable)
    }

    /// Returns whether a body can be in it, at least for a moment.
    pub fn is_free(self) -> bool {
        matches!(self.space, Space::Open | Space::Passable | Space::Water)
    }

    /// Returns whether it is water or lava.
    pub fn is_fluid(self) -> bool {
        matches!(self.space, Space::Water | Space::Lava)
    }

    /// Returns whether it stops bodies and items: everything except air, passable blocks and fluids.
    pub fn is_firm(self) -> bool {
        matches!(self.space, Space::Solid | Space::Obstacle)
    }

    /// Returns whether a body can stand on it.
    pub fn is_floor(self) -> bool {
        self.space == Space::Solid
    }

    /// Returns whether it flows or falls.
    pub fn is_loose(self) -> bool {
        self.is_fluid() || self.falls
    }

    /// Returns whether it is this block of our table.
    pub fn is(self, block: Block) -> bool {
        self.block == Some(block)
    }

    /// Returns whether it is an ore, log, table or furnace of our table.
    pub fn is_landmark(self) -> bool {
        self.block.is_some_and(Block::is_landmark)
    }
}

/// A player's knowledge of the blocks around it.
///
/// Reading takes `&mut self` because the embedded land is generated on demand. A client reads the blocks that the
/// server has sent so far, and holds no lock when it returns.
pub trait Land {
    /// The cell at a position: [`Cell::UNKNOWN`] for unknown positions and below the world, air above the world.
    ///
    /// Path searches call this for some ten thousand positions in a row, so it must take well under a microsecond.
    fn cell(&mut self, pos: BlockPos) -> Cell;

    /// The blocks of a kind in a section, given in units of 16 blocks, each with its index: x, then z, then y. Sections
    /// that are not known have none.
    ///
    /// With [`Sight::Exposed`], and for stone always, only blocks with a see-through neighbour are listed.
    fn listed(&mut self, section: [i32; 3], sight: Sight, kind: VisibleKind) -> &[(u16, Block)];

    /// Calls `visit` with every block of a kind whose centre is within [`RANGE`] of the eyes, and its [`distance`]. No
    /// decision may depend on the order.
    fn visit_visible(
        &mut self,
        eyes: [f64; 3],
        sight: Sight,
        kind: VisibleKind,
        mut visit: impl FnMut(BlockPos, Block, f64),
    ) {
        let near = |axis: usize| {
            let at = |far: f64| (eyes[axis] + far).floor() as i32 >> 4;
            at(-RANGE)..=at(RANGE)
        };
        let columns = near(2).flat_map(|z| near(0).map(move |x| (x, z)));
        let sections = columns.flat_map(|(x, z)| near(1).map(move |y| [x, y, z]));
        for section in sections.filter(|section| section_distance(eyes, *section) <= RANGE) {
            let [x, y, z] = section.map(|part| part * 16);
            for (index, block) in self.listed(section, sight, kind) {
                let index = i32::from(*index);
                let pos = BlockPos::new(x + (index & 15), y + (index >> 8), z + (index >> 4 & 15));
                let away = distance(eyes, pos);
                if away <= RANGE {
                    visit(pos, *block, away);
                }
            }
        }
    }

    /// The y of the surface: the topmost block to stand on that is not part of a tree, ignoring water. `None` if the
    /// column is not loaded.
    fn ground(&mut self, x: i32, z: i32) -> Option<i32>;

    /// The biome at a position: the game's identifier without `minecraft:`.
    fn biome(&mut self, pos: BlockPos) -> String;

    /// The target y of a descent for diamonds from a place. In the real game −58: just above bedrock and lava.
    fn diamond_level(&mut self, from: BlockPos) -> i32;

    /// Returns whether it is known without reading cells that no block next to a position flows or falls. This saves
    /// reading six cells; `false` is always correct.
    fn is_firm_around(&mut self, pos: BlockPos) -> bool {
        let is_inner = [pos.x, pos.y, pos.z].iter().all(|part| (1..15).contains(&(part & 15)));
        is_inner && self.is_firm_section(pos)
    }

    /// Returns whether it is known without reading cells that no block in the 16-block section of a position flows or
    /// falls. `false` is always correct.
    fn is_firm_section(&mut self, pos: BlockPos) -> bool {
        let _ = pos;
        false
    }
}

//! Terrain: a pure function from a seed and a position to a block, chunk column by chunk column, section by section.

mod biome;
mod caverns;
mod caves;
mod compact;
mod composed;
mod cover;
mod features;
mod floating;
mod groves;
mod houses;
mod kind;
mod layout;
mod natural;
mod ores;
mod plan;
mod presets;
mod relief;
mod rock;
mod source;
mod theme;
mod trees;
mod veins;

use std::sync::Arc;

pub use biome::Biome;
pub use compact::Compact;
pub use composed::Composed;
pub use kind::TerrainKind;
pub use natural::Natural;
pub use plan::{Cells, ColumnPlan, MAX_Y, MIN_Y, Onto, Overlay, SEA_LEVEL, SECTION_VOLUME, SECTIONS, mix};
pub use source::{SOURCE, TerrainSource};

use crate::observation::BlockPos;

/// A terrain: made from a seed, or read from a source.
#[derive(Clone, Debug)]
pub enum Terrain {
    /// See [`TerrainKind::Natural`].
    Natural(Box<Natural>),
    /// See [`TerrainKind::Compact`].
    Compact(Compact),
    /// All other kinds.
    Composed(Box<Composed>),
    /// See [`TerrainSource`].
    Source(Arc<dyn TerrainSource>),
}

impl Terrain {
    /// The terrain of this kind and seed.
    pub fn new(kind: TerrainKind, seed: u64) -> Self {
        match presets::recipe(kind) {
            Some(recipe) => Self::Composed(Box::new(Composed::new(recipe, seed))),
            None if kind == TerrainKind::Compact => Self::Compact(Compact::new(seed)),
            None => Self::Natural(Box::new(Natural::new(seed))),
        }
    }

    /// The plan of the column of chunk (x, z).
    pub fn plan(&self, chunk_x: i32, chunk_z: i32) -> ColumnPlan {
        match self {
            Self::Natural(natural) => natural.plan(chunk_x, chunk_z),
            Self::Compact(compact) => compact.plan(chunk_x, chunk_z),
            Self::Composed(composed) => composed.plan(chunk_x, chunk_z),
            // A source knows its heights and biomes itself.
            Self::Source(_) => ColumnPlan::new([MIN_Y as i16; 256], [Biome::Plains; 256]),
        }
    }

    /// The blocks of section `section` (0 is the lowest) of a planned column.
    pub fn section(&self, plan: &ColumnPlan, chunk_x: i32, section: usize, chunk_z: i32) -> Cells {
        match self {
            Self::Natural(natural) => natural.section(plan, chunk_x, section, chunk_z),
            Self::Compact(compact) => compact.section(plan, chunk_x, section, chunk_z),
            Self::Composed(composed) => composed.section(plan, chunk_x, section, chunk_z),
            Self::Source(source) => source.section(chunk_x, section, chunk_z),
        }
    }

    /// The level of the fluid at a position, 1 to [`SOURCE`]. Seeds make only sources.
    pub fn fluid_level(&self, pos: BlockPos) -> u8 {
        match self {
            Self::Source(source) => source.fluid_level(pos),
            _ => SOURCE,
        }
    }

    /// The y a descent for diamonds aims at.
    pub fn diamond_level(&self) -> i32 {
        match self {
            Self::Compact(_) => compact::DIAMOND_LEVEL,
            Self::Natural(_) | Self::Composed(_) | Self::Source(_) => natural::DIAMOND_LEVEL,
        }
    }

    /// Whether the player begins at the origin, whatever is there.
    pub fn begins_at_origin(&self) -> bool {
        matches!(self, Self::Composed(_))
    }
}

//! Terrain: a pure function from a seed and a position to a block, chunk column by chunk column, section by section.

mod biome;
mod caverns;
mod caves;
mod compact;
mod composed;
mod cover;
mod features;
mod groves;
mod kind;
mod layout;
mod natural;
mod ores;
mod plan;
mod relief;
mod rock;
#[cfg(test)]
mod tests;
mod theme;
mod trees;
mod veins;

pub use biome::{BIOMES, Biome};
pub use compact::Compact;
pub use composed::Composed;
pub use kind::TerrainKind;
use layout::Layout;
pub use natural::Natural;
pub use plan::{Cells, ColumnPlan, MAX_Y, MIN_Y, Onto, Overlay, SEA_LEVEL, SECTION_VOLUME, SECTIONS, mix};
use theme::Theme;

/// The cavern threshold at which about a seventh of the rock is hollow, tunnels included.
const CAVERNS: f32 = 0.45;
/// The cavern threshold at which more than a third of the rock is hollow.
const WIDE_CAVERNS: f32 = 0.10;

/// The terrain of a seed.
#[derive(Clone, Debug)]
pub enum Terrain {
    /// See [`TerrainKind::Natural`].
    Natural(Box<Natural>),
    /// See [`TerrainKind::Compact`].
    Compact(Compact),
    /// All other kinds.
    Composed(Box<Composed>),
}

impl Terrain {
    /// The terrain of this kind and seed.
    pub fn new(kind: TerrainKind, seed: u64) -> Self {
        let composed = |layout, caverns| Self::Composed(Box::new(Composed::new(layout, caverns, seed)));
        match kind {
            TerrainKind::Natural => Self::Natural(Box::new(Natural::new(seed))),
            TerrainKind::Compact => Self::Compact(Compact::new(seed)),
            TerrainKind::Caverns => composed(Layout::Uniform(Theme::Forest), WIDE_CAVERNS),
            TerrainKind::Varied => composed(Layout::Regions, CAVERNS),
            TerrainKind::Ocean => composed(Layout::Island, CAVERNS),
        }
    }

    /// The plan of the column of chunk (x, z).
    pub fn plan(&self, chunk_x: i32, chunk_z: i32) -> ColumnPlan {
        match self {
            Self::Natural(natural) => natural.plan(chunk_x, chunk_z),
            Self::Compact(compact) => compact.plan(chunk_x, chunk_z),
            Self::Composed(composed) => composed.plan(chunk_x, chunk_z),
        }
    }

    /// The blocks of section `section` (0 is the lowest) of a planned column.
    pub fn section(&self, plan: &ColumnPlan, chunk_x: i32, section: usize, chunk_z: i32) -> Cells {
        match self {
            Self::Natural(natural) => natural.section(plan, chunk_x, section, chunk_z),
            Self::Compact(compact) => compact.section(plan, chunk_x, section, chunk_z),
            Self::Composed(composed) => composed.section(plan, chunk_x, section, chunk_z),
        }
    }

    /// The target y of a descent for diamonds.
    pub fn diamond_level(&self) -> i32 {
        match self {
            Self::Compact(_) => compact::DIAMOND_LEVEL,
            Self::Natural(_) | Self::Composed(_) => natural::DIAMOND_LEVEL,
        }
    }

    /// Returns whether the player begins at the origin, on any land.
    pub(crate) fn begins_at_origin(&self) -> bool {
        matches!(self, Self::Composed(_))
    }
}

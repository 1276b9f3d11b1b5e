//! Terrain: a pure function from a seed and a position to a block, chunk column by chunk column, section by section.

mod caves;
mod compact;
mod features;
mod natural;
mod ores;
mod plan;

pub use compact::Compact;
pub use natural::Natural;
pub use plan::{Biome, Cells, ColumnPlan, MAX_Y, MIN_Y, Overlay, SEA_LEVEL, SECTION_VOLUME, SECTIONS, mix};
use serde::{Deserialize, Serialize};

/// The kind of terrain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerrainKind {
    /// Hills, forests, lakes, caves; ores at the game's depths.
    #[default]
    Natural,
    /// A small meadow before a cliff with everything close by and the world's floor at y 32, for tests.
    Compact,
}

/// A terrain made from a seed.
#[derive(Clone, Debug)]
pub enum Terrain {
    /// See [`TerrainKind::Natural`].
    Natural(Box<Natural>),
    /// See [`TerrainKind::Compact`].
    Compact(Compact),
}

impl Terrain {
    /// The terrain of this kind and seed.
    pub fn new(kind: TerrainKind, seed: u64) -> Self {
        match kind {
            TerrainKind::Natural => Self::Natural(Box::new(Natural::new(seed))),
            TerrainKind::Compact => Self::Compact(Compact::new(seed)),
        }
    }

    /// The plan of the column of chunk (x, z).
    pub fn plan(&self, chunk_x: i32, chunk_z: i32) -> ColumnPlan {
        match self {
            Self::Natural(natural) => natural.plan(chunk_x, chunk_z),
            Self::Compact(compact) => compact.plan(chunk_x, chunk_z),
        }
    }

    /// The blocks of section `section` (0 is the lowest) of a planned column.
    pub fn section(&self, plan: &ColumnPlan, chunk_x: i32, section: usize, chunk_z: i32) -> Cells {
        match self {
            Self::Natural(natural) => natural.section(plan, chunk_x, section, chunk_z),
            Self::Compact(compact) => compact.section(plan, chunk_x, section, chunk_z),
        }
    }

    /// The y a descent for diamonds aims at.
    pub fn diamond_level(&self) -> i32 {
        match self {
            Self::Natural(_) => natural::DIAMOND_LEVEL,
            Self::Compact(_) => compact::DIAMOND_LEVEL,
        }
    }
}

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
mod layout;
mod natural;
mod ores;
mod plan;
mod presets;
mod relief;
mod rock;
mod theme;
mod trees;
mod veins;

pub use biome::{BIOMES, Biome};
pub use compact::Compact;
pub use composed::Composed;
pub use natural::Natural;
pub use plan::{Cells, ColumnPlan, MAX_Y, MIN_Y, Onto, Overlay, SEA_LEVEL, SECTION_VOLUME, SECTIONS, mix};
use serde::{Deserialize, Serialize};

/// The kind of terrain.
///
/// All kinds but the first two have caves, ores and rock at the game's heights, and the player begins at the origin,
/// whatever is there. Magma and powder snow look as in the game but do no harm here: bodies only avoid them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerrainKind {
    /// Hills, forests, lakes, caves; ores at the game's depths.
    #[default]
    Natural,
    /// A small meadow before a cliff with everything close by and the world's floor at y 32, for tests.
    Compact,
    /// The regions of all other kinds side by side.
    Varied,
    /// Ice over a deep sea; land and trees 50 to 140 blocks away.
    FrozenOcean,
    /// Forest over wide caverns: many ores lie over a drop.
    Caverns,
    /// Steps of 20 to 50 blocks, ravines, islands in the air with trees on them.
    Cliffs,
    /// Desert and badlands without a log within 200 blocks of the origin, forest beyond.
    Sands,
    /// Forest and hills over the game's caves, groundwater, lava and ores.
    Deep,
    /// Snow, pits of powder snow, spikes of ice, spruces.
    Snowy,
    /// Closed roofs of dark oak and pale oak.
    DarkForest,
    /// Cherry hills, mangrove swamps and jungles.
    Woods,
    /// A small island with trees in a sea with more islands.
    Ocean,
    /// Meadows with houses, fences, wells and paths, and few trees.
    Village,
}

/// All kinds of terrain.
pub const TERRAIN_KINDS: [TerrainKind; 13] = [
    TerrainKind::Natural,
    TerrainKind::Compact,
    TerrainKind::Varied,
    TerrainKind::FrozenOcean,
    TerrainKind::Caverns,
    TerrainKind::Cliffs,
    TerrainKind::Sands,
    TerrainKind::Deep,
    TerrainKind::Snowy,
    TerrainKind::DarkForest,
    TerrainKind::Woods,
    TerrainKind::Ocean,
    TerrainKind::Village,
];

impl TerrainKind {
    /// The name in options and configurations.
    pub fn name(self) -> &'static str {
        match self {
            TerrainKind::Natural => "natural",
            TerrainKind::Compact => "compact",
            TerrainKind::Varied => "varied",
            TerrainKind::FrozenOcean => "frozen_ocean",
            TerrainKind::Caverns => "caverns",
            TerrainKind::Cliffs => "cliffs",
            TerrainKind::Sands => "sands",
            TerrainKind::Deep => "deep",
            TerrainKind::Snowy => "snowy",
            TerrainKind::DarkForest => "dark_forest",
            TerrainKind::Woods => "woods",
            TerrainKind::Ocean => "ocean",
            TerrainKind::Village => "village",
        }
    }
}

/// A terrain made from a seed.
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

    /// The y a descent for diamonds aims at.
    pub fn diamond_level(&self) -> i32 {
        match self {
            Self::Compact(_) => compact::DIAMOND_LEVEL,
            Self::Natural(_) | Self::Composed(_) => natural::DIAMOND_LEVEL,
        }
    }

    /// Whether the player begins at the origin, whatever is there.
    pub fn begins_at_origin(&self) -> bool {
        matches!(self, Self::Composed(_))
    }
}

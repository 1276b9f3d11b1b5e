//! The kinds of terrain and their names.

use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// The kind of terrain.
///
/// All kinds but the first two have caves, ores and rock at the game's heights, and the player begins at the origin,
/// whatever is there. Magma and powder snow look as in the game but do no harm here: bodies only avoid them.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumMessage, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TerrainKind {
    /// Hills, forests, lakes, caves; ores at the game's depths
    #[default]
    Natural,
    /// A small meadow before a cliff with everything close by and the world's floor at y 32, for tests
    Compact,
    /// The regions of all other kinds side by side
    Varied,
    /// Ice over a deep sea; land and trees 50 to 140 blocks away
    FrozenOcean,
    /// Forest over wide caverns: many ores lie over a drop
    Caverns,
    /// Steps of 20 to 50 blocks, ravines, islands in the air with trees on them
    Cliffs,
    /// Desert and badlands without a log within 200 blocks of the origin, forest beyond
    Sands,
    /// Forest and hills over the game's caves, groundwater, lava and ores
    Deep,
    /// Snow, pits of powder snow, spikes of ice, spruces
    Snowy,
    /// Closed roofs of dark oak and pale oak
    DarkForest,
    /// Cherry hills, mangrove swamps and jungles
    Woods,
    /// A small island with trees in a sea with more islands
    Ocean,
    /// Meadows with houses, fences, wells and paths, and few trees
    Village,
}

impl TerrainKind {
    /// The name in options and configurations.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

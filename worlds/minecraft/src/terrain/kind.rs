//! The kinds of terrain and their names.

use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// The kind of terrain.
///
/// All kinds except the first two have caves, ores and rock at the game's heights, and the player begins at the origin,
/// whatever the land there is. Magma and powder snow look as in the game but do no harm here: bodies only avoid them.
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
    /// Regions of all sorts of land side by side: forests, seas, cliffs, sands, jungles, snow, meadows
    Varied,
    /// Forest over wide caverns: many ores lie over a drop
    Caverns,
    /// A small island with trees in a sea with more islands
    Ocean,
}

impl TerrainKind {
    /// The name in options and configurations.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

//! Biomes: the character of the land, its name in the game, and its soil.

use strum::{IntoStaticStr, VariantArray};

use crate::blocks::Block;

/// The character of the land at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Biome {
    Plains,
    Forest,
    Taiga,
    WindsweptHills,
    #[strum(serialize = "river")]
    Lake,
    Ocean,
    Beach,
    FrozenOcean,
    SnowyPlains,
    SnowyTaiga,
    SnowySlopes,
    IceSpikes,
    #[strum(serialize = "windswept_gravelly_hills")]
    GravellyHills,
    Desert,
    Badlands,
    DarkForest,
    PaleGarden,
    CherryGrove,
    MangroveSwamp,
    Jungle,
}

/// All biomes.
pub const BIOMES: &[Biome] = Biome::VARIANTS;

impl Biome {
    /// The game's identifier without `minecraft:`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns whether water fills the land below the sea level.
    pub(super) fn is_wet(self) -> bool {
        matches!(self, Biome::Lake | Biome::Ocean | Biome::FrozenOcean | Biome::MangroveSwamp | Biome::Beach)
    }

    /// Returns whether water freezes.
    pub(super) fn is_frozen(self) -> bool {
        matches!(self, Biome::FrozenOcean)
    }

    /// Returns whether a layer of snow covers the ground.
    pub(super) fn is_snowy(self) -> bool {
        matches!(self, Biome::SnowyPlains | Biome::SnowyTaiga | Biome::SnowySlopes)
    }

    /// The block of the soil at a depth below the surface, in blocks; `None` below the soil.
    pub(super) fn soil(self, depth: i32) -> Option<Block> {
        let layers: &[(i32, Block)] = match self {
            Biome::Desert | Biome::Beach => &[(4, Block::Sand), (9, Block::Sandstone)],
            Biome::Badlands => &[(3, Block::RedSand), (5, Block::RedSandstone), (16, Block::Terracotta)],
            Biome::Ocean => &[(3, Block::Sand), (5, Block::Clay)],
            Biome::Lake => &[(2, Block::Sand), (4, Block::Clay)],
            Biome::FrozenOcean => &[(4, Block::Gravel)],
            Biome::SnowySlopes => &[(3, Block::SnowBlock)],
            Biome::IceSpikes => &[(1, Block::SnowBlock), (4, Block::Dirt)],
            Biome::GravellyHills => &[(3, Block::Gravel)],
            Biome::MangroveSwamp => &[(5, Block::Mud)],
            Biome::PaleGarden => &[(1, Block::GrassBlock), (2, Block::CoarseDirt), (4, Block::Dirt)],
            Biome::SnowyTaiga => &[(1, Block::Podzol), (4, Block::Dirt)],
            _ => &[(1, Block::GrassBlock), (4, Block::Dirt)],
        };
        layers.iter().find(|(end, _)| depth < *end).map(|(_, block)| *block)
    }
}

//! Biomes: the land's character at a place, its name in the game, and its soil.

use serde::{Deserialize, Serialize};

use crate::blocks::Block;

macro_rules! biomes {
    ($($variant:ident = $name:literal, $temperature:literal, $downfall:literal;)+) => {
        /// The land's character at a place.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[allow(missing_docs)]
        pub enum Biome {
            $($variant,)+
        }

        /// All biomes, in the order of their declaration.
        pub const BIOMES: [Biome; [$(Biome::$variant),+].len()] = [$(Biome::$variant),+];

        const TABLE: [(&str, [f32; 2]); BIOMES.len()] = [$(($name, [$temperature, $downfall])),+];
    };
}

biomes! {
    Plains = "plains", 0.8, 0.4;
    Forest = "forest", 0.7, 0.8;
    Taiga = "taiga", 0.25, 0.8;
    WindsweptHills = "windswept_hills", 0.2, 0.3;
    Lake = "river", 0.5, 0.5;
    Ocean = "ocean", 0.5, 0.5;
    Beach = "beach", 0.8, 0.4;
    FrozenOcean = "frozen_ocean", 0.0, 0.5;
    SnowyPlains = "snowy_plains", 0.0, 0.5;
    SnowyTaiga = "snowy_taiga", -0.5, 0.4;
    SnowySlopes = "snowy_slopes", -0.3, 0.9;
    IceSpikes = "ice_spikes", 0.0, 0.5;
    GravellyHills = "windswept_gravelly_hills", 0.2, 0.3;
    Desert = "desert", 2.0, 0.0;
    Badlands = "badlands", 2.0, 0.0;
    DarkForest = "dark_forest", 0.7, 0.8;
    PaleGarden = "pale_garden", 0.7, 0.8;
    CherryGrove = "cherry_grove", 0.5, 0.8;
    MangroveSwamp = "mangrove_swamp", 0.8, 0.9;
    Jungle = "jungle", 0.95, 0.9;
}

impl Biome {
    /// The game's identifier without `minecraft:`.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].0
    }

    /// The game's temperature and downfall.
    pub fn climate(self) -> [f32; 2] {
        TABLE[self as usize].1
    }

    /// Whether water fills the land below the sea level.
    pub(super) fn is_wet(self) -> bool {
        matches!(self, Biome::Lake | Biome::Ocean | Biome::FrozenOcean | Biome::MangroveSwamp | Biome::Beach)
    }

    /// Whether water freezes.
    pub(super) fn is_frozen(self) -> bool {
        matches!(self, Biome::FrozenOcean)
    }

    /// Whether a layer of snow covers the ground.
    pub(super) fn is_snowy(self) -> bool {
        matches!(self, Biome::SnowyPlains | Biome::SnowyTaiga | Biome::SnowySlopes)
    }

    /// The block of the soil at a depth below the surface, in blocks; `None` where the rock begins.
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

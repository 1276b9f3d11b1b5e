//! Themes: the relief and the biomes of one kind of land, from the noises at a place.

use strum::VariantArray;

use super::biome::Biome;
use super::plan::SEA_LEVEL;

/// The noises at a place, each about -1 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noises {
    /// Changes over 150 blocks.
    pub(super) land: f64,
    /// Changes over 190 blocks.
    pub(super) hills: f64,
    /// Changes over 230 blocks: cold and wet to warm and dry.
    pub(super) climate: f64,
    /// Changes over 70 blocks.
    pub(super) shape: f64,
    /// Changes over 21 blocks.
    pub(super) detail: f64,
}

/// A kind of land.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub(super) enum Theme {
    /// Rolling land with oaks, birches and hills of bare stone.
    Forest,
    /// Meadows.
    Meadow,
    /// A deep sea under ice.
    FrozenSea,
    /// A sea with islands.
    Islands,
    /// Steps of 20 to 50 blocks, ravines.
    Cliffs,
    /// Dunes and red plateaus without trees.
    Sands,
    /// Roofs of dark oak and pale oak.
    DarkForest,
    /// Hills with cherry trees.
    Cherry,
    /// Shallow water with mangroves on their roots.
    Mangrove,
    /// Jungle with giants.
    Jungle,
    /// Snow, powder snow, spikes of ice, spruces.
    Snow,
}

/// 0 below the range, 1 above it, smooth in between.
pub(super) fn smooth(value: f64, from: f64, to: f64) -> f64 {
    let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

impl Theme {
    /// The height of the ground, without ravines.
    pub(super) fn height(self, at: Noises) -> f64 {
        let Noises { land, hills, shape, detail, .. } = at;
        match self {
            Theme::Forest => {
                let hilly = smooth(hills, -0.1, 0.35);
                69.0 + 8.0 * land
                    + hilly * (6.0 + 26.0 * (1.0 - 2.0 * shape.abs()).max(0.0))
                    + detail * (1.5 + 4.0 * hilly)
            }
            Theme::Meadow => 68.0 + 4.0 * land + 0.5 * detail,
            Theme::FrozenSea => (38.0 + 14.0 * land + 2.0 * detail).min(56.0),
            Theme::Islands => 41.0 + 6.0 * land + 33.0 * smooth(shape + 0.3 * hills, 0.1, 0.45) + 2.0 * detail,
            Theme::Cliffs => {
                // The steps follow a height that changes slowly; each step is climbed within a sixth of its length.
                let steps = (2.6 * land + 0.9 * shape + 0.6).max(0.0);
                let climbed = steps.floor() + smooth(steps.fract(), 0.8, 0.97);
                68.0 + (30.0 + 30.0 * hills).clamp(22.0, 46.0) * climbed.min(2.0) + 2.5 * detail
            }
            Theme::Sands => 68.0 + 5.0 * land + 16.0 * smooth(hills, 0.22, 0.28) + 2.0 * detail,
            Theme::DarkForest => 68.0 + 6.0 * land + detail,
            Theme::Cherry => 80.0 + 14.0 * land + 3.0 * detail,
            Theme::Mangrove => 62.2 + 3.0 * land + 1.5 * detail,
            Theme::Jungle => 71.0 + 9.0 * land + 3.0 * detail,
            Theme::Snow => {
                71.0 + 8.0 * land
                    + smooth(hills, 0.0, 0.4) * (24.0 + 40.0 * (0.5 - shape.abs()).max(0.0))
                    + 2.0 * detail
            }
        }
    }

    /// The floor of a ravine here; `None` outside ravines. Ravines exist only in land well above the water.
    pub(super) fn ravine(self, at: Noises, height: f64) -> Option<f64> {
        let reach = match self {
            Theme::Cliffs => 0.055,
            Theme::Sands | Theme::Forest => 0.035,
            _ => return None,
        };
        let deep = smooth(at.hills, -0.35, -0.1) * smooth(height, f64::from(SEA_LEVEL) + 2.0, 70.0);
        let off = at.shape.abs() / reach;
        (off < 1.0 && deep > 0.2).then(|| height - 38.0 * deep * (1.0 - off.powi(4)))
    }

    /// The biome, for a height without ravines.
    pub(super) fn biome(self, at: Noises, height: i32) -> Biome {
        let under_water = height < SEA_LEVEL;
        match self {
            Theme::FrozenSea => Biome::FrozenOcean,
            Theme::Snow if under_water => Biome::FrozenOcean,
            Theme::Islands if under_water => Biome::Ocean,
            Theme::Islands if height <= SEA_LEVEL + 2 => Biome::Beach,
            Theme::Mangrove => Biome::MangroveSwamp,
            _ if under_water => Biome::Lake,
            Theme::Forest if at.hills > 0.2 => Biome::WindsweptHills,
            Theme::Forest | Theme::Islands => Biome::Forest,
            Theme::Meadow => Biome::Plains,
            Theme::Cliffs if at.climate > 0.2 => Biome::GravellyHills,
            Theme::Cliffs => Biome::WindsweptHills,
            Theme::Sands if at.climate > 0.1 => Biome::Badlands,
            Theme::Sands => Biome::Desert,
            Theme::DarkForest if at.climate > 0.15 => Biome::PaleGarden,
            Theme::DarkForest => Biome::DarkForest,
            Theme::Cherry => Biome::CherryGrove,
            Theme::Jungle => Biome::Jungle,
            Theme::Snow if at.climate < -0.2 => Biome::IceSpikes,
            Theme::Snow if at.hills > 0.15 => Biome::SnowySlopes,
            Theme::Snow if at.climate > 0.15 => Biome::SnowyPlains,
            Theme::Snow => Biome::SnowyTaiga,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ravines_are_deep_in_the_middle_and_never_in_water() {
        let at = Noises { land: 0.0, hills: 0.0, climate: 0.0, shape: 0.0, detail: 0.0 };
        assert_eq!(Theme::Cliffs.ravine(at, 90.0), Some(52.0));
        assert_eq!(Theme::Cliffs.ravine(Noises { shape: 0.2, ..at }, 90.0), None);
        assert_eq!(Theme::Cliffs.ravine(at, 60.0), None);
        assert_eq!(Theme::Jungle.ravine(at, 90.0), None);
    }
}

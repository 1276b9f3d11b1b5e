//! Presets: the composed kinds of terrain, each for one difficulty of real worlds.

use super::composed::Recipe;
use super::kind::TerrainKind;
use super::layout::Layout;
use super::theme::Theme;

/// The threshold at which about a seventh of the rock is hollow, tunnels included.
pub(super) const CAVERNS: f32 = 0.45;
/// The threshold at which more than a third of the rock is hollow.
const WIDE_CAVERNS: f32 = 0.10;

/// Themes drawn for the regions of `varied`.
pub(super) const ALL: [Theme; 11] = [
    Theme::Forest,
    Theme::Village,
    Theme::FrozenSea,
    Theme::Islands,
    Theme::Cliffs,
    Theme::Sands,
    Theme::DarkForest,
    Theme::Cherry,
    Theme::Mangrove,
    Theme::Jungle,
    Theme::Snow,
];

/// The recipe of a kind of terrain; `None` if it is not composed.
pub(super) fn recipe(kind: TerrainKind) -> Option<Recipe> {
    let (layout, cavern_threshold) = match kind {
        TerrainKind::Natural | TerrainKind::Compact => return None,
        TerrainKind::Caverns => (Layout::Uniform(Theme::Forest), WIDE_CAVERNS),
        TerrainKind::Varied => (Layout::Regions(&ALL), CAVERNS),
        TerrainKind::Ocean => {
            (Layout::Circle { inner: Theme::Forest, outer: Theme::Islands, radius: 36.0, wobble: 12.0 }, CAVERNS)
        }
    };
    Some(Recipe { layout, cavern_threshold })
}

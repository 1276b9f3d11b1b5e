//! Presets: the composed kinds of terrain, each for one hardship that real worlds have.

use super::composed::Recipe;
use super::kind::TerrainKind;
use super::layout::Layout;
use super::theme::Theme;

/// About a seventh of the rock is hollow, tunnels included.
const CAVERNS: f32 = 0.45;
/// More than a third of the rock is hollow.
const WIDE_CAVERNS: f32 = 0.10;

/// Themes drawn for the regions of `varied`.
const ALL: [Theme; 11] = [
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

/// The recipe of a kind of terrain; `None` for those that are not composed.
pub(super) fn recipe(kind: TerrainKind) -> Option<Recipe> {
    let layout = match kind {
        TerrainKind::Natural | TerrainKind::Compact => return None,
        TerrainKind::FrozenOcean => {
            Layout::Circle { inner: Theme::FrozenSea, outer: Theme::Snow, radius: 95.0, wobble: 30.0 }
        }
        TerrainKind::Caverns | TerrainKind::Deep => Layout::Uniform(Theme::Forest),
        TerrainKind::Cliffs => Layout::Uniform(Theme::Cliffs),
        TerrainKind::Sands => Layout::Circle { inner: Theme::Sands, outer: Theme::Forest, radius: 250.0, wobble: 20.0 },
        TerrainKind::Varied => Layout::Regions(&ALL),
        TerrainKind::Snowy => Layout::Uniform(Theme::Snow),
        TerrainKind::DarkForest => Layout::Uniform(Theme::DarkForest),
        TerrainKind::Woods => Layout::Regions(&[Theme::Cherry, Theme::Mangrove, Theme::Jungle]),
        TerrainKind::Ocean => {
            Layout::Circle { inner: Theme::Forest, outer: Theme::Islands, radius: 36.0, wobble: 12.0 }
        }
        TerrainKind::Village => Layout::Uniform(Theme::Village),
    };
    let cavern_threshold = if kind == TerrainKind::Caverns { WIDE_CAVERNS } else { CAVERNS };
    Some(Recipe { layout, cavern_threshold })
}

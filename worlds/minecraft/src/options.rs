//! Options of the embedded world; with the seed and the actions they determine every observation.

use serde::Serialize;

use super::sight::Sight;
use super::terrain::TerrainKind;

/// The options of the embedded world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EmbeddedOptions {
    /// The terrain.
    pub terrain: TerrainKind,
    /// The options that concern the player.
    #[serde(flatten)]
    pub limits: Limits,
}

/// The sight of a player and the limits of its primitives, in any world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The visible blocks.
    pub sight: Sight,
    /// The maximum number of places that one path search expands.
    pub max_path_nodes: usize,
    /// The maximum number of blocks that `action_explore_general` walks.
    pub max_walk: u32,
    /// The maximum number of steps that `action_explore_diamond_down` digs.
    pub max_tunnel: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sight: Sight::Exposed, max_path_nodes: 6000, max_walk: 192, max_tunnel: 600 }
    }
}

impl EmbeddedOptions {
    /// A small terrain in which everything is close, for tests.
    pub fn compact() -> Self {
        Self { terrain: TerrainKind::Compact, ..Self::default() }
    }
}

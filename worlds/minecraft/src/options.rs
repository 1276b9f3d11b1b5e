//! Options of the embedded world; with the seed and the actions they determine every observation.

use serde::{Deserialize, Serialize};

use super::sight::Sight;
use super::terrain::TerrainKind;

/// How the embedded world is made and how far its primitives go before they give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbeddedOptions {
    /// The terrain.
    pub terrain: TerrainKind,
    /// Which blocks are shown.
    pub sight: Sight,
    /// How many places one search for a path looks at.
    pub max_path_nodes: usize,
    /// How many blocks `action_explore_general` walks at most.
    pub max_walk: u32,
    /// How many steps `action_explore_diamond_down` digs at most.
    pub max_tunnel: u32,
}

/// How far a player sees and how long its primitives go on before they give up, in whatever world it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Which blocks are shown.
    pub sight: Sight,
    /// How many places one search for a path looks at.
    pub max_path_nodes: usize,
    /// How many blocks `action_explore_general` walks at most.
    pub max_walk: u32,
    /// How many steps `action_explore_diamond_down` digs at most.
    pub max_tunnel: u32,
}

impl Default for Limits {
    fn default() -> Self {
        EmbeddedOptions::default().limits()
    }
}

impl Default for EmbeddedOptions {
    fn default() -> Self {
        Self {
            terrain: TerrainKind::Natural,
            sight: Sight::Exposed,
            max_path_nodes: 6000,
            max_walk: 192,
            max_tunnel: 600,
        }
    }
}

impl EmbeddedOptions {
    /// What of it concerns the player, not the terrain.
    pub fn limits(&self) -> Limits {
        let Self { terrain: _, sight, max_path_nodes, max_walk, max_tunnel } = *self;
        Limits { sight, max_path_nodes, max_walk, max_tunnel }
    }

    /// A small terrain in which everything is close, for tests.
    pub fn compact() -> Self {
        Self { terrain: TerrainKind::Compact, ..Self::default() }
    }
}

//! The state of a running game. The systems in the sibling modules change it, each taking the parts it needs.

use std::sync::Arc;
use std::time::Instant;

use azalea_core::position::Vec3;
use ltlcrit_minecraft::grid::Grid;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::spawn;
use ltlcrit_minecraft::terrain::Terrain;
use tokio::sync::watch;

use super::blocks::Blocks;
use super::entities::Entities;
use super::offline_players::OfflinePlayers;
use super::options::ServerOptions;
use super::status::Roster;

/// The state of a game, owned by one task.
pub(super) struct GameState {
    pub(super) options: Arc<ServerOptions>,
    pub(super) blocks: Blocks,
    pub(super) entities: Entities,
    /// Players who have left.
    pub(super) offline_players: OfflinePlayers,
    /// The block where new and respawned players begin.
    pub(super) spawn: BlockPos,
    /// The player list for status requests.
    pub(super) roster: watch::Sender<Roster>,
    /// The time at which the current event or tick began.
    pub(super) now: Instant,
}

impl GameState {
    /// The game of a seed, without players.
    pub(super) fn new(options: Arc<ServerOptions>, roster: watch::Sender<Roster>) -> Self {
        let mut grid = Grid::new(Terrain::new(options.terrain, options.seed));
        let spawn = spawn::choose(&mut grid);
        Self {
            options,
            blocks: Blocks::new(grid),
            entities: Entities::default(),
            offline_players: OfflinePlayers::default(),
            spawn,
            roster,
            now: Instant::now(),
        }
    }

    /// The configured number of ticks per second.
    pub(super) fn tick_rate(&self) -> f64 {
        f64::from(self.options.ticks_per_second.max(1))
    }

    /// The position where players begin: the middle of the spawn block.
    pub(super) fn spawn_point(&self) -> Vec3 {
        let BlockPos { x, y, z } = self.spawn;
        Vec3 { x: f64::from(x) + 0.5, y: f64::from(y), z: f64::from(z) + 0.5 }
    }
}

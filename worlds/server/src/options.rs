//! The options of a server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ltlcrit_minecraft::terrain::TerrainKind;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The address to listen on. Port 0 takes any free port.
    pub bind: SocketAddr,
    /// The seed of the world.
    pub seed: u64,
    /// The terrain of the world.
    pub terrain: TerrainKind,
    /// The maximum view distance of players, in chunks; 2 to 16.
    pub view_distance: u32,
    /// The number of ticks per second; 20 in the game.
    pub ticks_per_second: u32,
    /// True if ticks pass only by calls of [`Ticker::tick`](crate::Ticker::tick), instead of by the wall clock.
    #[cfg(feature = "test-support")]
    pub stepped: bool,
    /// The maximum number of players at once.
    pub max_players: usize,
    /// The save file: read when the server starts, written periodically and when it stops.
    pub save: Option<PathBuf>,
    /// The time between two saves.
    pub save_every: Duration,
    /// The description in the status answer.
    pub description: String,
    /// The time limit for a login, and for the answer to a keep-alive packet.
    pub patience: Duration,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            bind: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            seed: 1,
            terrain: TerrainKind::Natural,
            view_distance: 6,
            ticks_per_second: 20,
            #[cfg(feature = "test-support")]
            stepped: false,
            max_players: 20,
            save: None,
            save_every: Duration::from_secs(5),
            description: "An ltlcrit world".to_owned(),
            patience: Duration::from_secs(30),
        }
    }
}

impl ServerOptions {
    /// Returns whether ticks pass by call instead of by the wall clock.
    pub(super) fn is_stepped(&self) -> bool {
        #[cfg(feature = "test-support")]
        return self.stepped;
        #[cfg(not(feature = "test-support"))]
        false
    }

    /// A small world in which everything is close, for tests.
    pub fn compact() -> Self {
        Self { terrain: TerrainKind::Compact, view_distance: 4, ..Self::default() }
    }
}

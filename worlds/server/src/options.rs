//! Options of a server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ltlcrit_minecraft::terrain::TerrainKind;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where it listens. Port 0 takes any free one.
    pub bind: SocketAddr,
    /// The world's seed.
    pub seed: u64,
    /// The terrain.
    pub terrain: TerrainKind,
    /// How far players see, in chunks; 2 to 16.
    pub view_distance: u32,
    /// How many ticks pass in a second; the game's are 20.
    pub ticks_per_second: u32,
    /// Whether a tick passes only when [`Ticker::tick`](crate::Ticker::tick) is called, instead of by the wall clock.
    pub stepped: bool,
    /// How many players may be in at once.
    pub max_players: usize,
    /// Where the world is kept: read when the server starts, written every so often and when it stops.
    pub save: Option<PathBuf>,
    /// How long between two savings.
    pub save_every: Duration,
    /// What the status answer says of the server.
    pub description: String,
    /// How long a client may take to log in, and how long it may leave a question whether it is still there unanswered.
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
    /// A small world in which everything is close, for tests.
    pub fn compact() -> Self {
        Self { terrain: TerrainKind::Compact, view_distance: 4, ..Self::default() }
    }
}

//! The world of a run: the embedded one, or a Minecraft server with a client on it.

#[cfg(feature = "client")]
mod server;

use std::path::PathBuf;
use std::sync::Arc;

use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::terrain;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Sight};
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{ActionId, Prediction, Transitions, Vocabulary};
use ltlcrit_worlds::world::{Observation, Outcome, Subgoal, Term, World, WorldError, WorldInfo};
use ltlcrit_worlds::{Extended, Progress, Recorder, Watcher};
#[cfg(feature = "client")]
pub use server::{ServerWorld, account};
use thiserror::Error;

use crate::agent::{Event, Interrupt};
use crate::config::{Config, SightKind, TerrainKind, WorldKind};

/// Why the world of a run cannot be opened.
#[derive(Debug, Error)]
pub enum OpenWorldError {
    /// The world cannot have the vocabulary of the books.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// A server is configured, and this program has no client.
    #[error("this ltlcrit was built without its Minecraft client")]
    NoClient,
    /// An account that cannot be read.
    #[cfg(feature = "client")]
    #[error("the account cannot be used")]
    Account(#[source] ltlcrit_client::AccountError),
    /// The loopback server does not start.
    #[cfg(feature = "client")]
    #[error("the loopback server cannot be started")]
    Server(#[source] ltlcrit_server::ServerError),
    /// The client cannot join.
    #[cfg(feature = "client")]
    #[error("the server cannot be joined")]
    Join(#[source] ltlcrit_client::JoinError),
}

/// The world of a run.
#[allow(clippy::large_enum_variant)] // There is one of it, and it stays where it is.
pub enum RunWorld {
    /// In this process, without a client.
    Embedded(EmbeddedWorld),
    /// A server, joined by a client.
    #[cfg(feature = "client")]
    Server(ServerWorld),
}

/// What a world of this description, of which only records are left, [predicted](World::predict).
pub fn predict(world: &WorldInfo, observation: &Observation, action: ActionId) -> Option<Prediction> {
    match world.kind.as_str() {
        "embedded" => effects::predict(observation, action, Setting::Embedded),
        "server" => effects::predict(observation, action, Setting::Server),
        _ => None,
    }
}

/// The file that keeps the world of a server of our own during a run.
pub type SaveFile = Option<PathBuf>;

impl RunWorld {
    /// Opens the world of a configuration. The embedded world is fresh, and so is a server of our own unless its save
    /// file exists. `joining` gets the address and the account before a client joins.
    ///
    /// # Errors
    /// A server that cannot be started or joined.
    pub async fn open(
        config: &Config,
        save: SaveFile,
        interrupt: &Interrupt,
        joining: &dyn Fn(&str, &str),
    ) -> Result<Self, OpenWorldError> {
        match config.run.world {
            WorldKind::Embedded => Ok(Self::Embedded(EmbeddedWorld::new(config.run.seed, embedded(config)))),
            #[cfg(feature = "client")]
            WorldKind::Server => ServerWorld::open(config, save, interrupt, joining).await.map(Self::Server),
            #[cfg(not(feature = "client"))]
            WorldKind::Server => {
                let _ = (save, interrupt, joining);
                Err(OpenWorldError::NoClient)
            }
        }
    }

    /// This world with what a vocabulary derives.
    ///
    /// # Errors
    /// The vocabulary is not one of this world.
    pub fn deriving(self, vocabulary: &Vocabulary) -> Result<Extended<Self>, OpenWorldError> {
        Ok(Extended::new(self, vocabulary.derivations().cloned())?)
    }

    /// A listener for events of the run, for answers in the world's chat.
    pub fn listener(&self) -> impl Fn(&Event<'_>) + use<> {
        #[cfg(feature = "client")]
        let chat = match self {
            Self::Server(world) => Some(world.chat()),
            Self::Embedded(_) => None,
        };
        move |event| {
            #[cfg(feature = "client")]
            if let Some(chat) = &chat {
                chat.record(event);
            }
            let _ = event;
        }
    }
}

/// The options of the embedded world in a configuration.
pub fn embedded(config: &Config) -> EmbeddedOptions {
    EmbeddedOptions { terrain: terrain(config), sight: sight(config), ..EmbeddedOptions::default() }
}

/// The terrain in a configuration.
pub fn terrain(config: &Config) -> terrain::TerrainKind {
    terrain_of(config.run.terrain)
}

/// Converts a terrain of a configuration.
pub fn terrain_of(kind: TerrainKind) -> terrain::TerrainKind {
    match kind {
        TerrainKind::Natural => terrain::TerrainKind::Natural,
        TerrainKind::Compact => terrain::TerrainKind::Compact,
        TerrainKind::FrozenOcean => terrain::TerrainKind::FrozenOcean,
        TerrainKind::Ocean => terrain::TerrainKind::Ocean,
        TerrainKind::Cliffs => terrain::TerrainKind::Cliffs,
        TerrainKind::Caverns => terrain::TerrainKind::Caverns,
        TerrainKind::Sands => terrain::TerrainKind::Sands,
        TerrainKind::DarkForest => terrain::TerrainKind::DarkForest,
        TerrainKind::Woods => terrain::TerrainKind::Woods,
        TerrainKind::Snowy => terrain::TerrainKind::Snowy,
        TerrainKind::Village => terrain::TerrainKind::Village,
        TerrainKind::Deep => terrain::TerrainKind::Deep,
        TerrainKind::Varied => terrain::TerrainKind::Varied,
    }
}

/// The sight in a configuration.
pub fn sight(config: &Config) -> Sight {
    match config.run.sight {
        SightKind::Exposed => Sight::Exposed,
        SightKind::Loaded => Sight::Loaded,
    }
}

/// Calls a method of the world of either variant.
macro_rules! of {
    ($self:ident, $world:ident => $call:expr) => {
        match $self {
            RunWorld::Embedded($world) => $call,
            #[cfg(feature = "client")]
            RunWorld::Server($world) => $call,
        }
    };
}

impl World for RunWorld {
    fn info(&self) -> WorldInfo {
        of!(self, world => world.info())
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        of!(self, world => world.vocabulary())
    }

    fn task(&self) -> &str {
        of!(self, world => world.task())
    }

    fn glossary(&self) -> Vec<Term> {
        of!(self, world => world.glossary())
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        of!(self, world => world.observe().await)
    }

    fn transitions(&self) -> Option<Arc<dyn Transitions>> {
        of!(self, world => world.transitions())
    }

    fn record_progress(&mut self, recorder: Recorder) {
        of!(self, world => world.record_progress(recorder));
    }

    fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError> {
        of!(self, world => world.restore_progress(progress))
    }

    fn predict(&self, observation: &Observation, action: ActionId) -> Option<Prediction> {
        of!(self, world => world.predict(observation, action))
    }

    fn recall(&mut self, observation: &Observation) {
        of!(self, world => world.recall(observation));
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        of!(self, world => world.execute(action).await)
    }

    fn trace(&self) -> Vec<String> {
        of!(self, world => world.trace())
    }

    fn watcher(&self) -> Option<Watcher> {
        of!(self, world => world.watcher())
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        of!(self, world => world.goal_reached(observation))
    }

    fn respawns(&self) -> bool {
        of!(self, world => world.respawns())
    }

    fn subgoals(&self) -> &[Subgoal] {
        of!(self, world => world.subgoals())
    }
}

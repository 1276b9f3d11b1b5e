//! How the worlds of runs are opened; the engine itself opens the embedded one.

use std::error::Error;
use std::sync::Arc;

use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{ActionId, Prediction, Vocabulary};
use ltlcrit_worlds::Extended;
use ltlcrit_worlds::world::{Observation, World, WorldInfo};
use thiserror::Error;

use crate::agent::{Event, Interrupt};
use crate::config::{Config, WorldKind};

/// Why the world of a run cannot be opened.
#[derive(Debug, Error)]
pub enum OpenWorldError {
    /// The world cannot have the vocabulary of the books.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// A server is configured, and this program has no client.
    #[error("this program was built without its Minecraft client")]
    NoClient,
    /// An account that cannot be read.
    #[error("the account cannot be used")]
    Account(#[source] Box<dyn Error + Send + Sync>),
    /// The loopback server does not start.
    #[error("the loopback server cannot be started")]
    Server(#[source] Box<dyn Error + Send + Sync>),
    /// The interrupt was requested while a client joined.
    #[error("cancelled while joining the server")]
    Cancelled,
    /// The client cannot join.
    #[error("the server cannot be joined")]
    Join(#[source] Box<dyn Error + Send + Sync>),
}

/// Gets the events of a run.
pub type Listener = Box<dyn Fn(&Event<'_>)>;

/// Opens the worlds of runs, one at a time or several at once.
#[allow(async_fn_in_trait)] // A run stays on the thread that began it.
pub trait OpenWorld: Sync {
    /// The worlds it opens.
    type World: World;

    /// Opens the world of a configuration, fresh unless it is being continued. The interrupt ends what the world does.
    ///
    /// # Errors
    /// A world that cannot be opened.
    async fn open(&self, config: &Config, interrupt: &Interrupt) -> Result<Self::World, OpenWorldError>;

    /// A listener for the events of a run in a world, for answers in the world itself.
    fn listener(&self, world: &Self::World) -> Option<Listener> {
        let _ = world;
        None
    }
}

/// Opens worlds inside this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedWorlds;

impl OpenWorld for EmbeddedWorlds {
    type World = EmbeddedWorld;

    async fn open(&self, config: &Config, _: &Interrupt) -> Result<EmbeddedWorld, OpenWorldError> {
        match config.run.world {
            WorldKind::Embedded => Ok(EmbeddedWorld::new(config.run.seed, embedded(config))),
            WorldKind::Server => Err(OpenWorldError::NoClient),
        }
    }
}

/// A world with what a vocabulary derives.
///
/// # Errors
/// The vocabulary is not one of this world.
pub fn deriving<W: World>(world: W, vocabulary: &Vocabulary) -> Result<Extended<W>, OpenWorldError> {
    Ok(Extended::new(world, vocabulary.derivations().cloned())?)
}

/// The vocabulary of a configuration's world, without what books derive.
pub fn vocabulary(config: &Config) -> Arc<Vocabulary> {
    match config.run.world {
        WorldKind::Server | WorldKind::Embedded => ltlcrit_minecraft::vocabulary(),
    }
}

/// What a world of this description, of which only records are left, [predicted](World::predict).
pub fn predict(world: &WorldInfo, observation: &Observation, action: ActionId) -> Option<Prediction> {
    match world.kind.as_str() {
        "embedded" => effects::predict(observation, action, Setting::Embedded),
        "server" => effects::predict(observation, action, Setting::Server),
        _ => None,
    }
}

/// The options of the embedded world in a configuration.
pub fn embedded(config: &Config) -> EmbeddedOptions {
    EmbeddedOptions { terrain: config.run.terrain, sight: config.run.sight, ..EmbeddedOptions::default() }
}

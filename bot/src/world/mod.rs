//! The worlds of the command line: the embedded one, or a Minecraft server with a client on it.

#[cfg(feature = "client")]
mod server;

use std::path::PathBuf;
use std::sync::Arc;

use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::config::{Config, WorldKind};
use ltlcrit_engine::world::{EmbeddedWorlds, Listener, OpenWorld, OpenWorldError};
use ltlcrit_minecraft::EmbeddedWorld;
use ltlcrit_verifier::{ActionId, Prediction, Transitions, Vocabulary};
use ltlcrit_worlds::world::{Observation, Outcome, Subgoal, Term, World, WorldError, WorldInfo};
use ltlcrit_worlds::{Progress, Recorder, Watcher};
#[cfg(feature = "client")]
pub use server::{ServerWorld, account};

/// The world of a run.
#[allow(clippy::large_enum_variant)] // There is one of it, and it stays where it is.
pub enum RunWorld {
    /// In this process, without a client.
    Embedded(EmbeddedWorld),
    /// A server, joined by a client.
    #[cfg(feature = "client")]
    Server(ServerWorld),
}

/// The file that keeps the world of a server of our own during a run.
pub type SaveFile = Option<PathBuf>;

/// Opens worlds of every kind.
pub struct Worlds<J> {
    /// The file that keeps the world of a server of our own; a server whose file exists continues from it.
    pub save: SaveFile,
    /// Gets the address and the account before a client joins.
    pub joining: J,
}

impl<J: Fn(&str, &str) + Sync> OpenWorld for Worlds<J> {
    type World = RunWorld;

    async fn open(&self, config: &Config, interrupt: &Interrupt) -> Result<RunWorld, OpenWorldError> {
        #[cfg(feature = "client")]
        if config.run.world == WorldKind::Server {
            let world = ServerWorld::open(config, self.save.clone(), interrupt, &self.joining).await?;
            return Ok(RunWorld::Server(world));
        }
        EmbeddedWorlds.open(config, interrupt).await.map(RunWorld::Embedded)
    }

    #[cfg(feature = "client")]
    fn listener(&self, world: &RunWorld) -> Option<Listener> {
        match world {
            RunWorld::Server(world) => {
                let chat = world.chat();
                Some(Box::new(move |event| chat.record(event)))
            }
            RunWorld::Embedded(_) => None,
        }
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

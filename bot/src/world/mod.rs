//! The worlds of the command line: those of the engine, and a Minecraft server with a client on it.

#[cfg(feature = "client")]
mod server;

use std::path::PathBuf;

use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::config::Config;
#[cfg(feature = "client")]
use ltlcrit_engine::world::towards_goal;
use ltlcrit_engine::world::{InProcess, OpenWorld, OpenWorldError};
use ltlcrit_worlds::World;
#[cfg(feature = "client")]
pub use server::account;

/// Opens worlds of every kind.
pub struct Worlds<J> {
    /// The file that keeps the world of a server of our own; a server whose file exists continues from it.
    pub save: Option<PathBuf>,
    /// Gets the address and the account before a client joins.
    pub joining: J,
}

impl<J: Fn(&str, &str) + Sync> OpenWorld for Worlds<J> {
    async fn open(&self, config: &Config, interrupt: &Interrupt) -> Result<Box<dyn World>, OpenWorldError> {
        #[cfg(feature = "client")]
        if config.run.world == ltlcrit_engine::world::WorldName::SERVER {
            let world = server::join(config, self.save.clone(), interrupt, &self.joining).await?;
            return towards_goal(Box::new(world), config);
        }
        InProcess.open(config, interrupt).await
    }
}

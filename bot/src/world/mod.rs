//! The worlds of the command line: those of the engine, and a Minecraft server with a client on it.

#[cfg(feature = "client")]
mod server;

use std::path::PathBuf;

use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::config::Config;
#[cfg(feature = "client")]
use ltlcrit_engine::world::towards_goal;
use ltlcrit_engine::world::{InProcess, OpenWorld, OpenWorldError, OpenedWorld};
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
    async fn open(&self, config: &Config, interrupt: &Interrupt) -> Result<OpenedWorld, OpenWorldError> {
        #[cfg(feature = "client")]
        if config.run.world == ltlcrit_engine::world::WorldName::SERVER {
            let (world, chat) = server::join(config, self.save.clone(), interrupt, &self.joining).await?;
            let listener = Box::new(move |event: &ltlcrit_engine::agent::Event<'_>| chat.record(event));
            let world = towards_goal(Box::new(world), config)?;
            return Ok(OpenedWorld { world, listener: Some(listener) });
        }
        InProcess.open(config, interrupt).await
    }
}

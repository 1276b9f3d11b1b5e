//! The entrance of every run: opens its world, and runs an agent in it.

use ltlcrit_store::StoreError;
use ltlcrit_verifier::Proposition;
use ltlcrit_worlds::Extended;
use thiserror::Error;

use crate::agent::{Agent, AgentError, RunSummary, Start};
use crate::config::Config;
use crate::setup::SetupError;
use crate::world::{OpenWorld, OpenWorldError};

/// The reason why an episode cannot be run.
#[derive(Debug, Error)]
pub enum EpisodeError {
    /// Its actor or model cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Its world cannot be opened.
    #[error(transparent)]
    World(#[from] OpenWorldError),
    /// The run cannot be begun or stored.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The system gives no timer to the episode's thread.
    #[error("an episode cannot be begun: {0}")]
    Runtime(std::io::Error),
}

impl From<StoreError> for EpisodeError {
    fn from(error: StoreError) -> Self {
        AgentError::Store(error).into()
    }
}

/// Runs an agent in the world of a configuration, which gets the derived observations of the books in force.
///
/// # Errors
/// A world that cannot be opened; a run that cannot be begun, resumed or stored.
pub async fn run(
    config: &Config,
    worlds: &impl OpenWorld,
    derived: impl IntoIterator<Item = Proposition>,
    agent: Agent<'_>,
    start: Start<'_>,
) -> Result<RunSummary, EpisodeError> {
    let world = worlds.open(config, &agent.interrupt).await?;
    let mut world = Extended::new(world, derived).map_err(OpenWorldError::from)?;
    // A trait object behind a mutable reference gets a shorter lifetime only where it is moved by itself.
    let Agent { actor, observer, interrupt, new_laws, keep_traces } = agent;
    let agent = Agent { actor, observer, interrupt, new_laws, keep_traces };
    Ok(agent.run_in(&mut world, start).await?)
}

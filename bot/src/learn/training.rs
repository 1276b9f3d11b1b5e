//! The episodes of `learn`: the configured actor and model in a fresh world for every seed.

use std::rc::Rc;

use ltlcrit_laws::{Book, joint_vocabulary};
use ltlcrit_model::cassette::Recording;
use ltlcrit_model::{ChatModel, Metered, UsageByRole};
use ltlcrit_store::{Durability, End, Store};
use ltlcrit_worlds::World as _;
use thiserror::Error;

use super::Episodes;
use crate::agent::{self, Agent, AgentError, Interrupt, Observer, RunFacts, RunSummary, same_laws};
use crate::books::{self, laws_together};
use crate::config::{Config, WorldKind};
use crate::model::AnyModel;
use crate::setup::{self, SetupError};
use crate::world::{OpenWorldError, RunWorld};

/// Why an episode cannot be run.
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
}

/// Shows the episodes as they run.
pub trait EpisodeProgress {
    /// An episode begins.
    fn begins(&self);
    /// A client joins a server: its address and the account.
    fn joining(&self, address: &str, account: &str);
    /// Observes the run of the episode.
    fn observer(&self) -> impl Observer;
    /// An episode ended by itself.
    fn done(&self);
}

/// Runs the episodes.
pub struct Training<'a, P> {
    /// The configuration of every episode, except the seed.
    pub config: Config,
    /// The sources of the books as the manifest names them, in order.
    pub sources: Vec<String>,
    /// The store of runs.
    pub store: &'a Store,
    /// Stops learning on Ctrl-C.
    pub interrupt: Interrupt,
    /// Shows every episode.
    pub progress: &'a P,
    /// The recording of the exchanges with the model.
    pub record: Option<Recording>,
    /// The usage of the model so far; caps apply to all episodes together.
    pub used: UsageByRole,
    /// The model, if it is the same in all episodes.
    pub model: Option<Rc<Metered<AnyModel>>>,
    /// The end of the last episode, if it did not end by itself.
    pub stopped: Option<End>,
}

impl<P> Training<'_, P> {
    /// The model of an episode: a persona gets the episode's seed, any other model is shared by all episodes.
    fn model(&self, config: &Config) -> Result<Rc<Metered<AnyModel>>, SetupError> {
        match &self.model {
            Some(model) => Ok(model.clone()),
            None => setup::model(config, self.record.clone(), self.used.clone()),
        }
    }
}

impl<P: EpisodeProgress> Episodes for Training<'_, P> {
    type Error = EpisodeError;

    async fn run(&mut self, seed: u64, books: &[Book]) -> Result<Option<RunSummary>, EpisodeError> {
        if self.interrupt.requested() {
            self.stopped = Some(End::Interrupted);
            return Ok(None);
        }
        self.progress.begins();
        let mut config = self.config.clone();
        config.run.seed = seed;
        let model = self.model(&config)?;
        let mut actor = setup::actor(&config, model.clone());
        let facts = RunFacts {
            program: agent::program(),
            configuration: setup::values(&config)?,
            model: model.info(),
            price: model.price(),
            seed,
            books: books.iter().zip(&self.sources).map(|(book, source)| books::record(book, source)).collect(),
            laws: laws_together(books),
            shielded: config.run.actor.shielded(),
            robust: config.shield.is_robust(),
            limits: setup::limits(&config),
        };
        let joining = |address: &str, account: &str| self.progress.joining(address, account);
        let world = RunWorld::open(&config, None, &self.interrupt, &joining).await?;
        let vocabulary = joint_vocabulary(&world.vocabulary(), books).map_err(SetupError::Together)?;
        let mut world = world.deriving(&vocabulary)?;
        let durability = match config.run.world {
            WorldKind::Embedded => Durability::EachEpisode,
            WorldKind::Server => Durability::EachStep,
        };
        let agent = Agent {
            world: &mut world,
            actor: &mut actor,
            store: self.store,
            observer: &mut self.progress.observer(),
            interrupt: self.interrupt.clone(),
            new_laws: &mut same_laws,
            durability,
            keep_traces: false,
        };
        let summary = agent.run(facts).await?;
        self.used = model.usage();
        match &summary.end {
            // The cause lies outside the laws and the actor, so the episode teaches nothing and the next one would end
            // in the same way.
            Some(end @ (End::Interrupted | End::Cap { .. } | End::ModelLost { .. } | End::WorldLost { .. })) => {
                self.stopped = Some(end.clone());
                Ok(None)
            }
            _ => {
                self.progress.done();
                Ok(Some(summary))
            }
        }
    }
}

//! Episodes of one configuration, each in a fresh world for its seed, on several threads.

use std::sync::Arc;

use ltlcrit_laws::{Book, DerivedEntry};
use ltlcrit_model::cassette::Recording;
use ltlcrit_model::{Meter, Metered, UsageByRole};
use ltlcrit_store::{BookRecord, Durability, End, Episode, Store};

use super::episodes::Episodes;
use crate::agent::{Agent, Interrupt, Observer, RunSummary, Silent, Start, same_laws};
use crate::books::laws_together;
use crate::config::Config;
use crate::in_order::in_order;
use crate::model::{AnyModel, ModelSpec};
use crate::run::{EpisodeError, run};
use crate::setup;
use crate::world::OpenWorld;

/// Shows the episodes as they run. Several may run at once.
pub trait EpisodeProgress: Sync {
    /// An episode begins.
    fn begins(&self);
    /// Observes the run of the episode.
    fn observer(&self) -> impl Observer;
    /// An episode ended by itself.
    fn done(&self);
}

impl EpisodeProgress for Silent {
    fn begins(&self) {}

    fn observer(&self) -> impl Observer {
        Self
    }

    fn done(&self) {}
}

/// Runs the episodes.
pub struct Training<'a, W, P> {
    /// The configuration of every episode, except the seed.
    pub config: Config,
    /// The sources of the books as the manifest names them, in order.
    pub sources: Vec<String>,
    /// Opens the worlds.
    pub worlds: &'a W,
    /// The store that gets the steps of episodes on a server as they are taken; other episodes are kept in memory.
    pub live: Option<&'a Store>,
    /// Ends the episodes under way.
    pub interrupt: Interrupt,
    /// Shows every episode.
    pub progress: &'a P,
    /// The recording of the exchanges with the model.
    pub record: Option<Recording>,
    /// Meters all episodes together.
    pub meter: Arc<Meter>,
    /// The usage of the model so far.
    pub used: UsageByRole,
    /// The model, if it is the same in all episodes.
    pub model: Option<Arc<Metered<AnyModel>>>,
    /// The reason why not all episodes ended by themselves, if they did not.
    pub stopped: Option<Stopped>,
    /// The most episodes at once. Episodes on a server, recorded ones, those of a cassette and those of a persona under caps
    /// run one after the other.
    pub jobs: usize,
}

/// The reason why an episode did not end by itself.
#[derive(Debug)]
pub struct Stopped {
    /// The end of the episode, or of all of them before it began.
    pub end: End,
    /// Its records, which can be resumed.
    pub episode: Option<Episode>,
    /// Its use of models, by role.
    pub used: UsageByRole,
}

/// A finished episode.
pub(crate) struct Played {
    summary: RunSummary,
    /// Its records, unless they are stored already.
    episode: Option<Episode>,
    /// Its use of models, by role.
    used: UsageByRole,
}

/// The reason why no more episodes are run.
pub(crate) enum Break<E> {
    /// An episode did not end by itself.
    Stopped(Box<Stopped>),
    /// An episode cannot be run, or its result not be taken.
    Failed(E),
}

impl<'a, W: OpenWorld, P: EpisodeProgress> Training<'a, W, P> {
    /// Episodes of the configuration's own model on all cores, kept in memory, under books that the manifest names no
    /// sources of.
    pub fn new(config: Config, worlds: &'a W, progress: &'a P) -> Self {
        Self {
            jobs: config.learn.threads(),
            meter: setup::meter(&config),
            config,
            sources: Vec::new(),
            worlds,
            live: None,
            interrupt: Interrupt::default(),
            progress,
            record: None,
            used: UsageByRole::default(),
            model: None,
            stopped: None,
        }
    }

    /// The same episodes, all with one model, except that a persona has another seed in every episode.
    #[must_use]
    pub fn asking(self, model: Arc<Metered<AnyModel>>) -> Self {
        let is_persona = matches!(self.config.run.model, ModelSpec::Simulated(_));
        Self { meter: model.meter().clone(), model: (!is_persona).then_some(model), ..self }
    }

    /// Runs one episode for each seed under books. Passes those that ended by themselves to `take`, in the order of the
    /// seeds, with their records if they are not stored yet. With personas and cassettes that is the same for any number
    /// of threads, even if a cap is reached. Returns whether all ended by themselves; otherwise see [`Self::stopped`].
    ///
    /// # Errors
    /// An episode that cannot be run, or an error of `take`.
    pub fn play<E: From<EpisodeError>>(
        &mut self,
        seeds: &[u64],
        books: &[Book],
        mut take: impl FnMut(RunSummary, Option<Episode>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let jobs = if self.one_by_one() { 1 } else { self.jobs };
        let mut total = self.used.clone();
        let this = &*self;
        let work = |seed: &u64| this.episode(*seed, books);
        let taken = |_: &u64, played| {
            let (summary, episode, used) = this.settle(played)?;
            total += &used;
            take(summary, episode).map_err(Break::Failed)
        };
        let result = in_order(jobs, seeds, work, taken);
        self.used = total;
        match result {
            Ok(()) => Ok(true),
            Err(Break::Stopped(stopped)) => {
                self.used += &stopped.used;
                self.stopped = Some(*stopped);
                Ok(false)
            }
            Err(Break::Failed(error)) => Err(error),
        }
    }

    /// Returns whether the episodes must run one after the other. A cassette is read in the order of its episodes. The
    /// persona that meets a cap must not depend on the number of threads.
    fn one_by_one(&self) -> bool {
        let recorded = self.record.is_some() || matches!(self.config.run.model, ModelSpec::Cassette(_));
        recorded || self.model.is_none() && self.meter.caps().any() || self.config.run.world.kind().is_live()
    }

    /// The summary, the records and the usage of an episode that ended by itself.
    pub(crate) fn settle<E: From<EpisodeError>>(
        &self,
        played: Result<Option<Played>, EpisodeError>,
    ) -> Result<(RunSummary, Option<Episode>, UsageByRole), Break<E>> {
        let stopped = |end, episode, used| Err(Break::Stopped(Box::new(Stopped { end, episode, used })));
        let Played { summary, episode, used } = match played {
            Ok(Some(played)) => played,
            Ok(None) => return stopped(End::Interrupted, None, UsageByRole::default()),
            Err(error) => return Err(Break::Failed(E::from(error))),
        };
        match summary.end {
            // The cause lies outside the laws and the actor, so the episode teaches nothing and the next one would end
            // in the same way.
            Some(
                end @ (End::Interrupted
                | End::Cap { .. }
                | End::GaveUp { .. }
                | End::ModelLost { .. }
                | End::WorldLost { .. }),
            ) => stopped(end, episode, used),
            _ => {
                self.progress.done();
                Ok((summary, episode, used))
            }
        }
    }

    /// Runs an episode in a fresh world on this thread; `None` if it was interrupted before it began.
    pub(crate) fn episode(&self, seed: u64, books: &[Book]) -> Result<Option<Played>, EpisodeError> {
        if self.interrupt.requested() {
            return Ok(None);
        }
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(EpisodeError::Runtime)?;
        runtime.block_on(async {
            self.progress.begins();
            let mut config = self.config.clone();
            config.run.seed = seed;
            // A persona gets the episode's seed; any other model is shared by all episodes.
            let model = match &self.model {
                Some(model) => Arc::new(model.counted_anew()),
                None => setup::model(&config, self.record.clone(), &self.meter)?,
            };
            let mut actor = setup::actor(&config, model.clone())?;
            let records = books.iter().zip(&self.sources).map(|(book, source)| BookRecord::of(book, source)).collect();
            let facts = setup::facts(&config, &model, records, laws_together(books))?;
            let derived = books.iter().flat_map(Book::derived).map(DerivedEntry::proposition);
            let agent = Agent {
                actor: &mut *actor,
                observer: &mut self.progress.observer(),
                interrupt: self.interrupt.clone(),
                new_laws: &mut same_laws,
                keep_traces: false,
            };
            let mut episode = None;
            let start = match self.live.filter(|_| config.run.world.kind().is_live()) {
                Some(store) => Start::Stored { store, durability: Durability::EachStep, facts },
                None => Start::Kept { episode: &mut episode, facts },
            };
            let summary = run(&config, self.worlds, derived, agent, start).await?;
            Ok(Some(Played { summary, episode, used: model.usage() }))
        })
    }
}

impl<W: OpenWorld, P: EpisodeProgress> Episodes for Training<'_, W, P> {
    type Error = EpisodeError;

    fn run(&mut self, store: &Store, seeds: &[u64], books: &[Book]) -> Result<Option<Vec<RunSummary>>, EpisodeError> {
        let mut runs = Vec::new();
        let all = self.play(seeds, books, |mut summary, episode| {
            if let Some(episode) = episode {
                summary.run = store.commit(episode)?;
            }
            runs.push(summary);
            Ok::<_, EpisodeError>(())
        })?;
        if let Some(episode) = self.stopped.as_mut().and_then(|stopped| stopped.episode.take()) {
            store.commit(episode)?;
        }
        Ok(all.then_some(runs))
    }
}

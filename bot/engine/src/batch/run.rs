//! Runs the cells of a batch that are waiting, condition by condition.

use ltlcrit_model::UsageByRole;
use ltlcrit_store::{End, StoreError};
use thiserror::Error;

use super::condition::Cell;
use super::directory::{CellState, Directory, DirectoryError};
use super::experiment::Experiment;
use super::result::CellResult;
use crate::actor::simulated::PersonaError;
use crate::agent::{AgentError, Interrupt};
use crate::learn::{EpisodeError, EpisodeProgress, Training};
use crate::model::ModelSpec;
use crate::setup::{self, SetupError};
use crate::world::{self, OpenWorld};

/// Why a batch cannot go on.
#[derive(Debug, Error)]
pub enum BatchError {
    /// Its directory cannot be read or written.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A condition cannot run.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
}

impl From<StoreError> for BatchError {
    fn from(error: StoreError) -> Self {
        DirectoryError::Store(error).into()
    }
}

impl From<SetupError> for BatchError {
    fn from(error: SetupError) -> Self {
        EpisodeError::from(error).into()
    }
}

/// Shows the cells as they run. Several may run at once.
pub trait BatchProgress: EpisodeProgress {
    /// Cells failed without an end of their own.
    fn failed(&self, cells: usize);
}

/// Runs cells.
pub struct Batch<'a, W, P> {
    /// The plan.
    pub experiment: &'a Experiment,
    /// Opens the worlds.
    pub worlds: &'a W,
    /// Ends the cells under way, which stay waiting.
    pub interrupt: Interrupt,
    /// Shows every cell.
    pub progress: &'a P,
    /// The most cells at once; those on a server and of a cassette run one after the other.
    pub jobs: usize,
}

impl<W: OpenWorld, P: BatchProgress> Batch<'_, W, P> {
    /// Runs the waiting cells, and with `retry` the failed ones. A condition that cannot go on fails with its reason, and
    /// the next one begins. Returns whether all were run; otherwise an interrupt ended it.
    ///
    /// # Errors
    /// The directory or its store cannot be written.
    pub fn run(&self, directory: &mut Directory, retry: bool) -> Result<bool, DirectoryError> {
        let pending = directory.pending(self.experiment, retry);
        for cells in pending.chunk_by(|one, next| one.condition == next.condition) {
            if self.interrupt.requested() {
                return Ok(false);
            }
            let reason = match self.condition(directory, cells) {
                Ok(None) => continue,
                Ok(Some(End::Interrupted)) => return Ok(false),
                Ok(Some(end)) => end.to_string(),
                Err(BatchError::Directory(error)) => return Err(error),
                Err(BatchError::Episode(EpisodeError::Agent(AgentError::Store(error)))) => return Err(error.into()),
                Err(BatchError::Episode(error)) => reason(&error),
            };
            let unfinished = cells.iter().map(|cell| cell.index);
            let unfinished: Vec<usize> =
                unfinished.filter(|index| !matches!(directory.state(*index), CellState::Done(_))).collect();
            self.progress.failed(unfinished.len());
            directory.fail(unfinished, &reason)?;
        }
        Ok(true)
    }

    /// Runs cells of one condition. Returns why not all of them ended by themselves, if they did not.
    fn condition(&self, directory: &mut Directory, cells: &[Cell]) -> Result<Option<End>, BatchError> {
        let Some(first) = cells.first() else { return Ok(None) };
        let condition = &self.experiment.conditions[first.condition];
        let mut config = self.experiment.config(condition);
        config.run.model = config.run.model.pinned().map_err(wrong_persona)?;
        let books = setup::books(&config.run.books(), &world::vocabulary(&config).map_err(EpisodeError::World)?)?;
        // Caps apply to all cells of the condition together, those of earlier calls included.
        let mut used = UsageByRole::default();
        for result in directory.results().filter(|result| result.condition == condition.name) {
            used.add_since(&result.usage, &UsageByRole::default());
        }
        let model = setup::model(&config, None, used.clone())?;
        let mut training = Training {
            sources: books.records.iter().map(|record| record.source.clone()).collect(),
            worlds: self.worlds,
            // The store is written by `take` alone, so that every run in it belongs to a finished cell.
            live: None,
            interrupt: self.interrupt.clone(),
            progress: self.progress,
            record: None,
            used,
            // A persona has another seed in every cell.
            model: (!matches!(config.run.model, ModelSpec::Simulated(_))).then_some(model),
            stopped: None,
            jobs: self.jobs,
            config,
        };
        let seeds: Vec<u64> = cells.iter().map(|cell| cell.seed).collect();
        let mut left = cells.iter();
        training.play(&seeds, &books.books, |summary, episode, usage| {
            if let Some(episode) = episode {
                directory.store().commit(episode)?;
            }
            if let (Some(cell), Some(end)) = (left.next(), summary.end.clone()) {
                directory.finish(CellResult::new(*cell, condition, &summary, end, usage))?;
            }
            Ok::<_, BatchError>(())
        })?;
        Ok(training.stopped.map(|stopped| stopped.end))
    }
}

fn wrong_persona(error: PersonaError) -> BatchError {
    SetupError::Model(crate::model::OpenError::Persona(error)).into()
}

/// An error with its causes, on one line.
fn reason(error: &EpisodeError) -> String {
    if let EpisodeError::Setup(SetupError::Book { name, errors }) = error {
        let first = errors.diagnostics.first().map_or("", |first| first.message.as_str());
        return format!("the law book `{name}` cannot be used: {first}");
    }
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text.lines().collect::<Vec<_>>().join(" ")
}

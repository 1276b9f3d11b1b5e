//! Runs the waiting cells of a batch, those of all conditions as one list.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ltlcrit_laws::Book;
use ltlcrit_model::Metered;
use ltlcrit_store::{BookRecord, Episode};

use super::condition::{Cell, named};
use super::directory::Directory;
use super::experiment::Experiment;
use super::files::{DirectoryError, ledger_file};
use super::learned::LearnedFolder;
use super::learning::learn;
use super::reason::Stop;
use super::result::{CellResult, is_safe};
use crate::agent::Interrupt;
use crate::books::laws_together;
use crate::config::Config;
use crate::exam::{Examined, judge};
use crate::in_order::in_order;
use crate::learn::{EpisodeError, EpisodeProgress, Played, Training};
use crate::model::{AnyModel, ModelSpec};
use crate::optimum::{Optima, Optimum};
use crate::replay;
use crate::setup::{self, SetupError};
use crate::world::{self, OpenWorld};

/// Shows the progress of the cells. Several may run at once.
pub trait BatchProgress: EpisodeProgress {
    /// The laws of a condition are being learned.
    fn learns(&self, condition: &str);
    /// Cells failed without an end of a run.
    fn failed(&self, cells: usize);
}

/// Runs cells.
pub struct Batch<'a, W, P> {
    /// The plan.
    pub experiment: &'a Experiment,
    /// Opens the worlds.
    pub worlds: &'a W,
    /// The interrupt of the cells under way, which then stay waiting.
    pub interrupt: Interrupt,
    /// The display of every cell.
    pub progress: &'a P,
    /// The maximum number of cells at once; those on a server and of a cassette run one by one.
    pub jobs: usize,
}

/// A condition whose cells run.
struct Running<'a, W, P> {
    training: Training<'a, W, P>,
    books: Vec<Book>,
    /// Those that the safety of runs is judged by, if they are others.
    judges: Vec<Book>,
    /// The SHA-256 of the learned book among them.
    learned: Option<String>,
}

/// The models of the accounts of the ledger, once they are set up. A condition has its own account. In an evaluation, all
/// conditions with one model share an account.
type Accounts = Mutex<BTreeMap<String, Arc<Metered<AnyModel>>>>;

/// A condition and a learning of it, set up when its first cell begins.
type Slot<'a, W, P> = OnceLock<Result<Running<'a, W, P>, Stop>>;

impl<'a, W: OpenWorld, P: BatchProgress> Batch<'a, W, P> {
    /// Runs the waiting cells, and with `retry` the failed ones, those of all conditions as one list. A condition that
    /// cannot continue fails with its reason; the others continue. Returns whether all cells ran, without an interrupt.
    ///
    /// # Errors
    /// The directory or its store cannot be written.
    pub fn run(&self, directory: &mut Directory, retry: bool) -> Result<bool, DirectoryError> {
        let pending = directory.pending(self.experiment, retry);
        let accounts = Accounts::default();
        for cells in pending.chunk_by(|one, next| self.one_by_one(one) == self.one_by_one(next)) {
            if !self.cells(directory, cells, &accounts)? {
                directory.sort()?;
                return Ok(false);
            }
        }
        directory.sort()?;
        Ok(true)
    }

    /// Returns whether cells like this one must run one by one. The number of threads must not decide which persona
    /// reaches a cap.
    fn one_by_one(&self, cell: &Cell) -> bool {
        let condition = &self.experiment.conditions[cell.condition];
        let in_order = match condition.model {
            ModelSpec::Cassette(_) => true,
            ModelSpec::Simulated(_) => setup::caps(&self.experiment.config(condition)).any(),
            _ => false,
        };
        in_order || condition.world.kind().is_live()
    }

    /// Runs cells that may all run at once, or that must all run one by one. Returns whether they ran without an
    /// interrupt.
    fn cells(&self, directory: &mut Directory, cells: &[Cell], accounts: &Accounts) -> Result<bool, DirectoryError> {
        let Some(first) = cells.first() else { return Ok(true) };
        let jobs = if self.one_by_one(first) { 1 } else { self.jobs };
        let conditions = &self.experiment.conditions;
        let place = |cell: &Cell| (cell.condition, conditions[cell.condition].learning_of(cell.seed));
        let slots: BTreeMap<(usize, u64), Slot<'a, W, P>> =
            cells.iter().map(|cell| (place(cell), OnceLock::new())).collect();
        let failed: Vec<AtomicBool> = conditions.iter().map(|_| AtomicBool::new(false)).collect();
        let (optima, path) = (Optima::default(), directory.path().to_owned());
        let work = |cell: &Cell| {
            if failed[cell.condition].load(Ordering::Relaxed) || self.interrupt.requested() {
                return None;
            }
            let running = slots[&place(cell)].get_or_init(|| self.begin(*cell, &path, accounts));
            let Ok(Running { training, books, .. }) = running else { return None };
            Some(training.episode(cell.seed, books))
        };
        let take = |cell: &Cell, played: Option<Result<Option<Played>, EpisodeError>>| {
            let taken = match (slots[&place(cell)].get(), played) {
                _ if failed[cell.condition].load(Ordering::Relaxed) => Ok(()),
                (Some(Err(Stop::Condition(reason))), _) => Err(Stop::Condition(reason.clone())),
                (Some(Ok(running)), Some(played)) => self.take(directory, *cell, running, played, &optima),
                _ => Err(Stop::Interrupted),
            };
            let reason = match taken {
                Ok(()) => return Ok(()),
                Err(Stop::Condition(reason)) => reason,
                Err(other) => return Err(other),
            };
            failed[cell.condition].store(true, Ordering::Relaxed);
            let its = cells.iter().filter(|other| other.condition == cell.condition && other.index >= cell.index);
            let unfinished: Vec<usize> = its.map(|cell| cell.index).collect();
            self.progress.failed(unfinished.len());
            directory.fail(unfinished, &reason).map_err(Stop::Directory)
        };
        match in_order(jobs, cells, work, take) {
            Ok(()) => Ok(true),
            Err(Stop::Directory(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// Stores a cell that has ended.
    fn take(
        &self,
        directory: &mut Directory,
        cell: Cell,
        running: &Running<'a, W, P>,
        played: Result<Option<Played>, EpisodeError>,
        optima: &Optima,
    ) -> Result<(), Stop> {
        let Running { training, learned, judges, .. } = running;
        let (summary, episode, used) = training.settle(played)?;
        let first = episode.as_ref().and_then(|episode| Some((&episode.manifest, episode.steps.first()?)));
        let optimum = first.map_or_else(Optimum::default, |(manifest, first)| optima.of(manifest, first));
        let exam = self.examined(cell.condition, episode.as_ref())?;
        let safe = match (judges.is_empty(), &episode) {
            (true, _) => None,
            (false, Some(episode)) => Some(is_safe_by(judges, episode)?),
            (false, None) => return Err(Stop::Condition("`judged_by` needs a world inside this process".to_owned())),
        };
        if let Some(episode) = episode {
            directory.store().commit(episode).map_err(|error| Stop::Directory(error.into()))?;
        }
        let Some(end) = summary.end.clone() else { return Ok(()) };
        let condition = &self.experiment.conditions[cell.condition];
        let result = CellResult::new(cell, condition, &summary, end, optimum, &used);
        // A plan reaches the goal if it is feasible, also where the run of a plan ended otherwise.
        let goal = exam.as_ref().and_then(Examined::plan).map_or(result.goal, |plan| plan.paper.feasible);
        let safe = safe.unwrap_or(result.safe);
        directory.finish(CellResult { learned: learned.clone(), goal, safe, exam, ..result }).map_err(Stop::Directory)
    }

    /// Judges a run, if it is part of an evaluation.
    fn examined(&self, condition: usize, episode: Option<&Episode>) -> Result<Option<Examined>, Stop> {
        let condition = &self.experiment.conditions[condition];
        let Some((exam, episode)) = self.experiment.config(condition).run.exam.zip(episode) else { return Ok(None) };
        Ok(Some(judge(exam, &condition.model, episode)?))
    }

    /// Returns the model of a condition's account.
    fn model(
        &self,
        number: usize,
        config: &Config,
        directory: &Path,
        accounts: &Accounts,
    ) -> Result<Arc<Metered<AnyModel>>, SetupError> {
        let account = match config.run.exam {
            Some(_) => config.run.model.to_string(),
            None => self.experiment.conditions[number].name.clone(),
        };
        let mut accounts = accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = accounts.get(&account) {
            return Ok(model.clone());
        }
        let meter = setup::meter(config);
        meter.keep_in(&ledger_file(directory, self.experiment.plan.shard.is_some()), &account);
        let model = setup::model(config, None, &meter)?;
        accounts.insert(account, model.clone());
        Ok(model)
    }

    /// Sets the condition of a cell up, and learns its laws if it has a schedule.
    fn begin(&self, cell: Cell, directory: &Path, accounts: &Accounts) -> Result<Running<'a, W, P>, Stop> {
        let condition = &self.experiment.conditions[cell.condition];
        let mut config = self.experiment.config(condition);
        config.run.laws = Some(condition.books_of(cell.seed));
        config.run.model = config.run.model.pinned().map_err(SetupError::Input)?;
        let fixed: Vec<String> = condition.books.books.iter().flat_map(|book| named(book, &condition.world)).collect();
        let mut books = setup::books(&fixed, &world::vocabulary(&config)?)?;
        let model = self.model(cell.condition, &config, directory, accounts)?;
        let judges = setup::books(&config.run.judged_by, &books.vocabulary)?.books;
        let mut learned = None;
        if condition.books.learn.is_some() {
            let learning = condition.learning_of(cell.seed);
            let folder = LearnedFolder::new(directory, cell.condition, learning);
            self.progress.learns(&condition.name);
            let of = (condition, learning);
            let learning = learn(self.experiment, of, &folder, self.worlds, &self.interrupt, model.meter())?;
            let base = Arc::new(books.vocabulary.base());
            let book = setup::book(&folder.book().display().to_string(), &base)?;
            books.records.push(BookRecord::of(&book, folder.name()));
            books.books.push(book);
            learned = Some(learning.sha256);
        }
        let sources = books.records.iter().map(|record| record.source.clone()).collect();
        // Only `take` writes the store, so every run in it belongs to a finished cell.
        let training = Training {
            sources,
            interrupt: self.interrupt.clone(),
            jobs: self.jobs,
            ..Training::new(config, self.worlds, self.progress).asking(model)
        };
        Ok(Running { training, books: books.books, judges, learned })
    }
}

/// Returns whether a run is safe by the laws of these books.
fn is_safe_by(books: &[Book], episode: &Episode) -> Result<bool, Stop> {
    let Episode { manifest, steps, outcome, .. } = episode;
    let replay = replay::judge(manifest, steps, outcome.as_ref(), Some(laws_together(books).into()))?;
    let violated = replay.steps.iter().any(|step| !step.violations_now.is_empty());
    let owed = replay.steps.last().is_some_and(|last| !last.owed_now.is_empty());
    Ok(is_safe(violated, owed, outcome.as_ref().map(|outcome| &outcome.end)))
}

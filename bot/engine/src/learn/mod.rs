//! Learning: iterations of episodes, a critique and a new revision of the book, until nothing improves (LTLCrit
//! algorithm 1, with its two loops).
//!
//! Every iteration runs the same seeds, so that two of them can be compared. Episodes that would be the same ones again are not run. [`Learner`] knows no worlds and no models:
//! [`Episodes`] runs one episode under given books, [`Proposer`]s propose, the [gate](ltlcrit_critic::admission) decides.
//! `docs/learning.md` has measured figures, `docs/critic.md` the rules.

mod book_file;
mod critics;
mod evaluator;
mod figures;
mod law_trial;
mod proposers;
mod revise;
mod rollback;
mod stable;
mod training;

use std::sync::Arc;

pub use book_file::{BookFile, BookFileError, can_be_added_to};
pub use critics::{AnyCritic, CriticSpec, CriticSpecError};
pub use evaluator::{EpisodeEvaluator, Measured};
pub use figures::EpisodeFigures;
use jiff::Timestamp;
pub use law_trial::TrialOutcome;
use ltlcrit_critic::admission::MOST_ON_TRIAL;
use ltlcrit_critic::critique::{Critic, Critique, CritiqueError, CritiqueOptions};
use ltlcrit_critic::notes::RolledBack;
use ltlcrit_critic::propose::{Proposer, Unread};
use ltlcrit_laws::{Book, Entry, Status, Strength};
use ltlcrit_store::{LawId, Store};
use ltlcrit_verifier::{Definition, Law, Vocabulary};
pub use proposers::{Critics, critique_options};
pub use revise::ReviseError;
use rollback::BestIteration;
pub use stable::{Comparison, SIGNIFICANT};
use thiserror::Error;
pub(crate) use training::{Break, Played};
pub use training::{EpisodeError, EpisodeProgress, Stopped, Training};

use crate::agent::RunSummary;
use crate::books::laws_together;

/// Runs episodes.
pub trait Episodes {
    /// Why an episode cannot be run.
    type Error;

    /// Whether a seed under the same laws gives the same episode again: neither the actor nor the world changes its mind.
    fn repeat(&self) -> bool {
        false
    }

    /// Runs an episode for every seed under books, the learned one last, and stores them in this order. `None` if one was
    /// interrupted and learning must stop.
    ///
    /// # Errors
    /// An episode that cannot be run; missing the goal is not an error.
    fn run(&mut self, store: &Store, seeds: &[u64], books: &[Book]) -> Result<Option<Vec<RunSummary>>, Self::Error>;
}

/// Options of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnOptions {
    /// The most iterations: episodes and a critique each.
    pub iterations: usize,
    /// The seeds of the episodes of every iteration.
    pub seeds: Vec<u64>,
    /// Whether to stop once two iterations in a row changed nothing significantly ([`Comparison`]).
    pub stop_when_stable: bool,
    /// How the critic works.
    pub critique: CritiqueOptions,
}

/// One iteration.
#[derive(Debug)]
pub struct Iteration {
    /// From 1.
    pub number: usize,
    /// Name and revision of the book that its episodes ran under.
    pub book: String,
    /// The episodes.
    pub runs: Vec<RunSummary>,
    /// The earlier iteration whose episodes these are, because the same laws would have given the same ones.
    pub repeats: Option<usize>,
    /// Their figures.
    pub figures: EpisodeFigures,
    /// The comparison with the previous iteration; `None` for the first.
    pub comparison: Option<Comparison>,
    /// The revision that was given up because these episodes, under it, were significantly worse than earlier ones.
    pub rolled_back: Option<RolledBack>,
    /// The laws on trial that these episodes decided on.
    pub tried: Vec<TrialOutcome>,
    /// The critique of them.
    pub critique: Critique,
    /// The unreadable parts of critics' answers.
    pub unread: Vec<UnreadBy>,
}

/// A piece of a critic's answer that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct UnreadBy {
    /// The critic.
    pub critic: String,
    /// The piece, and the reason.
    #[serde(flatten)]
    pub piece: Unread,
}

/// The definitions of observations that critics missed in their last critique.
pub fn missed<P: Proposer>(proposers: &[P]) -> Vec<Definition> {
    proposers.iter().flat_map(|proposer| proposer.missed().to_vec()).collect()
}

/// The unreadable parts of critics' answers in their last critique.
pub fn unread<P: Proposer>(proposers: &[P]) -> Vec<UnreadBy> {
    let by = |proposer: &P| {
        let critic = proposer.name();
        let pieces = proposer.unread().iter();
        pieces.map(|piece| UnreadBy { critic: critic.clone(), piece: piece.clone() }).collect::<Vec<_>>()
    };
    proposers.iter().flat_map(by).collect()
}

/// Why learning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All iterations were done.
    Done,
    /// Two iterations in a row changed nothing significantly.
    Stable,
    /// It was interrupted.
    Interrupted,
}

/// The result of learning.
#[derive(Debug)]
pub struct Learned {
    /// The book, in its last revision.
    pub book: Book,
    /// Why learning ended.
    pub ended: Ended,
}

/// Why learning failed.
#[derive(Debug, Error)]
pub enum LearnError<E, F> {
    /// An episode could not be run.
    #[error(transparent)]
    Episode(E),
    /// The critic could not work.
    #[error(transparent)]
    Critique(CritiqueError),
    /// A revision could not be given up, or the trial of a law not be decided.
    #[error(transparent)]
    Revise(ReviseError),
    /// The iteration could not be shown, or its book could not be written.
    #[error(transparent)]
    Observer(F),
}

/// Everything learning needs besides episodes.
#[derive(Debug)]
pub struct Learner<'a, P> {
    /// The store of episodes, proposals and revisions.
    pub store: &'a Store,
    /// The critic with the runs it has read so far.
    pub critic: Critic,
    /// The task, in the words that actors see.
    pub task: String,
    /// The book that is learned.
    pub book: Book,
    /// The books in force besides it.
    pub others: Vec<Book>,
    /// The critics that propose laws.
    pub proposers: Vec<P>,
    /// How to learn.
    pub options: LearnOptions,
}

impl<'a, P: Proposer> Learner<'a, P> {
    /// A learner that has read no runs.
    pub fn new(store: &'a Store, vocabulary: Arc<Vocabulary>, task: &str, book: Book, options: LearnOptions) -> Self {
        let critic = Critic::new(vocabulary);
        Self { store, critic, task: task.to_owned(), book, others: Vec::new(), proposers: Vec::new(), options }
    }

    /// The books in force, the one being learned last.
    pub fn books(&self) -> Vec<Book> {
        self.others.iter().chain([&self.book]).cloned().collect()
    }

    /// Learns, and calls `on` after every critique with the iteration and the new revision of the book.
    ///
    /// # Errors
    /// An episode that cannot be run, or a store or book that cannot be written.
    pub async fn learn<E: Episodes, F>(
        mut self,
        episodes: &mut E,
        mut on: impl FnMut(&Iteration, &Book) -> Result<(), F>,
    ) -> Result<Learned, LearnError<E::Error, F>> {
        let mut before: Option<Vec<RunSummary>> = None;
        let mut played: Vec<(usize, Vec<Law>, Vec<RunSummary>)> = Vec::new();
        let mut best: Option<BestIteration> = None;
        let mut stable = 0;
        for number in 1..=self.options.iterations {
            let (books, id) = (self.books(), self.book.id());
            let laws = laws_together(&books);
            let known = played.iter().find(|(_, under, _)| episodes.repeat() && *under == laws);
            let (repeats, runs) = match known {
                Some((number, _, runs)) => (Some(*number), Some(runs.clone())),
                None => (None, episodes.run(self.store, &self.options.seeds, &books).map_err(LearnError::Episode)?),
            };
            let Some(runs) = runs else { return Ok(Learned { book: self.book, ended: Ended::Interrupted }) };
            if repeats.is_none() {
                played.push((number, laws, runs.clone()));
            }
            let Some(trials) = self.try_laws(episodes).map_err(LearnError::Episode)? else {
                return Ok(Learned { book: self.book, ended: Ended::Interrupted });
            };
            let failed = |error: CritiqueError| LearnError::Critique(error);
            let read = runs.iter().chain(trials.iter().flat_map(|(_, runs)| runs)).map(|run| run.run);
            self.critic.read(self.store, read).map_err(|error| failed(error.into()))?;
            let (options, now) = (self.options.critique, Timestamp::now());
            let rolled_back = self.roll_back(&mut best, &runs, now).map_err(LearnError::Revise)?;
            // Beside a revision that is given up a law is not tried.
            let trials = if rolled_back.is_some() { Vec::new() } else { trials };
            let tried = self.decide(trials, &runs, now).map_err(LearnError::Revise)?;
            self.critic.note_rolled_back(rolled_back.clone());
            let missed = missed(&self.proposers);
            let deriving = self.critic.deriving(self.store, options, &missed).map_err(failed)?;
            let critic = deriving.as_ref().unwrap_or(&self.critic);
            let critique = critic
                .critique(self.store, &self.task, &self.book, &self.others, &mut self.proposers, options, now)
                .await
                .map_err(failed)?;
            self.book = critique.book.clone();
            if let Some(deriving) = deriving {
                self.critic = deriving.for_books(self.store, &self.books()).map_err(failed)?;
            }
            let comparison = before.as_ref().map(|before| Comparison::of(before, &runs));
            let settled = comparison.as_ref().is_some_and(|comparison| !comparison.significant());
            stable = if settled { stable + 1 } else { 0 };
            let figures = EpisodeFigures::of(&runs);
            let unread = unread(&self.proposers);
            let iteration = Iteration {
                number,
                book: id,
                runs,
                repeats,
                figures,
                comparison,
                rolled_back,
                tried,
                critique,
                unread,
            };
            on(&iteration, &self.book).map_err(LearnError::Observer)?;
            if self.options.stop_when_stable && stable >= 2 && self.on_trial().is_empty() {
                return Ok(Learned { book: self.book, ended: Ended::Stable });
            }
            before = Some(iteration.runs);
        }
        Ok(Learned { book: self.book, ended: Ended::Done })
    }

    /// The laws of the book that the next episodes try.
    fn on_trial(&self) -> Vec<LawId> {
        let is_tried =
            |entry: &Entry| entry.strength == Strength::Soft && matches!(entry.status, Status::OnTrial { .. });
        let plain = self.book.written().filter(|(entry, instances)| instances.is_none() && is_tried(entry));
        plain.map(|(entry, _)| entry.id.clone()).take(MOST_ON_TRIAL).collect()
    }

    /// Runs the seeds once more for each law on trial, with the law in force. `None` if that was interrupted.
    #[allow(clippy::type_complexity)] // Laws with their runs.
    fn try_laws<E: Episodes>(&self, episodes: &mut E) -> Result<Option<Vec<(LawId, Vec<RunSummary>)>>, E::Error> {
        let mut trials = Vec::new();
        for law in self.on_trial() {
            let Some(trying) = self.book.trying(&law) else { continue };
            let books: Vec<Book> = self.others.iter().cloned().chain([trying]).collect();
            let Some(runs) = episodes.run(self.store, &self.options.seeds, &books)? else { return Ok(None) };
            trials.push((law, runs));
        }
        Ok(Some(trials))
    }

    /// Decides on laws by their runs and those without them.
    fn decide(
        &mut self,
        trials: Vec<(LawId, Vec<RunSummary>)>,
        without: &[RunSummary],
        now: Timestamp,
    ) -> Result<Vec<TrialOutcome>, ReviseError> {
        let tried = trials.into_iter().map(|(law, with)| TrialOutcome::of(law, &with, without));
        let tried: Vec<TrialOutcome> = tried.collect();
        if !tried.is_empty() {
            let (staging, vocabulary) = (self.options.critique.staging, self.critic.vocabulary());
            self.book = law_trial::decide(&self.book, &tried, staging, vocabulary, self.store, now)?;
        }
        Ok(tried)
    }

    /// Gives the book's revision up if runs under it were significantly worse than in the best iteration so far.
    fn roll_back(
        &mut self,
        best: &mut Option<BestIteration>,
        runs: &[RunSummary],
        now: Timestamp,
    ) -> Result<Option<RolledBack>, ReviseError> {
        let Some(known) = best else {
            *best = Some(BestIteration::new(&self.book, runs));
            return Ok(None);
        };
        let Some(why) = known.worse(runs) else {
            known.take(&self.book, runs);
            return Ok(None);
        };
        if known.has_laws_of(&self.book) {
            // The same laws were worse by chance, or by what else has changed: there is nothing to give up.
            return Ok(None);
        }
        let (book, rolled_back) = known.restore(&self.book, why, self.critic.vocabulary(), self.store, now)?;
        self.book = book;
        Ok(Some(rolled_back))
    }
}

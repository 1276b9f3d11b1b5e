//! Learning: iterations of episodes, a critique and a new revision of the book, until nothing improves (LTLCrit
//! algorithm 1, with its two loops).
//!
//! Every iteration runs fresh seeds: a deterministic actor on the seeds that its laws were learned from shows nothing new. Each
//! revision, the last one too, is played against the one before on the same fresh seeds, and the better one goes on
//! ([`decision`]). All runs are evidence for the next critique. [`Learner`] knows no worlds and no models:
//! [`Episodes`] runs one episode under given books, [`Proposer`]s propose, the [gate](ltlcrit_critic::admission) decides.
//! `docs/learning.md` has measured figures, `docs/critic.md` the rules.

mod book_file;
mod critics;
mod decision;
mod episodes;
mod evaluator;
mod figures;
mod proposers;
mod revise;
mod stable;
mod training;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use book_file::{BookFile, BookFileError};
pub use critics::CriticSpec;
pub use decision::Decision;
use decision::{Decided, Match, Undecided};
pub use episodes::Episodes;
pub use evaluator::{EpisodeEvaluator, Measured};
pub use figures::EpisodeFigures;
use jiff::Timestamp;
use ltlcrit_critic::critique::{Critic, Critique, CritiqueError, CritiqueOptions};
use ltlcrit_critic::propose::{Proposer, Unread};
use ltlcrit_laws::Book;
use ltlcrit_store::Store;
use ltlcrit_verifier::{Definition, Vocabulary};
pub use proposers::{Critics, critique_options};
pub use revise::ReviseError;
pub use stable::{Comparison, SIGNIFICANT};
use thiserror::Error;
pub(crate) use training::{Break, Played};
pub use training::{EpisodeProgress, Stopped, Training};

use crate::agent::RunSummary;
pub use crate::run::EpisodeError;

/// Options of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnOptions {
    /// The most iterations: episodes and a critique each.
    pub iterations: usize,
    /// The seeds of the episodes of the first iteration. Each later one has as many fresh ones, which follow the highest.
    pub seeds: Vec<u64>,
    /// Seeds that no episode may have, because the book is judged by them.
    pub reserved: BTreeSet<u64>,
    /// True if to stop once two iterations in a row changed nothing significantly ([`Comparison`]).
    pub stop_when_stable: bool,
    /// The options of the critiques.
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
    /// Their figures.
    pub figures: EpisodeFigures,
    /// The critique of them.
    pub critique: Critique,
    /// The unreadable parts of critics' answers.
    pub unread: Vec<UnreadBy>,
    /// The decision about the revision; `None` if the critique changed no law in force, or if learning was interrupted.
    pub decision: Option<Decision>,
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
pub fn missed(proposers: &[Box<dyn Proposer>]) -> Vec<Definition> {
    proposers.iter().flat_map(|proposer| proposer.missed().to_vec()).collect()
}

/// The unreadable parts of critics' answers in their last critique.
pub fn unread(proposers: &[Box<dyn Proposer>]) -> Vec<UnreadBy> {
    let pieces = proposers.iter().flat_map(|proposer| proposer.unread().iter().map(|piece| (proposer.name(), piece)));
    pieces.map(|(critic, piece)| UnreadBy { critic, piece: piece.clone() }).collect()
}

/// The reason why learning ended.
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
    /// The reason why learning ended.
    pub ended: Ended,
}

/// The reason why learning failed.
#[derive(Debug, Error)]
pub enum LearnError<E, F> {
    /// An episode could not be run.
    #[error(transparent)]
    Episode(E),
    /// The critic could not work.
    #[error(transparent)]
    Critique(CritiqueError),
    /// A revision could not be given up.
    #[error(transparent)]
    Revise(ReviseError),
    /// The iteration could not be shown, or its book could not be written.
    #[error(transparent)]
    Observer(F),
}

/// Everything learning needs besides episodes.
pub struct Learner<'a> {
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
    pub proposers: Vec<Box<dyn Proposer>>,
    /// The options of learning.
    pub options: LearnOptions,
}

impl<'a> Learner<'a> {
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
        let read = |critic: &mut Critic, store: &Store, runs: &[RunSummary]| {
            let read = critic.read(store, runs.iter().map(|run| run.run));
            read.map_err(|error| LearnError::Critique(error.into()))
        };
        let failed = |error: CritiqueError| LearnError::Critique(error);
        let mut stable = 0;
        let mut next = episodes.run(self.store, &self.options.fresh(1), &self.books()).map_err(LearnError::Episode)?;
        if let Some(runs) = &next {
            read(&mut self.critic, self.store, runs)?;
        }
        for number in 1..=self.options.iterations {
            let Some(runs) = next.take() else { return Ok(Learned { book: self.book, ended: Ended::Interrupted }) };
            let id = self.book.id();
            let (options, now) = (self.options.critique, Timestamp::now());
            let missed = missed(&self.proposers);
            let deriving = self.critic.deriving(self.store, options, &missed).map_err(failed)?;
            let critic = deriving.as_ref().unwrap_or(&self.critic);
            let critique = critic
                .critique(self.store, &self.task, &self.book, &self.others, &mut self.proposers, options, now)
                .await
                .map_err(failed)?;
            let before = std::mem::replace(&mut self.book, critique.book.clone());
            if let Some(deriving) = deriving {
                self.critic = deriving.for_books(self.store, &self.books()).map_err(failed)?;
            }
            let mut decision = None;
            let is_proved = decision::is_proved(&self.others, &before, self.critic.vocabulary());
            // A book that leaves some state no action is not gone back to.
            if is_proved && !decision::same_laws(&before, &self.book) {
                let vocabulary = &self.critic.vocabulary().clone();
                let (store, others) = (self.store, &self.others);
                let seeds = &self.options.rounds(number + 1);
                let mut played = Match { episodes, store, seeds, others, vocabulary };
                match played.decide(&before, &self.book, now) {
                    Ok(Decided { book, runs, played, decision: made }) => {
                        self.book = book;
                        read(&mut self.critic, self.store, &played)?;
                        (next, decision) = (Some(runs), Some(made));
                    }
                    Err(Undecided::Interrupted) => {}
                    Err(Undecided::Episode(error)) => return Err(LearnError::Episode(error)),
                    Err(Undecided::Revise(error)) => return Err(LearnError::Revise(error)),
                }
            } else if number < self.options.iterations {
                let seeds = &self.options.fresh(number + 1);
                next = episodes.run(self.store, seeds, &self.books()).map_err(LearnError::Episode)?;
                if let Some(runs) = &next {
                    read(&mut self.critic, self.store, runs)?;
                }
            } else {
                next = Some(Vec::new());
            }
            let settled = decision.as_ref().is_none_or(|decision| !decision.comparison.significant());
            stable = if settled { stable + 1 } else { 0 };
            let (figures, unread) = (EpisodeFigures::of(&runs), unread(&self.proposers));
            let iteration = Iteration { number, book: id, runs, figures, critique, unread, decision };
            on(&iteration, &self.book).map_err(LearnError::Observer)?;
            if self.options.stop_when_stable && stable >= 2 && next.is_some() {
                return Ok(Learned { book: self.book, ended: Ended::Stable });
            }
        }
        let ended = if next.is_some() || self.options.iterations == 0 { Ended::Done } else { Ended::Interrupted };
        Ok(Learned { book: self.book, ended })
    }
}

impl LearnOptions {
    /// The seeds of an iteration, counted from 1, and then as many again as often as a comparison may need them. None of them is
    /// of another iteration.
    fn rounds(&self, number: usize) -> Vec<Vec<u64>> {
        let further = self.further_rounds();
        let first = self.iterations.saturating_add(2).saturating_add(number.saturating_sub(2).saturating_mul(further));
        let further = (first..).take(further);
        std::iter::once(number).chain(further).map(|number| self.fresh(number)).collect()
    }

    /// The most further rounds of a comparison.
    fn further_rounds(&self) -> usize {
        decision::MANY.div_ceil(self.seeds.len().max(1)).saturating_sub(1)
    }

    /// The number of rounds that a learning may need, whatever its comparisons show.
    pub(crate) fn most_rounds(&self) -> usize {
        self.iterations.saturating_mul(self.further_rounds().saturating_add(1)).saturating_add(1)
    }

    /// The seeds of a round of episodes, counted from 1; none of them is of another one. The first ones are of the iterations.
    pub fn fresh(&self, number: usize) -> Vec<u64> {
        let count = self.seeds.len();
        let Some(later) = number.checked_sub(2) else { return self.seeds.clone() };
        let highest = self.seeds.iter().copied().max().unwrap_or(0);
        let free = (highest.saturating_add(1)..=u64::MAX).filter(|seed| !self.reserved.contains(seed));
        free.skip(later.saturating_mul(count)).take(count).collect()
    }
}

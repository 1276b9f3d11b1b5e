//! The critic's work between episodes (LTLCrit section 3.4 and the offline half of algorithm 1).
//!
//! It reads runs, asks proposers, and lets the gate decide. It retires laws that proved useless, and makes a new revision of
//! the book.

mod ruled;
mod session;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::{Book, Entry, Evidence, JointVocabularyError, joint_vocabulary};
use ltlcrit_store::{RunId, Store, Translator, VocabularyRecord};
use ltlcrit_verifier::{ActionId, Definition, Enforcement, Vocabulary};
pub use ruled::{CritiqueError, NAME, Ruled};
use serde::Serialize;
use session::Session;

use crate::admission::{Gate, GateRuns, Staging};
use crate::change::{Change, GateRuling, Refusal};
use crate::evidence::{Objective, RunCounts, Trials, Verdict};
use crate::graph::{ChoiceClass, ClassOptions, Classes, GraphError, Target, TrajectoryGraph};
use crate::hidden::{derive, missing_observations};
use crate::law::{MetConflict, StateConflict};
use crate::notes::{GivenUp, RunNotes};
use crate::propose::Proposer;
use crate::statistics::{ActivationLog, Statistics};

/// Options of a critique.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CritiqueOptions {
    /// The number of rounds in which proposers are asked; rounds that resolve conflicts are not counted.
    pub rounds: usize,
    /// The status that admitted laws get.
    pub staging: Staging,
    /// When a choice counts as inefficient.
    pub classes: ClassOptions,
    /// The constants of weights and costs.
    pub objective: Objective,
    /// True if laws are retired for what they did.
    pub retire: bool,
    /// The probability, from 0 to 1, of deriving an observation that tells nothing ([`missing_observations`]); `None` derives none.
    pub derive: Option<f64>,
}

impl Default for CritiqueOptions {
    fn default() -> Self {
        Self {
            rounds: 10,
            staging: Staging::Adopt,
            classes: ClassOptions::default(),
            objective: Objective::default(),
            retire: true,
            derive: Some(0.05),
        }
    }
}

/// The number of choices in each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClassCounts {
    /// As good as the best known.
    pub efficient: usize,
    /// Worse than the best known.
    pub inefficient: usize,
    /// Failed every time.
    pub failed: usize,
    /// Not known to be any of these.
    pub unknown: usize,
}

/// The result of a critique.
#[derive(Clone, Debug)]
pub struct Critique {
    /// The book: a new revision if anything changed.
    pub book: Book,
    /// True if anything changed.
    pub changed: bool,
    /// The target that costs were measured to; `None` if no run reached one.
    pub target: Option<Target>,
    /// The choices of the graph by class.
    pub classes: ClassCounts,
    /// All proposed changes, in order.
    pub ruled: Vec<Ruled>,
    /// Proposers that could not propose, and why.
    pub silent: Vec<(String, String)>,
    /// States that runs met, or that were proved to exist, in which the laws left nothing and still do.
    pub unresolved: Vec<StateConflict>,
    /// Statistics of the laws over the runs read.
    pub statistics: Statistics,
    /// The reason why nothing was learned; `None` if something changed.
    pub nothing: Option<String>,
}

impl Critique {
    /// The number of laws admitted.
    pub fn admitted(&self) -> usize {
        self.ruled.iter().filter(|ruled| matches!(ruled.ruling, GateRuling::Admitted { .. })).count()
    }

    /// This critique and a later one of the same runs, which began with the book of this one, as one.
    #[must_use]
    pub fn followed_by(self, later: Self) -> Self {
        let rounds = self.ruled.iter().map(|ruled| ruled.round).max().unwrap_or(0);
        let again = later.ruled.into_iter().map(|ruled| Ruled { round: rounds + ruled.round, ..ruled });
        Self {
            changed: self.changed || later.changed,
            ruled: self.ruled.into_iter().chain(again).collect(),
            silent: self.silent.into_iter().chain(later.silent).collect(),
            nothing: self.nothing.and(later.nothing),
            ..later
        }
    }

    /// The number of laws retired or replaced.
    pub fn retired(&self) -> usize {
        let gone = |ruled: &&Ruled| {
            matches!(ruled.ruling, GateRuling::Retired { .. })
                || matches!((&ruled.change, &ruled.ruling), (Change::Replace { .. }, GateRuling::Admitted { .. }))
        };
        self.ruled.iter().filter(gone).count()
    }

    /// The refused changes, each with its refusal.
    pub fn refused(&self) -> impl Iterator<Item = (&Change, &Refusal)> {
        self.ruled.iter().filter_map(|ruled| match &ruled.ruling {
            GateRuling::Refused { refusal } => Some((&ruled.change, refusal)),
            _ => None,
        })
    }
}

/// The critic's data from the runs it has read.
#[derive(Clone, Debug)]
pub struct Critic {
    vocabulary: Arc<Vocabulary>,
    translator: Translator,
    /// The runs it has read.
    runs: BTreeSet<RunId>,
    graph: TrajectoryGraph,
    log: ActivationLog,
    /// Over-constrained states that runs met.
    met: Vec<MetConflict>,
}

impl Critic {
    /// A critic that has read no run, for laws over a vocabulary.
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        let graph = TrajectoryGraph::new().over(vocabulary.clone());
        let translator = Translator::new(vocabulary.clone());
        Self { vocabulary, translator, runs: BTreeSet::new(), graph, log: ActivationLog::new(), met: Vec::new() }
    }

    /// Reads runs, or what they have gained since.
    ///
    /// # Errors
    /// A run that cannot be read, or that speaks another vocabulary.
    pub fn read(&mut self, store: &Store, runs: impl IntoIterator<Item = RunId>) -> Result<(), GraphError> {
        for run in runs {
            self.graph.add_stored(store, run)?;
            self.log.add_stored(store, run, &self.translator)?;
            let translation = GraphError::translation(&self.translator, &store.manifest(run)?)?;
            for record in store.conflicts(run) {
                let record = record?;
                let state = translation.holds(&record.observation);
                if !self.met.iter().any(|met| met.state == state) {
                    let suspended = match record.force {
                        Enforcement::Suspended { suspended, .. } => suspended,
                        _ => Vec::new(),
                    };
                    let at = Evidence { run: run.0, step: record.step };
                    self.met.push(MetConflict { state, at, suspended });
                }
            }
            self.runs.insert(run);
        }
        Ok(())
    }

    /// A critic for laws over another vocabulary that has read the same runs.
    ///
    /// # Errors
    /// A run that cannot be read, or that speaks another vocabulary.
    pub fn over(&self, store: &Store, vocabulary: Arc<Vocabulary>) -> Result<Self, GraphError> {
        let mut critic = Self::new(vocabulary);
        critic.read(store, self.runs.iter().copied())?;
        Ok(critic)
    }

    /// Returns a critic over a vocabulary with more observations: those that the runs show to be missing, and those that
    /// proposers missed in an earlier critique. `None` if there are none.
    ///
    /// # Errors
    /// A run that cannot be read.
    pub fn deriving(
        &self,
        store: &Store,
        options: CritiqueOptions,
        missed: &[Definition],
    ) -> Result<Option<Self>, CritiqueError> {
        let Some(significance) = options.derive else { return Ok(None) };
        let trials = self.trials(options.objective);
        let shown = missing_observations(store, &trials, &self.vocabulary, significance)?;
        let shown = shown.into_iter().filter_map(|one| one.definition.as_deref().cloned());
        let missing = derive(&self.vocabulary, missed.iter().cloned().chain(shown));
        if missing.is_empty() {
            return Ok(None);
        }
        let vocabulary = self.vocabulary.extended(missing).map_err(JointVocabularyError::from)?;
        Ok(Some(self.over(store, Arc::new(vocabulary))?))
    }

    /// A critic that derives only what books derive, and that has read the same runs.
    ///
    /// # Errors
    /// A run that cannot be read, or books that contradict each other.
    pub fn for_books(self, store: &Store, books: &[Book]) -> Result<Self, CritiqueError> {
        let vocabulary = joint_vocabulary(&Arc::new(self.vocabulary.base()), books)?;
        let is_same = VocabularyRecord::of(&vocabulary) == VocabularyRecord::of(&self.vocabulary);
        if is_same { Ok(self) } else { Ok(self.over(store, vocabulary)?) }
    }

    /// The vocabulary of its laws.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The graph of the runs.
    pub fn graph(&self) -> &TrajectoryGraph {
        &self.graph
    }

    /// Judges the actions of the runs.
    pub fn trials(&self, objective: Objective) -> Trials {
        Trials::of(self.graph.runs(), &self.vocabulary, self.log.blocks(), objective)
    }

    /// Looks at the runs read so far and changes a book, which is in force together with others.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be changed; the book is then as it was.
    #[allow(clippy::too_many_arguments)] // None of them belongs with another.
    pub async fn critique(
        &self,
        store: &Store,
        task: &str,
        book: &Book,
        others: &[Book],
        proposers: &mut [Box<dyn Proposer>],
        options: CritiqueOptions,
        now: Timestamp,
    ) -> Result<Critique, CritiqueError> {
        let target = self.graph.farthest_target();
        let classes = self.graph.classify(target.unwrap_or(Target::Goal), options.classes);
        let trials = self.trials(options.objective);
        let statistics = self.log.rate(&self.graph, &classes, &trials);
        let runs = GateRuns { graph: &self.graph, trials: &trials };
        let gate = Gate::new(book, others, self.vocabulary.clone(), runs, options.staging)?;
        let notes = RunNotes {
            revisions: self.log.revisions(book.name()),
            blocks: self.log.blocks().to_vec(),
            given_up: given_up(book),
        };
        let ruled = Vec::new();
        let mut session = Session {
            vocabulary: &self.vocabulary,
            graph: &self.graph,
            met: &self.met,
            store,
            task,
            trials: &trials,
            notes: &notes,
            gate,
            ruled,
            now,
        };
        if options.retire {
            session.retire_outweighed()?;
        }
        let silent = session.rounds(proposers, options.rounds).await?;
        if options.retire {
            session.retire_implied()?;
        }
        let unresolved = session.conflicts()?;
        let Session { gate, ruled, .. } = session;
        let changed = gate.admitted().next().is_some() || gate.retired().next().is_some();
        let book = gate.finish(store, now)?;
        let counts = count(&self.graph, &classes);
        let nothing = (!changed).then(|| nothing_learned(&trials, &self.vocabulary));
        Ok(Critique { book, changed, target, classes: counts, ruled, silent, unresolved, statistics, nothing })
    }
}

/// The laws of a book that were given up after they were played.
fn given_up(book: &Book) -> Vec<GivenUp> {
    let given_up = |entry: &Entry| {
        let outcome = entry.provenance.trial.clone()?;
        Some(GivenUp { law: entry.id.clone(), formula: entry.formula.to_string(), outcome })
    };
    book.entries().iter().filter_map(given_up).collect()
}

/// Explains why nothing was learned, and names a remedy.
fn nothing_learned(trials: &Trials, vocabulary: &Vocabulary) -> String {
    let RunCounts { all, reached_goal, trapped } = trials.runs;
    let bad = trials.all.iter().filter(|trial| trial.is_bad());
    let bad = bad.filter(|trial| trials.weight(&trial.state, trial.action) > 0.0).count();
    let mut stuck: BTreeMap<ActionId, usize> = BTreeMap::new();
    for trial in trials.all.iter().filter(|trial| trial.verdict == Verdict::Trapped) {
        *stuck.entry(trial.action).or_default() += 1;
    }
    let stall = stuck.into_iter().max_by_key(|(_, count)| *count).map(|(action, _)| vocabulary.action_name(action));
    let ends = match (trapped, stall) {
        (0, _) => format!("{reached_goal} of {all} runs reach the goal and none ends in a stall"),
        (_, None) => format!("{trapped} of {all} runs end in a stall"),
        (_, Some(action)) => format!("{trapped} of {all} runs end in a stall, most often with `{action}`"),
    };
    match (all, bad) {
        (0, _) => "there are no runs to learn from; play some episodes first".to_owned(),
        (_, 0) => format!("no action was bad beyond chance; {ends}; more episodes or more steps may show more"),
        _ => format!(
            "{bad} bad steps, and no condition or no new law tells them from the others; {ends}; more episodes may"
        ),
    }
}

fn count(graph: &TrajectoryGraph, classes: &Classes) -> ClassCounts {
    let mut counts = ClassCounts::default();
    for (choice, ..) in graph.choices() {
        *match classes.class(graph, choice) {
            ChoiceClass::Efficient => &mut counts.efficient,
            ChoiceClass::Inefficient => &mut counts.inefficient,
            ChoiceClass::Failed => &mut counts.failed,
            ChoiceClass::Unknown => &mut counts.unknown,
        } += 1;
    }
    counts
}

//! The critic's work between episodes: read what runs did, let proposers propose, let the gate decide, retire what proved
//! useless, and make a new revision of the book (LTLCrit section 3.4 and algorithm 1's offline half).

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::{Book, Evidence, JointVocabularyError, joint_vocabulary};
use ltlcrit_store::{LawId, RunId, Store, StoreError, Translator, VocabularyRecord};
use ltlcrit_verifier::{PropSet, Vocabulary};
use serde::Serialize;
use thiserror::Error;

use crate::admission::{Gate, GateError, GateRuns, Staging};
use crate::change::{Answer, Change, GateRuling, ProposedState, Refusal, Refused, RetireCause};
use crate::graph::{ChoiceClass, ClassOptions, Classes, GraphError, Target, TrajectoryGraph};
use crate::hidden::missing_observations;
use crate::law::StateConflict;
use crate::propose::{Brief, Proposer};
use crate::statistics::{ActivationLog, Statistics};
use crate::trial::{TrialLog, Trials};

/// The proposer of the retirements that the critic itself asks for.
pub const NAME: &str = "critic";
/// Stop asking a proposer after this many rounds in a row without a change.
const PATIENCE: usize = 6;
/// The most conflicts that are resolved in one critique.
const MOST_RESOLUTIONS: usize = 1_000;

/// Options of a critique.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CritiqueOptions {
    /// The number of rounds in which proposers are asked; rounds that resolve conflicts are not counted.
    pub rounds: usize,
    /// Whether admitted laws are in force at once or wait for a person.
    pub staging: Staging,
    /// When a choice counts as inefficient.
    pub classes: ClassOptions,
    /// The number of steps without gain from which a run counts as having met a dead end.
    pub dead_end: u32,
    /// Whether laws are retired for what they did.
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
            dead_end: 14,
            retire: true,
            derive: Some(0.05),
        }
    }
}

/// Why there is no critique.
#[derive(Debug, Error)]
pub enum CritiqueError {
    /// Runs cannot be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The gate cannot work.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A vocabulary cannot be extended.
    #[error(transparent)]
    Vocabulary(#[from] JointVocabularyError),
}

/// A proposed change and the gate's ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ruled {
    /// The round, from 1.
    pub round: usize,
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// The gate's ruling.
    pub ruling: GateRuling,
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
    /// Whether anything changed.
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
}

impl Critique {
    /// The number of laws admitted.
    pub fn admitted(&self) -> usize {
        self.ruled.iter().filter(|ruled| matches!(ruled.ruling, GateRuling::Admitted { .. })).count()
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
    trials: TrialLog,
    log: ActivationLog,
    /// Over-constrained states that runs met.
    met: Vec<(PropSet, Evidence)>,
}

impl Critic {
    /// A critic that has read no run, for laws over a vocabulary.
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        let graph = TrajectoryGraph::new().over(vocabulary.clone());
        let translator = Translator::new(vocabulary.clone());
        Self {
            vocabulary,
            translator,
            runs: BTreeSet::new(),
            graph,
            trials: TrialLog::default(),
            log: ActivationLog::new(),
            met: Vec::new(),
        }
    }

    /// Reads runs, or what they have gained since.
    ///
    /// # Errors
    /// A run that cannot be read, or that speaks another vocabulary.
    pub fn read(&mut self, store: &Store, runs: impl IntoIterator<Item = RunId>) -> Result<(), GraphError> {
        for run in runs {
            let path = self.graph.add_stored(store, run)?;
            if let Some(path) = path {
                self.trials.add_once(path);
            }
            self.log.add_stored(store, run, &self.translator)?;
            let translation = GraphError::translation(&self.translator, &store.manifest(run)?)?;
            for record in store.conflicts(run) {
                let record = record?;
                let state = translation.holds(&record.observation);
                if !self.met.iter().any(|(met, _)| *met == state) {
                    self.met.push((state, Evidence { run: run.0, step: record.step }));
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

    /// A critic for laws that may also speak of the observations that the runs show to be missing; `None` if none is.
    ///
    /// # Errors
    /// A run that cannot be read.
    pub fn deriving(&self, store: &Store, options: CritiqueOptions) -> Result<Option<Self>, CritiqueError> {
        let Some(significance) = options.derive else { return Ok(None) };
        let trials = self.trials(options.dead_end);
        let missing = missing_observations(store, &trials, &self.vocabulary, significance)?;
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

    /// What the actions of the runs were good for; a dead end is this many steps without gain.
    pub fn trials(&self, dead_end: u32) -> Trials {
        self.trials.trials(&self.vocabulary, self.log.blocks(), dead_end)
    }

    /// Looks at the runs read so far and changes a book, which is in force together with others.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be changed; the book is then as it was.
    #[allow(clippy::too_many_arguments)] // None of them belongs with another.
    pub async fn critique<P: Proposer>(
        &self,
        store: &Store,
        task: &str,
        book: &Book,
        others: &[Book],
        proposers: &mut [P],
        options: CritiqueOptions,
        now: Timestamp,
    ) -> Result<Critique, CritiqueError> {
        let target = self.graph.farthest_target();
        let classes = self.graph.classify(target.unwrap_or(Target::Goal), options.classes);
        let statistics = self.log.rate(&self.graph, &classes);
        let trials = self.trials(options.dead_end);
        let runs = GateRuns { graph: &self.graph, trials: &trials };
        let gate =
            Gate::new(book, others, self.vocabulary.clone(), runs, options.staging)?.with_statistics(&statistics);
        let mut session =
            Session { critic: self, store, task, classes: &classes, trials: &trials, gate, ruled: Vec::new(), now };
        if options.retire {
            session.retire_where(RetireCause::DemandsWhatFails, Gate::failing_demand)?;
            session.retire_where(RetireCause::LeavesDeadEnd, Gate::dead_end)?;
            session.retire_by_statistics()?;
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
        Ok(Critique { book, changed, target, classes: counts, ruled, silent, unresolved, statistics })
    }
}

/// A critique under way.
struct Session<'a> {
    critic: &'a Critic,
    store: &'a Store,
    task: &'a str,
    classes: &'a Classes,
    trials: &'a Trials,
    gate: Gate<'a>,
    ruled: Vec<Ruled>,
    now: Timestamp,
}

/// A proposer's part in a critique.
#[derive(Default)]
struct Part {
    refused: Vec<Refused>,
    /// The number of rounds in a row without a change.
    idle: usize,
    silent: Option<String>,
}

impl<'a> Session<'a> {
    /// Asks the proposers until a round changes nothing and leaves nothing to correct, or the rounds are used up.
    async fn rounds<P: Proposer>(
        &mut self,
        proposers: &mut [P],
        most: usize,
    ) -> Result<Vec<(String, String)>, CritiqueError> {
        let mut parts: Vec<Part> = proposers.iter().map(|_| Part::default()).collect();
        let mut rounds = 0;
        for round in 1..=most + MOST_RESOLUTIONS {
            let conflicts = self.conflicts()?;
            // Resolving conflicts is not counted: every change leaves fewer.
            rounds += usize::from(conflicts.is_empty());
            if rounds > most {
                break;
            }
            let mut changed = false;
            for (proposer, part) in proposers.iter_mut().zip(&mut parts) {
                if part.silent.is_some() || part.idle >= PATIENCE {
                    continue;
                }
                let (laws, refused) = (self.gate.laws(), std::mem::take(&mut part.refused));
                let brief = Brief {
                    task: self.task,
                    vocabulary: &self.critic.vocabulary,
                    graph: &self.critic.graph,
                    classes: self.classes,
                    trials: self.trials,
                    laws: &laws,
                    conflicts: &conflicts,
                    refused: &refused,
                    round,
                };
                let changes = match proposer.propose(&brief).await {
                    Ok(changes) => changes,
                    Err(error) => {
                        part.silent = Some(error.to_string());
                        continue;
                    }
                };
                let mut did = false;
                for change in self.gate.in_order(changes) {
                    let Answer { ruling, counterexample } = self.rule(round, change.clone())?;
                    match ruling {
                        GateRuling::Refused { refusal } => {
                            part.refused.push(Refused { change, refusal, counterexample })
                        }
                        GateRuling::Admitted { .. } | GateRuling::Retired { .. } => did = true,
                    }
                }
                part.idle = if did { 0 } else { part.idle + 1 };
                changed |= did;
                // The others should see what is left of the conflicts.
                if did && !conflicts.is_empty() {
                    break;
                }
            }
            let more_to_say = parts.iter().any(|part| !part.refused.is_empty() && part.idle < PATIENCE);
            if !changed && !more_to_say {
                break;
            }
        }
        let silent = proposers.iter().zip(parts).filter_map(|(proposer, part)| Some((proposer.name(), part.silent?)));
        Ok(silent.collect())
    }

    fn rule(&mut self, round: usize, change: Change) -> Result<Answer, CritiqueError> {
        let answer = self.gate.admit(self.store, &change, self.now)?;
        self.ruled.push(Ruled { round, change, ruling: answer.ruling.clone() });
        Ok(answer)
    }

    fn retire(&mut self, law: LawId, cause: RetireCause, state: Option<PropSet>) -> Result<(), CritiqueError> {
        let state = state.and_then(|state| ProposedState::of_retirement(state, &self.critic.vocabulary));
        self.rule(0, Change::Retire { law, cause, state, proposer: NAME.to_owned() })?;
        Ok(())
    }

    /// The states in which the laws leave no action now: those that runs met, and one found by proof if there is one.
    fn conflicts(&self) -> Result<Vec<StateConflict>, CritiqueError> {
        let mut conflicts = Vec::new();
        if self.gate.is_consistent() {
            return Ok(conflicts);
        }
        for (state, met_at) in &self.critic.met {
            if let Some(laws) = self.gate.conflict_at(state)? {
                conflicts.push(StateConflict { state: *state, laws, met_at: Some(*met_at) });
            }
        }
        let met = |conflict: &&StateConflict| !conflicts.iter().any(|other| other.state == conflict.state);
        let proved = self.gate.conflict().filter(met).cloned();
        conflicts.extend(proved);
        Ok(conflicts)
    }

    /// Retires every law for which the gate knows a state that speaks against it. A narrower law may be found again, with that
    /// state as a counterexample.
    fn retire_where(
        &mut self,
        cause: RetireCause,
        shown: impl Fn(&Gate<'a>, &LawId) -> Option<PropSet>,
    ) -> Result<(), CritiqueError> {
        for law in self.gate.laws() {
            if let Some(state) = shown(&self.gate, &law.id) {
                self.retire(law.id, cause, Some(state))?;
            }
        }
        Ok(())
    }

    /// Retires laws that never fire or mostly block what would be right.
    fn retire_by_statistics(&mut self) -> Result<(), CritiqueError> {
        for law in self.gate.laws() {
            if let Some(cause) = self.gate.of_no_use(&law.id) {
                self.retire(law.id, cause, None)?;
            }
        }
        Ok(())
    }

    /// Retires laws that others now imply, if a new law was admitted.
    fn retire_implied(&mut self) -> Result<(), CritiqueError> {
        if self.gate.admitted().next().is_none() {
            return Ok(());
        }
        let laws: Vec<_> = self.gate.laws().into_iter().filter(|law| law.changeable).collect();
        for law in laws {
            if self.gate.is_implied(&law.id)? {
                self.retire(law.id, RetireCause::Implied, None)?;
            }
        }
        Ok(())
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

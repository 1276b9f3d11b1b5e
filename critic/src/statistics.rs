//! Statistics of laws: activations, blocks, and how many blocks were right or wrong.
//!
//! A blocked action never ran, so it is judged by the [evidence](crate::evidence): other runs may have taken the same action in
//! the same state, or got on without it. A block is right if the votes of runs speak for it, and wrong if they speak against it.
//! A block of a choice that no run made is neither.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_store::{LawId, LawRecord, Proposer, Reply, Ruling, RunId, Store, Transition, Translator};
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary, syntax};
use serde::Serialize;

use crate::evidence::{Block, Trials};
use crate::graph::{Citation, Classes, GraphError, TrajectoryGraph};
use crate::law::Restriction;
use crate::notes::Instead;

/// The statistics of a law.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LawStatistics {
    /// The number of finished runs in which it was in force.
    pub runs: u32,
    /// The number of their steps.
    pub steps: u64,
    /// The number of steps before which its condition held; for a law that is not of the form, at which it blocked an action.
    pub fired: u64,
    /// The number of proposals it blocked, alone or with others.
    pub blocked: u64,
    /// The number of blocked choices known to fail or to be inefficient.
    pub right: u32,
    /// The number of blocked choices known to be the only efficient one of their state.
    pub wrong: u32,
    /// The steps that right blocks saved, compared with the best choice known, as far as known.
    pub steps_saved: f64,
    /// The latest run in which it was in force.
    #[serde(skip)]
    pub last_run: Option<RunId>,
}

impl LawStatistics {
    /// The share of right blocks among those known to be right or wrong.
    pub fn precision(&self) -> Option<f64> {
        let known = self.right + self.wrong;
        (known > 0).then(|| f64::from(self.right) / f64::from(known))
    }

    /// The share of wrong blocks among those known to be right or wrong.
    pub fn false_block_rate(&self) -> Option<f64> {
        self.precision().map(|precision| 1.0 - precision)
    }
}

/// The statistics of laws, by id.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Statistics(BTreeMap<LawId, LawStatistics>);

impl Statistics {
    /// The statistics of a law; `None` if it was in force in no finished run.
    pub fn of(&self, law: &str) -> Option<&LawStatistics> {
        self.0.get(law)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&LawId, &LawStatistics)> {
        self.0.iter()
    }
}

impl FromIterator<(LawId, LawStatistics)> for Statistics {
    fn from_iter<I: IntoIterator<Item = (LawId, LawStatistics)>>(statistics: I) -> Self {
        Self(statistics.into_iter().collect())
    }
}

/// The activations and blocks of laws in finished runs. Each run counts once.
#[derive(Clone, Debug, Default)]
pub struct ActivationLog {
    runs: BTreeSet<RunId>,
    laws: BTreeMap<LawId, Tally>,
    blocks: Vec<Block>,
    instead: Vec<Instead>,
    /// The books that each run began under, by name, with their revisions.
    books: BTreeMap<RunId, BTreeMap<String, u64>>,
}

#[derive(Clone, Debug, Default)]
struct Tally {
    runs: u32,
    last_run: Option<RunId>,
    steps: u64,
    fired: u64,
    /// By state and action, how often.
    blocked: BTreeMap<(PropSet, ActionId), u32>,
}

/// A law in force during a run.
struct InForce {
    id: LawId,
    hard: bool,
    /// `None` for a law that is not of the form.
    restriction: Option<Restriction>,
}

impl ActivationLog {
    /// No runs yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a stored run, if it is finished and was not added before.
    ///
    /// # Errors
    /// A run that cannot be read, or that speaks another vocabulary; nothing of it then counts.
    pub fn add_stored(&mut self, store: &Store, run: RunId, translator: &Translator) -> Result<(), GraphError> {
        if store.outcome(run)?.is_none() || self.runs.contains(&run) {
            return Ok(());
        }
        let manifest = store.manifest(run)?;
        let translation = GraphError::translation(translator, &manifest)?;
        let vocabulary = translator.vocabulary();
        let mut laws = in_force(&manifest.laws, vocabulary);
        let mut seen: BTreeMap<LawId, Tally> = BTreeMap::new();
        let mut blocks = Vec::new();
        let mut instead = Vec::new();
        for transition in store.transitions(run, &translation) {
            let Transition { before: state, step } = transition?;
            if let Some(new) = &step.new_laws {
                laws = in_force(new, vocabulary);
            }
            let blocked: Vec<(ActionId, &[LawId])> = step.proposals.iter().filter_map(blocked).collect();
            let here = Citation { run, step: step.step as u32 };
            let is_hard = |id: &LawId| laws.iter().any(|law| law.hard && law.id == *id);
            let learned = blocked.iter().filter(|(_, by)| !by.iter().any(is_hard));
            blocks.extend(learned.map(|(action, _)| Block { state, action: *action, step: here }));
            if let Some(executed) = &step.executed {
                let (taken, step) = (executed.action, here);
                let by = blocked.iter().flat_map(|(action, laws)| laws.iter().map(|law| (*action, law.clone())));
                instead.extend(by.map(|(blocked, law)| Instead { law, blocked, taken, step }));
            }
            for law in &laws {
                let tally = seen.entry(law.id.clone()).or_default();
                tally.steps += 1;
                let by_it: Vec<ActionId> =
                    blocked.iter().filter(|(_, by)| by.contains(&law.id)).map(|(action, _)| *action).collect();
                tally.fired += u64::from(match &law.restriction {
                    Some(restriction) => restriction.applies(&state, vocabulary),
                    None => !by_it.is_empty(),
                });
                for action in by_it {
                    *tally.blocked.entry((state, action)).or_default() += 1;
                }
            }
        }
        for (law, new) in seen {
            let tally = self.laws.entry(law).or_default();
            tally.runs += 1;
            tally.last_run = tally.last_run.max(Some(run));
            tally.steps += new.steps;
            tally.fired += new.fired;
            for (choice, count) in new.blocked {
                *tally.blocked.entry(choice).or_default() += count;
            }
        }
        self.blocks.extend(blocks);
        self.instead.extend(instead);
        let books = manifest.books.iter().map(|book| (book.name.clone(), book.revision));
        self.books.insert(run, books.collect());
        self.runs.insert(run);
        Ok(())
    }

    /// The proposals that soft laws alone blocked.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// What actors did instead of what was blocked.
    pub fn instead(&self) -> &[Instead] {
        &self.instead
    }

    /// The revision of a book that each run began under.
    pub fn revisions(&self, book: &str) -> BTreeMap<RunId, u64> {
        self.books.iter().filter_map(|(run, books)| Some((*run, *books.get(book)?))).collect()
    }

    /// The laws' statistics. What they blocked is right or wrong by the [weights](Trials::weight) of the evidence.
    pub fn rate(&self, graph: &TrajectoryGraph, classes: &Classes, trials: &Trials) -> Statistics {
        let rated = |(law, tally): (&LawId, &Tally)| (law.clone(), tally.rate(graph, classes, trials));
        Statistics(self.laws.iter().map(rated).collect())
    }
}

impl Tally {
    fn rate(&self, graph: &TrajectoryGraph, classes: &Classes, trials: &Trials) -> LawStatistics {
        let mut statistics = LawStatistics {
            runs: self.runs,
            last_run: self.last_run,
            steps: self.steps,
            fired: self.fired,
            ..LawStatistics::default()
        };
        for ((state, action), count) in &self.blocked {
            statistics.blocked += u64::from(*count);
            if !trials.was_tried(state, *action) {
                continue;
            }
            let weight = trials.weight(state, *action);
            if weight < 0.0 {
                statistics.wrong += count;
            } else if weight > 0.0 {
                statistics.right += count;
                let place = graph.state(state);
                let choice = place.and_then(|place| Some((place, graph.choice(place, *action)?)));
                let worse = choice.and_then(|(place, choice)| Some(classes.cost(choice)? - classes.distance(place)?));
                statistics.steps_saved += worse.unwrap_or(0.0).max(0.0) * f64::from(*count);
            }
        }
        statistics
    }
}

/// The action a shield blocked, and by which laws, if that is what became of a proposal.
fn blocked(proposal: &ltlcrit_store::ProposalRecord) -> Option<(ActionId, &[LawId])> {
    match (&proposal.by, &proposal.reply, &proposal.ruling) {
        (Proposer::Actor, Reply::Action { action }, Ruling::Blocked { laws, .. }) => Some((*action, laws)),
        _ => None,
    }
}

fn in_force(records: &[LawRecord], vocabulary: &Vocabulary) -> Vec<InForce> {
    let restriction = |formula: &str| Restriction::of(&syntax::parse_infix(formula).ok()?, vocabulary).ok();
    let law = |record: &LawRecord| InForce {
        id: record.id.clone(),
        hard: record.hard,
        restriction: restriction(&record.formula),
    };
    records.iter().map(law).collect()
}

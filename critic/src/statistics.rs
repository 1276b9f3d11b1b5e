//! Statistics of laws: activations, blocks, and how many blocks were right or wrong.
//!
//! A blocked action never ran, so its outcome is looked up in the [graph](crate::graph): another run may have taken the same
//! action in the same state, before the law was in force or without it. A block is right if that choice is failed or
//! inefficient, and wrong if it is the only efficient one. A block of one of several efficient choices is neither, and so is
//! a block of a choice that no run made.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_laws::{Book, Status};
use ltlcrit_store::{
    BookRecord, LawId, LawRecord, Proposer, Reply, Ruling, RunId, RunManifest, Store, Transition, Translator,
};
use ltlcrit_verifier::{ActionId, ActionSet, PropSet, Vocabulary, syntax};
use serde::Serialize;

use crate::graph::{ChoiceClass, Citation, Classes, GraphError, TrajectoryGraph};
use crate::law::Restriction;
use crate::notes::Instead;
use crate::trial::Block;

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
    /// The books that each run began under, by name, with their revisions. Runs that tried a law are left out.
    books: BTreeMap<RunId, BTreeMap<String, u64>>,
    /// The laws on trial of the texts of books seen so far.
    on_trial: BTreeMap<String, BTreeSet<LawId>>,
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
        // Actions that would have been blocked count once in each state.
        let mut unproposed: BTreeSet<(PropSet, ActionId)> = BTreeSet::new();
        for transition in store.transitions(run, &translation) {
            let Transition { before: state, step } = transition?;
            if let Some(new) = &step.new_laws {
                laws = in_force(new, vocabulary);
            }
            let blocked: Vec<(ActionId, &[LawId])> = step.proposals.iter().filter_map(blocked).collect();
            let here = Citation { run, step: step.step as u32 };
            let block = |action, proposed| Block { state, action, step: here, proposed };
            blocks.extend(blocked.iter().map(|(action, _)| block(*action, true)));
            if let Some(executed) = &step.executed {
                let (taken, step) = (executed.action, here);
                let by = blocked.iter().flat_map(|(action, laws)| laws.iter().map(|law| (*action, law.clone())));
                instead.extend(by.map(|(blocked, law)| Instead { law, blocked, taken, step }));
            }
            let restrictions = laws.iter().filter_map(|law| law.restriction.as_ref());
            let others = restrictions.fold(ActionSet::EMPTY, |all, law| all.union(&law.blocked_at(&state, vocabulary)));
            let others = others.iter().filter(|action| !blocked.iter().any(|(proposed, _)| proposed == action));
            blocks
                .extend(others.filter(|action| unproposed.insert((state, *action))).map(|action| block(action, false)));
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
        if !self.tries_a_law(&manifest) {
            let books = manifest.books.iter().map(|book| (book.name.clone(), book.revision));
            self.books.insert(run, books.collect());
        }
        self.runs.insert(run);
        Ok(())
    }

    /// Whether a run had a law in force that is on trial in its book.
    fn tries_a_law(&mut self, manifest: &RunManifest) -> bool {
        manifest.books.iter().any(|book| {
            let on_trial = self.on_trial.entry(book.text.clone()).or_insert_with(|| on_trial(book));
            manifest.laws.iter().any(|law| on_trial.contains(&law.id))
        })
    }

    /// Blocked proposals, and actions that laws would have blocked in the states that runs met.
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

    /// The laws' statistics, as far as the graph knows what they blocked.
    pub fn rate(&self, graph: &TrajectoryGraph, classes: &Classes) -> Statistics {
        Statistics(self.laws.iter().map(|(law, tally)| (law.clone(), tally.rate(graph, classes))).collect())
    }
}

impl Tally {
    fn rate(&self, graph: &TrajectoryGraph, classes: &Classes) -> LawStatistics {
        let mut statistics = LawStatistics {
            runs: self.runs,
            last_run: self.last_run,
            steps: self.steps,
            fired: self.fired,
            ..LawStatistics::default()
        };
        for ((state, action), count) in &self.blocked {
            statistics.blocked += u64::from(*count);
            let place = graph.state(state);
            let Some((place, choice)) = place.and_then(|place| Some((place, graph.choice(place, *action)?))) else {
                continue;
            };
            match classes.class(graph, choice) {
                ChoiceClass::Failed | ChoiceClass::Inefficient => {
                    statistics.right += count;
                    let worse =
                        classes.cost(choice).zip(classes.distance(place)).map(|(cost, best)| (cost - best).max(0.0));
                    statistics.steps_saved += worse.unwrap_or(0.0) * f64::from(*count);
                }
                ChoiceClass::Efficient if !classes.is_matched(graph, choice) => statistics.wrong += count,
                ChoiceClass::Efficient | ChoiceClass::Unknown => {}
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

/// The laws on trial in a book; none if its text cannot be read any more.
fn on_trial(book: &BookRecord) -> BTreeSet<LawId> {
    let Ok(book) = Book::parse(&book.text, &book.source) else { return BTreeSet::new() };
    let on_trial = book.entries().iter().filter(|entry| matches!(entry.status, Status::OnTrial { .. }));
    on_trial.map(|entry| entry.id.clone()).collect()
}

fn in_force(records: &[LawRecord], vocabulary: &Vocabulary) -> Vec<InForce> {
    let restriction = |formula: &str| Restriction::of(&syntax::parse_infix(formula).ok()?, vocabulary).ok();
    let law = |record: &LawRecord| InForce { id: record.id.clone(), restriction: restriction(&record.formula) };
    records.iter().map(law).collect()
}

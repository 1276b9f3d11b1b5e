//! Statistics of laws: activations, blocks, and how many blocks were right or wrong.
//!
//! A blocked action never ran, so it is judged by the [evidence](crate::evidence): other runs may have taken the same action in
//! the same state, or got on without it. A block is right if the votes of runs speak for it, and wrong if they speak against it.
//! A block of a choice that no run made is neither.

use std::collections::BTreeMap;

use ltlcrit_store::{LawId, LawRecord, Proposer, Reply, Ruling, RunId, Store, Transition, Translator};
use ltlcrit_verifier::syntax;
use serde::Serialize;

use crate::evidence::{Block, Trials};
use crate::graph::{Citation, Classes, GraphError, TrajectoryGraph};
use crate::law::Restriction;

/// The statistics of a law.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LawStatistics {
    /// The number of finished runs in which it was in force.
    pub runs: u32,
    /// The number of their steps.
    pub steps: u64,
    /// The number of steps before which its condition held; for a law that is not of the form, at which it blocked an action.
    pub fired: u64,
    /// The number of steps that violated it.
    pub violated: u64,
    /// The number of proposals it blocked, alone or with others.
    pub blocked: u64,
    /// The number of blocked choices known to fail or to be inefficient.
    pub right: u32,
    /// The number of blocked choices known to be the only efficient one of their state.
    pub wrong: u32,
    /// The steps that right blocks saved, compared with the best choice known, as far as known.
    pub steps_saved: f64,
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

/// The statistics of laws, by id. A law that was in force in no finished run has none.
pub type Statistics = BTreeMap<LawId, LawStatistics>;

/// The activations and blocks of laws in finished runs. Each run counts once.
#[derive(Clone, Debug, Default)]
pub struct ActivationLog {
    /// The books that each run began under, by name, with their revisions.
    runs: BTreeMap<RunId, BTreeMap<String, u64>>,
    /// The runs, steps and activations of each law.
    laws: BTreeMap<LawId, LawStatistics>,
    blocks: Vec<Block>,
}

impl ActivationLog {
    /// Creates a log without runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a stored run, if it is finished and was not added before.
    ///
    /// # Errors
    /// A run that cannot be read, or that speaks another vocabulary; nothing of it then counts.
    pub fn add_stored(&mut self, store: &Store, run: RunId, translator: &Translator) -> Result<(), GraphError> {
        if store.outcome(run)?.is_none() || self.runs.contains_key(&run) {
            return Ok(());
        }
        let manifest = store.manifest(run)?;
        let translation = GraphError::translation(translator, &manifest)?;
        let vocabulary = translator.vocabulary();
        let with_restriction = |law: LawRecord| {
            let formula = syntax::parse_infix(&law.formula).ok();
            let restriction = formula.and_then(|formula| Restriction::of(&formula, vocabulary).ok());
            (law, restriction)
        };
        let in_force = |laws: Vec<LawRecord>| laws.into_iter().map(with_restriction).collect::<Vec<_>>();
        let mut laws = in_force(manifest.laws);
        let mut counts: BTreeMap<LawId, LawStatistics> = BTreeMap::new();
        let mut blocks: Vec<Block> = Vec::new();
        for transition in store.transitions(run, &translation) {
            let Transition { before: state, step } = transition?;
            laws = step.new_laws.map_or(laws, in_force);
            let here = Citation { run, step: step.step as u32 };
            let taken = step.executed.as_ref().map(|executed| executed.action);
            let earlier = blocks.len();
            for proposal in step.proposals {
                if let (Proposer::Actor, Reply::Action { action }, Ruling::Blocked { laws: by, .. }) =
                    (proposal.by, proposal.reply, proposal.ruling)
                {
                    let hard = laws.iter().any(|(law, _)| law.hard && by.contains(&law.id));
                    blocks.push(Block { state, action, step: here, laws: by, hard, taken });
                }
            }
            for (law, restriction) in &laws {
                let fired = match restriction {
                    Some(restriction) => restriction.applies(&state, vocabulary),
                    None => blocks[earlier..].iter().any(|block| block.laws.contains(&law.id)),
                };
                let counts = counts.entry(law.id.clone()).or_default();
                counts.steps += 1;
                counts.fired += u64::from(fired);
                counts.violated += u64::from(step.violations.contains(&law.id));
            }
        }
        for (law, new) in counts {
            let counts = self.laws.entry(law).or_default();
            counts.runs += 1;
            counts.steps += new.steps;
            counts.fired += new.fired;
            counts.violated += new.violated;
        }
        self.blocks.extend(blocks);
        self.runs.insert(run, manifest.books.into_iter().map(|book| (book.name, book.revision)).collect());
        Ok(())
    }

    /// Returns the proposals that laws blocked.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the revision of a book that each run began under.
    pub fn revisions(&self, book: &str) -> BTreeMap<RunId, u64> {
        self.runs.iter().filter_map(|(run, books)| Some((*run, *books.get(book)?))).collect()
    }

    /// Returns the laws' statistics. A block is right or wrong by the [weight](Trials::weight) of its choice.
    pub fn rate(&self, graph: &TrajectoryGraph, classes: &Classes, trials: &Trials) -> Statistics {
        let mut laws = self.laws.clone();
        for block in &self.blocks {
            let weight = if trials.was_tried(&block.state, block.action) {
                trials.weight(&block.state, block.action)
            } else {
                0.0
            };
            let saved = || {
                let state = graph.state(&block.state)?;
                Some(classes.cost(graph.choice(state, block.action)?)? - classes.distance(state)?)
            };
            let saved = if weight > 0.0 { saved().unwrap_or(0.0).max(0.0) } else { 0.0 };
            for law in &block.laws {
                let Some(statistics) = laws.get_mut(law) else { continue };
                statistics.blocked += 1;
                statistics.right += u32::from(weight > 0.0);
                statistics.wrong += u32::from(weight < 0.0);
                statistics.steps_saved += saved;
            }
        }
        laws
    }
}

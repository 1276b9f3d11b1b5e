//! The runs of a store and the positions of their entries.

use std::collections::{BTreeMap, HashMap};

use ltlcrit_store::{Entry, Position, RunId, Subject};

/// The number of steps between two marks of a run.
const STRIDE: u64 = 64;

/// The positions that streams start from: a few bytes for every 64 steps.
#[derive(Debug, Default)]
pub(crate) struct Index {
    runs: BTreeMap<RunId, Places>,
    documents: HashMap<String, Position>,
}

/// The positions of one run.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The manifest.
    pub manifest: Position,
    /// Each 64th step, from step 0.
    marks: Vec<Position>,
    /// The number of the last step.
    pub last_step: u64,
    /// The outcome; `None` while the run is under way, and after it was killed.
    pub outcome: Option<Position>,
}

impl Places {
    /// Returns a position before a step and after every 64th step before it.
    pub fn before(&self, step: u64) -> Position {
        let mark = usize::try_from(step / STRIDE).unwrap_or(usize::MAX).min(self.marks.len().saturating_sub(1));
        self.marks.get(mark).copied().unwrap_or(self.manifest)
    }
}

impl Index {
    /// Adds the next entry of the store.
    pub fn add(&mut self, entry: &Entry) {
        match &entry.subject {
            Subject::Document(hash) => drop(self.documents.insert(hash.clone(), entry.position)),
            Subject::Manifest(run) => {
                let places = Places { manifest: entry.position, marks: Vec::new(), last_step: 0, outcome: None };
                self.runs.insert(*run, places);
            }
            Subject::Step(run, step) => {
                if let Some(places) = self.runs.get_mut(run) {
                    places.last_step = *step;
                    if *step == places.marks.len() as u64 * STRIDE {
                        places.marks.push(entry.position);
                    }
                }
            }
            Subject::Outcome(run) => {
                if let Some(places) = self.runs.get_mut(run) {
                    places.outcome = (!entry.is_removal()).then_some(entry.position);
                }
            }
            Subject::InFlight(_) | Subject::Other => {}
        }
    }

    /// Returns the positions of a run.
    pub fn run(&self, run: RunId) -> Option<&Places> {
        self.runs.get(&run)
    }

    /// Returns the last runs, the newest first.
    pub fn newest(&self, most: usize) -> impl Iterator<Item = (RunId, &Places)> {
        self.runs.iter().rev().take(most).map(|(run, places)| (*run, places))
    }

    /// Returns the number of runs.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Returns the position of a document.
    pub fn document(&self, hash: &str) -> Option<Position> {
        self.documents.get(hash).copied()
    }
}

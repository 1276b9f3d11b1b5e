//! The destination of a run's records: a store, step by step, or memory.

use ltlcrit_store::{ConflictRecord, Durability, Episode, RunId, RunOutcome, StepRecord, Store, StoreError, Timing};

/// The records of a run under way.
pub(super) enum Log<'a> {
    /// A run in a store.
    Stored { store: &'a Store, run: RunId, durability: Durability },
    /// An episode in memory.
    Kept(&'a mut Episode),
}

impl Log<'_> {
    /// Returns the store, or `None` if the records are kept in memory.
    pub fn store(&self) -> Option<&Store> {
        match self {
            Self::Stored { store, .. } => Some(store),
            Self::Kept(_) => None,
        }
    }

    pub fn step(&mut self, record: &StepRecord, timing: Timing) -> Result<(), StoreError> {
        match self {
            Self::Stored { store, run, durability } => {
                store.add_timing(*run, record.step, &timing)?;
                store.append_step(*run, record, *durability)
            }
            Self::Kept(episode) => {
                episode.steps.push(record.clone());
                episode.timings.push(timing);
                Ok(())
            }
        }
    }

    pub fn conflict(&mut self, conflict: ConflictRecord) -> Result<(), StoreError> {
        match self {
            Self::Stored { store, .. } => store.add_conflict(&conflict),
            Self::Kept(episode) => {
                episode.conflicts.push(conflict);
                Ok(())
            }
        }
    }

    pub fn finish(&mut self, outcome: &RunOutcome) -> Result<(), StoreError> {
        match self {
            Self::Stored { store, run, .. } => store.finish(*run, outcome),
            Self::Kept(episode) => {
                episode.outcome = Some(outcome.clone());
                Ok(())
            }
        }
    }
}

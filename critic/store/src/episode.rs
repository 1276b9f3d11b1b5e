//! Episodes kept in memory and stored whole.
//!
//! A live run is stored step by step. An episode of a batch is cheap to repeat, so it is stored in one piece at its
//! end. A killed process loses its unfinished episodes. Callers that run several episodes at once choose the order in
//! which they are stored.

use super::{ConflictRecord, Durability, RunId, RunManifest, RunOutcome, StepRecord, Store, StoreError, Timing};

/// The records of a run that is not stored yet. Its number is 0 until [`Store::commit`].
#[derive(Clone, Debug)]
pub struct Episode {
    /// The manifest.
    pub manifest: RunManifest,
    /// The steps, from the initial one.
    pub steps: Vec<StepRecord>,
    /// The duration of each step.
    pub timings: Vec<Timing>,
    /// The over-constrained states of the run.
    pub conflicts: Vec<ConflictRecord>,
    /// The outcome; `None` during the run.
    pub outcome: Option<RunOutcome>,
}

impl Episode {
    /// Creates an episode without steps.
    pub fn new(manifest: RunManifest) -> Self {
        Self { manifest, steps: Vec::new(), timings: Vec::new(), conflicts: Vec::new(), outcome: None }
    }
}

impl Store {
    /// Stores an episode as the next run and makes it durable. A process killed meanwhile leaves no run, or one that
    /// can be resumed.
    ///
    /// # Errors
    /// A failed write.
    pub fn commit(&self, mut episode: Episode) -> Result<RunId, StoreError> {
        let run = self.begin(&mut episode.manifest)?;
        for (step, timing) in episode.steps.iter().zip(&episode.timings) {
            self.add_timing(run, step.step, timing)?;
            self.append_step(run, step, Durability::EachEpisode)?;
        }
        for conflict in episode.conflicts {
            self.add_conflict(&ConflictRecord { run, ..conflict })?;
        }
        match &episode.outcome {
            Some(outcome) => self.finish(run, outcome)?,
            None => self.flush()?,
        }
        Ok(run)
    }

    /// Returns the records of a run.
    ///
    /// # Errors
    /// A run that does not exist, or an unreadable record.
    pub fn episode(&self, run: RunId) -> Result<Episode, StoreError> {
        let mut episode = Episode::new(self.manifest(run)?);
        for step in self.steps(run) {
            let step = step?;
            episode.timings.push(self.timing(run, step.step)?.unwrap_or_default());
            episode.steps.push(step);
        }
        episode.conflicts = self.conflicts(run).collect::<Result<_, _>>()?;
        episode.outcome = self.outcome(run)?;
        Ok(episode)
    }
}

//! From stored runs to the graph.

use ltlcrit_store::{End, ObservationOutline, RunId, RunManifest, Store, StoreError};
use ltlcrit_verifier::Vocabulary;
use thiserror::Error;

use super::{RunPath, TrajectoryGraph};

/// Why a run cannot be added to the graph.
#[derive(Debug, Error)]
pub enum GraphError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run speaks another vocabulary than those before it.
    #[error("run {run} speaks the vocabulary `{found}`, the runs before it `{known}`: their states cannot be compared")]
    Vocabulary {
        /// The run.
        run: RunId,
        /// Its vocabulary.
        found: String,
        /// The vocabulary of the runs before.
        known: String,
    },
    /// The run's manifest describes no vocabulary.
    #[error("the vocabulary of run {run} cannot be read: {why}")]
    BadVocabulary {
        /// The run.
        run: RunId,
        /// Why not.
        why: String,
    },
}

impl TrajectoryGraph {
    /// Adds a stored run, or what it has gained since it was last added, and returns the whole of it; `None` if it has no
    /// step yet.
    ///
    /// # Errors
    /// A run that cannot be read, or that speaks another vocabulary. The graph is then as it was.
    pub fn add_stored(&mut self, store: &Store, run: RunId) -> Result<Option<RunPath>, GraphError> {
        let manifest = store.manifest(run)?;
        self.check_vocabulary(&manifest)?;
        let path = read(store, &manifest)?;
        if self.vocabulary.is_none() {
            self.vocabulary = Some(manifest.vocabulary);
        }
        if self.subgoals.is_empty() {
            self.subgoals = manifest.subgoals;
        }
        if let Some(path) = &path {
            self.add(path);
        }
        Ok(path)
    }

    fn check_vocabulary(&self, manifest: &RunManifest) -> Result<(), GraphError> {
        match &self.vocabulary {
            Some(known) if *known != manifest.vocabulary => Err(GraphError::Vocabulary {
                run: manifest.run,
                found: manifest.vocabulary.name.clone(),
                known: known.name.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// The vocabulary of the stored runs; `None` before the first.
    ///
    /// # Errors
    /// A manifest that describes none.
    pub fn vocabulary(&self) -> Result<Option<Vocabulary>, GraphError> {
        let Some(record) = &self.vocabulary else { return Ok(None) };
        let run = self.runs.keys().next().copied().unwrap_or(RunId(0));
        let vocabulary = record.restore(ltlcrit_verifier::syntax::parse_infix);
        vocabulary.map(Some).map_err(|why| GraphError::BadVocabulary { run, why })
    }
}

/// A stored run as a path; `None` if it has no step yet. Stopping is no step: it changes nothing.
fn read(store: &Store, manifest: &RunManifest) -> Result<Option<RunPath>, GraphError> {
    let stop =
        manifest.vocabulary.actions.iter().position(|action| &*action.name == ltlcrit_verifier::vocabulary::STOP);
    let mut path: Option<RunPath> = None;
    for step in store.outlines(manifest.run) {
        let step = step?;
        let (holds, counts) = (step.observation.holds, step.observation.counts);
        match (&mut path, step.executed) {
            (None, _) => path.insert(RunPath::new(manifest.run.0, holds)).counted(counts),
            (Some(_), None) => {}
            (Some(_), Some(executed)) if Some(usize::from(executed.action.0)) == stop => {}
            (Some(path), Some(executed)) => {
                let seen = step.first_seen.unwrap_or_else(|| ObservationOutline { holds, counts: counts.clone() });
                let moved = (seen.holds, &seen.counts) != (holds, &counts);
                path.step(executed.action, executed.outcome.failure, seen.holds);
                path.said(&executed.outcome.message);
                path.counted(seen.counts);
                if moved {
                    path.moved(holds);
                    path.counted(counts);
                }
            }
        }
    }
    if let Some(path) = &mut path
        && store.outcome(manifest.run)?.is_some_and(|outcome| outcome.end == End::Goal)
    {
        path.reached_goal();
    }
    Ok(path)
}

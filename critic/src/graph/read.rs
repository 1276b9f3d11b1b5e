//! Adds stored runs to the graph.

use std::sync::Arc;

use ltlcrit_store::{End, RunId, RunManifest, Store, StoreError, Translation, Translator};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_worlds::Observation;
use serde::Deserialize;
use thiserror::Error;

use super::{Counts, RunPath, TrajectoryGraph};

/// The reason why a run cannot be added to the graph.
#[derive(Debug, Error)]
pub enum GraphError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run's vocabulary differs from that of the others in more than its derived observations.
    #[error("run {run} speaks the vocabulary `{found}`, the runs before it `{known}`: their states cannot be compared")]
    Vocabulary {
        /// The run.
        run: RunId,
        /// Its vocabulary.
        found: String,
        /// The vocabulary of the earlier runs.
        known: String,
    },
    /// The run's manifest does not describe a vocabulary.
    #[error("the vocabulary of run {run} cannot be read: {why}")]
    BadVocabulary {
        /// The run.
        run: RunId,
        /// The reason.
        why: String,
    },
}

impl GraphError {
    /// Returns the translation of a run for a reader of runs.
    ///
    /// # Errors
    /// The run's vocabulary differs in more than its derived observations.
    pub(crate) fn translation(translator: &Translator, manifest: &RunManifest) -> Result<Translation, Self> {
        translator.translation(&manifest.vocabulary).ok_or_else(|| Self::Vocabulary {
            run: manifest.run,
            found: manifest.vocabulary.name.clone(),
            known: translator.vocabulary().name().to_owned(),
        })
    }
}

impl TrajectoryGraph {
    /// Sets the vocabulary of the states. Its derived observations are evaluated on the stored details of runs that
    /// lack them. Without this call, the graph uses the vocabulary of the first stored run.
    #[must_use]
    pub fn over(self, vocabulary: Arc<Vocabulary>) -> Self {
        Self { translator: Some(Translator::new(vocabulary)), ..self }
    }

    /// Adds a stored run, or the steps that it has gained since it was last added.
    ///
    /// # Errors
    /// The run cannot be read, or has another vocabulary. The graph is then unchanged.
    pub fn add_stored(&mut self, store: &Store, run: RunId) -> Result<(), GraphError> {
        let manifest = store.manifest(run)?;
        let translator = match &self.translator {
            Some(translator) => translator.clone(),
            None => {
                let vocabulary = manifest.vocabulary.restore();
                let vocabulary = vocabulary.map_err(|why| GraphError::BadVocabulary { run, why })?;
                Translator::new(Arc::new(vocabulary))
            }
        };
        let path = read(store, &manifest, &GraphError::translation(&translator, &manifest)?)?;
        self.translator = Some(translator);
        if self.subgoals.is_empty() {
            self.subgoals = manifest.subgoals;
        }
        if let Some(path) = &path {
            self.add(path);
        }
        Ok(())
    }

    /// Returns the vocabulary of the states, or `None` before the first stored run.
    pub fn vocabulary(&self) -> Option<&Arc<Vocabulary>> {
        self.translator.as_ref().map(Translator::vocabulary)
    }
}

/// Reads a stored run as a path, or `None` if it has no step yet. `action_stop` is not counted as a step, because it
/// changes nothing.
fn read(store: &Store, manifest: &RunManifest, translation: &Translation) -> Result<Option<RunPath>, GraphError> {
    let stop =
        manifest.vocabulary.actions.iter().position(|action| &*action.name == ltlcrit_verifier::vocabulary::STOP);
    let mut path: Option<RunPath> = None;
    for step in store.steps(manifest.run) {
        let step = translation.step(manifest.run, step?)?;
        let (holds, counts) = (step.observation.holds, counts(&step.observation));
        match (&mut path, step.executed) {
            (None, _) => path.insert(RunPath::new(manifest.run.0, holds)).counted(counts),
            (Some(_), None) => {}
            (Some(_), Some(executed)) if Some(usize::from(executed.action.0)) == stop => {}
            (Some(path), Some(executed)) => {
                let seen = step.first_seen.map(|seen| (seen.holds, self::counts(&seen)));
                let (seen, counted) = seen.unwrap_or_else(|| (holds, counts.clone()));
                let moved = (seen, &counted) != (holds, &counts);
                path.step(executed.action, executed.outcome.failure, seen);
                path.said(&executed.outcome.message);
                path.counted(counted);
                if moved {
                    path.moved(holds);
                    path.counted(counts);
                }
            }
        }
    }
    if let Some(path) = &mut path {
        path.seed = manifest.world.seed.filter(|_| manifest.world.deterministic);
        path.generation = manifest.books.iter().fold(0, |sum, book| sum.saturating_add(book.revision));
    }
    if let Some(path) = &mut path
        && store.outcome(manifest.run)?.is_some_and(|outcome| outcome.end == End::Goal)
    {
        path.reached_goal();
    }
    Ok(path)
}

/// Returns the counts of an observation; none if its details have none.
fn counts(observation: &Observation) -> Counts {
    #[derive(Default, Deserialize)]
    struct Counted {
        #[serde(default)]
        inventory: Counts,
    }
    serde_json::to_value(&observation.details).and_then(Counted::deserialize).unwrap_or_default().inventory
}

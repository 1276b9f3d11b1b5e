//! From stored runs to the graph.

use std::sync::Arc;

use ltlcrit_store::{End, ObservationOutline, RunId, RunManifest, Store, StoreError, Translation, Translator};
use ltlcrit_verifier::Vocabulary;
use thiserror::Error;

use super::{RunPath, TrajectoryGraph};

/// Why a run cannot be added to the graph.
#[derive(Debug, Error)]
pub enum GraphError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run's vocabulary differs from that of the others in more than what it derives.
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

impl GraphError {
    /// The translation of a run for a reader of runs.
    ///
    /// # Errors
    /// A run whose vocabulary differs in more than what it derives.
    pub(crate) fn translation(translator: &Translator, manifest: &RunManifest) -> Result<Translation, Self> {
        translator.translation(&manifest.vocabulary).ok_or_else(|| Self::Vocabulary {
            run: manifest.run,
            found: manifest.vocabulary.name.clone(),
            known: translator.vocabulary().name().to_owned(),
        })
    }
}

impl TrajectoryGraph {
    /// States of this vocabulary. What it derives is evaluated on the stored details of runs that did not derive it. Without
    /// a vocabulary, that of the first stored run counts.
    #[must_use]
    pub fn over(self, vocabulary: Arc<Vocabulary>) -> Self {
        Self { translator: Some(Translator::new(vocabulary)), ..self }
    }

    /// Adds a stored run, or what it has gained since it was last added, and returns the whole of it; `None` if it has no
    /// step yet.
    ///
    /// # Errors
    /// A run that cannot be read, or that speaks another vocabulary. The graph is then as it was.
    pub fn add_stored(&mut self, store: &Store, run: RunId) -> Result<Option<RunPath>, GraphError> {
        let manifest = store.manifest(run)?;
        let translator = match &self.translator {
            Some(translator) => translator.clone(),
            None => {
                let vocabulary = manifest.vocabulary.restore(ltlcrit_verifier::syntax::parse_infix);
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
        Ok(path)
    }

    /// The vocabulary of the states; `None` before the first stored run.
    pub fn vocabulary(&self) -> Option<&Arc<Vocabulary>> {
        self.translator.as_ref().map(Translator::vocabulary)
    }
}

/// A stored run as a path; `None` if it has no step yet. Stopping is no step: it changes nothing.
fn read(store: &Store, manifest: &RunManifest, translation: &Translation) -> Result<Option<RunPath>, GraphError> {
    let stop =
        manifest.vocabulary.actions.iter().position(|action| &*action.name == ltlcrit_verifier::vocabulary::STOP);
    let mut path: Option<RunPath> = None;
    for step in store.outlines(manifest.run, translation) {
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

//! Reads stored runs over a vocabulary with other derived observations.
//!
//! A run's letters are over its own vocabulary. The derived observations of another vocabulary are evaluated on the
//! stored details. Laws over them can therefore be checked in runs older than the definition. Derived observations of
//! the run's vocabulary alone are left out. Vocabularies that differ in anything else cannot be compared.
//!
//! Every state that is read must satisfy the vocabulary's axioms, because proofs about laws cover only such states.

use std::sync::Arc;

use ltlcrit_verifier::{Letter, PropSet, Vocabulary};
use ltlcrit_worlds::{DerivedObservations, Observation};

use super::{RunId, StepRecord, StoreError, VocabularyRecord};

/// A target vocabulary for reading stored runs.
#[derive(Clone, Debug)]
pub struct Translator(Arc<Target>);

/// A translation of a run's records to the target vocabulary. The default leaves records as stored and checks nothing.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    target: Option<Arc<Target>>,
    /// True if the run's vocabulary has other derived observations.
    differs: bool,
}

#[derive(Debug)]
struct Target {
    vocabulary: Arc<Vocabulary>,
    record: VocabularyRecord,
    /// The record of the vocabulary without its derived observations.
    base: VocabularyRecord,
    derived: DerivedObservations,
    /// The observations that are not derived; their numbers are the same in all translatable vocabularies.
    common: PropSet,
}

impl Translator {
    /// Creates a translator to this vocabulary.
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        let base = vocabulary.base();
        Self(Arc::new(Target {
            record: VocabularyRecord::of(&vocabulary),
            base: VocabularyRecord::of(&base),
            derived: DerivedObservations::of(&vocabulary),
            common: PropSet::first(base.observations().len()),
            vocabulary,
        }))
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.0.vocabulary
    }

    /// Returns the translation from another vocabulary; `None` if the vocabularies differ in more than derived
    /// observations.
    pub fn translation(&self, from: &VocabularyRecord) -> Option<Translation> {
        let differs = *from != self.0.record;
        if differs {
            let from = from.restore().ok()?;
            if VocabularyRecord::of(&from.base()) != self.0.base {
                return None;
            }
        }
        Some(Translation { target: Some(self.0.clone()), differs })
    }
}

impl Translation {
    /// Returns the target, if its observations differ.
    fn other(&self) -> Option<&Target> {
        self.target.as_deref().filter(|_| self.differs)
    }

    /// Returns the true observations of an observation record.
    pub fn holds(&self, observation: &Observation) -> PropSet {
        match self.other() {
            None => observation.holds,
            Some(target) => {
                target.derived.complete(&observation.holds.intersection(&target.common), &observation.details)
            }
        }
    }

    /// Translates a step of a run.
    ///
    /// # Errors
    /// A state that breaks an axiom of the vocabulary.
    pub fn step(&self, run: RunId, step: StepRecord) -> Result<StepRecord, StoreError> {
        let step = self.translated(step);
        let Some(target) = &self.target else { return Ok(step) };
        let broken = |seen: &Observation| target.vocabulary.broken_axiom(&seen.holds);
        let Some(axiom) = step.first_seen.iter().chain([&step.observation]).find_map(broken) else { return Ok(step) };
        let vocabulary = target.vocabulary.name().to_owned();
        Err(StoreError::BrokenAxiom { run, step: step.step, axiom: axiom.quoted(), vocabulary })
    }

    fn translated(&self, mut step: StepRecord) -> StepRecord {
        let Some(target) = self.other() else { return step };
        step.observation.holds = self.holds(&step.observation);
        if let Some(seen) = &mut step.first_seen {
            seen.holds = self.holds(seen);
        }
        step.letter = match &step.executed {
            Some(executed) => Letter::after(&target.vocabulary, executed.action, step.observation.holds),
            None => Letter::initial(step.observation.holds),
        };
        step
    }
}

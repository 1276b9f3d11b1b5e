//! Stored runs read over a vocabulary that derives other observations than theirs.
//!
//! A run's letters are over its own vocabulary. What another vocabulary derives is evaluated on the stored details, so that
//! laws over it can be judged in runs from before there was a definition; what only the run's vocabulary derives is left
//! out. Vocabularies that differ in anything else cannot be compared.

use std::sync::Arc;

use ltlcrit_verifier::{Letter, PropSet, Vocabulary, syntax};
use ltlcrit_worlds::{DerivedObservations, Observation};

use super::{StepRecord, VocabularyRecord};

/// A vocabulary that stored runs are read over.
#[derive(Clone, Debug)]
pub struct Translator(Arc<Target>);

/// How the records of a run read over a vocabulary.
#[derive(Clone, Debug, Default)]
pub struct Translation(Option<Arc<Target>>);

#[derive(Debug)]
struct Target {
    vocabulary: Arc<Vocabulary>,
    record: VocabularyRecord,
    /// The record of the vocabulary without what it derives.
    base: VocabularyRecord,
    derived: DerivedObservations,
    /// The observations that are not derived; their numbers are the same in all vocabularies that can be translated.
    common: PropSet,
}

impl Translator {
    /// Reads runs over this vocabulary.
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

    /// How the records of a run of another vocabulary read over this one; `None` if they differ in more than what they
    /// derive.
    pub fn translation(&self, from: &VocabularyRecord) -> Option<Translation> {
        if *from == self.0.record {
            return Some(Translation::default());
        }
        let from = from.restore(syntax::parse_infix).ok()?;
        (VocabularyRecord::of(&from.base()) == self.0.base).then(|| Translation(Some(self.0.clone())))
    }
}

impl Translation {
    /// Whether the records read as they are stored.
    pub fn is_identity(&self) -> bool {
        self.0.is_none()
    }

    /// The observations that hold in an observation.
    pub fn holds(&self, observation: &Observation) -> PropSet {
        match &self.0 {
            None => observation.holds,
            Some(target) => {
                target.derived.complete(&observation.holds.intersection(&target.common), &observation.details)
            }
        }
    }

    /// A step.
    #[must_use]
    pub fn step(&self, mut step: StepRecord) -> StepRecord {
        let Some(target) = &self.0 else { return step };
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

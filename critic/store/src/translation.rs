//! Stored runs read over a vocabulary that derives other observations than theirs.
//!
//! A run's letters are over its own vocabulary. What another vocabulary derives is evaluated on the stored details, so that
//! laws over it can be judged in runs from before there was a definition; what only the run's vocabulary derives is left
//! out. Vocabularies that differ in anything else cannot be compared.
//!
//! Every state that is read must satisfy the vocabulary's axioms, because proofs about laws range over such states alone.

use std::sync::Arc;

use ltlcrit_verifier::{Letter, PropSet, Vocabulary, syntax};
use ltlcrit_worlds::{DerivedObservations, Observation};

use super::{RunId, StepRecord, StoreError, VocabularyRecord};

/// A vocabulary that stored runs are read over.
#[derive(Clone, Debug)]
pub struct Translator(Arc<Target>);

/// How the records of a run read over a vocabulary. The default reads them as they are stored and checks nothing.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    target: Option<Arc<Target>>,
    /// Whether the run's vocabulary derives other observations.
    differs: bool,
}

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
        let differs = *from != self.0.record;
        if differs {
            let from = from.restore(syntax::parse_infix).ok()?;
            if VocabularyRecord::of(&from.base()) != self.0.base {
                return None;
            }
        }
        Some(Translation { target: Some(self.0.clone()), differs })
    }
}

impl Translation {
    /// Whether the records read as they are stored.
    pub fn is_identity(&self) -> bool {
        !self.differs
    }

    /// The target, if observations are other ones there.
    fn other(&self) -> Option<&Target> {
        self.target.as_deref().filter(|_| self.differs)
    }

    /// The observations that hold in an observation.
    pub fn holds(&self, observation: &Observation) -> PropSet {
        match self.other() {
            None => observation.holds,
            Some(target) => {
                target.derived.complete(&observation.holds.intersection(&target.common), &observation.details)
            }
        }
    }

    /// A step of a run.
    ///
    /// # Errors
    /// A state that breaks an axiom of the vocabulary.
    pub fn step(&self, run: RunId, step: StepRecord) -> Result<StepRecord, StoreError> {
        let step = self.translated(step);
        let states = step.first_seen.iter().chain([&step.observation]).map(|seen| &seen.holds);
        self.check(run, step.step, states).map(|()| step)
    }

    /// Checks the states of a step: they must satisfy the axioms of the vocabulary.
    pub(super) fn check<'a>(
        &self,
        run: RunId,
        step: u64,
        states: impl IntoIterator<Item = &'a PropSet>,
    ) -> Result<(), StoreError> {
        let Some(target) = &self.target else { return Ok(()) };
        match states.into_iter().find_map(|state| target.vocabulary.broken_axiom(state)) {
            None => Ok(()),
            Some(axiom) => Err(StoreError::BrokenAxiom {
                run,
                step,
                axiom: axiom.quoted(),
                vocabulary: target.vocabulary.name().to_owned(),
            }),
        }
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

//! Derived observations: propositions that a vocabulary defines over the full observation.
//!
//! [`DerivedObservations`] evaluates the [definitions](ltlcrit_verifier::definition) of a vocabulary on [`Details`],
//! live or from a record. [`Extended`](crate::Extended) is a world with such a vocabulary.

use std::sync::Arc;

use ltlcrit_verifier::definition::Definition;
use ltlcrit_verifier::{ActionId, Prediction, PropId, PropSet, Vocabulary};
use serde_json::{Map, Value};

use crate::bounds::{Afterwards, Bounds};
use crate::details::Details;
use crate::outlook::Outlook;
use crate::quantities::value;
use crate::shape::{Mismatch, MismatchKind};
use crate::world::{Observation, WorldError};

/// The derived observations of a vocabulary, with their definitions.
#[derive(Clone, Debug)]
pub struct DerivedObservations {
    definitions: Vec<(PropId, Arc<Definition>)>,
    /// The derived observations.
    derived: PropSet,
    stop: Option<ActionId>,
}

impl DerivedObservations {
    /// The derived observations of a vocabulary.
    pub fn of(vocabulary: &Vocabulary) -> Self {
        let numbered = vocabulary.observations().iter().zip(0u16..);
        let definitions = numbered.filter_map(|(one, number)| Some((PropId(number), one.definition.clone()?)));
        Self { definitions: definitions.collect(), derived: vocabulary.derived(), stop: vocabulary.stop() }
    }

    /// Returns whether the vocabulary has no derived observation.
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// Replaces the derived observations in `holds` by those that the definitions give for the details.
    pub fn complete(&self, holds: &PropSet, details: &Details) -> PropSet {
        if self.is_empty() { *holds } else { holds.difference(&self.derived).union(&self.holding(&details.record())) }
    }

    /// Adds the derived observations to a world's outlook. At the end of an action they follow from its bounds; in the
    /// intermediate states they keep the values that they had before it.
    pub fn outlook<'a>(&'a self, world: Box<dyn Outlook + 'a>, before: &'a Observation) -> Box<dyn Outlook + 'a> {
        if self.is_empty() { world } else { Box::new(DerivedOutlook { world, derived: self, before }) }
    }

    /// Rejects definitions over fields that a world's observations cannot have: they would never hold, and laws over
    /// them would have no effect.
    pub(crate) fn check_fields(&self, vocabulary: &Vocabulary, details: &Details) -> Result<(), WorldError> {
        let Some(shape) = details.shape() else { return Ok(()) };
        for (id, definition) in &self.definitions {
            if let Err(found @ Mismatch { kind: MismatchKind::NoSuchField, .. }) = shape.check(definition.quantity()) {
                let name = vocabulary.name_of(*id);
                return Err(WorldError::Options(format!("`{name}` is derived as `{definition}`, but {found}")));
            }
        }
        Ok(())
    }

    /// Sets the derived observations of each intermediate state to those of `holds`.
    pub(crate) fn keep(&self, holds: &PropSet, passed: &mut [PropSet]) {
        for passed in passed {
            *passed = passed.difference(&self.derived).union(&holds.intersection(&self.derived));
        }
    }

    /// The derived observations that hold in a record.
    pub(crate) fn holding(&self, record: &Map<String, Value>) -> PropSet {
        let holds =
            |definition: &Definition| value(definition.quantity(), record).is_some_and(|value| definition.holds(value));
        self.definitions.iter().filter(|(_, definition)| holds(definition)).map(|(id, _)| *id).collect()
    }
}

/// An outlook that also predicts the derived observations.
struct DerivedOutlook<'a> {
    world: Box<dyn Outlook + 'a>,
    derived: &'a DerivedObservations,
    before: &'a Observation,
}

impl Outlook for DerivedOutlook<'_> {
    fn applicable(&self) -> Option<Vec<ActionId>> {
        self.world.applicable()
    }

    /// Predicts derived observations from the bounds of the action and leaves the others open. Stopping changes
    /// nothing.
    fn predict(&self, action: ActionId) -> Option<Prediction> {
        let predicted = self.world.predict(action)?;
        if self.derived.stop == Some(action) {
            return Some(Prediction::exactly(self.before.holds));
        }
        let mut predicted = predicted.without(&self.derived.derived);
        let bounds = self.bounds(action);
        if bounds.is_empty() {
            return Some(predicted);
        }
        let record = self.before.details.record();
        for (id, definition) in &self.derived.definitions {
            // The bounds decide a definition if it has the same value at both ends of the range.
            let (least, most) = match bounds.of(definition.quantity(), &record) {
                Afterwards::Between(least, most) => (definition.holds(least), definition.holds(most)),
                Afterwards::NoValue => (false, false),
                Afterwards::Unknown => continue,
            };
            let this = PropSet::from_iter([*id]);
            match (least, most) {
                (true, true) => predicted.must = predicted.must.union(&this),
                (false, false) => predicted.may = predicted.may.difference(&this),
                _ => {}
            }
        }
        Some(predicted)
    }

    fn passes(&self, action: ActionId) -> Vec<PropSet> {
        let mut passed = self.world.passes(action);
        self.derived.keep(&self.before.holds, &mut passed);
        passed
    }

    fn bounds(&self, action: ActionId) -> Bounds {
        self.world.bounds(action)
    }
}

#[cfg(test)]
mod tests;

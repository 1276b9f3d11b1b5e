//! Derived observations: propositions that a vocabulary defines over the full observation.
//!
//! [`DerivedObservations`] evaluates the [definitions](ltlcrit_verifier::definition) of a vocabulary on [`Details`],
//! live or from a record. [`Extended`] is a world with such a vocabulary.

use std::sync::Arc;

use async_trait::async_trait;
use ltlcrit_verifier::definition::Definition;
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{ActionId, Prediction, PropId, PropSet, Proposition, Vocabulary};
use serde_json::{Map, Value};

use crate::bounds::{Afterwards, Bounds};
use crate::details::Details;
use crate::forkable::ForkableWorld;
use crate::outcome::Outcome;
use crate::outlook::Outlook;
use crate::quantities::value;
use crate::shape::{Mismatch, MismatchKind};
use crate::world::{LiveWorld, Observation, Subgoal, Term, World, WorldError, WorldInfo};

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

    /// Sets the derived observations of each intermediate state to those of `holds`.
    fn keep(&self, holds: &PropSet, passed: &mut [PropSet]) {
        for passed in passed {
            *passed = passed.difference(&self.derived).union(&holds.intersection(&self.derived));
        }
    }

    fn holding(&self, record: &Map<String, Value>) -> PropSet {
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

/// A world whose vocabulary also has derived observations.
///
/// Only the definitions decide whether a derived observation holds. The [outlook](World::outlook) predicts those that
/// follow from the bounds of an action and leaves the others open.
pub struct Extended {
    world: Box<dyn World>,
    vocabulary: Arc<Vocabulary>,
    derived: DerivedObservations,
    /// True once the definitions were checked against this world's observations.
    checked: bool,
    /// The derived observations that hold in the last observation.
    seen: PropSet,
}

impl Extended {
    /// Adds derived observations to a world. The list may be empty.
    ///
    /// # Errors
    /// A name that is taken, or too many propositions.
    pub fn new(world: Box<dyn World>, derived: impl IntoIterator<Item = Proposition>) -> Result<Self, VocabularyError> {
        let base = world.vocabulary();
        let extended = base.extended(derived)?;
        // Without derived observations, the vocabulary stays the same object.
        let vocabulary = if extended.derived().is_empty() { base } else { Arc::new(extended) };
        Ok(Self {
            world,
            derived: DerivedObservations::of(&vocabulary),
            vocabulary,
            checked: false,
            seen: PropSet::EMPTY,
        })
    }

    /// Rejects definitions over fields that this world's observations cannot have: they would never hold, and laws over
    /// them would have no effect.
    fn check_fields(&self, details: &Details) -> Result<(), WorldError> {
        let Some(shape) = details.shape() else { return Ok(()) };
        for (id, definition) in &self.derived.definitions {
            if let Err(found @ Mismatch { kind: MismatchKind::NoSuchField, .. }) = shape.check(definition.quantity()) {
                let name = self.vocabulary.name_of(*id);
                return Err(WorldError::Options(format!("`{name}` is derived as `{definition}`, but {found}")));
            }
        }
        Ok(())
    }
}

#[async_trait(?Send)]
impl World for Extended {
    fn info(&self) -> WorldInfo {
        self.world.info()
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.vocabulary.clone()
    }

    fn task(&self) -> &str {
        self.world.task()
    }

    fn role(&self) -> String {
        self.world.role()
    }

    fn glossary(&self) -> Vec<Term> {
        self.world.glossary()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let mut observation = self.world.observe().await?;
        if !self.derived.is_empty() {
            if !self.checked {
                self.check_fields(&observation.details)?;
                self.checked = true;
            }
            self.seen = self.derived.holding(&observation.details.record());
            observation.holds = observation.holds.union(&self.seen);
        }
        Ok(observation)
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        let mut outcome = self.world.execute(action).await?;
        self.derived.keep(&self.seen, &mut outcome.passed);
        Ok(outcome)
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        self.derived.outlook(self.world.outlook(observation), observation)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.world.goal_reached(observation)
    }

    fn subgoals(&self) -> &[Subgoal] {
        self.world.subgoals()
    }

    fn subgoals_to(&self, goal: &str) -> Result<Vec<Subgoal>, Vec<String>> {
        self.world.subgoals_to(goal)
    }

    fn fork(&self, goal: Option<&str>) -> Option<Box<dyn ForkableWorld>> {
        self.world.fork(goal)
    }

    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        self.world.live()
    }
}

#[cfg(test)]
mod tests;

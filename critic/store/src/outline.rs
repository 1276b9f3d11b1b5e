//! Step records without proposals and rulings, which are faster to read.

use std::collections::BTreeMap;

use ltlcrit_verifier::{ActionId, PropSet};
use ltlcrit_worlds::{Observation, Reason};
use serde::{Deserialize, Deserializer};

use super::{RunId, Store, StoreError, Translation, of_run};

/// The action of a step and the observations after it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StepOutline {
    /// Its number.
    pub step: u64,
    /// The observations after the step.
    pub observation: ObservationOutline,
    /// The executed action; `None` in step 0.
    pub executed: Option<ExecutedOutline>,
    /// The observations right after the step, if the run was resumed here in a changed world.
    #[serde(default)]
    pub first_seen: Option<ObservationOutline>,
}

impl StepOutline {
    fn checked(self, run: RunId, translation: &Translation) -> Result<Self, StoreError> {
        let states = self.first_seen.iter().chain([&self.observation]).map(|seen| &seen.holds);
        translation.check(run, self.step, states).map(|()| self)
    }
}

/// The action of a step with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ExecutedOutline {
    /// The action.
    pub action: ActionId,
    /// Its outcome.
    pub outcome: OutcomeOutline,
}

/// The success of an action, and the message of the world.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OutcomeOutline {
    /// The reason of a failure; `None` after a success.
    pub failure: Option<Reason>,
    /// The event, in one sentence.
    pub message: String,
}

/// The observations and counts of a state.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ObservationOutline {
    /// The true observations.
    pub holds: PropSet,
    /// The counts in the full observation; empty if it has none.
    #[serde(rename = "details", deserialize_with = "counts", default)]
    pub counts: Counts,
}

/// The field `inventory` of a full observation: counts by name. A missing name counts as 0.
pub type Counts = BTreeMap<String, u32>;

fn counts<'de, D: Deserializer<'de>>(details: D) -> Result<Counts, D::Error> {
    #[derive(Deserialize)]
    struct Counted {
        #[serde(default)]
        inventory: Counts,
    }
    Counted::deserialize(details).map(|counted| counted.inventory)
}

/// A step with all of its observations.
#[derive(Deserialize)]
struct WholeObservations {
    step: u64,
    observation: Observation,
    executed: Option<ExecutedOutline>,
    #[serde(default)]
    first_seen: Option<Observation>,
}

impl WholeObservations {
    fn outline(self, translation: &Translation) -> StepOutline {
        let outline = |observation: &Observation| ObservationOutline {
            holds: translation.holds(observation),
            // Details without counts have no inventory.
            counts: serde_json::to_value(&observation.details).and_then(counts).unwrap_or_default(),
        };
        StepOutline {
            step: self.step,
            observation: outline(&self.observation),
            executed: self.executed,
            first_seen: self.first_seen.as_ref().map(outline),
        }
    }
}

impl Store {
    /// Returns the outlines of a run's steps, translated and in order, from step 0. An unreadable record, or a state
    /// that breaks an axiom, is an error in its place.
    pub fn outlines(
        &self,
        run: RunId,
        translation: &Translation,
    ) -> Box<dyn DoubleEndedIterator<Item = Result<StepOutline, StoreError>>> {
        let translation = translation.clone();
        if translation.is_identity() {
            let steps = of_run::<StepOutline>(&self.steps, run);
            return Box::new(steps.map(move |step| step?.checked(run, &translation)));
        }
        let steps = of_run::<WholeObservations>(&self.steps, run);
        Box::new(steps.map(move |step| step?.outline(&translation).checked(run, &translation)))
    }
}

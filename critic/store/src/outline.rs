//! Step records without proposals and rulings, which are faster to read.

use std::collections::BTreeMap;

use ltlcrit_verifier::PropSet;
use ltlcrit_worlds::Observation;
use serde::{Deserialize, Deserializer};

use super::keys::Kind;
use super::{Executed, RunId, StepRecord, Store, StoreError, Translation, of_run};

/// The action of a step and the observations after it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StepOutline {
    /// Its number.
    pub step: u64,
    /// The observations after the step.
    pub observation: ObservationOutline,
    /// The executed action; `None` in step 0.
    pub executed: Option<Executed>,
    /// The observations right after the step, if the run was resumed here in a changed world.
    #[serde(default)]
    pub first_seen: Option<ObservationOutline>,
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

impl From<StepRecord> for StepOutline {
    fn from(StepRecord { step, observation, executed, first_seen, .. }: StepRecord) -> Self {
        let outline = |seen: Observation| ObservationOutline {
            holds: seen.holds,
            // Details without counts have no inventory.
            counts: serde_json::to_value(&seen.details).and_then(counts).unwrap_or_default(),
        };
        Self { step, observation: outline(observation), executed, first_seen: first_seen.map(outline) }
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
            let steps = of_run::<StepOutline>(self.tree(Kind::Steps), run);
            return Box::new(steps.map(move |step| {
                let step = step?;
                let states = step.first_seen.iter().chain([&step.observation]).map(|seen| &seen.holds);
                translation.check(run, step.step, states).map(|()| step)
            }));
        }
        Box::new(self.steps(run).map(move |step| translation.step(run, step?).map(StepOutline::from)))
    }
}

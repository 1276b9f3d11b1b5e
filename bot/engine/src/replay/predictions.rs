//! Predictions in a stored run, recomputed from the stored observations.

use std::sync::Arc;

use ltlcrit_store::StepRecord;
use ltlcrit_verifier::{PropSet, Shield, Vocabulary};
use ltlcrit_worlds::{DerivedObservations, Observation, Outlook, Unknown, WorldInfo};
use serde::Serialize;

use crate::agent::foresight::Foresight;
use crate::world::{Predictor, of_kind};

/// The part of an outcome that was not predicted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unpredicted {
    /// The executed action, by name.
    pub action: String,
    /// The literals that hold afterwards although their negations were predicted: `obs_has_log`, `!obs_has_log`.
    pub literals: Vec<String>,
}

/// The predictions of a run's world, over a vocabulary to which the run's steps are translated.
pub(crate) struct Predictions {
    /// True if the run's shield used them.
    robust: bool,
    predictor: Option<Box<dyn Predictor>>,
    vocabulary: Arc<Vocabulary>,
    derived: DerivedObservations,
}

impl Predictions {
    pub fn new(world: &WorldInfo, robust: bool, vocabulary: Arc<Vocabulary>) -> Self {
        let predictor = of_kind(&world.kind).and_then(|kind| kind.predictor(world));
        Self { robust, predictor, derived: DerivedObservations::of(&vocabulary), vocabulary }
    }

    fn outlook<'a>(&'a self, before: &'a Observation) -> Box<dyn Outlook + 'a> {
        let known =
            self.predictor.as_ref().map_or_else(|| Box::new(Unknown) as Box<dyn Outlook>, |of| of.outlook(before));
        self.derived.outlook(known, before)
    }

    /// Returns the world's predictions of the actions in the state of an observation, as far as the run's shield used them.
    pub fn foresight<'a>(&'a self, shield: &'a mut Shield, before: &'a Observation) -> Foresight<'a> {
        Foresight::new(shield, self.outlook(before), self.robust, before.holds)
    }

    /// Returns the part of a step's outcome that was not predicted; `None` if all of it was, or if there was no
    /// prediction.
    ///
    /// The outcome is the first observation after the action. A resumed run may have replaced it by a later one.
    pub fn unpredicted(&self, before: &Observation, record: &StepRecord) -> Option<Unpredicted> {
        let action = record.executed.as_ref()?.action;
        let predicted = self.outlook(before).predict(action)?;
        let holds = &record.first_seen.as_ref().unwrap_or(&record.observation).holds;
        if predicted.allows(holds) {
            return None;
        }
        let names = |set: PropSet| self.vocabulary.names(&set).into_iter().map(str::to_owned).collect::<Vec<_>>();
        let mut literals = names(holds.difference(&predicted.may));
        literals.extend(names(predicted.must.difference(holds)).into_iter().map(|name| format!("!{name}")));
        Some(Unpredicted { action: self.vocabulary.action_name(action).to_owned(), literals })
    }
}

//! What is known of an action before it runs.

use ltlcrit_verifier::{ActionId, Prediction, PropSet};

use crate::world::{Observation, World};

/// What a world knows of an action before it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// What it [passes through](World::passes), in order.
    pub passes: Vec<PropSet>,
    /// What is [predicted](World::predict) of its end; `None` if anything may follow.
    pub then: Option<Prediction>,
}

impl Forecast {
    /// What a world knows of an action in the state of an observation.
    pub fn of(world: &impl World, observation: &Observation, action: ActionId) -> Self {
        Self { passes: world.passes(observation, action), then: world.predict(observation, action) }
    }
}

/// An action that passes through nothing.
impl From<Option<Prediction>> for Forecast {
    fn from(then: Option<Prediction>) -> Self {
        Self { passes: Vec::new(), then }
    }
}

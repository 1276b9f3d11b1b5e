//! Predictions of a world about its actions.

use ltlcrit_verifier::{ActionId, Prediction, PropSet};

use crate::bounds::Bounds;

/// Predictions for the actions in one state: a function of its observation alone, exact or an over-approximation.
pub trait Outlook {
    /// The actions that can be tried, if the world knows them; all others would fail. Prompts list only these.
    fn applicable(&self) -> Option<Vec<ActionId>> {
        None
    }

    /// Predicts the observations that may hold after an action; `None` if anything may follow.
    fn predict(&self, action: ActionId) -> Option<Prediction>;

    /// The intermediate states of an action before its [predicted](Self::predict) end, if the world knows them.
    /// [`Outcome::passed`](crate::Outcome::passed) has the actual ones.
    fn passes(&self, action: ActionId) -> Vec<PropSet> {
        let _ = action;
        Vec::new()
    }

    /// Bounds on the numbers of the full observation after an action, including those that it cannot change. A field
    /// without bounds may take any value.
    fn bounds(&self, action: ActionId) -> Bounds {
        let _ = action;
        Bounds::default()
    }

    /// The intermediate states of an action and its predicted end.
    fn forecast(&self, action: ActionId) -> Forecast {
        Forecast { passes: self.passes(action), then: self.predict(action) }
    }
}

/// The prediction for one action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// Its [intermediate states](Outlook::passes), in order.
    pub passes: Vec<PropSet>,
    /// The [prediction](Outlook::predict) of its end; `None` if anything may follow.
    pub then: Option<Prediction>,
}

/// The outlook of a world that knows nothing: anything may follow an action.
#[derive(Clone, Copy, Debug)]
pub struct Unknown;

impl Outlook for Unknown {
    fn predict(&self, _: ActionId) -> Option<Prediction> {
        None
    }
}

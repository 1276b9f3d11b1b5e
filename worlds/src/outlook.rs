//! What a world knows of its actions before they run.

use ltlcrit_verifier::{ActionId, Prediction, PropSet};

use crate::bounds::Bounds;

/// What is known of the actions in one state: a function of its observation alone, exact or an over-approximation.
pub trait Outlook {
    /// The actions that can be tried, where the world knows: the others would fail. Prompts list these alone.
    fn applicable(&self) -> Option<Vec<ActionId>> {
        None
    }

    /// What may hold after an action; `None` if anything may follow.
    fn predict(&self, action: ActionId) -> Option<Prediction>;

    /// What an action passes through before it leads to what is [predicted](Self::predict), where the world knows: what holds one
    /// after the other meanwhile. [`Outcome::passed`](crate::Outcome::passed) says what it was in the end.
    fn passes(&self, action: ActionId) -> Vec<PropSet> {
        let _ = action;
        Vec::new()
    }

    /// What an action may leave of the numbers of the full observation. What the action cannot change is part of it. Whatever is
    /// not named may become anything.
    fn bounds(&self, action: ActionId) -> Bounds {
        let _ = action;
        Bounds::default()
    }

    /// What an action passes through and leads to.
    fn forecast(&self, action: ActionId) -> Forecast {
        Forecast { passes: self.passes(action), then: self.predict(action) }
    }
}

/// What is known of an action before it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// What it [passes through](Outlook::passes), in order.
    pub passes: Vec<PropSet>,
    /// What is [predicted](Outlook::predict) of its end; `None` if anything may follow.
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

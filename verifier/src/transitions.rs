//! Transition models: what a world knows of the observations an action leads to.

use crate::letter::PropSet;
use crate::vocabulary::ActionId;

/// An exact, deterministic model of how actions change the observations.
///
/// With one, the shield judges continuations that the world can really produce; without one, observations after an
/// action are free within the vocabulary's axioms.
pub trait Transitions: Send + Sync {
    /// The observations after `action` in a state with these observations; `None` where the model does not know.
    fn next(&self, observations: &PropSet, action: ActionId) -> Option<PropSet>;
}

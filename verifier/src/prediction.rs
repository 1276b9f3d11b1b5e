//! Predictions: what a world knows of the observations an action leads to.

use crate::letter::PropSet;
use crate::vocabulary::PropId;

/// An over-approximation of what an action leads to: the observations between `must` and `may` that the vocabulary's axioms
/// allow. At least one of them is.
///
/// ```
/// use ltlcrit_verifier::{Prediction, PropId, PropSet};
///
/// let (lit, open) = (PropId(0), PropId(1));
/// let lights = Prediction { must: PropSet::from_iter([lit]), may: PropSet::from_iter([lit, open]) };
/// assert!(lights.allows(&PropSet::from_iter([lit])) && !lights.allows(&PropSet::from_iter([open])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The observations that certainly hold after the action.
    pub must: PropSet,
    /// The observations that may hold after the action; no other does.
    pub may: PropSet,
}

impl Prediction {
    /// The prediction that nothing but these observations follows.
    pub fn exactly(observations: PropSet) -> Self {
        Self { must: observations, may: observations }
    }

    /// Returns whether these observations are among those predicted.
    pub fn allows(&self, observations: &PropSet) -> bool {
        self.must.is_subset(observations) && observations.is_subset(&self.may)
    }

    /// The same prediction, which says nothing about some observations.
    #[must_use]
    pub fn without(self, unknown: &PropSet) -> Self {
        Self { must: self.must.difference(unknown), may: self.may.union(unknown) }
    }

    /// The observations left open.
    pub fn open(&self) -> PropSet {
        self.may.difference(&self.must)
    }

    /// Both halves of the prediction: an open observation does not hold, or holds.
    pub(crate) fn split(&self, at: PropId) -> [Self; 2] {
        let one = PropSet::from_iter([at]);
        [Self { may: self.may.difference(&one), ..*self }, Self { must: self.must.union(&one), ..*self }]
    }
}

/// A way that an action may go: the observations that it passes through, one after the other, and what it leads to then.
///
/// Each intermediate state is a letter of its own, with the same action. The action is allowed only if the whole way is
/// (Safety Chip, appendix F: the way to the bedside table may lead through the hallway).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The intermediate states.
    pub through: Vec<PropSet>,
    /// The final state; `None` if that is not known.
    pub then: Option<Prediction>,
}

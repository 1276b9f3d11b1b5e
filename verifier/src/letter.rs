//! Letters: one position of the word a run produces, as a bit set over at most 256 propositions.

use serde::{Deserialize, Serialize};

pub use crate::bits::{CAPACITY, PropSet};
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// One position of a word: the observations that hold *after* a step, and the action of the step.
///
/// Letter 0 of a run has no action; from letter 1 on exactly one action holds.
///
/// ```
/// use ltlcrit_verifier::{Letter, Vocabulary};
///
/// let doors = Vocabulary::builder("doors").observation("obs_dark").action("action_open").build()?;
/// let open = doors.action("action_open").unwrap();
/// let letter = Letter::after(&doors, open, doors.set(["obs_dark"])?);
/// assert_eq!(letter.action(&doors), Some(open));
/// assert_eq!(doors.names(&letter.0), ["obs_dark", "action_open"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Letter(pub PropSet);

impl Letter {
    /// Returns the first letter of a run: observations without an action.
    pub fn initial(observations: PropSet) -> Self {
        Self(observations)
    }

    /// Returns the letter after a step: the action taken and the observations that hold after it.
    pub fn after(vocabulary: &Vocabulary, action: ActionId, observations: PropSet) -> Self {
        let mut set = observations;
        set.insert(vocabulary.action_prop(action));
        Self(set)
    }

    /// Returns the observations alone.
    pub fn observations(&self, vocabulary: &Vocabulary) -> PropSet {
        self.0.intersection(&PropSet::first(vocabulary.observations().len()))
    }

    /// Returns the action of the letter's step; `None` in letter 0.
    pub fn action(&self, vocabulary: &Vocabulary) -> Option<ActionId> {
        self.0.first_from(vocabulary.observations().len()).and_then(|id| vocabulary.as_action(id))
    }

    /// Returns the letter's step: its action, and all other propositions that hold; `None` in letter 0. Further actions
    /// count as other propositions, which [`Shield::step`](crate::Shield::step) refuses.
    #[inline]
    pub fn taken(&self, vocabulary: &Vocabulary) -> Option<(ActionId, PropSet)> {
        let action = self.action(vocabulary)?;
        let mut rest = self.0;
        rest.remove(vocabulary.action_prop(action));
        Some((action, rest))
    }

    /// Returns whether a proposition holds at this position.
    #[inline]
    pub fn holds(&self, id: PropId) -> bool {
        self.0.contains(id)
    }
}

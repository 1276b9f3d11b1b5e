//! Predictions of the actions at the current letter, for robust judgements.

use crate::actions::ActionSet;
use crate::letter::Letter;
use crate::prediction::{Prediction, Way};
use crate::vocabulary::ActionId;

/// The number of plans kept, without the empty one.
const PLANS: usize = 8;

/// The predictions of the actions at the current letter, with the plans that judgements by them reuse.
#[derive(Default)]
pub(crate) struct Predictions {
    /// By action: the ways that it may go, one of which has to be lawful; without any, nothing is predicted. Empty: laws are
    /// judged cooperatively.
    pub ways: Vec<Vec<Way>>,
    /// Hard laws, by number, that are judged cooperatively all the same.
    pub relaxed: Vec<usize>,
    /// Plans that suited some letter of the question being asked, the last used first.
    pub plans: Vec<Vec<Letter>>,
}

/// The predictions of some actions, judged together at the current letter.
#[derive(Clone, Copy)]
pub(crate) struct RobustlyJudged {
    pub asked: ActionSet,
    /// Some predicted letter leaves the hard laws no continuation.
    pub refused: ActionSet,
    pub undecided: ActionSet,
    /// True if the budget was raised.
    pub raised: bool,
}

impl Predictions {
    /// True if hard laws are judged by predictions.
    #[inline]
    pub fn is_active(&self) -> bool {
        !self.ways.is_empty()
    }

    /// The ways that an action may go.
    pub fn of(&self, action: ActionId) -> &[Way] {
        self.ways.get(usize::from(action.0)).map_or(&[], Vec::as_slice)
    }

    /// The way that an action goes, if only one is predicted.
    pub fn only(&self, action: ActionId) -> Option<&Way> {
        if let [way] = self.of(action) { Some(way) } else { None }
    }

    /// The prediction of an action that has only one way.
    pub fn then(&self, action: ActionId) -> Option<Prediction> {
        self.only(action)?.then
    }

    /// Sets the ways that an action may go; `actions` is the number of all actions. Returns the earlier ways of the action, or
    /// `None` if no action had any.
    pub fn set(&mut self, action: ActionId, ways: Vec<Way>, actions: usize) -> Option<Vec<Way>> {
        let was_active = self.is_active();
        self.ways.resize(actions, Vec::new());
        let before = std::mem::replace(&mut self.ways[usize::from(action.0)], ways);
        was_active.then_some(before)
    }

    /// Keeps a plan to be tried elsewhere.
    pub fn keep(&mut self, plan: Vec<Letter>) {
        if !plan.is_empty() {
            self.plans.truncate(PLANS - 1);
            self.plans.insert(0, plan);
        }
    }
}

//! Predictions of the actions at the current letter, for robust judgements.

use crate::actions::ActionSet;
use crate::letter::{Letter, PropSet};
use crate::prediction::{Prediction, Way};
use crate::vocabulary::ActionId;

/// The number of plans kept, without the empty one.
const PLANS: usize = 8;

/// The predictions of the actions at the current letter, with the plans that judgements by them reuse.
#[derive(Default)]
pub(crate) struct Predictions {
    /// By action. Empty: laws are judged cooperatively.
    pub by_action: Vec<Option<Prediction>>,
    /// The intermediate states of actions before the predicted one: the observations, one after the other.
    pub passing: Vec<(ActionId, Vec<PropSet>)>,
    /// An action that may go any of several ways: one that is kept suffices.
    pub either: Option<(ActionId, Vec<Way>)>,
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
        !self.by_action.is_empty()
    }

    /// The prediction of an action; `None` without one.
    pub fn of(&self, action: ActionId) -> Option<Prediction> {
        self.by_action.get(usize::from(action.0)).copied().flatten()
    }

    /// Returns the intermediate states of an action before the predicted one.
    pub fn passing(&self, action: ActionId) -> &[PropSet] {
        let found = self.passing.iter().find(|(other, _)| *other == action);
        found.map_or(&[], |(_, passing)| passing)
    }

    /// Predicts the way of one of so many actions.
    pub fn go(&mut self, action: ActionId, way: &Way, actions: usize) {
        self.by_action.resize(actions, None);
        self.by_action[usize::from(action.0)] = way.then;
        self.passing.retain(|(other, _)| *other != action);
        if !way.through.is_empty() {
            self.passing.push((action, way.through.clone()));
        }
        self.either.take_if(|(other, _)| *other == action);
    }

    /// Nothing is predicted any more.
    pub fn clear(&mut self) {
        self.by_action.clear();
        self.passing.clear();
        self.either = None;
    }

    /// Keeps a plan to be tried elsewhere.
    pub fn keep(&mut self, plan: Vec<Letter>) {
        if !plan.is_empty() {
            self.plans.truncate(PLANS - 1);
            self.plans.insert(0, plan);
        }
    }
}

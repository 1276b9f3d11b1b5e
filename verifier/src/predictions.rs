//! Predictions of the actions at the current letter, for robust judgements.

use crate::actions::ActionSet;
use crate::axioms::Axioms;
use crate::letter::{Letter, PropSet};
use crate::prediction::Prediction;
use crate::vocabulary::ActionId;

/// How many plans are kept beside the empty one.
const PLANS: usize = 8;

/// The predictions of the actions at the current letter, with the plans and axioms that judgements by them reuse.
#[derive(Default)]
pub(crate) struct Predictions {
    /// By action. Empty: laws are judged cooperatively.
    pub by_action: Vec<Option<Prediction>>,
    /// What actions pass through before what is predicted of them: the observations, one after the other.
    pub passing: Vec<(ActionId, Vec<PropSet>)>,
    /// Hard laws, by number, that are judged cooperatively all the same.
    pub relaxed: Vec<usize>,
    /// Plans that suited some letter, the last used first.
    pub plans: Vec<Vec<Letter>>,
    pub axioms: Option<Axioms>,
}

/// The actions whose predictions were judged at the current letter.
#[derive(Default)]
pub(crate) struct RobustlyJudged {
    pub judged: ActionSet,
    /// Some predicted letter leaves the hard laws no continuation.
    pub refused: ActionSet,
    pub undecided: ActionSet,
    /// Those that a raised budget was spent on.
    pub raised: ActionSet,
}

impl RobustlyJudged {
    /// Nothing is known of an action any more.
    pub fn forget(&mut self, action: ActionId) {
        for set in [&mut self.judged, &mut self.refused, &mut self.undecided, &mut self.raised] {
            set.remove(action);
        }
    }
}

impl Predictions {
    /// Whether hard laws are judged by predictions.
    #[inline]
    pub fn is_active(&self) -> bool {
        !self.by_action.is_empty()
    }

    /// The prediction of an action; `None` without one.
    pub fn of(&self, action: ActionId) -> Option<Prediction> {
        self.by_action.get(usize::from(action.0)).copied().flatten()
    }

    /// What an action passes through before what is predicted of it.
    pub fn passing(&self, action: ActionId) -> &[PropSet] {
        let found = self.passing.iter().find(|(other, _)| *other == action);
        found.map_or(&[], |(_, passing)| passing)
    }

    /// Nothing is predicted any more.
    pub fn clear(&mut self) {
        self.by_action.clear();
        self.passing.clear();
    }

    /// Keeps a plan to be tried elsewhere.
    pub fn keep(&mut self, plan: Vec<Letter>) {
        if !plan.is_empty() {
            self.plans.truncate(PLANS - 1);
            self.plans.insert(0, plan);
        }
    }
}

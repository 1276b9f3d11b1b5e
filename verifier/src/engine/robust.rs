//! Robust decisions: hard laws judged by every letter that is predicted of an action.

use super::Engine;
use crate::actions::ActionSet;
use crate::decision_cache::Judged;
use crate::joint::Possible;
use crate::judgement::{Decision, Enforcement, Judgement, Undecided};
use crate::letter::PropSet;
use crate::prediction::{Prediction, Way};
use crate::predictions::RobustlyJudged;
use crate::run::Which;
use crate::vocabulary::ActionId;

/// In the first round, each action may cost one part in this many of what is left.
const SHARE: u64 = 8;
/// After this many hard laws were relaxed one conflict after the other, the rest are at once.
const MAX_CONFLICTS: usize = 8;

impl Engine {
    pub fn predict(&mut self, by_action: Vec<Option<Prediction>>) {
        if !self.takes_predictions() {
            return;
        }
        let way = |then| Way { through: Vec::new(), then: Some(then) };
        self.joint.predictions.ways = by_action.into_iter().map(|then| then.map(way).into_iter().collect()).collect();
        self.arrived();
    }

    pub fn predict_ways(&mut self, action: ActionId, ways: Vec<Way>) {
        if self.vocabulary().has_action(action) {
            let actions = self.vocabulary().actions().len();
            self.joint.predictions.set(action, ways, actions);
            self.arrived();
        }
    }

    pub fn allows_way(&mut self, action: ActionId, way: &Way, by_hard_laws: bool) -> bool {
        self.on_way(action, way, |engine| {
            let which = if by_hard_laws { Which::Hard } else { engine.run.here.judged_by };
            engine.run.is_started() && engine.run.end.is_none() && engine.is_way_allowed(which, action) == Some(true)
        })
    }

    /// Asks while an action goes this way; nothing else is predicted anew.
    pub(crate) fn on_way<R>(&mut self, action: ActionId, way: &Way, ask: impl FnOnce(&mut Self) -> R) -> R {
        if !self.vocabulary().has_action(action) || !self.takes_predictions() && way.through.is_empty() {
            return ask(self);
        }
        self.decide();
        let actions = self.vocabulary().actions().len();
        let before = self.joint.predictions.set(action, vec![way.clone()], actions);
        self.run.here.way = Some(action);
        let answer = ask(self);
        self.run.here.way = None;
        match before {
            Some(ways) => self.joint.predictions.ways[usize::from(action.0)] = ways,
            None => self.joint.predictions.ways.clear(),
        }
        answer
    }

    /// Returns whether these laws allow the action whose way is asked about; `None` if that is undecided.
    fn is_way_allowed(&mut self, which: Which, action: ActionId) -> Option<bool> {
        let budget = self.joint.laws.options().budget;
        let group = self.group(which).clone();
        if which == Which::Kept {
            let now = self.run.now()?;
            let before = self.joint.begin(budget);
            let possible = self.joint.possible(now, &group, action);
            self.joint.budget.restore(before);
            return possible.known();
        }
        let judged = self.judge_cooperatively(which);
        if judged.undecided.contains(action) {
            return None;
        }
        if !judged.allowed.contains(action) {
            return Some(false);
        }
        let Some(robust) = self.joint.robust_group(&self.group(Which::Hard).clone()) else { return Some(true) };
        let now = self.run.now()?;
        let before = self.joint.begin(budget);
        let possible = self.joint.robustly_possible(now, &robust, action);
        self.joint.budget.restore(before);
        possible.known()
    }

    /// The judgement on the action whose way is asked about.
    pub(crate) fn judge_this_way(&mut self, which: Which, action: ActionId) -> Judgement {
        match self.is_way_allowed(which, action) {
            Some(true) => Judgement::Allowed,
            Some(false) => self.blocked(which, action),
            None => Judgement::Undecided { why: Undecided::OutOfBudget },
        }
    }

    /// Returns the intermediate states of an action, as [predicted](Self::predict_ways).
    pub(crate) fn passing(&self, action: ActionId) -> &[PropSet] {
        self.joint.predictions.only(action).map_or(&[], |way| &way.through)
    }

    pub fn takes_predictions(&self) -> bool {
        let is_hard = |law: &usize| self.laws()[*law].is_hard();
        self.joint.laws.watched.iter().any(is_hard)
    }

    /// The [prediction](Self::predict) of an action, if hard laws block the action because some letter of the prediction leaves
    /// them no continuation; otherwise `None`.
    pub(crate) fn refused_prediction(&self, action: ActionId) -> Option<Prediction> {
        let is_refused = self.run.here.way == Some(action) || self.refused().contains(action);
        if is_refused { self.joint.predictions.then(action) } else { None }
    }

    /// Returns the allowed actions by the predictions. The hard laws of each conflict that leaves nothing are relaxed,
    /// until some action is left or the conflict has nothing to do with predictions.
    pub(crate) fn decide_robustly(&mut self) -> Decision {
        self.joint.predictions.relaxed.clear();
        self.run.here.robust.clear();
        let mut conflicts = 0;
        loop {
            let decision = self.decide_for(Which::All);
            let Enforcement::Nothing { conflict, .. } = &decision.enforcement else {
                let relaxed = self.joint.laws.ids(self.joint.predictions.relaxed.iter().copied());
                return Decision { relaxed, ..decision };
            };
            // If the outcome is certain, no judgement was too severe.
            let refused = self.refused();
            let is_open = |action| self.joint.predictions.then(action).is_some_and(|known| !known.open().is_empty());
            if !refused.iter().any(is_open) {
                return decision;
            }
            let laws = self.joint.laws.clone();
            let relaxed = &mut self.joint.predictions.relaxed;
            let is_due = |law: &&usize| {
                let law = &laws.laws()[**law];
                law.is_hard() && (conflicts >= MAX_CONFLICTS || conflict.contains(&law.id))
            };
            let due: Vec<usize> =
                laws.watched.iter().filter(is_due).copied().filter(|law| !relaxed.contains(law)).collect();
            if due.is_empty() {
                return decision;
            }
            relaxed.extend(due);
            relaxed.sort_unstable();
            self.run.here.robust.clear();
            conflicts += 1;
        }
    }

    /// Takes away the actions with a predicted letter after which the hard laws have no continuation, and those for
    /// which this is undecided. The budget is raised if otherwise only actions that are proved to be refused were left.
    pub(crate) fn judge_robustly(&mut self, judged: &mut Judged) {
        let asked = judged.allowed.difference(&self.stop);
        let known = match self.run.here.robust.iter().find(|known| known.asked == asked) {
            Some(known) => *known,
            None => {
                let known = self.look_at(asked);
                self.run.here.robust.push(known);
                known
            }
        };
        judged.allowed = judged.allowed.difference(&known.refused).difference(&known.undecided);
        judged.undecided = judged.undecided.union(&known.undecided);
        self.run.unknowns += known.undecided.len() as u64;
        judged.raised |= known.raised;
    }

    /// Actions of which some predicted letter leaves the hard laws no continuation.
    fn refused(&self) -> ActionSet {
        self.run.here.robust.iter().fold(ActionSet::EMPTY, |refused, known| refused.union(&known.refused))
    }

    fn look_at(&mut self, asked: ActionSet) -> RobustlyJudged {
        let units = self.joint.laws.options().budget;
        let (mut refused, mut undecided) = self.look_ahead(&asked, units);
        let raised = !undecided.is_empty() && asked.is_subset(&refused.union(&undecided));
        if raised {
            let (more, left) = self.look_ahead(&undecided, units.saturating_mul(self.joint.laws.options().raise));
            (refused, undecided) = (refused.union(&more), left);
        }
        RobustlyJudged { asked, refused, undecided, raised }
    }

    /// The actions whose predictions are refused, and those left undecided. One that is hard to decide does not use up what the
    /// others may cost: it has its turn once all of them had theirs.
    fn look_ahead(&mut self, asked: &ActionSet, units: u64) -> (ActionSet, ActionSet) {
        let group = self.joint.robust_group(&self.group(Which::Hard).clone());
        let (mut open, mut refused) = (*asked, ActionSet::EMPTY);
        let (Some(group), Some(now)) = (group, self.run.now()) else { return (refused, ActionSet::EMPTY) };
        let before = self.joint.begin(units);
        for share in [SHARE, 1] {
            for action in open.iter() {
                let one = ActionSet::from_iter([action]);
                let limit = self.joint.budget.limit(self.joint.budget.left() / share);
                match self.joint.robustly_possible(now, &group, action) {
                    Possible::Yes(_) => open = open.difference(&one),
                    Possible::No(_) => {
                        refused = refused.union(&one);
                        open = open.difference(&one);
                    }
                    Possible::Unknown(_) => {}
                }
                self.joint.budget.restore(limit);
            }
        }
        self.joint.budget.restore(before);
        (refused, open)
    }
}

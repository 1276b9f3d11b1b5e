//! Robust decisions: hard laws judged by every letter that is predicted of an action.

use super::{Shield, Which};
use crate::actions::ActionSet;
use crate::joint::Possible;
use crate::judgement::{Decision, Enforcement};
use crate::letter::PropSet;
use crate::prediction::Prediction;
use crate::predictions::RobustlyJudged;
use crate::search::Judged;
use crate::vocabulary::ActionId;

/// In the first round, each action may cost one part in this many of what is left.
const SHARE: u64 = 8;
/// After this many hard laws were relaxed one conflict after the other, the rest are at once.
const MAX_CONFLICTS: usize = 8;

impl Shield {
    /// Says what each action, by number, may lead to from the current letter: until the next one, an action is allowed only
    /// if *every* letter predicted of it leaves the hard laws a continuation. Continuations stay cooperative, and so do soft
    /// laws and actions without a prediction. Hard laws that so leave no action in the current state are
    /// [relaxed](Decision::relaxed), unless every prediction that refuses an action is exact.
    ///
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ltlcrit_verifier::{ActionSet, Law, Prediction, PropSet, Shield, ShieldOptions, Vocabulary};
    ///
    /// let doors = Arc::new(Vocabulary::builder("doors").observation("obs_dark").actions(["action_open", "action_close"]).build()?);
    /// let law = Law::hard("light", "G !obs_dark".parse()?, "Never stand in the dark.");
    /// let mut shield = Shield::new(doors.clone(), vec![law], ShieldOptions::default())?;
    /// shield.start(PropSet::EMPTY)?;
    /// assert_eq!(shield.decide().allowed.len(), 3);
    /// let [safe, unsafe_] = [PropSet::EMPTY, doors.set(["obs_dark"])?].map(|may| Prediction { must: PropSet::EMPTY, may });
    /// shield.predict(vec![Some(safe), Some(unsafe_)]);
    /// assert_eq!(shield.decide().allowed.names(&doors), ["action_open", "action_stop"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predict(&mut self, by_action: Vec<Option<Prediction>>) {
        if !self.takes_predictions() {
            return;
        }
        self.joint.predictions.by_action = by_action;
        self.arrived();
    }

    /// [Predicts](Self::predict) one action anew; what is known of the others stays. It passes through these observations, one
    /// after the other, before what it leads to `then` (Safety Chip, appendix F: who walks to the bedside table may pass the hallway). Each is a letter of its own,
    /// with the same action, and the action is allowed only if the whole way is. When it runs, [`Shield::go_through`] reads
    /// each of them, and then [`Shield::step`] the last letter.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ltlcrit_verifier::{Law, Prediction, PropSet, Shield, ShieldOptions, Vocabulary};
    ///
    /// let flat = Arc::new(Vocabulary::builder("flat").observations(["hall", "bath"]).actions(["to_bath"]).build()?);
    /// let law = Law::hard("no-hall", "G !hall".parse()?, "Stay out of the hall.");
    /// let mut shield = Shield::new(flat.clone(), vec![law], ShieldOptions::default())?;
    /// let to_bath = flat.action("to_bath").unwrap();
    /// shield.start(PropSet::EMPTY)?;
    /// let in_bath = Prediction::exactly(flat.set(["bath"])?);
    /// shield.predict(vec![Some(in_bath), None]);
    /// assert!(shield.judge(to_bath).is_allowed());
    /// shield.predict_one(to_bath, vec![flat.set(["hall"])?], Some(in_bath));
    /// assert!(!shield.judge(to_bath).is_allowed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predict_one(&mut self, action: ActionId, through: Vec<PropSet>, then: Option<Prediction>) {
        if !self.vocabulary().has_action(action) {
            return;
        }
        let actions = self.vocabulary().actions().len();
        let predictions = &mut self.joint.predictions;
        predictions.by_action.resize(actions, None);
        predictions.by_action[usize::from(action.0)] = then;
        predictions.passing.retain(|(other, _)| *other != action);
        if !through.is_empty() {
            predictions.passing.push((action, through));
        }
        match (&mut self.here.robust, predictions.relaxed.is_empty()) {
            (Some(known), true) => known.forget(action),
            _ => self.here.robust = None,
        }
        self.joint.predictions.relaxed.clear();
        (self.here.decision, self.here.hard_allowed) = (None, None);
    }

    /// What is predicted of an action now: what it passes through, and what it leads to.
    pub fn prediction(&self, action: ActionId) -> (Vec<PropSet>, Option<Prediction>) {
        (self.passing(action).to_vec(), self.joint.predictions.of(action))
    }

    /// What an action passes through, as [said](Self::predict_one).
    pub(crate) fn passing(&self, action: ActionId) -> &[PropSet] {
        self.joint.predictions.passing(action)
    }

    /// Whether predictions make a difference: some hard law is not of the form `G(phi_s -> X phi_a)`, which reads nothing after
    /// the action.
    pub fn takes_predictions(&self) -> bool {
        let is_hard = |law: &usize| self.laws()[*law].is_hard();
        self.joint.laws.watched.iter().any(is_hard)
    }

    /// The [prediction](Self::predict) of an action, if hard laws block the action because some letter of the prediction leaves
    /// them no continuation; otherwise `None`.
    pub(crate) fn refused_prediction(&self, action: ActionId) -> Option<Prediction> {
        let known = self.here.robust.as_ref()?;
        if known.refused.contains(action) { self.joint.predictions.of(action) } else { None }
    }

    /// What may be done now, by what is predicted. The hard laws of each conflict that leaves nothing are relaxed, until some
    /// action is left or the conflict has nothing to do with predictions.
    pub(super) fn decide_robustly(&mut self) -> Decision {
        let mut conflicts = 0;
        loop {
            let decision = self.decide_for(Which::All);
            let Enforcement::Nothing { conflict, .. } = &decision.enforcement else {
                let relaxed = self.joint.laws.ids(self.joint.predictions.relaxed.iter().copied());
                return Decision { relaxed, ..decision };
            };
            // Where it is known for sure what follows, no judgement was too severe.
            let refused = self.here.robust.as_ref().map(|known| known.refused).unwrap_or_default();
            let is_open = |action| self.joint.predictions.of(action).is_some_and(|known| !known.open().is_empty());
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
            self.here.robust = None;
            conflicts += 1;
        }
    }

    /// Takes the actions away from those judged that have a predicted letter after which the hard laws have no continuation,
    /// and those for which this is undecided; whether the budget was raised, as it is where otherwise nothing is left that is
    /// not proved to be refused.
    pub(super) fn judge_robustly(&mut self, judged: &mut Judged) -> bool {
        let asked = judged.allowed.difference(&self.stop);
        let mut known = self.here.robust.take().unwrap_or_default();
        let units = self.joint.laws.options().budget;
        self.look_ahead(&mut known, &asked, units);
        let left = asked.difference(&known.refused).difference(&known.undecided);
        let open = asked.intersection(&known.undecided).difference(&known.raised);
        let raise = left.is_empty() && !open.is_empty();
        if raise {
            known.raised = known.raised.union(&open);
            known.judged = known.judged.difference(&open);
            known.undecided = known.undecided.difference(&open);
            self.look_ahead(&mut known, &open, units.saturating_mul(self.joint.laws.options().raise));
        }
        let undecided = asked.intersection(&known.undecided);
        judged.allowed = judged.allowed.difference(&known.refused).difference(&undecided);
        judged.undecided = judged.undecided.union(&undecided);
        self.here.robust = Some(known);
        self.unknowns += undecided.len() as u64;
        raise
    }

    /// Judges the predictions of actions that are not judged yet. One that is hard to decide does not use up what the others
    /// may cost: it has its turn once all of them had theirs.
    fn look_ahead(&mut self, known: &mut RobustlyJudged, asked: &ActionSet, units: u64) {
        let group = self.joint.robust_group(&self.group(Which::Hard).clone());
        let mut open = asked.difference(&known.judged);
        known.judged = known.judged.union(&open);
        let (Some(group), Some(now)) = (group, self.run.now()) else { return };
        let before = self.joint.budget.only(units);
        for share in [SHARE, 1] {
            for action in open.iter() {
                let one = ActionSet::from_iter([action]);
                let limit = self.joint.budget.limit(self.joint.budget.left() / share);
                match self.joint.robustly_possible(now, &group, action) {
                    Possible::Yes => open = open.difference(&one),
                    Possible::No(_) => {
                        known.refused = known.refused.union(&one);
                        open = open.difference(&one);
                    }
                    Possible::Unknown(_) => {}
                }
                self.joint.budget.restore(limit);
            }
        }
        self.joint.budget.restore(before);
        known.undecided = known.undecided.union(&open);
    }
}

//! Robust decisions: hard laws judged by every letter that is predicted of an action.

use super::{Shield, Which};
use crate::actions::ActionSet;
use crate::joint::Possible;
use crate::judgement::{Decision, Enforcement};
use crate::transitions::Prediction;
use crate::vocabulary::ActionId;

/// After this many hard laws were relaxed one conflict after the other, the rest are at once.
const MOST_CONFLICTS: usize = 8;

impl Shield {
    /// Says what each action, by number, may lead to from the current letter: until the next one, an action is allowed only
    /// if *every* letter predicted of it leaves the hard laws a continuation. Continuations stay cooperative, and so do soft
    /// laws and actions without a prediction. Hard laws that so leave no action in the current state are
    /// [relaxed](Decision::relaxed).
    ///
    /// A shield with a [transition model](Self::with_transitions) needs no predictions and ignores them.
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

    /// Whether predictions make a difference: some hard law is not of the form `G(phi_s -> X phi_a)`, which reads nothing after
    /// the action, and there is no transition model.
    pub fn takes_predictions(&self) -> bool {
        let is_hard = |law: &usize| self.laws()[*law].is_hard();
        !self.joint.environment.is_modelled() && self.joint.laws.watched.iter().any(is_hard)
    }

    /// The [prediction](Self::predict) of an action, if hard laws block the action because some letter of the prediction leaves
    /// them no continuation; otherwise `None`.
    pub(crate) fn refused_prediction(&self, action: ActionId) -> Option<Prediction> {
        let (_, refused, _) = self.here.robust?;
        if refused.contains(action) { self.joint.predictions.of(action) } else { None }
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
            let laws = self.joint.laws.clone();
            let relaxed = &mut self.joint.predictions.relaxed;
            let is_due = |law: &&usize| {
                let law = &laws.laws()[**law];
                law.is_hard() && (conflicts >= MOST_CONFLICTS || conflict.contains(&law.id))
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

    /// The actions among `asked` that have a predicted letter after which the hard laws have no continuation, and those for
    /// which this is undecided.
    pub(super) fn robustly_refused(&mut self, asked: &ActionSet) -> (ActionSet, ActionSet) {
        let asked = asked.difference(&self.stop);
        let (mut known, mut refused, mut undecided) = self.here.robust.unwrap_or_default();
        let open = asked.difference(&known);
        let group = self.joint.robust_group(&self.group(Which::Hard).clone());
        if let (Some(group), Some(now)) = (group, self.run.now()) {
            let before = self.joint.budget.only(self.joint.laws.options().budget);
            for action in open.iter() {
                match self.joint.robustly_possible(now, &group, action) {
                    Possible::Yes => {}
                    Possible::No(_) => refused = refused.union(&ActionSet::from_iter([action])),
                    Possible::Unknown(_) => undecided = undecided.union(&ActionSet::from_iter([action])),
                }
            }
            self.joint.budget.restore(before);
        }
        known = known.union(&open);
        self.here.robust = Some((known, refused, undecided));
        (refused.intersection(&asked), undecided.intersection(&asked))
    }
}

//! A shield in one state of a world: the predictions that it gets, and its rulings on the actions.

use std::cell::OnceCell;

use ltlcrit_store::{ProposalRecord, Proposer, Reply, Ruling};
use ltlcrit_verifier::{ActionId, Decision, Explanation, Judgement, Lift, Prediction, PropSet, Shield, Way};
use ltlcrit_worlds::{Forecast, Outlook, Unknown};

/// A shield with the outlook of one state. The shield of a run gets all of it or nothing.
pub(crate) struct Foresight<'a> {
    shield: &'a mut Shield,
    outlook: Box<dyn Outlook + 'a>,
    /// True if the shield gets the predictions of the world.
    is_told: bool,
    /// The actions that can be tried, once they were asked for.
    tried: OnceCell<Option<Vec<ActionId>>>,
    now: PropSet,
}

impl<'a> Foresight<'a> {
    /// The outlook of a state with these observations.
    pub fn new(shield: &'a mut Shield, outlook: Box<dyn Outlook + 'a>, is_told: bool, now: PropSet) -> Self {
        Self { shield, outlook, is_told, tried: OnceCell::new(), now }
    }

    /// A state of which the world knows nothing.
    pub fn none(shield: &'a mut Shield) -> Self {
        Self::new(shield, Box::new(Unknown), false, PropSet::EMPTY)
    }

    fn forecast(&self, action: ActionId) -> Forecast {
        if self.is_told { self.outlook.forecast(action) } else { Forecast::default() }
    }

    /// The actions that can be tried; `None` where the world does not say.
    fn applicable(&self) -> Option<&[ActionId]> {
        self.tried.get_or_init(|| self.outlook.applicable()).as_deref()
    }

    /// The actions that can be tried, in order; all where the world does not say.
    pub fn offered(&self) -> Vec<ActionId> {
        match self.applicable() {
            Some(applicable) => applicable.to_vec(),
            None => self.shield.vocabulary().catalogue().map(|(action, _)| action).collect(),
        }
    }

    /// The shield's decision, by what the world foretells of each action.
    pub fn decide(&mut self) -> Decision {
        self.tell();
        self.shield.decide()
    }

    /// Tells the shield what each action may lead to and passes through on the way, where that makes a difference. The action
    /// that stands for [further ones](ltlcrit_verifier::Vocabulary::with_further) leads to what some lawful one of them does.
    fn tell(&mut self) {
        if !self.is_told {
            return;
        }
        let vocabulary = self.shield.vocabulary().clone();
        let predicts = self.shield.takes_predictions();
        let matter = vocabulary.action_ids().filter(|action| predicts || !self.outlook.passes(*action).is_empty());
        let known: Vec<(ActionId, Forecast)> = matter.map(|action| (action, self.forecast(action))).collect();
        if predicts {
            self.shield.predict(known.iter().map(|(_, of)| of.then).collect());
        }
        for (action, Forecast { passes, then }) in known {
            if !passes.is_empty() && then.is_some() {
                self.shield.predict_ways(action, vec![Way { through: passes, then }]);
            }
        }
        let (Some(other), Some(applicable)) = (self.other(), self.applicable()) else { return };
        let mut ways: Vec<Way> = Vec::new();
        for action in applicable.iter().filter(|action| vocabulary.in_letters(**action) != **action) {
            let way = self.way(*action);
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        if predicts && ways.is_empty() {
            // What cannot be tried fails and changes nothing.
            self.shield
                .predict_ways(other, vec![Way { through: Vec::new(), then: Some(Prediction::exactly(self.now)) }]);
        } else if predicts || ways.iter().any(|way| !way.through.is_empty()) {
            self.shield.predict_ways(other, ways);
        }
    }

    /// The way that an action goes.
    fn way(&self, action: ActionId) -> Way {
        let Forecast { passes, then } = self.forecast(action);
        Way { through: passes, then }
    }

    /// The letter that stands for an action, and the action's own way if it is a further one.
    fn in_letters(&self, action: ActionId) -> (ActionId, Option<Way>) {
        let letter = self.shield.vocabulary().in_letters(action);
        (letter, (letter != action).then(|| self.way(action)))
    }

    /// Those of the offered actions that the shield allows, by the laws enforced or by the hard laws alone.
    pub fn lawful(&mut self, by_hard_laws: bool) -> Vec<ActionId> {
        let by_letters = if by_hard_laws { self.shield.hard_allowed() } else { self.shield.decide().allowed };
        let offered = self.offered();
        let mut judged: Vec<(Way, bool)> = Vec::new();
        let mut is_lawful = |action: &ActionId| match self.in_letters(*action) {
            (letter, None) => by_letters.contains(letter),
            (letter, Some(way)) => {
                let found = judged.iter().find(|(of, _)| *of == way).map(|(_, allows)| *allows);
                found.unwrap_or_else(|| {
                    let allows = self.shield.allows_way(letter, &way, by_hard_laws);
                    judged.push((way, allows));
                    allows
                })
            }
        };
        offered.into_iter().filter(|action| is_lawful(action)).collect()
    }

    /// The ruling on a proposed action. The loop proposes to stop at the goal, and there the hard laws alone judge. A shield
    /// that does not enforce only records what it would have blocked.
    pub fn rule(&mut self, by: Proposer, action: ActionId, enforcing: bool) -> Ruling {
        let (action, way) = self.in_letters(action);
        let shield = &mut *self.shield;
        let judgement = match (by, &way) {
            (Proposer::Actor, None) => shield.judge(action),
            (Proposer::Actor, Some(way)) => shield.judge_way(action, way),
            (Proposer::Loop, None) => shield.judge_by_hard_laws(action),
            (Proposer::Loop, Some(way)) => shield.judge_way_by_hard_laws(action, way),
        };
        if !enforcing {
            let (laws, minimal) = match &judgement {
                Judgement::Blocked { laws, minimal } => (laws.clone(), *minimal),
                _ => (Vec::new(), true),
            };
            let undecided = matches!(judgement, Judgement::Undecided { .. } | Judgement::Ended);
            return Ruling::Unshielded { laws, minimal, undecided };
        }
        match judgement {
            Judgement::Allowed => Ruling::Allowed,
            Judgement::Blocked { laws, minimal } => {
                Ruling::Blocked { laws, minimal, explanation: self.explain(by, action, way) }
            }
            Judgement::Undecided { why } => Ruling::Undecided { why: why.to_string() },
            Judgement::Ended => Ruling::Undecided { why: Judgement::Ended.to_string() },
        }
    }

    /// The rulings on the proposals of a step that are actions.
    pub fn rule_again(&mut self, proposals: &[ProposalRecord], enforcing: bool) -> Vec<Option<Ruling>> {
        let again = |proposal: &ProposalRecord| match proposal.reply {
            Reply::Action { action } => Some(self.rule(proposal.by, action, enforcing)),
            Reply::NoAction(_) => None,
        };
        proposals.iter().map(again).collect()
    }

    /// The reasons for a block: the laws, and for stopping the obligations. They do not name the action, which the actor knows.
    /// Allowed actions are listed only when the re-prompts are used up.
    fn explain(&mut self, by: Proposer, action: ActionId, way: Option<Way>) -> String {
        let shield = &mut *self.shield;
        let mut explanation = match (by, way) {
            (_, Some(way)) => shield.explain_way(action, &way, by == Proposer::Loop),
            (Proposer::Actor, None) => shield.explain(action),
            (Proposer::Loop, None) => shield.explain_by_hard_laws(action),
        };
        explanation.allowed.clear();
        if shield.vocabulary().stop() == Some(action) { explanation.brief() } else { explanation.reasons() }
    }

    /// The whole explanation of the judgement on an action, and the nearest letters that lift a block.
    pub fn ask(&mut self, action: ActionId) -> (Explanation, Lift) {
        self.decide();
        let (letter, way) = self.in_letters(action);
        let explanation = match way {
            Some(way) => self.shield.explain_way(letter, &way, false),
            None => self.shield.explain(letter),
        };
        let action = self.shield.vocabulary().action_name(action).to_owned();
        (Explanation { action, ..explanation }, self.shield.lifted_by(letter))
    }

    /// The action that stands for further ones.
    fn other(&self) -> Option<ActionId> {
        let further = ActionId(self.shield.vocabulary().actions().len() as u16);
        let other = self.shield.vocabulary().in_letters(further);
        (other != further).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::vocabulary;
    use ltlcrit_verifier::{Fallback, Law};

    use super::*;
    use crate::agent::shielding::shield;

    /// Prompts, records and displays name the action themselves.
    #[test]
    fn an_explanation_does_not_repeat_which_action_is_blocked() {
        let vocabulary = vocabulary();
        let mut laws = ltlcrit_laws::shipped("minecraft-hard").unwrap().laws_in_force();
        laws.push(Law::hard("log", "F obs_has_log".parse().unwrap(), "Get a log."));
        let mut shield = shield(&vocabulary, laws, Fallback::OneByOne).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        let mut explained = |by, action: &str| {
            let action = vocabulary.action(action).unwrap();
            match Foresight::none(&mut shield).rule(by, action, true) {
                Ruling::Blocked { explanation, .. } => explanation,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            explained(Proposer::Actor, "action_craft_planks"),
            "Law craft-planks: Planks are made of logs. It applies because now: !obs_has_log."
        );
        assert_eq!(
            explained(Proposer::Loop, "action_stop"),
            "Law log: Get a log. It applies because now: !obs_has_log.\nStill owed before stopping: Get a log. (law log)"
        );
    }
}

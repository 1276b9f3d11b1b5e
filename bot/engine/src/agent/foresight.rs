//! What a shield is told of the actions of a state, and what it says of those that are one to its laws.

use std::cell::OnceCell;

use ltlcrit_verifier::{ActionId, Prediction, PropSet, Shield, Way};
use ltlcrit_worlds::{Forecast, Outlook, Unknown};

/// The outlook of one state. The shield of a run gets all of it or nothing.
pub(crate) struct Foresight<'a> {
    outlook: Box<dyn Outlook + 'a>,
    /// True if the shield gets the predictions of the world.
    is_told: bool,
    /// The actions that can be tried, once they were asked for.
    tried: OnceCell<Option<Vec<ActionId>>>,
    now: PropSet,
}

impl<'a> Foresight<'a> {
    /// The outlook of a state with these observations.
    pub fn new(outlook: Box<dyn Outlook + 'a>, is_told: bool, now: PropSet) -> Self {
        Self { outlook, is_told, tried: OnceCell::new(), now }
    }

    /// A state of which the world knows nothing.
    pub fn none() -> Self {
        Self::new(Box::new(Unknown), false, PropSet::EMPTY)
    }

    fn forecast(&self, action: ActionId) -> Forecast {
        if self.is_told { self.outlook.forecast(action) } else { Forecast::default() }
    }

    /// The actions that can be tried; `None` where the world does not say.
    fn applicable(&self) -> Option<&[ActionId]> {
        self.tried.get_or_init(|| self.outlook.applicable()).as_deref()
    }

    /// The actions that can be tried, in order; all where the world does not say.
    pub fn offered(&self, shield: &Shield) -> Vec<ActionId> {
        match self.applicable() {
            Some(applicable) => applicable.to_vec(),
            None => shield.vocabulary().catalogue().map(|(action, _)| action).collect(),
        }
    }

    /// Tells a shield what each action may lead to and passes through on the way, where that makes a difference. The action
    /// that stands for [further ones](ltlcrit_verifier::Vocabulary::with_further) leads to what some lawful one of them does.
    pub fn tell(&self, shield: &mut Shield) {
        if !self.is_told {
            return;
        }
        let vocabulary = shield.vocabulary().clone();
        let predicts = shield.takes_predictions();
        let matter = vocabulary.action_ids().filter(|action| predicts || !self.outlook.passes(*action).is_empty());
        let known: Vec<(ActionId, Forecast)> = matter.map(|action| (action, self.forecast(action))).collect();
        if predicts {
            shield.predict(known.iter().map(|(_, of)| of.then).collect());
        }
        for (action, Forecast { passes, then }) in known {
            if !passes.is_empty() && then.is_some() {
                shield.predict_one(action, passes, then);
            }
        }
        let (Some(other), Some(applicable)) = (self.other(shield), self.applicable()) else { return };
        let mut ways: Vec<Way> = Vec::new();
        for action in applicable.iter().filter(|action| vocabulary.in_letters(**action) != **action) {
            let way = self.way(*action);
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        if predicts && ways.is_empty() {
            // What cannot be tried fails and changes nothing.
            shield.predict_one(other, Vec::new(), Some(Prediction::exactly(self.now)));
        } else if predicts || ways.iter().any(|way| !way.through.is_empty()) {
            shield.predict_either(other, ways);
        }
    }

    /// The way that an action goes.
    fn way(&self, action: ActionId) -> Way {
        let Forecast { passes, then } = self.forecast(action);
        Way { through: passes, then }
    }

    /// The letter that stands for an action, and the action's own way if it is a further one.
    pub fn in_letters(&self, shield: &Shield, action: ActionId) -> (ActionId, Option<Way>) {
        let letter = shield.vocabulary().in_letters(action);
        (letter, (letter != action).then(|| self.way(action)))
    }

    /// Those of the offered actions that a shield allows, by the laws enforced or by the hard laws alone.
    pub fn lawful(&self, shield: &mut Shield, by_hard_laws: bool) -> Vec<ActionId> {
        let by_letters = if by_hard_laws { shield.hard_allowed() } else { shield.decide().allowed };
        let offered = self.offered(shield);
        let mut judged: Vec<(Way, bool)> = Vec::new();
        let mut is_lawful = |action: &ActionId| match self.in_letters(shield, *action) {
            (letter, None) => by_letters.contains(letter),
            (letter, Some(way)) => {
                let found = judged.iter().find(|(of, _)| *of == way).map(|(_, allows)| *allows);
                found.unwrap_or_else(|| {
                    let allows = shield.allows_way(letter, &way, by_hard_laws);
                    judged.push((way, allows));
                    allows
                })
            }
        };
        offered.into_iter().filter(|action| is_lawful(action)).collect()
    }

    /// The action that stands for further ones.
    fn other(&self, shield: &Shield) -> Option<ActionId> {
        let further = ActionId(shield.vocabulary().actions().len() as u16);
        let other = shield.vocabulary().in_letters(further);
        (other != further).then_some(other)
    }
}

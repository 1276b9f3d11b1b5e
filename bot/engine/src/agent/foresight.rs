//! What a shield is told of the actions of a state, and what it says of those that are one to its laws.

use ltlcrit_verifier::{ActionId, ActionSet, Prediction, PropSet, Shield};
use ltlcrit_worlds::Forecast;

/// What the world knows of the actions in one state.
pub(crate) struct Foresight<'a> {
    /// What is known of an action.
    pub known: &'a dyn Fn(ActionId) -> Forecast,
    /// The actions that can be tried; `None` where the world does not say.
    pub applicable: Option<Vec<ActionId>>,
    /// The observations now.
    pub now: PropSet,
}

impl Foresight<'_> {
    /// Nothing is known.
    pub fn none() -> Self {
        Foresight { known: &|_| Forecast { passes: Vec::new(), then: None }, applicable: None, now: PropSet::EMPTY }
    }

    /// The actions that can be tried, in order; all where the world does not say.
    pub fn offered(&self, shield: &Shield) -> Vec<ActionId> {
        match &self.applicable {
            Some(applicable) => applicable.clone(),
            None => shield.vocabulary().catalogue().map(|(action, _)| action).collect(),
        }
    }

    /// Tells a shield what each action may lead to and passes through on the way, where that makes a difference. The action
    /// that stands for [further ones](ltlcrit_verifier::Vocabulary::with_further) leads to what some lawful one of them does.
    pub fn tell(&self, shield: &mut Shield) {
        let vocabulary = shield.vocabulary().clone();
        let known: Vec<Forecast> = vocabulary.action_ids().map(self.known).collect();
        let predicts = shield.takes_predictions();
        if predicts {
            shield.predict(known.iter().map(|of| of.then).collect());
        }
        for (action, Forecast { passes, then }) in vocabulary.action_ids().zip(known) {
            if let (false, Some(then)) = (passes.is_empty(), then) {
                shield.pass(action, passes, then);
            }
        }
        let (Some(other), Some(applicable)) = (self.other(shield), &self.applicable) else { return };
        let mut tried: Vec<Forecast> = Vec::new();
        for action in applicable.iter().filter(|action| vocabulary.in_letters(**action) != **action) {
            let forecast = (self.known)(*action);
            if !predicts && forecast.passes.is_empty() || tried.contains(&forecast) {
                continue;
            }
            shield.predict_one(other, forecast.passes.clone(), forecast.then);
            tried.push(forecast);
            if shield.decide().allowed.contains(other) {
                return;
            }
        }
        if tried.is_empty() && predicts {
            // What cannot be tried fails and changes nothing.
            shield.predict_one(other, Vec::new(), Some(Prediction::exactly(self.now)));
        }
    }

    /// Those of the offered actions whose letters a shield allows, by `allowed`.
    pub fn lawful(&self, shield: &mut Shield, allowed: &dyn Fn(&mut Shield) -> ActionSet) -> Vec<ActionId> {
        let vocabulary = shield.vocabulary().clone();
        let by_letters = allowed(shield);
        let Some(other) = self.other(shield) else {
            return self.offered(shield).into_iter().filter(|action| by_letters.contains(*action)).collect();
        };
        let mut lawful = Vec::new();
        let mut judged: Vec<(Forecast, bool)> = Vec::new();
        for action in self.offered(shield) {
            if vocabulary.in_letters(action) == action {
                lawful.extend(by_letters.contains(action).then_some(action));
                continue;
            }
            let forecast = (self.known)(action);
            let found = judged.iter().find(|(of, _)| *of == forecast).map(|(_, allows)| *allows);
            let allows = found.unwrap_or_else(|| {
                let allows = self.of_further(shield, other, &forecast, |shield| allowed(shield).contains(other));
                judged.push((forecast, allows));
                allows
            });
            lawful.extend(allows.then_some(action));
        }
        lawful
    }

    /// Asks a shield about an action by the action that stands for it in letters, which meanwhile leads to what this one does.
    pub fn ask<R>(&self, shield: &mut Shield, action: ActionId, ask: impl FnOnce(&mut Shield, ActionId) -> R) -> R {
        let letter = shield.vocabulary().in_letters(action);
        if letter == action {
            return ask(shield, action);
        }
        self.of_further(shield, letter, &(self.known)(action), |shield| ask(shield, letter))
    }

    fn of_further<R>(
        &self,
        shield: &mut Shield,
        other: ActionId,
        forecast: &Forecast,
        ask: impl FnOnce(&mut Shield) -> R,
    ) -> R {
        if !shield.takes_predictions() && forecast.passes.is_empty() {
            return ask(shield);
        }
        let before = shield.prediction(other);
        shield.predict_one(other, forecast.passes.clone(), forecast.then);
        let answer = ask(shield);
        shield.predict_one(other, before.0, before.1);
        answer
    }

    /// The action that stands for further ones.
    fn other(&self, shield: &Shield) -> Option<ActionId> {
        let further = ActionId(shield.vocabulary().actions().len() as u16);
        let other = shield.vocabulary().in_letters(further);
        (other != further).then_some(other)
    }
}

//! What a shield is told of the actions of a state, and what it says of those that are one to its laws.

use std::cell::OnceCell;

use ltlcrit_verifier::{ActionId, ActionSet, Prediction, PropSet, Shield};
use ltlcrit_worlds::Forecast;

/// What the world knows of the actions in one state.
pub(crate) struct Foresight<'a> {
    known: &'a dyn Fn(ActionId) -> Forecast,
    passes: &'a dyn Fn(ActionId) -> bool,
    applicable: &'a dyn Fn() -> Option<Vec<ActionId>>,
    /// The answer of `applicable`, once it was asked for.
    tried: OnceCell<Option<Vec<ActionId>>>,
    now: PropSet,
}

impl<'a> Foresight<'a> {
    /// A state with these observations, where `known` tells what the world knows of an action, `passes` whether the action
    /// passes through anything, and `applicable` which actions can be tried, `None` where the world does not say. All three
    /// are asked only when it matters.
    pub fn new(
        known: &'a dyn Fn(ActionId) -> Forecast,
        passes: &'a dyn Fn(ActionId) -> bool,
        applicable: &'a dyn Fn() -> Option<Vec<ActionId>>,
        now: PropSet,
    ) -> Self {
        Self { known, passes, applicable, tried: OnceCell::new(), now }
    }

    /// A state of which the world knows nothing.
    pub fn none() -> Self {
        Self::new(&|_| Forecast { passes: Vec::new(), then: None }, &|_| false, &|| None, PropSet::EMPTY)
    }

    /// The actions that can be tried; `None` where the world does not say.
    fn applicable(&self) -> Option<&[ActionId]> {
        self.tried.get_or_init(self.applicable).as_deref()
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
        let vocabulary = shield.vocabulary().clone();
        let predicts = shield.takes_predictions();
        let matter = vocabulary.action_ids().filter(|action| predicts || (self.passes)(*action));
        let known: Vec<(ActionId, Forecast)> = matter.map(|action| (action, (self.known)(action))).collect();
        if predicts {
            shield.predict(known.iter().map(|(_, of)| of.then).collect());
        }
        for (action, Forecast { passes, then }) in known {
            if !passes.is_empty() && then.is_some() {
                shield.predict_one(action, passes, then);
            }
        }
        let Some(other) = self.other(shield) else { return };
        let Some(applicable) = self.applicable() else { return };
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

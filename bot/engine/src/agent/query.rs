//! Builds the query about a blocked action, from which a model explains the block.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_store::{ProposalRecord, Reply, Ruling};
use ltlcrit_verifier::{ActionId, Law, LawId, Letter, Monitor, Prediction, PropId, PropSet, Verdict, Vocabulary};
use ltlcrit_worlds::{Forecast, World};

use super::run::Session;
use crate::actor::{Query, State, StateChange};

/// The maximum number of past actions in a query.
const MAX_VALID: usize = 20;

impl<W: World> Session<'_, W> {
    /// Returns the query about a blocked action, if the actor has a model that explains blocks.
    pub(super) fn to_word(&self, proposal: &ProposalRecord) -> Option<Query> {
        match (&proposal.reply, &proposal.ruling) {
            (Reply::Action { action }, Ruling::Blocked { laws, .. }) if self.agent.actor.explains() => {
                Some(self.query(*action, laws))
            }
            _ => None,
        }
    }

    fn query(&self, action: ActionId, blocking: &[LawId]) -> Query {
        let (vocabulary, laws) = (self.vocabulary.clone(), self.shield.laws());
        let mentioned = mentioned(laws, &vocabulary);
        let state = |letter: &Letter, unknown: &PropSet, safe| State {
            literals: literals(letter, &mentioned, unknown, &vocabulary),
            safe,
        };
        let safe = |letter: &Letter| state(letter, &PropSet::EMPTY, true);
        let earlier = self.history.len().saturating_sub(MAX_VALID);
        let (mut before, mut word, mut valid) = (Letter::initial(self.began), Vec::new(), Vec::new());
        word.push(before);
        for (number, past) in self.history.iter().enumerate() {
            let states = past.outcome.passed.iter().chain([&past.observed]);
            let letters: Vec<Letter> = states.map(|state| Letter::after(&vocabulary, past.action, *state)).collect();
            if number >= earlier {
                let failed = if past.outcome.succeeded() { "" } else { " (it failed)" };
                valid.push(StateChange {
                    action: format!("{}{failed}", vocabulary.action_name(past.action)),
                    states: [&before].into_iter().chain(&letters).map(safe).collect(),
                });
            }
            word.extend(letters);
            before = Letter::initial(past.observed);
        }

        let (next, unknown) = self.foretold(action, before.0);
        let mut broken: BTreeSet<LawId> = blocking.iter().cloned().collect();
        let mut first = next.len().saturating_sub(1);
        if vocabulary.stop() == Some(action) {
            broken.extend(self.owed.iter().cloned());
        } else {
            for law in laws {
                if let Some(at) = breaks(law, &word, &next, &vocabulary) {
                    first = first.min(at);
                    broken.insert(law.id.clone());
                }
            }
        }
        let next = next.iter().take(first + 1).enumerate();
        let states = next.map(|(at, letter)| state(letter, &unknown, at < first));
        let invalid = StateChange {
            action: vocabulary.action_name(action).to_owned(),
            states: [safe(&before)].into_iter().chain(states).collect(),
        };
        Query { task: self.manifest.task.clone(), laws: laws.to_vec(), valid, earlier, invalid, broken }
    }

    /// Returns the letters that an action leads to, and the observations that are not known beforehand. In the last
    /// letter these observations keep their current values.
    fn foretold(&self, action: ActionId, now: PropSet) -> (Vec<Letter>, PropSet) {
        let forecast = match &self.last_observation {
            Some(observation) if self.vocabulary.stop() != Some(action) => {
                self.world.outlook(observation).forecast(action)
            }
            _ => Forecast { passes: Vec::new(), then: Some(Prediction::exactly(now)) },
        };
        let observations = PropSet::first(self.vocabulary.observations().len());
        let then = forecast.then.unwrap_or(Prediction { must: PropSet::EMPTY, may: observations });
        let unknown = then.open();
        let kept = now.intersection(&unknown);
        let states = forecast.passes.iter().copied().chain([then.must.union(&kept)]);
        (states.map(|state| Letter::after(&self.vocabulary, action, state)).collect(), unknown)
    }
}

/// Returns the position of the first letter in `next` that violates a law, after a word that does not violate it.
fn breaks(law: &Law, word: &[Letter], next: &[Letter], vocabulary: &Arc<Vocabulary>) -> Option<usize> {
    let mut monitor = Monitor::new(&law.formula, vocabulary.clone()).ok()?;
    if word.iter().any(|letter| monitor.advance(letter) == Verdict::Violated) {
        return None;
    }
    next.iter().position(|letter| monitor.advance(letter) == Verdict::Violated)
}

/// The propositions that laws mention, in the vocabulary's order.
fn mentioned(laws: &[Law], vocabulary: &Vocabulary) -> BTreeSet<PropId> {
    laws.iter().flat_map(|law| law.formula.atoms()).filter_map(|name| vocabulary.id(&name)).collect()
}

/// Writes the mentioned propositions of a letter as literals; only the action that was taken is included.
fn literals(letter: &Letter, mentioned: &BTreeSet<PropId>, unknown: &PropSet, vocabulary: &Vocabulary) -> String {
    let shown = |id: &&PropId| {
        if vocabulary.is_observation(**id) { !unknown.contains(**id) } else { letter.holds(**id) }
    };
    let literal = |id: &PropId| format!("{}{}", if letter.holds(*id) { "" } else { "!" }, vocabulary.name_of(*id));
    mentioned.iter().filter(shown).map(literal).collect::<Vec<_>>().join(" & ")
}

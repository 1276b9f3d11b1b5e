//! The situation of an actor that must not know the laws, in the vocabulary of the world without laws.

use std::sync::Arc;

use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};
use ltlcrit_worlds::Observation;

use super::{PastStep, Proposed, Situation};

/// A situation translated to another vocabulary. A large world orders its vocabulary by what the laws mention, which reveals them.
pub(super) struct Unaware {
    words: Arc<Vocabulary>,
    observation: Observation,
    history: Vec<PastStep>,
    offered: Vec<ActionId>,
    feasible: Vec<ActionId>,
    allowed: Option<Vec<ActionId>>,
}

impl Unaware {
    pub fn of(situation: &Situation<'_>, words: Arc<Vocabulary>) -> Self {
        let own = situation.vocabulary;
        let holds = |all: PropSet| -> PropSet { all.iter().filter_map(|of| words.id(own.name_of(of))).collect() };
        let action = |of: ActionId| words.action(own.action_name(of));
        let actions = |all: &[ActionId]| {
            let mut all: Vec<ActionId> = all.iter().filter_map(|of| action(*of)).collect();
            // Worlds list the end of the run last.
            all.sort_unstable_by_key(|of| (words.stop() == Some(*of), *of));
            all
        };
        let step = |step: &PastStep| {
            Some(PastStep { action: action(step.action)?, observed: holds(step.observed), ..step.clone() })
        };
        Self {
            observation: Observation { holds: holds(situation.observation.holds), ..situation.observation.clone() },
            history: situation.history.iter().filter_map(step).collect(),
            offered: actions(situation.offered),
            feasible: actions(situation.feasible),
            allowed: situation.allowed.map(actions),
            words,
        }
    }

    /// Returns the translated situation, with the rest of the original.
    pub fn situation<'a>(&'a self, other: &Situation<'a>) -> Situation<'a> {
        Situation {
            vocabulary: &self.words,
            observation: &self.observation,
            history: &self.history,
            offered: &self.offered,
            feasible: &self.feasible,
            allowed: self.allowed.as_deref(),
            ..*other
        }
    }

    /// Translates a proposal back.
    pub fn proposed(&self, proposed: Proposed, other: &Situation<'_>) -> Proposed {
        let known = |action: ActionId| other.vocabulary.action(self.words.action_name(action)).unwrap_or(action);
        Proposed { action: proposed.action.map(known), ..proposed }
    }
}

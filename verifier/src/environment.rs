//! What can follow an action: anything the axioms allow, or what a transition model says.
//!
//! This is the one seam between deciding with a transition model and without. [`Joint`](crate::joint::Joint) asks it how a
//! continuation is found, [`Search`](crate::search::Search) picks its strategy by it.

use std::sync::Arc;

use crate::axioms::Axioms;
use crate::letter::{Letter, PropSet};
use crate::transitions::Transitions;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// With at most this many observations every state is tried where a model does not know.
const FEW_OBSERVATIONS: usize = 8;

/// What can follow an action.
#[derive(Clone)]
pub(crate) enum Environment {
    /// Any observations that the axioms allow.
    Free,
    /// What a model says.
    Modelled(Modelled),
}

/// A transition model, and what may follow where it does not know.
#[derive(Clone)]
pub(crate) struct Modelled {
    pub model: Arc<dyn Transitions>,
    /// Every state the axioms allow, if there are few.
    pub every_state: Option<Arc<[PropSet]>>,
}

impl Environment {
    /// The environment that follows a model.
    pub fn modelled(model: Arc<dyn Transitions>, vocabulary: &Vocabulary) -> Self {
        let count = vocabulary.observations().len();
        let every_state = (count <= FEW_OBSERVATIONS).then(|| {
            let mut axioms = Axioms::new(vocabulary);
            let props: Vec<PropId> = (0..count as u16).map(PropId).collect();
            let state = |code: usize| -> PropSet { props.iter().copied().filter(|p| code >> p.0 & 1 == 1).collect() };
            let is_legal = |state: &PropSet| axioms.allow(&props, &Letter(*state));
            (0..1usize << count).map(state).filter(is_legal).collect()
        });
        Self::Modelled(Modelled { model, every_state })
    }

    /// Whether a model is followed.
    pub fn is_modelled(&self) -> bool {
        matches!(self, Self::Modelled(_))
    }

    /// The observations an action leads to, where they are known: stopping changes none, for the rest the model must tell.
    pub fn predict(&self, vocabulary: &Vocabulary, observations: &PropSet, action: ActionId) -> Option<PropSet> {
        match self {
            _ if Some(action) == vocabulary.stop() => Some(*observations),
            Self::Free => None,
            Self::Modelled(modelled) => modelled.model.next(observations, action),
        }
    }

    /// The observations to try first after an action: those predicted; unchanged if anything may follow. `None` where a
    /// model does not know.
    pub fn first_guess(&self, vocabulary: &Vocabulary, observations: &PropSet, action: ActionId) -> Option<PropSet> {
        match self {
            Self::Free => Some(*observations),
            Self::Modelled(_) => self.predict(vocabulary, observations, action),
        }
    }
}

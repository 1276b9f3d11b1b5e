//! Whichever actor a name stands for.

use crate::actor::simulated::Persona;
use ltlcrit_model::answer::nearest;
use ltlcrit_model::{ChatModel, ModelError, Waits};
use thiserror::Error;

use super::{Actor, InnerMonologue, Naive, NlConstraints, Proposal, SayCan, Situation};

/// The actors' names.
pub const ACTORS: [&str; 4] = ["naive", "saycan", "inner-monologue", "nl-constraints"];

/// The actor `ltlcrit run` takes unless told otherwise.
pub const DEFAULT_ACTOR: &str = "inner-monologue";

/// A name that is no actor's.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "there is no actor `{given}`{}; the actors are {}",
    suggestion.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default(),
    ACTORS.join(", ")
)]
pub struct UnknownActor {
    /// The name given.
    pub given: String,
    /// The nearest existing name.
    pub suggestion: Option<&'static str>,
}

/// One of the four actors.
#[derive(Debug)]
pub enum AnyActor<M> {
    /// State and actions.
    Naive(Naive<M>),
    /// Affordances and values.
    SayCan(SayCan<M>),
    /// Thoughts and feedback.
    InnerMonologue(InnerMonologue<M>),
    /// Laws in the prompt, no shield.
    NlConstraints(NlConstraints<M>),
}

impl<M: ChatModel> AnyActor<M> {
    /// The actor of a name, asking a model.
    ///
    /// # Errors
    /// No actor has this name.
    pub fn new(name: &str, model: M) -> Result<Self, UnknownActor> {
        match name {
            "naive" => Ok(Self::Naive(Naive::new(model))),
            "saycan" => Ok(Self::SayCan(SayCan::new(model))),
            "inner-monologue" => Ok(Self::InnerMonologue(InnerMonologue::new(model))),
            "nl-constraints" => Ok(Self::NlConstraints(NlConstraints::new(model))),
            _ => Err(unknown(name)),
        }
    }

    /// Whether the loop puts a shield before it: all but `nl-constraints`.
    pub fn shielded(&self) -> bool {
        !matches!(self, Self::NlConstraints(_))
    }
}

fn unknown(name: &str) -> UnknownActor {
    UnknownActor { given: name.chars().take(80).collect(), suggestion: nearest(name, ACTORS) }
}

/// The persona plain `simulated` stands for with an actor.
///
/// # Errors
/// No actor has this name.
pub fn persona_of(actor: &str) -> Result<Persona, UnknownActor> {
    // Actors and their personas share their names.
    if ACTORS.contains(&actor) { actor.parse().map_err(|()| unknown(actor)) } else { Err(unknown(actor)) }
}

impl<M: ChatModel> Actor for AnyActor<M> {
    fn name(&self) -> &str {
        match self {
            Self::Naive(actor) => actor.name(),
            Self::SayCan(actor) => actor.name(),
            Self::InnerMonologue(actor) => actor.name(),
            Self::NlConstraints(actor) => actor.name(),
        }
    }

    fn waits(&self) -> Waits {
        match self {
            Self::Naive(actor) => actor.waits(),
            Self::SayCan(actor) => actor.waits(),
            Self::InnerMonologue(actor) => actor.waits(),
            Self::NlConstraints(actor) => actor.waits(),
        }
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposal, ModelError> {
        match self {
            Self::Naive(actor) => actor.propose(situation).await,
            Self::SayCan(actor) => actor.propose(situation).await,
            Self::InnerMonologue(actor) => actor.propose(situation).await,
            Self::NlConstraints(actor) => actor.propose(situation).await,
        }
    }
}

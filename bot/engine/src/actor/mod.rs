//! Actors propose the next action; the shield decides.

mod following;
mod kind;
mod planned;
mod prompted;
mod prompts;
mod query;
mod ranking;
mod reply;
pub mod simulated;
mod unaware;
mod whole_plan;

pub use following::FollowingActor;
pub use kind::ActorKind;
use ltlcrit_model::{ModelError, Usage, Waits};
use ltlcrit_store::{NoAction, Worded};
use ltlcrit_verifier::{ActionId, Law, LawId, PropSet, Vocabulary};
use ltlcrit_worlds::async_trait;
use ltlcrit_worlds::{Observation, Outcome, Term};
pub use planned::PlannedActor;
pub use prompted::PromptedActor;
pub use prompts::{PromptOptions, Reasons, RefusalForm, Wording};
pub use query::{Query, State, StateChange};
pub(crate) use reply::answer;

/// An executed step, as shown to actors with a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct PastStep {
    /// The thought in the actor's answer, if it has one.
    pub thought: Option<String>,
    /// The action.
    pub action: ActionId,
    /// Its outcome.
    pub outcome: Outcome,
    /// The observations that held after it.
    pub observed: PropSet,
    /// The proposals of this step that did not run, in order.
    pub refused: Vec<NotRun>,
    /// The number of questions to the actor in this step.
    pub asked: usize,
}

/// The reason why a proposal of the current step did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The reply is not an action.
    NoAction(NoAction),
    /// The shield blocked the action.
    Blocked {
        /// The action.
        action: ActionId,
        /// The explanation in English: the laws that block it, the reason why they apply here, and for stopping the
        /// pending obligations. It does not name the action.
        explanation: String,
        /// The laws that block it; empty if it is not known whether any law does.
        laws: Vec<LawId>,
    },
}

impl NotRun {
    /// Returns the blocked action, if it is one.
    pub fn blocked(&self) -> Option<ActionId> {
        match self {
            Self::NoAction(_) => None,
            Self::Blocked { action, .. } => Some(*action),
        }
    }

    /// Returns the laws that kept it from running.
    pub fn laws(&self) -> &[LawId] {
        match self {
            Self::NoAction(_) => &[],
            Self::Blocked { laws, .. } => laws,
        }
    }
}

/// The input of an actor's proposal.
pub struct Situation<'a> {
    /// The thing that the actor controls: "a player in a game".
    pub role: &'a str,
    /// The task in one sentence.
    pub task: &'a str,
    /// Names and meanings of observations and actions.
    pub vocabulary: &'a Vocabulary,
    /// The terms of the state and of the meanings that need an explanation.
    pub glossary: &'a [Term],
    /// The number of the step to be taken, from 1.
    pub step: u64,
    /// The current observation.
    pub observation: &'a Observation,
    /// The steps so far, oldest first. Actors keep no state between steps, so a resumed run continues as if it had
    /// never stopped.
    pub history: &'a [PastStep],
    /// The number of earlier questions to the actor in this step.
    pub asked: usize,
    /// The refused proposals of this step, oldest first.
    pub refusals: &'a [NotRun],
    /// The actions to choose from, which prompts list: all actions, or those that the world knows to be applicable.
    pub offered: &'a [ActionId],
    /// The actions that the hard laws allow: SayCan's affordances.
    pub feasible: &'a [ActionId],
    /// The allowed actions, listed after the last re-prompt.
    pub allowed: Option<&'a [ActionId]>,
    /// The laws in force; the prompts of `nl-constraints` and `whole-plan` contain them.
    pub laws: &'a [Law],
    /// True if the goal is reached and the loop proposes to stop.
    pub goal_reached: bool,
}

/// A proposal of an actor.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposed {
    /// The action, or the reason why the reply is not one.
    pub action: Result<ActionId, NoAction>,
    /// The thought in the answer, if there is one.
    pub thought: Option<String>,
    /// The tokens used for this proposal.
    pub usage: Usage,
}

/// Proposes the next action.
#[async_trait(?Send)]
pub trait Actor {
    /// The actor's name: `naive`, `saycan`, `inner-monologue`, `nl-constraints`.
    fn name(&self) -> &str;

    /// Proposes the next action.
    ///
    /// # Errors
    /// The model gives no answer. An unreadable answer is a refusal, not an error.
    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError>;

    /// Returns whether its model explains why an action is blocked.
    fn explains(&self) -> bool {
        false
    }

    /// Asks its model why an action is blocked. Called only if it [explains](Actor::explains) blocks.
    ///
    /// # Errors
    /// The model gives no answer. An untrue answer is [replaced](Worded::replaced) and is not an error.
    async fn explain(&mut self, query: &Query) -> Result<Worded, ModelError> {
        let _ = query;
        Err(ModelError::Unavailable { model: self.name().to_owned(), why: "it explains nothing".to_owned() })
    }

    /// Returns the current wait of its model, shown while it proposes.
    fn waits(&self) -> Waits {
        Waits::default()
    }
}

#[cfg(test)]
mod tests;

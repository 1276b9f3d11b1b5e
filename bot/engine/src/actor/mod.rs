//! Actors, which propose the next action; the shield decides.

mod following;
mod kind;
mod planned;
mod prompted;
mod prompts;
mod query;
mod ranking;
mod reply;
pub mod simulated;
mod whole_plan;

pub use following::{FollowingActor, PlanFileError};
pub use kind::ActorKind;
use ltlcrit_model::{ModelError, Usage, Waits};
use ltlcrit_store::{NoAction, Worded};
use ltlcrit_verifier::{ActionId, Law, LawId, PropSet, Vocabulary};
use ltlcrit_worlds::{Observation, Outcome, Term};
pub use planned::PlannedActor;
pub use prompted::PromptedActor;
pub use prompts::{PromptOptions, Reasons, Wording};
pub use query::{Query, State, StateChange};
pub(crate) use reply::answer;

/// An executed step, as shown to actors with a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct PastStep {
    /// The thought in the actor's answer, if it gave one.
    pub thought: Option<String>,
    /// The action.
    pub action: ActionId,
    /// Its outcome.
    pub outcome: Outcome,
    /// What held after it.
    pub observed: PropSet,
    /// The proposals of this step that did not run, in order.
    pub refused: Vec<NotRun>,
    /// How often the actor was asked in this step.
    pub asked: usize,
}

/// Why a proposal of the current step did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The reply is not an action.
    NoAction(NoAction),
    /// The shield blocked the action.
    Blocked {
        /// The action.
        action: ActionId,
        /// In English: the laws that block it, why they apply here, and for stopping what is owed. Does not name the action.
        explanation: String,
        /// The laws that block it; none where it is not known whether they do.
        laws: Vec<LawId>,
    },
}

impl NotRun {
    /// The laws that kept it from running.
    pub fn laws(&self) -> &[LawId] {
        match self {
            Self::NoAction(_) => &[],
            Self::Blocked { laws, .. } => laws,
        }
    }
}

/// What an actor sees before it proposes.
pub struct Situation<'a> {
    /// The task in one sentence.
    pub task: &'a str,
    /// Names and meanings of observations and actions.
    pub vocabulary: &'a Vocabulary,
    /// The words of the state and of the meanings that need explaining.
    pub glossary: &'a [Term],
    /// The number of the step to be taken, from 1.
    pub step: u64,
    /// The current observation.
    pub observation: &'a Observation,
    /// The steps so far, oldest first. Actors keep no state between steps, so a resumed run continues as if it had
    /// never stopped.
    pub history: &'a [PastStep],
    /// How often the actor was asked in this step already.
    pub asked: usize,
    /// This step's proposals that were refused, oldest first.
    pub refusals: &'a [NotRun],
    /// The actions that can be tried: all, unless the world knows better. Prompts list these.
    pub offered: &'a [ActionId],
    /// The actions the hard laws allow: SayCan's affordances.
    pub feasible: &'a [ActionId],
    /// The allowed actions, listed once the re-prompts are used up.
    pub allowed: Option<&'a [ActionId]>,
    /// The laws in force; `nl-constraints` and `whole-plan` are told them.
    pub laws: &'a [Law],
    /// Set when the goal is reached and the loop proposes to stop.
    pub goal_reached: bool,
}

/// A proposal of an actor.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposed {
    /// The action, or why the reply is not one.
    pub action: Result<ActionId, NoAction>,
    /// The thought in the answer, if there is one.
    pub thought: Option<String>,
    /// Tokens used for this proposal.
    pub usage: Usage,
}

/// Proposes the next action.
#[allow(async_fn_in_trait)]
pub trait Actor {
    /// The actor's name: `naive`, `saycan`, `inner-monologue`, `nl-constraints`.
    fn name(&self) -> &str;

    /// Proposes the next action.
    ///
    /// # Errors
    /// The model gives no answer; an unreadable answer is a refusal, not an error.
    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError>;

    /// Whether it has a model that puts into words why an action is blocked.
    fn explains(&self) -> bool {
        false
    }

    /// Has its model put into words why an action is blocked; asked only if it [explains](Actor::explains).
    ///
    /// # Errors
    /// The model gives no answer; one that is not true is [replaced](Worded::replaced), not an error.
    async fn explain(&mut self, query: &Query) -> Result<Worded, ModelError> {
        let _ = query;
        Err(ModelError::Unavailable { model: self.name().to_owned(), why: "it explains nothing".to_owned() })
    }

    /// The current wait of its model, shown while it proposes.
    fn waits(&self) -> Waits {
        Waits::default()
    }
}

#[cfg(test)]
mod tests;

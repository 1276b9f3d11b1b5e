//! Actors: whoever proposes the next action. They see the situation and propose; the shield decides.

mod any;
mod inner_monologue;
mod naive;
mod nl_constraints;
mod prompts;
mod reply;
mod saycan;
pub mod simulated;

use ltlcrit_model::{ChatModel, ChatRequest, ModelError, Usage, Waits};
use ltlcrit_store::NoAction;
use ltlcrit_verifier::{ActionId, Vocabulary};
use ltlcrit_worlds::{Observation, Outcome};

pub use any::{ACTORS, AnyActor, DEFAULT_ACTOR, UnknownActor, persona_of};
pub use inner_monologue::InnerMonologue;
pub use naive::Naive;
pub use nl_constraints::NlConstraints;
pub use saycan::SayCan;

/// A step that was executed, as actors with a memory are told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PastStep {
    /// What the actor said it thought, if it thinks aloud.
    pub thought: Option<String>,
    /// What was done.
    pub action: ActionId,
    /// What came of it.
    pub outcome: Outcome,
    /// The proposals of this step that did not run, in order.
    pub refused: Vec<Refusal>,
}

/// Why a proposal of the current step did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The reply is no action.
    NoAction(NoAction),
    /// The shield blocked the action.
    Blocked {
        /// The action.
        action: ActionId,
        /// The laws that block it, with what made them bite and what is allowed, in English.
        explanation: String,
    },
}

/// What an actor is told before it proposes.
pub struct Situation<'a> {
    /// The task in one sentence.
    pub task: &'a str,
    /// Names and meanings of observations and actions.
    pub vocabulary: &'a Vocabulary,
    /// The number of the step to be taken, from 1.
    pub step: u64,
    /// What holds now.
    pub observation: &'a Observation,
    /// The steps so far, oldest first. Actors keep no state of their own between steps, so a resumed run goes on as if
    /// it had never stopped.
    pub history: &'a [PastStep],
    /// This step's proposals that were refused, oldest first.
    pub refusals: &'a [Refusal],
    /// The actions the hard laws allow: SayCan's affordances.
    pub feasible: &'a [ActionId],
    /// When set, re-prompts are used up and the actor is shown exactly what is allowed.
    pub allowed: Option<&'a [ActionId]>,
    /// The laws in English, for actors that are told them.
    pub laws: &'a [String],
    /// Set when the goal is reached and the loop proposes to stop.
    pub goal_reached: bool,
}

/// What an actor proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The action, or why the reply is not one.
    pub action: Result<ActionId, NoAction>,
    /// What it said it thought.
    pub thought: Option<String>,
    /// Tokens used for this proposal.
    pub usage: Usage,
}

/// Whoever proposes the next action.
#[allow(async_fn_in_trait)]
pub trait Actor {
    /// The actor's name: `naive`, `saycan`, `inner-monologue`, `nl-constraints`.
    fn name(&self) -> &str;

    /// Proposes the next action.
    ///
    /// # Errors
    /// When the model gives no answer at all; unreadable answers are refusals, not errors.
    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposal, ModelError>;

    /// What its model waits for while it proposes.
    fn waits(&self) -> Waits {
        Waits::default()
    }
}

/// Asks a question whose answer names one action.
async fn ask_for_action(
    model: &impl ChatModel,
    question: ChatRequest,
    situation: &Situation<'_>,
) -> Result<Proposal, ModelError> {
    let answer = model.ask(&question).await?;
    let (action, thought) = reply::read_action(&answer.text, situation.vocabulary);
    Ok(Proposal { action, thought, usage: answer.usage })
}

#[cfg(test)]
mod tests;

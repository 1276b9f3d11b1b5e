//! The prompt of the naive actor: shows the state and the actions, and asks for an action.

use ltlcrit_model::ChatRequest;

use super::{Meanings, PromptOptions, Situation, one_action};

/// The system message.
const SYSTEM: &str = include_str!("../../../prompts/naive.md");

/// Builds the question for one step.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    one_action(SYSTEM, situation, "", Meanings::Beside, options)
}

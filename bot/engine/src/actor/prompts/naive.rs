//! The prompt of the naive actor: shows the state and the actions, and asks for an action.

use ltlcrit_model::ChatRequest;

use super::{Meanings, PromptOptions, Situation, one_action};

const INSTRUCTIONS: &str = "You control {role}. Each turn you are shown the state and choose the one action to \
take next.";

/// Builds the question for one step.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    one_action(INSTRUCTIONS, situation, Meanings::Beside, options)
}

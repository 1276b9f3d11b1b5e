//! The prompt of the naive actor: shows the state and the actions, and asks for an action.

use ltlcrit_model::ChatRequest;

use super::{Meanings, PromptOptions, Situation, action_schema, allowed, refusals, request, state, system};

const INSTRUCTIONS: &str = "You control {role}. Each turn you are shown the state and choose the one action to \
take next.";

const FORM: &str = "Answer with one JSON object: {\"action\": \"the action's exact name\"}";

/// Builds the question for one step.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    let user = format!(
        "{}{}{}\nWhich action do you take?",
        state(situation, Meanings::Beside),
        refusals(situation),
        allowed(situation)
    );
    request(
        system(INSTRUCTIONS, situation, FORM, Meanings::Beside, options),
        user,
        action_schema(situation, false),
        options,
    )
}

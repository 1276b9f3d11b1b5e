//! The prompt for a whole plan at once (after Code as Policies, the Safety Chip's baseline without feedback).

use ltlcrit_model::ChatRequest;
use serde_json::json;

use super::nl_constraints::laws;
use super::{Meanings, PromptOptions, Situation, answer, object, refusals, request, state, system};

/// The system message.
const SYSTEM: &str = include_str!("../../../prompts/whole_plan.md");

/// Builds the question.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    let user = format!(
        "{}{}\nWhich actions do you take?",
        state(situation, Meanings::Listed),
        refusals(situation, options.refusal)
    );
    let choices: Vec<&str> = situation.vocabulary.catalogue().map(|(_, action)| &*action.name).collect();
    let plan = json!({ "type": "array", "items": { "type": "string", "enum": choices } });
    let answer = answer("plan", object(&["plan"], json!({ "plan": plan })));
    // The actions that apply now do not bound those that apply later.
    let all: Vec<_> = situation.vocabulary.catalogue().map(|(action, _)| action).collect();
    let whole = Situation { offered: &all, ..*situation };
    request(system(SYSTEM, &whole, &laws(situation, options), options), user, answer, options)
}

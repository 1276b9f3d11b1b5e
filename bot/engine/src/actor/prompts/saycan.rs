//! The prompt of SayCan: one question for the values of all feasible actions (LTLCrit section 4.2).

use ltlcrit_model::ChatRequest;
use serde_json::{Value, json};

use super::{
    Meanings, NotRun, PromptOptions, Situation, answer, names, object, refusals_where, request, state, system,
};

/// The system message.
const SYSTEM: &str = include_str!("../../../prompts/saycan.md");

/// Builds the question for one step.
///
/// It does not mention blocked actions, because one answer serves for the whole step: after a refusal the actor
/// proposes the next best action.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    let Situation { vocabulary, feasible, .. } = *situation;
    let user = format!(
        "{}{}\nFeasible actions: {}\n\nWhat is the value of each?",
        state(situation, Meanings::Beside),
        refusals_where(situation, options.refusal, |refusal| !matches!(refusal, NotRun::Blocked { .. })),
        names(vocabulary, feasible)
    );
    let properties: serde_json::Map<String, Value> = feasible
        .iter()
        .map(|action| (vocabulary.action_name(*action).to_owned(), json!({ "type": "integer" })))
        .collect();
    let required: Vec<&str> = feasible.iter().map(|action| vocabulary.action_name(*action)).collect();
    let values = object(&required, Value::Object(properties));
    let answer = answer("action_values", object(&["values"], json!({ "values": values })));
    request(system(SYSTEM, situation, "", options), user, answer, options)
}

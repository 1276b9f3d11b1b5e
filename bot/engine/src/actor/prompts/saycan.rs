//! The prompt of SayCan: one question for the values of all feasible actions (LTLCrit section 4.2).

use ltlcrit_model::ChatRequest;
use serde_json::{Value, json};

use super::{
    Meanings, NotRun, PromptOptions, Situation, answer, names, object, refusals_where, request, state, system,
};

const INSTRUCTIONS: &str = "You rate what {role} could do next. Each turn you are shown the state and the \
feasible actions. Give every feasible action a whole number from 0 (useless) to 10 (the best thing to do): how much \
taking it now helps to complete the task.";

const FORM: &str = "Answer with one JSON object that has every feasible action: {\"values\": {\"the action's exact name\": \
5, …}}";

/// Builds the question for one step.
///
/// It does not mention blocked actions, because one answer serves for the whole step: after a refusal the actor
/// proposes the next best action.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    let Situation { vocabulary, feasible, .. } = *situation;
    let user = format!(
        "{}{}\nFeasible actions: {}\n\nWhat is the value of each?",
        state(situation, Meanings::Beside),
        refusals_where(situation, |refusal| !matches!(refusal, NotRun::Blocked { .. })),
        names(vocabulary, feasible)
    );
    let properties: serde_json::Map<String, Value> = feasible
        .iter()
        .map(|action| (vocabulary.action_name(*action).to_owned(), json!({ "type": "integer" })))
        .collect();
    let required: Vec<&str> = feasible.iter().map(|action| vocabulary.action_name(*action)).collect();
    let values = object(&required, Value::Object(properties));
    let answer = answer("action_values", object(&["values"], json!({ "values": values })));
    request(system(INSTRUCTIONS, situation, FORM, Meanings::Beside, options), user, answer, options)
}

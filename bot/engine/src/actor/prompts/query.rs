//! The question about a blocked action, which asks for the reason (Safety Chip, appendix F).

use std::fmt::Write as _;

use ltlcrit_model::{ChatRequest, Role};
use serde_json::json;

use super::super::query::{Query, StateChange};
use super::{BULLET, MAX_NAME, MAX_QUOTE, PromptOptions, answer, object, one_line, quoted, request};

/// The system message.
const SYSTEM: &str = include_str!("../../../prompts/query.md");

/// The maximum length of a row of facts, in bytes.
const MAX_ROW: usize = 4 * 1024;

/// Builds the question.
pub(in super::super) fn question(query: &Query, options: PromptOptions) -> ChatRequest {
    let mut user = format!("The task: {}\n\nThe laws:\n", one_line(&query.task, MAX_QUOTE));
    // Writing to a string cannot fail.
    for law in &query.laws {
        let text =
            if law.explanation.trim().is_empty() { law.formula.to_string() } else { law.explanation.to_string() };
        let _ = writeln!(user, "{BULLET}{}: {}", one_line(&law.id, MAX_NAME), quoted(&text));
    }
    if query.earlier > 0 {
        let _ = writeln!(user, "\n({} valid actions before these are not shown.)", query.earlier);
    }
    for (number, change) in query.valid.iter().enumerate() {
        write_change(&mut user, &format!("Valid action #{}", query.earlier + number + 1), change);
    }
    write_change(&mut user, "Invalid action", &query.invalid);
    user.push_str("\nReason of violation:");
    let names: Vec<&str> = query.laws.iter().map(|law| &*law.id).collect();
    let violated = json!({ "type": "array", "items": { "type": "string", "enum": names } });
    let properties = json!({ "violated": violated, "reason": { "type": "string" } });
    let answer = answer("violated_laws_and_reason", object(&["violated", "reason"], properties));
    ChatRequest { role: Role::Explainer, ..request(SYSTEM.trim_end().to_owned(), user, answer, options) }
}

fn write_change(user: &mut String, heading: &str, change: &StateChange) {
    let _ = writeln!(user, "\n{heading}: {}", one_line(&change.action, MAX_NAME));
    for state in &change.states {
        let word = if state.safe { "Safe" } else { "Violated" };
        let _ = writeln!(user, "{word}: {}", one_line(&state.literals, MAX_ROW));
    }
}

//! The prompt with laws as English prohibitions, for the actor without a shield (Safety Chip's `NL constraints`
//! baseline).

use std::fmt::Write as _;

use ltlcrit_model::ChatRequest;

use super::headings::LAWS;
use super::prohibitions::prohibition;
use super::{Meanings, PromptOptions, Situation, Wording, one_action, quoted};

/// The system message.
const SYSTEM: &str = include_str!("../../../prompts/nl_constraints.md");

/// Builds the question for one step.
pub(in super::super) fn question(situation: &Situation<'_>, options: PromptOptions) -> ChatRequest {
    one_action(SYSTEM, situation, &laws(situation, options), Meanings::Listed, options)
}

/// Lists the laws in English, after an empty line; empty if there are none.
pub(super) fn laws(situation: &Situation<'_>, options: PromptOptions) -> String {
    if situation.laws.is_empty() {
        return String::new();
    }
    let mut listed = format!("\n\n{LAWS}");
    for (number, law) in situation.laws.iter().enumerate() {
        let text = match options.wording {
            Wording::Given if !law.explanation.trim().is_empty() => quoted(&law.explanation),
            _ => prohibition(law, situation.vocabulary),
        };
        // Writing to a string cannot fail.
        let _ = write!(listed, "\n{}. {text}", number + 1);
    }
    listed
}

//! The plan of an actor that is asked once. The thoughts of its steps hold the remaining plan, so that a resumed run
//! continues it.

use ltlcrit_model::Usage;
use ltlcrit_verifier::{ActionId, Vocabulary};

use super::{Proposed, Situation, reply};

/// The prefix of a thought, before the remaining actions.
const THEN: &str = "Then: ";
/// The separator between actions.
const BETWEEN: &str = "; ";
/// The thought of the last action.
const LAST: &str = "That is the last action.";

/// Returns the remaining plan, or `None` before the first step.
pub(super) fn left(situation: &Situation<'_>) -> Option<Vec<ActionId>> {
    let past = situation.history.last()?;
    let names = past.thought.as_deref().and_then(|thought| thought.strip_prefix(THEN)).unwrap_or_default();
    let names = names.split(BETWEEN).filter(|name| !name.is_empty());
    Some(names.filter_map(|name| reply::find(name, situation.vocabulary).ok()).collect())
}

/// Proposes the first remaining action, with a thought that holds the others. Proposes to stop after the last action.
pub(super) fn next(left: &[ActionId], vocabulary: &Vocabulary, usage: Usage) -> Proposed {
    let Some((first, others)) = left.split_first() else {
        let action = vocabulary.stop().ok_or_else(reply::no_stop);
        return Proposed { action, thought: Some("The plan is at its end.".to_owned()), usage };
    };
    let names: Vec<&str> = others.iter().map(|action| vocabulary.action_name(*action)).collect();
    let thought = if names.is_empty() { LAST.to_owned() } else { format!("{THEN}{}", names.join(BETWEEN)) };
    Proposed { action: Ok(*first), thought: Some(thought), usage }
}

//! The plan of an actor that was asked once. The thoughts of its steps hold what is left of it, so that a resumed run goes on
//! with it.

use ltlcrit_model::Usage;
use ltlcrit_store::NoAction;
use ltlcrit_verifier::{ActionId, Vocabulary};

use super::{Proposed, Situation, reply};

/// Begins a thought, before the actions left.
const THEN: &str = "Then: ";
/// Stands between actions.
const BETWEEN: &str = "; ";
/// The thought of the last action.
const LAST: &str = "That is the last action.";

/// What is left of the plan; `None` before the first step.
pub(super) fn left(situation: &Situation<'_>) -> Option<Vec<ActionId>> {
    let past = situation.history.last()?;
    let names = past.thought.as_deref().and_then(|thought| thought.strip_prefix(THEN)).unwrap_or_default();
    let names = names.split(BETWEEN).filter(|name| !name.is_empty());
    Some(names.filter_map(|name| reply::find(name, situation.vocabulary).ok()).collect())
}

/// The first action of what is left, with a thought that holds the others; after the last one it stops.
pub(super) fn next(left: &[ActionId], vocabulary: &Vocabulary, usage: Usage) -> Proposed {
    let Some((first, others)) = left.split_first() else {
        let action = vocabulary.stop().ok_or_else(|| NoAction::Malformed {
            reply: String::new(),
            why: "the world has no action to stop".to_owned(),
        });
        return Proposed { action, thought: Some("The plan is at its end.".to_owned()), usage };
    };
    let names: Vec<&str> = others.iter().map(|action| vocabulary.action_name(*action)).collect();
    let thought = if names.is_empty() { LAST.to_owned() } else { format!("{THEN}{}", names.join(BETWEEN)) };
    Proposed { action: Ok(*first), thought: Some(thought), usage }
}

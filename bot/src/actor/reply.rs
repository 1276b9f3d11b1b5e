//! Parses a model's answer into an action, or into the reason it is not one. Answers are untrusted.

use ltlcrit_model::answer::{self, Unreadable, cut, nearest};
use ltlcrit_store::NoAction;
use ltlcrit_verifier::{ActionId, Vocabulary};
use serde_json::{Map, Value};

/// The most bytes kept of an unreadable answer.
const KEPT_REPLY: usize = 500;

/// The most bytes kept of an unknown name.
const KEPT_NAME: usize = 80;

/// The most bytes kept of a thought.
const KEPT_THOUGHT: usize = 1000;

/// An answer that cannot be read.
pub(super) fn malformed(reply: &str, why: impl ToString) -> NoAction {
    NoAction::Malformed { reply: cut(reply, KEPT_REPLY), why: cut(&why.to_string(), KEPT_REPLY) }
}

/// A name the vocabulary does not have.
pub(super) fn unknown(name: &str, vocabulary: &Vocabulary) -> NoAction {
    let candidates = vocabulary.actions().iter().map(|action| &*action.name);
    NoAction::Unknown { name: cut(name, KEPT_NAME), suggestion: nearest(name, candidates).map(str::to_owned) }
}

/// The action that an answer names, and its thought if it has one.
pub(super) fn read_action(reply: &str, vocabulary: &Vocabulary) -> (Result<ActionId, NoAction>, Option<String>) {
    match answer::object(reply) {
        Ok(object) => {
            let thought = object.get("thought").and_then(Value::as_str).map(|text| cut(text.trim(), KEPT_THOUGHT));
            (action_of(&object, reply, vocabulary), thought.filter(|text| !text.is_empty()))
        }
        Err(error @ (Unreadable::Empty | Unreadable::TooLong { .. })) => (Err(malformed(reply, error)), None),
        Err(error) => match bare_name(reply) {
            Some(name) => (find(name, vocabulary), None),
            None => (Err(malformed(reply, error)), None),
        },
    }
}

fn action_of(object: &Map<String, Value>, reply: &str, vocabulary: &Vocabulary) -> Result<ActionId, NoAction> {
    match object.get("action") {
        Some(Value::String(name)) => find(name, vocabulary),
        Some(_) => Err(malformed(reply, "`action` must be the name of an action, as a string")),
        None => Err(malformed(reply, "the object has no `action`")),
    }
}

/// The name in an answer that consists of a name, or has a line `action: name`.
fn bare_name(reply: &str) -> Option<&str> {
    let line = reply
        .lines()
        .rev()
        .find_map(|line| line.split_once(':').filter(|(label, _)| is_action_label(label)).map(|(_, rest)| rest))
        .unwrap_or(reply);
    let name = line.trim_matches(|c: char| c.is_whitespace() || "`'\"*.".contains(c));
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

fn is_action_label(label: &str) -> bool {
    label.trim_matches(|c: char| c.is_whitespace() || "*`\"'-".contains(c)).eq_ignore_ascii_case("action")
}

/// The action of a name; tolerates case, spaces for underscores and a missing `action_`.
pub(super) fn find(name: &str, vocabulary: &Vocabulary) -> Result<ActionId, NoAction> {
    let name = name.trim();
    if name.is_empty() {
        return Err(malformed(name, "the action's name is empty"));
    }
    if name.len() > 4 * KEPT_NAME {
        return Err(unknown(name, vocabulary));
    }
    if let Some(action) = vocabulary.action(name) {
        return Ok(action);
    }
    let plain = |text: &str| text.to_lowercase().replace([' ', '-'], "_");
    let wanted = plain(name);
    let prefixed = format!("action_{wanted}");
    vocabulary
        .action_ids()
        .find(|action| {
            let known = plain(vocabulary.action_name(*action));
            known == wanted || known == prefixed
        })
        .ok_or_else(|| unknown(name, vocabulary))
}

/// The values that an answer gives to actions, by name, clamped to 0 to 1.
pub(super) fn read_values(reply: &str) -> Result<Vec<(String, f64)>, NoAction> {
    let object = answer::object(reply).map_err(|error| malformed(reply, error))?;
    let values = match object.get("values") {
        Some(Value::Object(values)) => values,
        Some(_) => return Err(malformed(reply, "`values` must be an object with a number for every action")),
        None => &object,
    };
    let mut read = Vec::with_capacity(values.len());
    for (name, value) in values {
        match value.as_f64() {
            Some(value) if value.is_finite() => read.push((name.clone(), value.clamp(0.0, 1.0))),
            _ => return Err(malformed(reply, format!("the value of `{}` is not a number", cut(name, KEPT_NAME)))),
        }
    }
    if read.is_empty() { Err(malformed(reply, "it has no values")) } else { Ok(read) }
}

#[cfg(test)]
mod tests;

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

/// The action that an answer names, and its thought if it has one. Of several actions the first counts, if all exist.
pub(super) fn read_action(reply: &str, vocabulary: &Vocabulary) -> (Result<ActionId, NoAction>, Option<String>) {
    let objects = match answer::objects(reply) {
        Ok(objects) => objects,
        Err(error @ (Unreadable::Empty | Unreadable::TooLong { .. })) => return (Err(malformed(reply, error)), None),
        Err(error) => {
            let names = bare_names(reply);
            let action = if names.is_empty() { Err(malformed(reply, error)) } else { first(&names, reply, vocabulary) };
            return (action, None);
        }
    };
    let thought = objects.iter().find_map(|object| object.get("thought")?.as_str());
    let thought = thought.map(|text| cut(text.trim(), KEPT_THOUGHT)).filter(|text| !text.is_empty());
    (named(&objects, reply, vocabulary), thought)
}

fn named(objects: &[Map<String, Value>], reply: &str, vocabulary: &Vocabulary) -> Result<ActionId, NoAction> {
    let mut names = Vec::new();
    for action in objects.iter().filter_map(|object| object.get("action")) {
        let several = match action {
            Value::Array(several) => several.as_slice(),
            one => std::slice::from_ref(one),
        };
        for name in several {
            let name = name.as_str();
            names.push(name.ok_or_else(|| malformed(reply, "`action` must be the name of an action, as a string"))?);
        }
    }
    if names.is_empty() {
        Err(malformed(reply, "the object has no `action`"))
    } else {
        first(&names, reply, vocabulary)
    }
}

/// The first of these actions, or of a list in the place of one name, if all of them exist.
fn first(names: &[&str], reply: &str, vocabulary: &Vocabulary) -> Result<ActionId, NoAction> {
    let all = |names: &[&str]| -> Result<Vec<ActionId>, NoAction> {
        names.iter().map(|name| find(name, vocabulary)).collect()
    };
    let first = |actions: Vec<ActionId>| actions.first().copied();
    if let [name] = names {
        let listed = name.split([',', ';', '\n', '>']).map(|name| {
            let name = name.trim_end_matches(|c: char| c.is_whitespace() || "-'\"`".contains(c));
            name.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || "-.)'\"`".contains(c))
        });
        let listed: Vec<&str> = listed.collect();
        return find(name, vocabulary).or_else(|why| all(&listed).ok().and_then(first).ok_or(why));
    }
    let several = "it names several actions, and not all of them exist; name one";
    all(names).ok().and_then(first).ok_or_else(|| malformed(reply, several))
}

/// The names in an answer that is a name, or has lines `action: name`.
fn bare_names(reply: &str) -> Vec<&str> {
    let labelled = reply
        .lines()
        .filter_map(|line| line.split_once(':').filter(|(label, _)| is_action_label(label)).map(|(_, rest)| rest));
    let mut names: Vec<&str> = labelled.collect();
    if names.is_empty() {
        names.push(reply);
    }
    let trimmed = names.into_iter().map(|name| name.trim_matches(|c: char| c.is_whitespace() || "`'\"*.".contains(c)));
    trimmed.filter(|name| !name.is_empty() && !name.contains(char::is_whitespace)).collect()
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

//! Parses a model's answer into an action, or into the reason it is not one. Answers are untrusted.

use ltlcrit_model::ChatReply;
use ltlcrit_model::answer::{self, Unreadable, cut, nearest};
use ltlcrit_store::NoAction;
use ltlcrit_verifier::{ActionId, Vocabulary};
use serde_json::{Map, Value};

/// The maximum length of an unreadable answer that is kept, in bytes.
const KEPT_REPLY: usize = 500;

/// The maximum length of an unknown name that is kept, in bytes.
const KEPT_NAME: usize = 80;

/// The maximum length of a thought that is kept, in bytes.
const KEPT_THOUGHT: usize = 1000;

/// The maximum number of names that are parsed in the place of one.
const MAX_LISTED: usize = 64;

/// The maximum number of actions of a plan.
const MAX_PLANNED: usize = 500;

/// The reason for the refusal of an answer that contradicts itself.
const SEVERAL: &str = "it gives several answers, and they differ; give one";

/// Returns the answer in a reply to an actor's question.
pub(crate) fn answer(reply: &ChatReply) -> Result<&str, NoAction> {
    reply.answer(Some("actor.answer_tokens")).map_err(|why| malformed(reply.text(), why))
}

/// Describes an answer that cannot be parsed.
pub(super) fn malformed(reply: &str, why: impl ToString) -> NoAction {
    NoAction::Malformed { reply: cut(reply, KEPT_REPLY), why: cut(&why.to_string(), KEPT_REPLY) }
}

/// Describes the end of a run in a world that has no action for it.
pub(super) fn no_stop() -> NoAction {
    malformed("", "the world has no action to stop")
}

/// Describes a name that the vocabulary does not have.
pub(super) fn unknown(name: &str, vocabulary: &Vocabulary) -> NoAction {
    let candidates = vocabulary.catalogue().map(|(_, action)| &*action.name);
    NoAction::Unknown { name: cut(name, KEPT_NAME), suggestion: nearest(name, candidates).map(str::to_owned) }
}

/// Parses the action that an answer names, and its thought if it has one.
///
/// An answer may name several actions, in any order and number:
/// * One JSON answer with several names (a list, or names in one text), or several lines `Action: …`, is read as a
///   plan. The first name that exists counts.
/// * Several JSON answers that name the same action count as one. If they differ, or one name does not exist, the
///   answer is refused, because it is ambiguous.
///
/// An action is never preferred for being the last.
pub(super) fn read_action(reply: &str, vocabulary: &Vocabulary) -> (Result<ActionId, NoAction>, Option<String>) {
    let objects = match answer::objects(reply) {
        Ok(objects) => objects,
        // An incomplete object does not name an action.
        Err(error @ Unreadable::NoObject) => {
            let action = first(&bare_names(reply), vocabulary).unwrap_or_else(|| Err(malformed(reply, error)));
            return (action, None);
        }
        Err(error) => return (Err(malformed(reply, error)), None),
    };
    let thought = objects.iter().find_map(|object| object.get("thought")?.as_str());
    let thought = thought.map(|text| cut(text.trim(), KEPT_THOUGHT)).filter(|text| !text.is_empty());
    (named(&objects, reply, vocabulary), thought)
}

fn named(objects: &[Map<String, Value>], reply: &str, vocabulary: &Vocabulary) -> Result<ActionId, NoAction> {
    let mut answers = Vec::new();
    for action in objects.iter().filter_map(|object| object.get("action")) {
        let several = match action {
            Value::Array(several) => several.as_slice(),
            one => std::slice::from_ref(one),
        };
        let names: Option<Vec<&str>> = several.iter().map(Value::as_str).collect();
        answers.push(names.ok_or_else(|| malformed(reply, "`action` must be the name of an action, as a string"))?);
    }
    if is_list(reply) {
        answers = vec![answers.concat()];
    }
    let mut actions = answers.iter().filter_map(|names| first(names, vocabulary));
    let Some(action) = actions.next() else { return Err(malformed(reply, "the object has no `action`")) };
    if actions.any(|other| other != action) {
        return Err(malformed(reply, SEVERAL));
    }
    action
}

/// Parses the actions of a plan, all of which must exist: a list `plan`, or a single `action`.
pub(super) fn read_plan(reply: &str, vocabulary: &Vocabulary) -> Result<Vec<ActionId>, NoAction> {
    let objects = match answer::objects(reply) {
        Ok(objects) => objects,
        Err(Unreadable::NoObject) => Vec::new(),
        Err(error) => return Err(malformed(reply, error)),
    };
    let Some(Value::Array(names)) = objects.iter().find_map(|object| object.get("plan")) else {
        return read_action(reply, vocabulary).0.map(|action| vec![action]);
    };
    if names.len() > MAX_PLANNED {
        return Err(malformed(reply, format!("a plan has at most {MAX_PLANNED} actions, this one {}", names.len())));
    }
    let name = |name: &Value| match name.as_str() {
        Some(name) => find(name, vocabulary),
        None => Err(malformed(reply, "`plan` must be a list of names of actions, as strings")),
    };
    names.iter().map(name).collect()
}

/// Returns whether the first JSON of an answer is a list of objects.
fn is_list(reply: &str) -> bool {
    let json = reply.find(['{', '[']).map(|start| &reply[start..]);
    json.and_then(|json| json.strip_prefix('[')).is_some_and(|rest| rest.trim_start().starts_with('{'))
}

/// Returns the first of these names that is an action, or else the error of the first name. Returns `None` if there are
/// no names. One name may be a list in one text.
fn first(names: &[&str], vocabulary: &Vocabulary) -> Option<Result<ActionId, NoAction>> {
    let found = |name: &&str| {
        find(name, vocabulary).or_else(|why| listed(name).find_map(|name| find(name, vocabulary).ok()).ok_or(why))
    };
    let mut tried = names.iter().map(found);
    let first = tried.next()?;
    if first.is_ok() {
        return Some(first);
    }
    Some(tried.find(Result::is_ok).unwrap_or(first))
}

/// Splits a text such as `1. mine_log -> 2. craft_planks` into its parts.
fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '\n', '>']).take(MAX_LISTED).map(|name| {
        let name = name.trim_end_matches(|c: char| c.is_whitespace() || "-'\"`".contains(c));
        name.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || "-.)'\"`".contains(c))
    })
}

/// Returns the names in an answer that is a name, or that has lines `action: name`.
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

/// Finds the action of a name. Tolerates other case, spaces for underscores and a missing `action_`.
pub(super) fn find(name: &str, vocabulary: &Vocabulary) -> Result<ActionId, NoAction> {
    let name = name.trim();
    if name.is_empty() {
        return Err(malformed(name, "the action's name is empty"));
    }
    if name.len() > 4 * KEPT_NAME {
        return Err(unknown(name, vocabulary));
    }
    if let Some(action) = vocabulary.action(name).filter(|action| vocabulary.offers(*action)) {
        return Ok(action);
    }
    let plain = |text: &str| text.to_lowercase().replace([' ', '-'], "_");
    let wanted = plain(name);
    let prefixed = format!("action_{wanted}");
    vocabulary
        .catalogue()
        .find(|(_, action)| {
            let known = plain(&action.name);
            known == wanted || known == prefixed
        })
        .map(|(action, _)| action)
        .ok_or_else(|| unknown(name, vocabulary))
}

/// Parses the values that an answer gives to actions, by name, between 0 and 10. An answer with several JSON objects
/// that differ is refused.
pub(super) fn read_values(reply: &str) -> Result<Vec<(String, f64)>, NoAction> {
    let objects = answer::objects(reply).map_err(|error| malformed(reply, error))?;
    let (wrapped, bare): (Vec<_>, Vec<_>) = objects.iter().partition(|object| object.contains_key("values"));
    let Some((object, others)) = (if wrapped.is_empty() { &bare } else { &wrapped }).split_first() else {
        return Err(malformed(reply, Unreadable::NoObject));
    };
    if others.iter().any(|other| other != object) {
        return Err(malformed(reply, SEVERAL));
    }
    let values = match object.get("values") {
        Some(Value::Object(values)) => values,
        Some(_) => return Err(malformed(reply, "`values` must be an object with a number for every action")),
        None => *object,
    };
    let mut read = Vec::with_capacity(values.len());
    for (name, value) in values {
        match value.as_f64() {
            Some(value) if value.is_finite() => read.push((name.clone(), value.clamp(0.0, 10.0))),
            _ => return Err(malformed(reply, format!("the value of `{}` is not a number", cut(name, KEPT_NAME)))),
        }
    }
    if read.is_empty() { Err(malformed(reply, "it has no values")) } else { Ok(read) }
}

#[cfg(test)]
mod tests;

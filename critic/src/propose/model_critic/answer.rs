//! The form of the critic's answers, and their parser.
//!
//! An answer is untrusted: it becomes changes for the gate, and parts that cannot be read are kept with the reason.

use std::fmt;

use ltlcrit_laws::Evidence;
use ltlcrit_model::AnswerSchema;
use ltlcrit_model::answer::{self, List};
use ltlcrit_verifier::{Definition, Vocabulary};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::data::{self, quiet, visible};
use crate::admission::MAX_EXPLANATION;
use crate::change::{Change, LawSource, Proposal, ProposedFormula, ProposedState, RetireCause};

/// The maximum number of changes that are read from one answer.
pub const MAX_CHANGES: usize = 30;
/// The maximum number of steps that one change may cite.
pub const MAX_EVIDENCE: usize = 20;
/// The maximum number of observations that are read from one answer.
const MAX_OBSERVATIONS: usize = 6;
/// The maximum number of bytes kept of a part that cannot be read.
const KEPT: usize = 200;

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Add,
    Replace,
    Retire,
}

/// Returns the form of answers, in the subset of JSON schema that strict structured output accepts.
pub(super) fn schema() -> AnswerSchema {
    // Strict output requires every field: those that do not apply are null.
    let object = |properties: Value| {
        let required: Vec<&String> = properties.as_object().into_iter().flat_map(Map::keys).collect();
        json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
    };
    let text = |about: &str| json!({"type": ["string", "null"], "description": about});
    let word = |about: &str, words: &[&str]| {
        let words: Vec<Value> = words.iter().map(|word| json!(word)).chain([Value::Null]).collect();
        json!({"type": ["string", "null"], "description": about, "enum": words})
    };
    let list = |about: &str, items: Value| json!({"type": ["array", "null"], "description": about, "items": items});
    let step = object(json!({"run": {"type": "integer"}, "step": {"type": "integer"}}));
    let change = object(json!({
        "kind": {"type": "string", "enum": ["add", "replace", "retire"]},
        "law": text("replace, retire: the id of the law that goes"),
        "formula": text("add, replace: G(phi_s -> X phi_a)"),
        "explanation": text("add, replace: why, in one or two plain sentences"),
        "source": word("add, replace", &["environment-feedback", "efficiency", "conflict"]),
        "evidence": list("add, replace: steps before which phi_s held", step),
        "state": list("for a conflict: the observations that hold where no action is left", json!({"type": "string"})),
        "cause": word("retire", &["conflict", "blocks-good-steps", "implied", "withdrawn"]),
    }));
    let schema = object(json!({
        "analysis": {
            "type": "string",
            "description": "A few sentences: which actions are the only sensible ones at each stage, what was wasted or failed, and why.",
        },
        "changes": {"type": "array", "description": "The most useful first, at most 30.", "items": change},
        "observations": {
            "type": "array",
            "description": "Counts that the vocabulary misses, compared with a number: inventory[coal] >= 3. At most 6.",
            "items": {"type": "string"},
        },
    }));
    AnswerSchema { name: "law_changes".to_owned(), schema }
}

/// A piece of an answer that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// The piece, cut and cleaned.
    pub text: String,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.is_empty() { f.write_str(&self.why) } else { write!(f, "`{}`: {}", self.text, self.why) }
    }
}

impl Unread {
    pub(super) fn new(text: &str, why: &str) -> Self {
        Self { text: visible(text, KEPT), why: visible(why, 2 * KEPT) }
    }
}

/// The contents of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The changes that could be read, in order.
    pub changes: Vec<Change>,
    /// The others.
    pub unread: Vec<Unread>,
    /// The observations that the answer misses.
    pub observations: Vec<Definition>,
}

/// Reads an answer into changes over a vocabulary, signed with the proposer's name. An answer whose list breaks off is
/// read up to its last complete change.
///
/// # Errors
/// The answer has no list of changes. The text gives the reason.
pub fn read(text: &str, proposer: &str, vocabulary: &Vocabulary) -> Result<Reading, String> {
    let (List { elements, rest }, observations) = lists(text)?;
    let mut reading = Reading::default();
    let count = elements.len();
    for change in elements.iter().take(MAX_CHANGES) {
        match read_change(change.clone(), proposer, vocabulary) {
            Ok(change) => reading.changes.push(change),
            Err(why) => reading.unread.push(Unread::new(&change.to_string(), &why)),
        }
    }
    if let Some(change) = elements.get(MAX_CHANGES) {
        let why = format!("at most {MAX_CHANGES} changes are read at a time; {} were left", count - MAX_CHANGES);
        reading.unread.push(Unread::new(&change.to_string(), &why));
    }
    for observation in observations.iter().take(MAX_OBSERVATIONS) {
        let definition = observation.as_str().map(str::parse::<Definition>);
        match definition {
            Some(Ok(definition)) => reading.observations.push(definition),
            Some(Err(why)) => reading.unread.push(Unread::new(&observation.to_string(), &why.to_string())),
            None => {
                let why = "an observation is a text such as `inventory[coal] >= 3`";
                reading.unread.push(Unread::new(&observation.to_string(), why));
            }
        }
    }
    if let Some(rest) = rest {
        let read = data::count(count as u64, "change");
        reading
            .unread
            .push(Unread::new(&rest, &format!("here the list `changes` breaks off; the {read} before are read")));
    }
    Ok(reading)
}

/// Returns the list of changes, which may be in the object asked for, alone, or cut off; and the observations.
fn lists(text: &str) -> Result<(List, Vec<Value>), String> {
    let object = answer::object(text);
    if let Ok(fields) = &object
        && let Some(changes) = fields.get("changes")
    {
        let analysis = fields.get("analysis").and_then(Value::as_str).unwrap_or_default();
        tracing::debug!(analysis = quiet(analysis, MAX_EXPLANATION), "analysis of the critic");
        let observations = fields.get("observations").and_then(Value::as_array).cloned().unwrap_or_default();
        let Value::Array(elements) = changes else { return Err("`changes` must be a list".to_owned()) };
        return Ok((List { elements: elements.clone(), rest: None }, observations));
    }
    match (answer::list(text, "changes"), object) {
        (Some(list), _) => Ok((list, Vec::new())),
        (None, Ok(_)) => Err("there is no object with a list `changes` in the answer".to_owned()),
        (None, Err(error)) => Err(visible(&error.to_string(), KEPT)),
    }
}

fn read_change(change: Value, proposer: &str, vocabulary: &Vocabulary) -> Result<Change, String> {
    let Value::Object(mut fields) = change else { return Err("a change is an object".to_owned()) };
    let kind: Kind = needed(&mut fields, "kind")?;
    let law = text(&mut fields, "law")?;
    let state: Option<Vec<String>> = field(&mut fields, "state")?;
    if law.iter().chain(state.iter().flatten()).any(|name| name.len() > KEPT || name.chars().any(char::is_control)) {
        return Err("`law` must be the id of a law, and `state` must list names of observations".to_owned());
    }
    let law = || law.ok_or_else(|| "`law` is missing: the id of the law that goes".to_owned());
    let source: Option<LawSource> = field(&mut fields, "source")?;
    let change = match kind {
        Kind::Add => Change::Add(proposal(&mut fields, source.ok_or("`source` is missing")?, proposer, vocabulary)?),
        Kind::Replace => Change::Replace {
            law: law()?.into(),
            with: proposal(&mut fields, source.unwrap_or(LawSource::Conflict), proposer, vocabulary)?,
            state: ProposedState::named(state.unwrap_or_default(), vocabulary),
        },
        Kind::Retire => Change::Retire {
            law: law()?.into(),
            cause: needed::<RetireCause>(&mut fields, "cause")?,
            state: state.filter(|state| !state.is_empty()).map(|state| ProposedState::named(state, vocabulary)),
            proposer: proposer.to_owned(),
        },
    };
    fields.retain(|name, _| !["formula", "explanation", "evidence", "cause"].contains(&name.as_str()));
    match fields.keys().next() {
        Some(name) => Err(format!("a change has no field `{}`", visible(name, KEPT))),
        None => Ok(change),
    }
}

fn proposal(
    fields: &mut Map<String, Value>,
    source: LawSource,
    proposer: &str,
    vocabulary: &Vocabulary,
) -> Result<Proposal, String> {
    let formula = text(fields, "formula")?.ok_or("`formula` is missing")?;
    let explanation = quiet(&text(fields, "explanation")?.unwrap_or_default(), MAX_EXPLANATION);
    if explanation.is_empty() {
        return Err("`explanation` is missing: people must know why a law is there".to_owned());
    }
    let mut evidence: Vec<Evidence> = Vec::new();
    for step in field::<Vec<Evidence>>(fields, "evidence")?.unwrap_or_default() {
        if !evidence.contains(&step) {
            evidence.push(step);
        }
    }
    if evidence.len() > MAX_EVIDENCE {
        return Err(format!("it cites more than {MAX_EVIDENCE} steps; a few that show the point are enough"));
    }
    let formula = ProposedFormula::parse(&formula, vocabulary);
    Ok(Proposal { formula, explanation, source, proposer: proposer.to_owned(), evidence })
}

/// Takes a field out; `None` if it is missing or null.
fn field<T: DeserializeOwned>(fields: &mut Map<String, Value>, name: &str) -> Result<Option<T>, String> {
    let value = fields.remove(name).unwrap_or_default();
    let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    serde_json::from_value(value).map_err(|error| format!("`{name}` cannot be `{}`: {error}", visible(&shown, KEPT)))
}

fn needed<T: DeserializeOwned>(fields: &mut Map<String, Value>, name: &str) -> Result<T, String> {
    field(fields, name)?.ok_or_else(|| format!("`{name}` is missing"))
}

/// Takes a text out; `None` if it is empty.
fn text(fields: &mut Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    let text: Option<String> = field(fields, name)?;
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests;

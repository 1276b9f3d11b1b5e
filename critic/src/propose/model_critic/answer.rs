//! The form of the critic's answers, and their parser. An answer is untrusted: it becomes changes for the gate, and parts that
//! cannot be read are kept with the reason.

use std::fmt;

use ltlcrit_laws::Evidence;
use ltlcrit_model::AnswerSchema;
use ltlcrit_model::answer::{self, List};
use ltlcrit_verifier::{Definition, Vocabulary};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::data::{self, quiet, visible};
use crate::admission::MAX_EXPLANATION;
use crate::change::{Change, LawSource, Proposal, ProposedFormula, ProposedState, RetireCause};

/// The most changes that are read from one answer.
pub const MAX_CHANGES: usize = 30;
/// The most steps one change may cite.
pub const MAX_EVIDENCE: usize = 20;
/// The most observations that are read from one answer.
pub(crate) const MAX_OBSERVATIONS: usize = 6;
/// The most bytes kept of a part that cannot be read.
const KEPT: usize = 200;

/// An answer, as models are told its form.
#[derive(JsonSchema)]
#[schemars(inline)]
#[allow(dead_code, reason = "only its schema is used: what models write is read field by field")]
struct AnswerForm {
    /// A few sentences: which actions were wasted or failed and why, and what follows for the laws.
    analysis: String,
    /// The changes, the most useful first; at most 30. Empty if nothing should change.
    changes: Vec<ChangeForm>,
    /// Observations that the vocabulary misses, each a comparison of a count with a number, such as inventory[coal] >= 3. The next
    /// critique, if there is one, may use them. At most 6; empty if none is missed.
    observations: Vec<String>,
}

#[derive(JsonSchema)]
#[schemars(inline)]
#[allow(dead_code, reason = "as above")]
struct ChangeForm {
    /// add: a new law. replace: a law in the place of one that blocks too much. retire: a law goes.
    kind: Kind,
    /// replace, retire: the id of the law that goes. add: null.
    law: Option<String>,
    /// add, replace: G(phi_s -> X phi_a). retire: null.
    formula: Option<String>,
    /// add, replace: why, in one or two plain sentences. retire: null.
    explanation: Option<String>,
    /// add: what it was learned from. replace: conflict. retire: null.
    source: Option<Source>,
    /// add, replace: steps before which phi_s held, as the data names them. retire: null.
    evidence: Option<Vec<Cited>>,
    /// replace, retire for a conflict: the observations that hold in the state without an action. Otherwise null.
    state: Option<Vec<String>>,
    /// retire: why the law should go. Otherwise null.
    cause: Option<Cause>,
}

/// The values of `kind`, in words.
const KINDS: &str = "add, replace or retire";
/// The values of `source`, in words.
const SOURCES: &str = "environment-feedback, efficiency or conflict";
/// The values of `cause`, in words.
const CAUSES: &str = "conflict, blocks-good-steps, implied or withdrawn";

/// The fields of a change, in the order in which models write them.
const FIELDS: [&str; 8] = ["kind", "law", "formula", "explanation", "source", "evidence", "state", "cause"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Kind {
    Add,
    Replace,
    Retire,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Source {
    EnvironmentFeedback,
    Efficiency,
    Conflict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Cause {
    Conflict,
    NeverFires,
    BlocksGoodSteps,
    Implied,
}

#[derive(JsonSchema)]
#[schemars(inline)]
#[allow(dead_code, reason = "as above")]
struct Cited {
    run: u64,
    step: u64,
}

impl From<Source> for LawSource {
    fn from(source: Source) -> Self {
        match source {
            Source::EnvironmentFeedback => Self::EnvironmentFeedback,
            Source::Efficiency => Self::Efficiency,
            Source::Conflict => Self::Conflict,
        }
    }
}

impl From<Cause> for RetireCause {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Conflict => Self::Conflict,
            Cause::NeverFires => Self::NeverFires,
            Cause::BlocksGoodSteps => Self::BlocksGoodSteps,
            Cause::Implied => Self::Implied,
        }
    }
}

/// The form of answers, in the subset of JSON schema that strict structured output accepts.
pub(super) fn schema() -> AnswerSchema {
    // In what is written, optional fields are there and null: strict output wants every field required.
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<AnswerForm>();
    RecursiveTransform(|schema: &mut schemars::Schema| {
        for keyword in ["title", "format", "minimum", "default"] {
            schema.remove(keyword);
        }
        if schema.get("properties").is_some() {
            schema.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    })
    .transform(&mut schema);
    // What the whole is for is said in the prompt.
    schema.remove("description");
    AnswerSchema { name: "law_changes".to_owned(), schema: schema.to_value() }
}

/// A piece of an answer that is no change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// The piece, cut and cleaned.
    pub text: String,
    /// Why it cannot be read.
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

/// Reads an answer into changes over a vocabulary, signed with the proposer's name.
///
/// An answer whose list breaks off is read up to its last complete change.
///
/// # Errors
/// An answer that is no list of changes at all: prose, or of another form. The text says why.
pub fn read(text: &str, proposer: &str, vocabulary: &Vocabulary) -> Result<Reading, String> {
    let List { elements, rest } = changes(text)?;
    let mut reading = Reading::default();
    let count = elements.len();
    for (number, change) in elements.into_iter().enumerate() {
        if number == MAX_CHANGES {
            let why = format!("at most {MAX_CHANGES} changes are read at a time; {} were left", count - MAX_CHANGES);
            reading.unread.push(Unread::new(&change.to_string(), &why));
            break;
        }
        let text = change.to_string();
        match read_change(change, proposer, vocabulary) {
            Ok(change) => reading.changes.push(change),
            Err(why) => reading.unread.push(Unread::new(&text, &why)),
        }
    }
    missed(text, &mut reading);
    if let Some(rest) = rest {
        let why =
            format!("here the list `changes` breaks off; the {} before are read", data::count(count as u64, "change"));
        reading.unread.push(Unread::new(&rest, &why));
    }
    Ok(reading)
}

/// Reads the observations that an answer misses; none from an answer that is no whole object.
fn missed(text: &str, reading: &mut Reading) {
    let Ok(fields) = answer::object(text) else { return };
    let observations = match fields.get("observations") {
        None | Some(Value::Null) => return,
        Some(Value::Array(observations)) => observations,
        Some(other) => {
            reading.unread.push(Unread::new(&other.to_string(), "`observations` must be a list of texts"));
            return;
        }
    };
    for (number, observation) in observations.iter().enumerate() {
        let definition = match observation {
            _ if number >= MAX_OBSERVATIONS => {
                Err(format!("at most {MAX_OBSERVATIONS} observations are read at a time"))
            }
            Value::String(text) => text.parse::<Definition>().map_err(|error| error.to_string()),
            _ => Err("an observation is a text such as `inventory[coal] >= 3`".to_owned()),
        };
        match definition {
            Ok(definition) => reading.observations.push(definition),
            Err(why) => reading.unread.push(Unread::new(&observation.to_string(), &why)),
        }
    }
}

/// The list of changes: in the object asked for, by itself, or cut off.
fn changes(text: &str) -> Result<List, String> {
    let object = answer::object(text);
    if let Ok(fields) = &object
        && let Some(changes) = fields.get("changes")
    {
        let known = ["analysis", "changes", "observations"];
        if let Some(name) = fields.keys().find(|name| !known.contains(&name.as_str())) {
            let name = visible(name, KEPT);
            return Err(format!("there is no field `{name}`, only `analysis`, `changes` and `observations`"));
        }
        if let Some(analysis) = fields.get("analysis") {
            tracing::debug!(analysis = quiet(&analysis.to_string(), MAX_EXPLANATION), "what the critic thinks");
        }
        let Value::Array(elements) = changes else { return Err("`changes` must be a list".to_owned()) };
        return Ok(List { elements: elements.clone(), rest: None });
    }
    match (answer::list(text, "changes"), object) {
        (Some(list), _) => Ok(list),
        (None, Ok(_)) => Err("there is no object with a list `changes` in the answer".to_owned()),
        (None, Err(error)) => Err(visible(&error.to_string(), KEPT)),
    }
}

fn read_change(change: Value, proposer: &str, vocabulary: &Vocabulary) -> Result<Change, String> {
    let Value::Object(mut fields) = change else { return Err("a change is an object".to_owned()) };
    if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(format!("a change has no field `{}`, only {}", visible(name, KEPT), FIELDS.join(", ")));
    }
    let kind: Kind = word(&mut fields, "kind", KINDS)?.ok_or_else(|| format!("`kind` is missing: {KINDS}"))?;
    let law = text(&mut fields, "law")?;
    if law.as_deref().is_some_and(is_no_name) {
        return Err("`law` must be the id of a law".to_owned());
    }
    let cause: Option<Cause> = word(&mut fields, "cause", CAUSES)?;
    let state = names(&mut fields, "state").ok_or("`state` must list names of observations")?;
    let state_given = !state.is_empty();
    let state = ProposedState::named(state, vocabulary);
    if kind == Kind::Retire {
        if fields.get("formula").is_some_and(|formula| !formula.is_null() && formula != "") {
            return Err("`retire` takes no formula; to put another law in its place use `replace`".to_owned());
        }
        // What else it says for itself is not kept: the gate looks for itself.
        let law = law.ok_or("`retire` needs `law`, the id of the law that is to go")?;
        let cause = cause.ok_or_else(|| format!("`retire` needs `cause`: {CAUSES}"))?;
        let state = state_given.then_some(state);
        return Ok(Change::Retire { law: law.into(), cause: cause.into(), state, proposer: proposer.to_owned() });
    }
    if cause.is_some() {
        return Err("`cause` is for `retire` alone".to_owned());
    }
    let source = word::<Source>(&mut fields, "source", SOURCES)?.map(LawSource::from);
    let formula = ProposedFormula::parse(&text(&mut fields, "formula")?.ok_or("`formula` is missing")?, vocabulary);
    let explanation = quiet(&text(&mut fields, "explanation")?.unwrap_or_default(), MAX_EXPLANATION);
    if explanation.is_empty() {
        return Err("`explanation` is missing: people must know why a law is there".to_owned());
    }
    let evidence = evidence(fields.remove("evidence").unwrap_or_default())?;
    let proposal = |source| Proposal { formula, explanation, source, proposer: proposer.to_owned(), evidence };
    match (kind, law) {
        (Kind::Replace, Some(law)) => {
            Ok(Change::Replace { law: law.into(), with: proposal(source.unwrap_or(LawSource::Conflict)), state })
        }
        (Kind::Replace, None) => Err("`replace` needs `law`, the id of the law that is to go".to_owned()),
        (_, Some(_)) => Err("`add` names no law; to put a law in the place of another use `replace`".to_owned()),
        (_, None) => {
            let source = source.ok_or_else(|| format!("`source` is missing: {SOURCES}"))?;
            Ok(Change::Add(proposal(source)))
        }
    }
}

/// Whether a text is too long for a name, or has control characters.
fn is_no_name(text: &str) -> bool {
    text.len() > KEPT || text.chars().any(char::is_control)
}

/// The steps cited, each once.
fn evidence(cited: Value) -> Result<Vec<Evidence>, String> {
    let cited = match cited {
        Value::Null => Vec::new(),
        Value::Array(cited) => cited,
        one => vec![one],
    };
    let mut evidence: Vec<Evidence> = Vec::new();
    for cited in &cited {
        let cited = step(cited).ok_or("`evidence` must list steps of the data, such as {\"run\": 1, \"step\": 2}")?;
        if !evidence.contains(&cited) {
            if evidence.len() == MAX_EVIDENCE {
                return Err(format!("it cites more than {MAX_EVIDENCE} steps; a few that show the point are enough"));
            }
            evidence.push(cited);
        }
    }
    Ok(evidence)
}

/// A step as an object with numbers, or in the words of the prompt: `run 1 step 2`.
fn step(cited: &Value) -> Option<Evidence> {
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
    match cited {
        Value::Object(fields) => {
            Some(Evidence { run: number(fields.get("run")?)?, step: number(fields.get("step")?)? })
        }
        Value::String(text) => {
            let (run, step) = text.trim().strip_prefix("run ")?.split_once(" step ")?;
            Some(Evidence { run: run.trim_end_matches(',').parse().ok()?, step: step.parse().ok()? })
        }
        _ => None,
    }
}

/// One of a few words, also in another spelling, such as `never_fires`; `None` if it is missing, null or empty.
fn word<T: DeserializeOwned>(fields: &mut Map<String, Value>, name: &str, known: &str) -> Result<Option<T>, String> {
    let Some(given) = text(fields, name)? else { return Ok(None) };
    let plain = given.to_lowercase().replace(['_', ' '], "-");
    serde_json::from_value(Value::String(plain))
        .map(Some)
        .map_err(|_| format!("`{name}` cannot be `{}`; it is {known}", visible(&given, KEPT)))
}

/// A text; `None` if there is nothing in it.
fn text(fields: &mut Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match fields.remove(name).unwrap_or_default() {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        _ => Err(format!("`{name}` must be a text, in quotation marks")),
    }
}

/// A list of names, empty if it is missing or null; `None` if it is not such a list.
fn names(fields: &mut Map<String, Value>, name: &str) -> Option<Vec<String>> {
    match fields.remove(name).unwrap_or_default() {
        Value::Null => Some(Vec::new()),
        Value::Array(names) => names
            .into_iter()
            .map(|name| match name {
                Value::String(name) => Some(name).filter(|name| !is_no_name(name)),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

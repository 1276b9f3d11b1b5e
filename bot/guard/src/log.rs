//! `guard judge-log`: a book on the logs of sessions that ran without it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

use crate::book::Book;
use crate::call::{Calls, Outcome};
use crate::decide::{Advice, Memory, broken, owed};
use crate::letter::{Letter, Word};

/// Maximum length of a log, in bytes.
const MAX_LOG: u64 = 256 << 20;
/// Maximum number of calls of a session that are judged.
pub const MAX_CALLS: usize = 5_000;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum From {
    /// Transcripts of Claude Code: lines with `tool_use` and `tool_result`.
    ClaudeCode,
    /// Chat messages of OpenAI's form with `tool_calls`: a list of messages, or an object with `messages`, on each line.
    Openai,
    /// A log of Inspect AI as JSON, as `inspect log dump` prints it: the tool events of its samples.
    Inspect,
    /// `OpenTelemetry` spans with `gen_ai.tool.name`: lines of OTLP's JSON (`resourceSpans`), or a span on each line.
    Otel,
    /// Lines `{"session": "a", "tool": "Bash", "input": {}, "ok": true, "result": {}}`.
    Jsonl,
}

/// A tool call of a log, with its result if the log has one.
#[derive(Debug, Default)]
struct Logged {
    session: String,
    id: String,
    tool: String,
    input: Value,
    folder: Option<String>,
    result: Option<(bool, Value)>,
    /// The time of its beginning, if the log is not in its order.
    start: String,
}

impl Logged {
    /// The call as a book reads it, in a project at `root`.
    fn calls<'a>(&'a self, book: &'a Book, root: &'a str) -> Result<Calls<'a>, String> {
        let folder = self.folder.as_deref().unwrap_or(root);
        Calls::read(book, &self.tool, &self.input, Path::new(folder), Path::new(root))
    }

    /// The letters of the call at the end of the log.
    fn letters(&self, calls: &Calls<'_>) -> Vec<Letter> {
        match &self.result {
            Some((succeeded, response)) => calls.after(Outcome { succeeded: *succeeded, ended: true, response }),
            None => calls.coming(),
        }
    }
}

/// A session of a log: its name and, for each call, its letters and whether it succeeded; `None` for a call that the book
/// cannot read.
pub type Session = (String, Vec<Option<(Vec<Letter>, bool)>>);

/// The sessions of a log, as a book reads them.
///
/// # Errors
/// A log that cannot be read.
pub fn sessions(book: &Book, from: From, file: &Path) -> Result<Vec<Session>, String> {
    let read = |(name, logged): (String, Vec<Logged>)| {
        let root = root(&logged);
        let letters = |call: &Logged| {
            let letters = call.letters(&call.calls(book, &root).ok()?);
            Some((letters, call.result.as_ref().is_some_and(|(succeeded, _)| *succeeded)))
        };
        (name, logged.iter().map(letters).collect())
    };
    Ok(grouped(from, file)?.into_iter().map(read).collect())
}

/// The calls of a log by session.
fn grouped(from: From, file: &Path) -> Result<BTreeMap<String, Vec<Logged>>, String> {
    let mut sessions: BTreeMap<String, Vec<Logged>> = BTreeMap::new();
    for call in read(from, file)? {
        sessions.entry(call.session.clone()).or_default().push(call);
    }
    Ok(sessions)
}

/// The folder that a session began in.
fn root(logged: &[Logged]) -> String {
    logged.iter().find_map(|call| call.folder.clone()).unwrap_or_else(|| "/".to_owned())
}

/// The outcome of one law in some sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The law.
    pub law: String,
    /// The number of sessions that were judged.
    pub sessions: usize,
    /// The number of them that broke the law, or ended while it was owed something.
    pub violated: usize,
    /// The first call that broke it: the session, the number of the call, the call.
    pub first: Option<String>,
    /// The number of calls that would have been refused for it.
    pub refused: usize,
    /// True if each of these sessions could have gone on: something lifts the first refusal.
    pub could_go_on: bool,
}

/// The result of judging logs by a book.
#[derive(Clone, Debug)]
pub struct Judged {
    /// A line for each law.
    pub laws: Vec<Line>,
    /// The number of calls that could not be decided.
    pub undecided: usize,
    /// The number of calls beyond the first [`MAX_CALLS`] of their session.
    pub not_judged: usize,
}

/// Judges logs by a book.
///
/// # Errors
/// A log that cannot be read.
pub fn judge(book: &Book, from: From, files: &[impl AsRef<Path>]) -> Result<Judged, String> {
    let new = |law: &str| Line { law: law.to_owned(), could_go_on: true, ..Line::default() };
    let laws = book.laws.iter().map(|law| new(&law.id)).collect();
    let mut judged = Judged { laws, undecided: 0, not_judged: 0 };
    for file in files {
        for (name, calls) in grouped(from, file.as_ref())? {
            judged.not_judged += calls.len().saturating_sub(MAX_CALLS);
            judged.undecided += judge_session(book, &name, &calls, &mut judged.laws)?;
        }
    }
    Ok(judged)
}

fn judge_session(book: &Book, name: &str, logged: &[Logged], lines: &mut [Line]) -> Result<usize, String> {
    let (mut word, mut memory) = (Word::default(), Memory::default());
    let (mut undecided, mut refused) = (0, BTreeMap::<usize, bool>::new());
    let mut first: Vec<(Arc<str>, usize)> = Vec::new();
    let of = |id: &str| {
        let id = id.split('(').next().unwrap_or_default();
        book.laws.iter().position(|law| *law.id == *id)
    };
    let root = root(logged);
    for call in logged.iter().take(MAX_CALLS) {
        let Ok(calls) = call.calls(book, &root) else {
            undecided += 1;
            continue;
        };
        match memory.decide(book, &word, &calls) {
            Ok(None) => {}
            Err(_) => undecided += 1,
            Ok(Some(refusal)) => {
                for id in &refusal.laws {
                    first.push((id.clone(), word.len() + 1));
                    let Some(law) = of(id) else { continue };
                    lines[law].refused += 1;
                    refused.entry(law).or_insert(refusal.lifted_by != Advice::Nothing);
                }
            }
        }
        word.extend(call.letters(&calls));
    }
    // With too many objects at once, the refusals tell.
    let steps = broken(book, &word).unwrap_or_else(|_| first.clone());
    let mut broken: BTreeMap<usize, String> = BTreeMap::new();
    for (id, step) in steps {
        let (Some(law), Some(letter)) = (of(&id), word.get(step - 1)) else { continue };
        broken.entry(law).or_insert_with(|| format!("{name}, call {step}: {letter}"));
    }
    for law in owed(book, &word)?.iter().flat_map(|duty| &duty.laws).filter_map(|id| of(id)) {
        broken.entry(law).or_insert_with(|| format!("{name}, at the end"));
    }
    for (at, line) in lines.iter_mut().enumerate() {
        line.sessions += 1;
        if let Some(first) = broken.remove(&at) {
            line.violated += 1;
            line.first.get_or_insert(first);
        }
        line.could_go_on &= refused.get(&at).copied().unwrap_or(true);
    }
    Ok(undecided)
}

fn read(from: From, file: &Path) -> Result<Vec<Logged>, String> {
    let fault = |why: String| format!("{}: {why}", file.display());
    let text = ltlcrit_files::read_text(file, MAX_LOG).map_err(|error| fault(error.to_string()))?;
    let name = file.display().to_string();
    let mut calls: Vec<Logged> = Vec::new();
    if from == From::Inspect {
        let log: Value = serde_json::from_str(&text).map_err(|error| fault(format!("the log is not JSON: {error}")))?;
        let samples = log["samples"].as_array().ok_or_else(|| fault("the log has no `samples`".into()))?;
        samples.iter().for_each(|sample| take_inspect(sample, &name, &mut calls));
        return Ok(calls);
    }
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Value =
            serde_json::from_str(line).map_err(|error| fault(format!("line {} is not JSON: {error}", at + 1)))?;
        match from {
            From::ClaudeCode => {
                let session = line["sessionId"].as_str().unwrap_or(&name);
                let folder = line["cwd"].as_str();
                for part in line["message"]["content"].as_array().into_iter().flatten() {
                    take_claude(part, session, folder, &mut calls);
                }
            }
            From::Openai => {
                let messages = line["messages"].as_array().or(line.as_array());
                let messages = messages.ok_or_else(|| fault(format!("line {} has no messages", at + 1)))?;
                let session = format!("{name}:{}", at + 1);
                messages.iter().for_each(|message| take_openai(message, &session, &mut calls));
            }
            From::Otel => {
                let inner = |value: &Value, field: &str| value[field].as_array().cloned().unwrap_or_default();
                let scopes = inner(&line, "resourceSpans").into_iter().flat_map(|one| inner(&one, "scopeSpans"));
                scopes.flat_map(|one| inner(&one, "spans")).for_each(|span| take_span(&span, &mut calls));
                take_span(&line, &mut calls);
            }
            From::Inspect | From::Jsonl => {
                let tool = line["tool"].as_str().ok_or_else(|| fault(format!("line {} has no `tool`", at + 1)))?;
                calls.push(Logged {
                    session: line["session"].as_str().unwrap_or(&name).to_owned(),
                    tool: tool.to_owned(),
                    input: line["input"].clone(),
                    folder: line["cwd"].as_str().map(str::to_owned),
                    result: line["ok"].as_bool().map(|ok| (ok, line["result"].clone())),
                    ..Logged::default()
                });
            }
        }
    }
    calls.sort_by(|a, b| a.start.cmp(&b.start));
    Ok(calls)
}

fn take_claude(part: &Value, session: &str, folder: Option<&str>, calls: &mut Vec<Logged>) {
    let text = |field: &str| part[field].as_str().unwrap_or_default().to_owned();
    match part["type"].as_str() {
        Some("tool_use") => calls.push(Logged {
            session: session.to_owned(),
            id: text("id"),
            tool: text("name"),
            input: part["input"].clone(),
            folder: folder.map(str::to_owned),
            ..Logged::default()
        }),
        Some("tool_result") => {
            let succeeded = !part["is_error"].as_bool().unwrap_or_default();
            answer(calls, session, &text("tool_use_id"), succeeded, &part["content"]);
        }
        _ => {}
    }
}

fn take_openai(message: &Value, session: &str, calls: &mut Vec<Logged>) {
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        calls.push(Logged {
            session: session.to_owned(),
            id: call["id"].as_str().unwrap_or_default().to_owned(),
            tool: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
            input: serde_json::from_str(arguments).unwrap_or_default(),
            ..Logged::default()
        });
    }
    if message["role"] == "tool" {
        // The form does not say whether a tool failed, unless its text is JSON that does.
        let content = message["content"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let content = content.unwrap_or_else(|| json!({ "text": message["content"] }));
        let failed = content.get("error").is_some_and(|error| !error.is_null());
        answer(calls, session, message["tool_call_id"].as_str().unwrap_or_default(), !failed, &content);
    }
}

fn answer(calls: &mut [Logged], session: &str, id: &str, succeeded: bool, response: &Value) {
    let is_open = |call: &&mut Logged| call.id == id && call.session == session && call.result.is_none();
    if let Some(call) = calls.iter_mut().rev().find(is_open) {
        call.result = Some((succeeded, object(response)));
    }
}

/// A response as an object: other values are its `text`.
fn object(response: &Value) -> Value {
    if response.is_object() { response.clone() } else { json!({ "text": response }) }
}

fn take_inspect(sample: &Value, file: &str, calls: &mut Vec<Logged>) {
    let session = format!("{file}:{}:{}", words(&sample["id"]), sample["epoch"]);
    for event in sample["events"].as_array().into_iter().flatten().filter(|event| event["event"] == "tool") {
        let succeeded = event["error"].is_null() && event["failed"] != true;
        calls.push(Logged {
            session: session.clone(),
            tool: words(&event["function"]),
            input: whole(&event["arguments"], &sample["attachments"]),
            result: (event["pending"] != true).then(|| (succeeded, object(&event["result"]))),
            ..Logged::default()
        });
    }
}

/// A value with its long texts, which a sample keeps apart.
fn whole(value: &Value, attachments: &Value) -> Value {
    match value {
        Value::String(text) => {
            let kept = text.strip_prefix("attachment://").and_then(|name| attachments.get(name));
            kept.unwrap_or(value).clone()
        }
        Value::Array(items) => items.iter().map(|item| whole(item, attachments)).collect(),
        Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), whole(field, attachments))).collect(),
        _ => value.clone(),
    }
}

fn take_span(span: &Value, calls: &mut Vec<Logged>) {
    let attribute = |key: &str| match &span["attributes"] {
        Value::Array(list) => list.iter().find(|one| one["key"] == key).map(|one| plain(&one["value"])),
        fields => fields.get(key).cloned(),
    };
    let Some(Value::String(tool)) = attribute("gen_ai.tool.name") else { return };
    if attribute("gen_ai.operation.name").is_some_and(|operation| operation != "execute_tool") {
        return;
    }
    // Most writers have no attributes but texts, so that these are JSON in a text.
    let read = |value: Option<Value>| match value {
        Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        other => other.unwrap_or_default(),
    };
    let trace = || [&span["traceId"], &span["context"]["trace_id"]].into_iter().find(|id| id.is_string()).cloned();
    let status = [&span["status"]["code"], &span["status"]["status_code"]];
    let failed = status.iter().any(|code| **code == 2 || **code == "STATUS_CODE_ERROR" || **code == "ERROR");
    let start = [&span["startTimeUnixNano"], &span["start_time"]].into_iter().find(|time| !time.is_null());
    calls.push(Logged {
        session: words(&attribute("gen_ai.conversation.id").or_else(trace).unwrap_or_default()),
        tool,
        input: read(attribute("gen_ai.tool.call.arguments")),
        result: Some((
            !failed && attribute("error.type").is_none(),
            object(&read(attribute("gen_ai.tool.call.result"))),
        )),
        start: start.map(words).unwrap_or_default(),
        ..Logged::default()
    });
}

/// A value of an attribute in OTLP's JSON, without its type.
fn plain(value: &Value) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|fields| fields.iter().next()) else { return Value::Null };
    let values = || inner["values"].as_array().into_iter().flatten();
    match kind.as_str() {
        "arrayValue" => values().map(plain).collect(),
        "kvlistValue" => values().map(|one| (words(&one["key"]), plain(&one["value"]))).collect(),
        "intValue" => words(inner).parse::<i64>().map_or(Value::Null, Value::from),
        _ => inner.clone(),
    }
}

/// A text without its quotes, or another value as JSON.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

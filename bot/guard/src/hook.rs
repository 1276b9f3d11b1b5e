//! `guard hook`: an event of a coding agent in, a decision out.
//!
//! The forms are those of Claude Code (`PreToolUse`, `PostToolUse`, `PostToolUseFailure`, `Stop`, `SessionStart`), which
//! Codex shares, of Gemini CLI (`BeforeTool`, `AfterTool`, `AfterAgent`, `SessionStart`), and of Copilot CLI, whose events
//! have no name. The guard never allows: its silence leaves the agent's own permissions in force.

use std::hash::BuildHasher as _;
use std::path::{Path, PathBuf};

use rustc_hash::FxBuildHasher;
use serde_json::{Value, json};

use crate::book::{Book, MAX_BOOK};
use crate::call::{Calls, Outcome};
use crate::decide::{Advice, Decision, Memory, Refusal, one_line, owed};
use crate::law::Otherwise;
use crate::letter::{Letter, OTHER};
use crate::session::{self, Entry, Session};

/// Maximum number of duties that are told at the end of a session.
const MAX_DUTIES: usize = 10;

/// The files of a guard.
#[derive(Clone, Debug)]
pub struct Place {
    /// The book.
    pub book: PathBuf,
    /// The folder of sessions.
    pub state: PathBuf,
    /// True if nobody can be asked.
    pub unattended: bool,
}

/// Answers an event: the text for standard output, empty for silence.
///
/// # Errors
/// An event that cannot be read; the agent must take that as a refusal.
pub fn answer(event: &[u8], place: &Place) -> Result<String, String> {
    let mut event: Value = serde_json::from_slice(event).map_err(|error| format!("the event is not JSON: {error}"))?;
    translate_copilots(&mut event);
    let name = event.get("hook_event_name").and_then(Value::as_str).ok_or("the event has no `hook_event_name`")?;
    let is_geminis = ["BeforeTool", "AfterTool", "AfterAgent"].contains(&name);
    let mut hook = Hook { event: &event, is_geminis, place, note: None };
    let fault = |why: String| Some(json!({ "systemMessage": why }));
    let said = match name {
        "PreToolUse" | "BeforeTool" => {
            let told = hook.before().unwrap_or_else(|why| Told::unsure(&why));
            hook.say_before(&hook.with_nobody(told))
        }
        "PostToolUse" | "AfterTool" => hook.after(true).unwrap_or_else(fault),
        "PostToolUseFailure" => hook.after(false).unwrap_or_else(fault),
        "Stop" | "AfterAgent" => hook.stop().unwrap_or_else(fault),
        "SessionStart" => hook.start().err().and_then(fault),
        _ => return Ok(String::new()),
    };
    Ok(hook.with_note(said).map(|said| said.to_string()).unwrap_or_default())
}

/// Gives an event of Copilot CLI the name and the fields of the others.
fn translate_copilots(event: &mut Value) {
    let Some(session) = event.get("sessionId").cloned() else { return };
    let has = |field: &str| event.get(field).is_some();
    let name = match has("toolName") {
        false if has("stopReason") => "Stop",
        false => "SessionStart",
        true if has("toolResult") => "PostToolUse",
        true if has("error") => "PostToolUseFailure",
        true => "PreToolUse",
    };
    let written = event["toolArgs"].as_str().and_then(|text| serde_json::from_str(text).ok());
    event["tool_input"] = written.unwrap_or_else(|| event["toolArgs"].clone());
    event["tool_name"] = event["toolName"].clone();
    event["tool_response"] = event["toolResult"].clone();
    // Others may have denied the call: then it did not run.
    event["is_interrupt"] = (name == "PostToolUse" && event["toolResult"]["resultType"] != "success").into();
    event["session_id"] = session;
    event["hook_event_name"] = name.into();
}

/// The answer about a call.
#[derive(Default)]
pub(crate) struct Told {
    pub decision: Option<Otherwise>,
    laws: Vec<String>,
    pub text: String,
}

impl Told {
    pub fn unsure(why: &str) -> Self {
        let text = format!("The guard cannot decide: {}.", one_line(why));
        Self { decision: Some(Otherwise::Ask), laws: Vec::new(), text }
    }

    pub fn of(decision: Decision) -> Self {
        match decision {
            Ok(None) => Self::default(),
            Err(why) => Self::unsure(&why),
            Ok(Some(refusal)) => Self {
                decision: Some(refusal.otherwise),
                laws: refusal.laws.iter().map(ToString::to_string).collect(),
                text: refusal.to_string(),
            },
        }
    }

    /// Blocks where a person should be asked.
    pub fn unattended(self) -> Self {
        match self.decision {
            Some(Otherwise::Ask) => Self { decision: Some(Otherwise::Block), ..self },
            _ => self,
        }
    }

    /// Returns whether the call runs, unless a person forbids it.
    pub fn lets_run(&self) -> bool {
        !matches!(self.decision, Some(Otherwise::Block | Otherwise::Stop))
    }

    /// Records the answer and, if the call `runs`, that it begins.
    ///
    /// # Errors
    /// As [`Session::append`].
    pub fn record(&self, session: &mut Session, id: String, letters: Vec<Letter>, runs: bool) -> Result<(), String> {
        let mut entries = Vec::new();
        if let Some(decision) = self.decision {
            let (decision, laws) = (decision.as_str().to_owned(), self.laws.clone());
            entries.push(Entry::Refused { decision, laws, why: self.text.clone() });
        }
        if runs {
            entries.push(Entry::Begins(id, letters));
        }
        session.append(entries)
    }
}

/// The letters of a call that cannot be read.
pub(crate) fn unread() -> Vec<Letter> {
    vec![Letter { action: OTHER.into(), ..Letter::default() }]
}

/// Records the end of a call, with the letters that its result gives.
///
/// # Errors
/// A call that cannot be read and did not begin, or as [`Session::append`].
pub(crate) fn record_end(
    session: &mut Session,
    id: String,
    letters: Result<Vec<Letter>, String>,
) -> Result<(), String> {
    let letters = match (letters, session.in_flight(&id)) {
        // The objects are those that were decided about: a link may have changed since.
        (Ok(letters), Some(known)) if letters.len() == known.len() => {
            let decided = |(now, then): (Letter, Letter)| match now.action == then.action {
                true => Letter { objects: then.objects, ..now },
                false => then,
            };
            letters.into_iter().zip(known).map(decided).collect()
        }
        (Ok(letters), None) => letters,
        (_, Some(known)) => known,
        (Err(why), None) => return Err(why),
    };
    session.append(vec![Entry::Ends(id, letters)])
}

/// The facts that one of the calls of a script may have made true, if the script's exit code does not tell.
fn hidden(letters: &[Letter]) -> Option<String> {
    let letter = letters.iter().find(|letter| letter.surely && !letter.perhaps.is_empty())?;
    let (facts, action) = (letter.perhaps.join(", "), &letter.action);
    Some(format!(
        "The exit code of {action} is not known, so {facts} does not count. Run {action} on its own, with no pipe after it."
    ))
}

struct Hook<'a> {
    event: &'a Value,
    is_geminis: bool,
    place: &'a Place,
    /// The line for people beside the decision.
    note: Option<String>,
}

impl Hook<'_> {
    fn text(&self, field: &str) -> Option<&str> {
        self.event.get(field).and_then(Value::as_str)
    }

    fn folder(&self) -> Result<PathBuf, String> {
        match self.text("cwd").map(Path::new) {
            Some(folder) if folder.is_absolute() => Ok(folder.to_path_buf()),
            _ => std::env::current_dir().map_err(|error| error.to_string()),
        }
    }

    /// The book, or its last good revision.
    fn book(&mut self) -> Result<Book, String> {
        let path = std::path::absolute(&self.place.book).map_err(|error| error.to_string())?;
        let hash = FxBuildHasher.hash_one(&path);
        let kept = self.place.state.join("books").join(format!("{hash:016x}.toml"));
        match Book::load(&path) {
            Ok(book) => {
                if ltlcrit_files::read_text(&kept, MAX_BOOK).ok().as_deref() != Some(&book.source.text) {
                    // A book that cannot be kept is still in force.
                    let _ = kept.parent().map(ltlcrit_files::create_private_directory);
                    let _ = ltlcrit_files::replace_unsynced(&kept, book.source.text.as_bytes());
                }
                Ok(book)
            }
            Err(errors) => {
                let first = errors.diagnostics.first();
                let line = first.and_then(|first| first.place.as_ref()).map_or(0, |place| place.line);
                let fault = first.map_or("it is broken", |first| &first.message);
                let broken = format!("{} is broken, line {line}: {}", path.display(), one_line(fault));
                let last =
                    Book::load(&kept).map_err(|_| format!("{broken}; `ltlcrit-guard check` shows all errors"))?;
                self.note = Some(format!("{broken}. Its last good revision stays in force."));
                Ok(last)
            }
        }
    }

    fn session(&self, book: Option<&Book>) -> Result<Session, String> {
        let id = self.text("session_id").ok_or("the event has no `session_id`")?;
        let path = session::path(&self.place.state, id).ok_or("the session's id cannot be the name of a file")?;
        Session::open(&path, book)
    }

    /// The project's folder: the one that the session began in.
    fn root(&self, session: &mut Session) -> Result<PathBuf, String> {
        if let Some(root) = &session.state.root {
            return Ok(root.clone());
        }
        let root = self.folder()?;
        session.append(vec![Entry::Root(root.clone())])?;
        Ok(root)
    }

    /// The call's id, or what stands for it: its tool and its input.
    fn id(&self) -> String {
        let same = || format!("{} {}", self.text("tool_name").unwrap_or_default(), self.event["tool_input"]);
        self.text("tool_use_id").map_or_else(same, str::to_owned)
    }

    fn before(&mut self) -> Result<Told, String> {
        let book = self.book();
        let mut session = self.session(book.as_ref().ok())?;
        let root = self.root(&mut session)?;
        let (told, letters) = match book.and_then(|book| self.told(&mut session, &root, &book)) {
            Ok(found) => found,
            Err(why) => (Told::unsure(&why), unread()),
        };
        let told = self.with_nobody(told);
        told.record(&mut session, self.id(), letters, told.lets_run())?;
        Ok(told)
    }

    fn told(&self, session: &mut Session, root: &Path, book: &Book) -> Result<(Told, Vec<Letter>), String> {
        let tool = self.text("tool_name").ok_or("the event has no `tool_name`")?;
        let calls = Calls::read(book, tool, &self.event["tool_input"], &self.folder()?, root)?;
        session.tell_time(book)?;
        let mut memory = Memory::default();
        let decision = memory.decide(book, session.word(), &calls);
        // The process ends, and the rest is the system's.
        std::mem::forget(memory);
        session.keep(book);
        let mut told = Told::of(decision);
        if session.is_damaged() {
            if told.decision.is_none() {
                told = Told::unsure("a line of the session cannot be read, so a call may be missing in it");
            }
            session.mend()?;
        }
        Ok((told, calls.coming()))
    }

    /// Blocks where a person should be asked and nobody can be.
    fn with_nobody(&self, told: Told) -> Told {
        let nobody = self.place.unattended || self.is_geminis || self.text("permission_mode") == Some("dontAsk");
        if nobody { told.unattended() } else { told }
    }

    fn say_before(&self, told: &Told) -> Option<Value> {
        let text = &told.text;
        let decided = |word: &str| match self.is_geminis {
            false => self.specific(json!({ "permissionDecision": word, "permissionDecisionReason": text })),
            true => json!({ "decision": word, "reason": text }),
        };
        Some(match told.decision? {
            Otherwise::Warn => json!({ "systemMessage": text }),
            Otherwise::Ask => decided("ask"),
            Otherwise::Block => decided("deny"),
            Otherwise::Stop => {
                let mut said = decided("deny");
                said["continue"] = false.into();
                said["stopReason"] = text.as_str().into();
                said
            }
        })
    }

    /// Records the end of a call. Tells the agent of facts that the exit code of a script does not show.
    fn after(&mut self, succeeded: bool) -> Result<Option<Value>, String> {
        let book = self.book();
        let mut session = self.session(book.as_ref().ok())?;
        let root = self.root(&mut session)?;
        let response = self.event.get("tool_response").unwrap_or(&Value::Null);
        let is = |value: &Value, field: &str| {
            value.get(field).is_some_and(|set| !matches!(set, Value::Null | Value::Bool(false)))
        };
        let interrupted = is(self.event, "is_interrupt") || is(response, "interrupted");
        let in_background = is(&self.event["tool_input"], "run_in_background") || is(response, "backgroundTaskId");
        let succeeded = succeeded && !is(response, "error") && !is(response, "isError");
        let outcome = Outcome { succeeded, ended: !interrupted && !in_background, response };
        let read = book.and_then(|book| {
            session.keep(&book);
            let tool = self.text("tool_name").ok_or("the event has no `tool_name`")?;
            let calls = Calls::read(&book, tool, &self.event["tool_input"], &self.folder()?, &root)?;
            Ok(calls.after(outcome))
        });
        let hidden = read.as_ref().ok().filter(|letters| letters.len() > 1).and_then(|letters| hidden(letters));
        record_end(&mut session, self.id(), read)?;
        Ok(hidden.map(|text| self.specific(json!({ "additionalContext": text }))))
    }

    /// Fields of an answer in the form of Claude Code. Copilot CLI, whose events have a time, reads them outside of it.
    fn specific(&self, mut fields: Value) -> Value {
        let mut said = if self.event.get("timestamp").is_some() { fields.clone() } else { json!({}) };
        fields["hookEventName"] = self.event["hook_event_name"].clone();
        said["hookSpecificOutput"] = fields;
        said
    }

    fn stop(&mut self) -> Result<Option<Value>, String> {
        let book = self.book()?;
        let mut session = self.session(Some(&book))?;
        let owed = owed(&book, session.word())?;
        let laws: Vec<String> = owed.iter().flat_map(|duty| &duty.laws).map(ToString::to_string).collect();
        if owed.is_empty() || session.state.was_told(&laws) {
            return Ok(None);
        }
        let calls = session.word().calls();
        session.append(vec![Entry::Told(calls, laws)])?;
        let (warned, duties): (Vec<Refusal>, Vec<Refusal>) =
            owed.into_iter().partition(|duty| duty.otherwise == Otherwise::Warn);
        if duties.is_empty() {
            return Ok(Some(json!({ "systemMessage": list(&warned) })));
        }
        let word = if self.is_geminis { "deny" } else { "block" };
        Ok(Some(json!({ "decision": word, "reason": list(&duties) })))
    }

    fn start(&mut self) -> Result<(), String> {
        let mut session = self.session(None)?;
        self.root(&mut session)?;
        self.book().map(|_| ())
    }

    fn with_note(&self, said: Option<Value>) -> Option<Value> {
        let Some(note) = &self.note else { return said };
        let mut said = said.unwrap_or_else(|| json!({}));
        let text = said["systemMessage"].as_str().map(|text| format!("{text}\n{note}"));
        said["systemMessage"] = text.unwrap_or_else(|| note.clone()).into();
        Some(said)
    }
}

/// The duties at the end of a session, a line each.
pub(crate) fn list(duties: &[Refusal]) -> String {
    let lines = duties.iter().take(MAX_DUTIES).map(duty).collect::<Vec<_>>().join("\n");
    let left = duties.len().saturating_sub(MAX_DUTIES);
    format!("Before you stop:\n{lines}{}", if left > 0 { format!("\nand {left} more") } else { String::new() })
}

/// A duty on one line.
pub fn duty(duty: &Refusal) -> String {
    let lifted = match &duty.lifted_by {
        Advice::Calls(calls) => format!(" To do: {}.", calls.join(", then ")),
        Advice::Nothing => " Nothing does it any more.".to_owned(),
        Advice::Unknown => String::new(),
    };
    format!("- {}: {}{lifted}", duty.laws.join(", "), one_line(&duty.explanation))
}

//! A scripted agent: sends a hook's events, takes the decisions.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A project with a book, and an agent in it.
pub struct Agent {
    pub folder: TempDir,
    pub session: String,
    calls: usize,
    pub arguments: Vec<&'static str>,
}

impl Agent {
    pub fn new(book: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("guard.toml"), book).unwrap();
        Self { folder, session: "s1".into(), calls: 0, arguments: Vec::new() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn session_file(&self) -> std::path::PathBuf {
        self.path().join(format!("state/{}.jsonl", self.session))
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ltlcrit-guard"));
        command.args(arguments).current_dir(self.path()).env("LTLCRIT_GUARD_STATE", self.path().join("state"));
        command
    }

    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Sends bytes to the hook.
    pub fn send(&self, bytes: &[u8]) -> Output {
        let mut command = self.command(&["hook"]);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Sends an event with these fields; gives what was said.
    pub fn event(&self, name: &str, fields: Value) -> Value {
        let mut event = json!({ "session_id": self.session, "cwd": self.path(), "permission_mode": "default" });
        event["hook_event_name"] = name.into();
        for (key, value) in fields.as_object().unwrap() {
            event[key] = value.clone();
        }
        let output = self.send(event.to_string().as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8(output.stdout).unwrap();
        if said.is_empty() { Value::Null } else { serde_json::from_str(&said).unwrap() }
    }

    /// Begins a call; gives its id and what was said.
    pub fn begin(&mut self, tool: &str, input: &Value) -> (String, Value) {
        self.calls += 1;
        let id = format!("call-{}", self.calls);
        let said = self.event("PreToolUse", json!({ "tool_name": tool, "tool_input": input, "tool_use_id": id }));
        (id, said)
    }

    pub fn end(&self, id: &str, tool: &str, input: &Value, succeeded: bool) {
        let (name, result) = match succeeded {
            true => ("PostToolUse", json!({ "stdout": "", "stderr": "", "interrupted": false })),
            false => ("PostToolUseFailure", Value::Null),
        };
        let fields = json!({ "tool_name": tool, "tool_input": input, "tool_use_id": id, "tool_response": result });
        assert_eq!(self.event(name, fields), Value::Null);
    }

    /// Makes a call if the guard is silent or warns; gives `pass`, `warn`, `ask`, `deny` or `stop`, and the text.
    pub fn call(&mut self, tool: &str, input: &Value, succeeds: bool) -> (String, String) {
        let (id, said) = self.begin(tool, input);
        let (word, text) = decision(&said);
        if word == "pass" || word == "warn" {
            self.end(&id, tool, input, succeeds);
        }
        (word, text)
    }

    pub fn bash(&mut self, command: &str) -> (String, String) {
        self.call("Bash", &json!({ "command": command }), true)
    }

    pub fn failing(&mut self, command: &str) -> (String, String) {
        self.call("Bash", &json!({ "command": command }), false)
    }

    pub fn file(&mut self, tool: &str, path: &str) -> (String, String) {
        self.call(tool, &json!({ "file_path": path }), true)
    }

    /// Ends the turn; gives what is owed, or nothing.
    pub fn stop(&self) -> String {
        let said = self.event("Stop", json!({ "stop_hook_active": false }));
        said["reason"].as_str().or(said["systemMessage"].as_str()).unwrap_or_default().to_owned()
    }
}

/// The decision in an answer to `PreToolUse`.
pub fn decision(said: &Value) -> (String, String) {
    let specific = &said["hookSpecificOutput"];
    let text = specific["permissionDecisionReason"].as_str().or(said["systemMessage"].as_str()).unwrap_or_default();
    let word = match specific["permissionDecision"].as_str() {
        _ if said.is_null() => "pass",
        Some(_) if said["continue"] == false => "stop",
        Some(word) => word,
        None => "warn",
    };
    assert_ne!(word, "allow");
    (word.to_owned(), text.to_owned())
}

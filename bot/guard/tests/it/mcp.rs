//! `guard mcp`: sessions of a scripted client with a server behind the guard.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::agent::Agent;

/// If this environment variable is set, node and npm are required, and the test with a server from npm runs.
const REQUIRED: &str = "REQUIRE_NODE";
const FILESYSTEM: &str = "@modelcontextprotocol/server-filesystem@2026.1.14";
const BOOK: &str = r#"
[[call]]
tool = "notes/read*"
action = "read(?file)"
file = "path(input.path)"

[[call]]
tool = ["notes/write*", "notes/wait", "notes/fail"]
action = "write(?file)"
file = "path(input.path)"

[[call]]
tool = "notes/go"
action = "go"

[[call]]
tool = "notes/crash"
action = "other"

[[law]]
id = "look-first"
rule = "write(?f) needs read(?f)"

[[law]]
id = "go-on"
rule = "write then go before stop"
"#;

/// A client of a server behind the guard, in a project of its own.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// The small server, with its folder.
fn notes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/notes-server")
}

impl Client {
    fn new(agent: &Agent, flags: &[&str], server: &[&Path]) -> Self {
        let mut command = agent.command(&["mcp", "--name", "notes"]);
        command.args(flags).arg("--").args(server);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn send(&mut self, line: &str) {
        self.input.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn receive(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    fn answer(&mut self, line: &str) -> Value {
        self.send(line);
        serde_json::from_str(&self.receive()).unwrap()
    }

    fn begin(&mut self, id: &str, tool: &str, path: &str) {
        let params = json!({ "name": tool, "arguments": { "path": path } });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string());
    }

    /// Makes a call; gives the text of its result, and whether it is an error.
    fn call(&mut self, id: &str, tool: &str, path: &str) -> (String, bool) {
        self.begin(id, tool, path);
        let answer: Value = serde_json::from_str(&self.receive()).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        let result = &answer["result"];
        (result["content"][0]["text"].as_str().unwrap_or_default().to_owned(), result["isError"] == true)
    }

    /// Ends the client; gives the exit code and the standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (self.child.wait().unwrap().code(), text)
    }
}

fn received(agent: &Agent) -> String {
    std::fs::read_to_string(agent.path().join("received")).unwrap_or_default()
}

#[test]
fn a_session_passes_blocks_and_tells_what_is_owed() {
    let agent = Agent::new(BOOK);
    let mut client = Client::new(&agent, &[], &[&notes()]);
    let begin = r#"{ "id": 1, "method" : "initialize", "params": {"x": [1.50, "\u00e9"]}, "jsonrpc": "2.0" }"#;
    client.send(begin);
    let said = "{\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}}}}\n";
    assert_eq!(client.receive(), said);
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let (text, is_error) = client.call("a", "write", "a.txt");
    assert!(is_error && text.starts_with("write(a.txt) is forbidden by the law look-first(a.txt)"), "{text}");
    assert!(text.ends_with("To lift it: read(a.txt)."), "{text}");
    assert_eq!(client.call("b", "read", "./a.txt"), ("done".into(), false));
    assert_eq!(client.call("a", "write", "a.txt"), ("done".into(), false));
    let (text, is_error) = client.call("c", "unknown", "a.txt");
    assert!(is_error && text.contains("no [[call]] of the book names the tool `mcp__notes__unknown`"), "{text}");
    assert!(agent.run(&["status"]).contains("    2  write(a.txt)\n"), "the session can be read while it runs");
    let (code, told) = client.end();
    assert_eq!(code, Some(0));
    assert!(told.contains("Before you stop:\n- go-on: write then go before stop To do: go."), "{told}");
    let lines = received(&agent);
    assert!(lines.starts_with(begin), "{lines}");
    assert_eq!(lines.lines().count(), 4, "no refused call reaches the server: {lines}");
    assert!(agent.run(&["why", "last"]).starts_with("block: The guard cannot decide: no [[call]]"));
}

#[test]
fn calls_in_flight_may_have_run_and_ids_are_theirs() {
    let agent = Agent::new(BOOK);
    let mut client = Client::new(&agent, &[], &[&notes()]);
    client.call("r", "read", "a");
    client.begin("w", "wait", "a");
    let again = client.answer(r#"{"jsonrpc":"2.0","id":"w","method":"ping"}"#);
    assert!(again["error"]["message"].as_str().unwrap().contains("the same id"), "{again}");
    assert_eq!(client.call("g", "go", ""), ("done".into(), false));
    let late: Value = serde_json::from_str(&client.receive()).unwrap();
    assert_eq!(late["id"], "w");
    // The write began before the call of `go`, and has ended. One that failed may have written.
    assert_eq!(client.call("w", "fail", "a"), (String::new(), true));
    assert!(agent.run(&["status"]).contains("    2  write(a)\n    3  go\n    4  write(a) (perhaps)\n"));
    assert!(client.end().1.contains("go-on"));
}

#[test]
fn a_shadow_refuses_nothing_and_records() {
    let agent = Agent::new(BOOK);
    let mut client = Client::new(&agent, &["--shadow"], &[&notes()]);
    assert_eq!(client.call("a", "write", "a"), ("done".into(), false));
    assert_eq!(client.call("b", "unknown", "a"), ("done".into(), false));
    let (code, told) = client.end();
    assert_eq!(code, Some(0));
    assert!(told.contains("write(a) is forbidden by the law look-first(a)"), "{told}");
    assert!(agent.run(&["why", "last"]).contains("no [[call]] of the book names"));
    assert!(agent.run(&["status"]).contains("    1  write(a)\n    2  other (perhaps)\n"));
}

#[test]
fn messages_that_could_be_read_otherwise_are_refused() {
    let agent = Agent::new(BOOK);
    let mut client = Client::new(&agent, &[], &[&notes()]);
    let call = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"go"}}"#;
    for line in [
        "{".to_owned(),
        format!("[{call}]"),
        format!("{call}{call}"),
        call.replace("\"params\"", "\"method\":\"ping\",\"params\""),
        call.replace("\"params\":{", "\"params\":{\"name\":\"read\","),
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\",\"params\":\r{\"x\":1}\r}".to_owned(),
        call.replace("\"id\":9,", ""),
        call.replace("\"id\":9", "\"id\":null"),
    ] {
        let answer = client.answer(&line);
        assert_eq!(answer["error"]["code"], -32600, "{line}: {answer}");
    }
    assert_eq!(received(&agent), "");
    // A message without end is not kept: the session ends.
    let mut input = client.input.take().unwrap();
    let _ = (0..33).try_for_each(|_| input.write_all(&[b' '; 1 << 20]));
    drop(input);
    let (code, told) = client.end();
    assert_eq!((code, told.contains("a message has more than 33554432 bytes")), (Some(1), true), "{told}");
}

#[test]
fn a_server_that_dies_ends_the_session() {
    let agent = Agent::new(BOOK);
    let mut client = Client::new(&agent, &[], &[&notes()]);
    client.begin("x", "crash", "");
    assert_eq!(client.receive(), "");
    let (code, told) = client.end();
    assert_eq!(code, Some(1));
    assert!(told.contains("the server ended (exit status: 3), with 1 call in flight"), "{told}");
    let (code, told) = Client::new(&agent, &[], &[Path::new("no-such-server")]).end();
    assert_eq!((code, told.contains("no-such-server cannot be started")), (Some(1), true), "{told}");
}

#[test]
fn init_writes_the_calls_of_a_server() {
    let agent = Agent::new(BOOK);
    let server = notes();
    let init = ["init", "--from-mcp", "--name", "my", "--yes", "--", server.to_str().unwrap()];
    let shown = agent.run(&init);
    assert!(
        shown.contains("+ tool = \"my/write\"\n+ action = \"write(?path)\"\n+ path = \"path(input.path)\"\n"),
        "{shown}"
    );
    let book = std::fs::read_to_string(agent.path().join("guard.toml")).unwrap();
    assert!(
        book.ends_with(BOOK.trim_start()) && book.contains("tool = \"my/Other-Thing\"\naction = \"other_thing\"\n"),
        "{book}"
    );
    agent.run(&["check"]);
    assert!(agent.run(&init).starts_with("Nothing to change"));
    assert!(received(&agent).contains("\"method\":\"notifications/initialized\""));
}

/// The filesystem server of the protocol's authors, from npm.
#[test]
fn a_server_from_npm_is_guarded() {
    if std::env::var_os(REQUIRED).is_none() {
        eprintln!("SKIPPED: no server from npm was guarded. With {REQUIRED} set, node and npm are needed.");
        return;
    }
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("filesystem-server");
    let script = installed.join("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
    if !script.exists() {
        std::fs::create_dir_all(&installed).unwrap();
        let flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix"];
        let npm =
            Command::new("npm").args(flags).arg(&installed).arg(FILESYSTEM).stdin(Stdio::null()).output().unwrap();
        assert!(npm.status.success(), "{}", String::from_utf8_lossy(&npm.stderr));
    }
    let agent = Agent::new("");
    std::fs::remove_file(agent.path().join("guard.toml")).unwrap();
    std::fs::write(agent.path().join("a.txt"), "one").unwrap();
    let server = ["node", script.to_str().unwrap(), agent.path().to_str().unwrap()];
    agent.run(&[&["init", "--from-mcp", "--name", "notes", "--yes", "--"], &server[..]].concat());
    let law = "\n[[law]]\nid = \"look-first\"\nrule = \"write_file(?path) needs read_text_file(?path)\"\n";
    let book = std::fs::read_to_string(agent.path().join("guard.toml")).unwrap();
    std::fs::write(agent.path().join("guard.toml"), book + law).unwrap();
    let mut client = Client::new(&agent, &[], &server.map(Path::new));
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let answer =
        client.answer(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }).to_string());
    assert!(answer["result"]["capabilities"]["tools"].is_object(), "{answer}");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let file = agent.path().join("a.txt");
    let write = |id: &str| {
        let arguments = json!({ "path": file, "content": "two" });
        let params = json!({ "name": "write_file", "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    };
    let blocked = client.answer(&write("1"));
    assert_eq!(blocked["result"]["isError"], true, "{blocked}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one");
    assert_eq!(client.call("2", "read_text_file", file.to_str().unwrap()).0, "one");
    let written = client.answer(&write("3"));
    assert_ne!(written["result"]["isError"], true, "{written}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "two");
    assert_eq!(client.end().0, Some(0));
}

//! The time that one call of the hook takes, as a process of its own, by the length of the session, and the time of a call
//! of an MCP tool with and without the proxy.
//!
//! `cargo bench -p ltlcrit-guard` prints the median and the 99th percentile, which say something on an idle machine only, and
//! the mean of the processor's time, as Linux counts it. Decisions alone are made several times, and the fastest time of each
//! counts, so that other work on the machine does not. `docs/guard.md` has the figures.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use ltlcrit_guard::Book;
use ltlcrit_guard::call::{Calls, Outcome};
use ltlcrit_guard::decide::Memory;
use ltlcrit_guard::letter::Word;
use serde_json::{Value, json};

const CALLS: usize = 300;
/// The number of calls of one client of the proxy.
const PROXIED: usize = 10_000;
/// If this environment variable is set, this program is the server.
const SERVES: &str = "LATENCY_SERVES";
/// If this environment variable is set, this program is a proxy that only passes lines on.
const PASSES: &str = "LATENCY_PASSES";
const FILES: usize = 50;
const BOOK: &str = include_str!("../src/first_book.toml");
const MORE: &str = "
[[law]]
id = 'look-first'
rule = 'write(?file) needs read(?file)'

[[law]]
id = 'ten-pushes'
rule = 'at most 10 push'
";

/// The number of letters after the state that a session keeps: half of those between two such lines.
const SINCE: usize = 40;

/// The lines of a session: files are read, written and tested in turn.
fn session(letters: std::ops::Range<usize>) -> String {
    let mut lines = String::new();
    for at in letters {
        let file = format!("src/file_{}.rs", at / 3 % FILES);
        let letter = match at % 3 {
            0 => json!({ "action": "read", "objects": [file] }),
            1 => json!({ "action": "write", "objects": [file] }),
            _ => json!({ "action": "test", "facts": ["green"] }),
        };
        let flying = json!({ "action": letter["action"], "objects": letter["objects"], "surely": false });
        let flying =
            if at % 3 == 2 { json!({ "action": "test", "surely": false, "perhaps": ["green"] }) } else { flying };
        let _ = writeln!(lines, "{}", json!({ "begins": [format!("toolu_{at:024}"), [flying]] }));
        let _ = writeln!(lines, "{}", json!({ "ends": [format!("toolu_{at:024}"), [letter]] }));
    }
    lines
}

/// The times of decisions in one process, in milliseconds: those of the calls that [`calls`] makes.
fn decisions(book: &Book) -> Vec<f64> {
    let (mut word, mut memory) = (Word::default(), Memory::default());
    let mut time = |at: usize| {
        let (tool, input) = call(at);
        let calls = Calls::read(book, &format!("b/{tool}"), &input, Path::new("/"), Path::new("/")).unwrap();
        let start = Instant::now();
        assert_eq!(memory.decide(book, &word, &calls), Ok(None));
        let time = start.elapsed().as_secs_f64() * 1e3;
        word.extend(calls.after(Outcome { succeeded: true, ended: true, response: &Value::Null }));
        time
    };
    (0..PROXIED).map(&mut time).collect()
}

/// A call of the proxy's client: files are read, written and tested in turn.
fn call(at: usize) -> (&'static str, Value) {
    (["read", "write", "test"][at % 3], json!({ "path": format!("src/file_{}.rs", at / 3 % FILES) }))
}

/// The processor's time that children took so far, in milliseconds.
fn children_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // In hundredths of a second: in user mode and in the kernel.
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    (ticks(13) + ticks(14)) * 10.0
}

/// A server that answers each message at once.
fn serve() {
    for line in std::io::stdin().lines() {
        let message: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        println!("{}", json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "content": [] } }));
    }
}

/// A proxy that passes lines on, to compare with: it starts the server, and takes as many threads as the guard.
fn pass() {
    let mut server = Command::new(std::env::current_exe().unwrap());
    let server = server.env_remove(PASSES).env(SERVES, "1");
    let mut child = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::stdout()));
    std::io::copy(&mut std::io::stdin(), &mut input).unwrap();
    drop(input);
    child.wait().unwrap();
}

/// The times of calls of a server, in milliseconds.
fn calls(server: &mut Command, folder: &Path) -> Vec<f64> {
    let child = server.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let time = |at: usize| {
        let (tool, arguments) = call(at);
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": at, "method": "tools/call", "params": params });
        let (start, mut line) = (Instant::now(), String::new());
        input.write_all(format!("{call}\n").as_bytes()).unwrap();
        output.read_line(&mut line).unwrap();
        assert!(!line.contains("isError"), "{line}");
        start.elapsed().as_secs_f64() * 1e3
    };
    let times = (0..PROXIED).map(time).collect();
    drop(input);
    child.wait().unwrap();
    times
}

fn main() {
    if std::env::var_os(PASSES).is_some() {
        return pass();
    }
    if std::env::var_os(SERVES).is_some() {
        return serve();
    }
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    std::fs::create_dir(&state).unwrap();
    std::fs::write(folder.path().join("guard.toml"), format!("{BOOK}{MORE}")).unwrap();
    println!("letters  decision  median ms  99 % ms  CPU ms");
    let before = children_ms();
    let mut times: Vec<f64> = (0..CALLS)
        .map(|_| {
            let start = Instant::now();
            assert!(Command::new("/bin/true").status().unwrap().success());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let cpu = (children_ms() - before) / CALLS as f64;
    println!("         nothing   {:>9.2}  {:>7.2}  {cpu:>6.2}", times[CALLS / 2], times[CALLS * 99 / 100]);
    for letters in [0_usize, 100, 1000, 5000] {
        for (name, command, event) in
            [("pass", "ls -la", "PreToolUse"), ("push", "git push", "PreToolUse"), ("result", "ls -la", "PostToolUse")]
        {
            let early = letters.saturating_sub(SINCE);
            let file = state.join("s.jsonl");
            let event = json!({
                "session_id": "s", "hook_event_name": event, "cwd": folder.path(), "tool_name": "Bash",
                "tool_input": { "command": command }, "tool_response": {}, "tool_use_id": "now",
            });
            let mut lines = format!("{{\"root\":\"/\"}}\n{}", session(0..early));
            let mut before = 0.0;
            // The first call keeps the state of a long session, and does not count.
            let mut times: Vec<f64> = (0..=CALLS)
                .map(|call| {
                    std::fs::write(&file, &lines).unwrap();
                    let start = Instant::now();
                    let mut child = Command::new(env!("CARGO_BIN_EXE_ltlcrit-guard"))
                        .arg("hook")
                        .current_dir(&folder)
                        .env("LTLCRIT_GUARD_STATE", &state)
                        .stdin(Stdio::piped())
                        .stdout(Stdio::piped())
                        .spawn()
                        .unwrap();
                    child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
                    assert!(child.wait_with_output().unwrap().status.success());
                    let time = start.elapsed().as_secs_f64() * 1e3;
                    if call == 0 {
                        lines = std::fs::read_to_string(&file).unwrap() + &session(early..letters);
                        before = children_ms();
                    }
                    time
                })
                .skip(1)
                .collect();
            times.sort_by(f64::total_cmp);
            let (median, late) = (times[CALLS / 2], times[CALLS * 99 / 100]);
            let cpu = (children_ms() - before) / CALLS as f64;
            println!("{letters:>7}  {name:<8}  {median:>9.2}  {late:>7.2}  {cpu:>6.2}");
        }
    }
    let mut book = format!("{BOOK}{MORE}");
    for (tool, action) in [("read", "read(?file)"), ("write", "write(?file)"), ("test", "test")] {
        let file = if action == "test" { "" } else { "file = 'path(input.path)'" };
        book.insert_str(
            book.find("[[call]]").unwrap(),
            &format!("[[call]]\ntool = 'b/{tool}'\naction = '{action}'\n{file}\n"),
        );
    }
    let parsed = Book::parse("guard.toml", &book).unwrap();
    let runs: Vec<Vec<f64>> = (0..5).map(|_| decisions(&parsed)).collect();
    let fastest = |at: usize| runs.iter().map(|run| run[at]).fold(f64::MAX, f64::min);
    let mut fastest: Vec<f64> = (0..PROXIED).map(fastest).collect();
    fastest.sort_by(f64::total_cmp);
    let (median, late, most) = (fastest[PROXIED / 2], fastest[PROXIED * 99 / 100], fastest[PROXIED - 1]);
    println!("decisions alone: median {median:.3} ms, 99 % {late:.3} ms, at most {most:.3} ms, of {PROXIED} calls");
    std::fs::write(folder.path().join("guard.toml"), book).unwrap();
    let server = std::env::current_exe().unwrap();
    println!("server      median ms  99 % ms, of {PROXIED} calls");
    for (name, command) in [
        ("alone", vec![]),
        ("passed on", vec![]),
        ("guarded", vec![env!("CARGO_BIN_EXE_ltlcrit-guard"), "mcp", "--name", "b", "--"]),
    ] {
        let words: Vec<&Path> = command.into_iter().map(Path::new).chain([server.as_path()]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env(SERVES, "1").env("LTLCRIT_GUARD_STATE", &state);
        if name == "passed on" {
            command.env(PASSES, "1");
        }
        let mut times = calls(&mut command, folder.path());
        let half: f64 = times[PROXIED / 2..].iter().sum::<f64>() / (PROXIED / 2) as f64;
        times.sort_by(f64::total_cmp);
        println!(
            "{name:<10}  {:>9.3}  {:>7.3}  mean of the second half {half:.3}",
            times[PROXIED / 2],
            times[PROXIED * 99 / 100]
        );
    }
}

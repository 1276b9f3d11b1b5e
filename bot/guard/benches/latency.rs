//! The time that one call of the hook takes, as a process of its own, by the length of the session.
//!
//! `cargo bench -p ltlcrit-guard` prints the median and the 99th percentile, which say something on an idle machine only, and
//! the mean of the processor's time, as Linux counts it; `docs/guard.md` has the figures.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::json;

const CALLS: usize = 300;
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

/// The lines of a session: files are read, written and tested in turn.
fn session(letters: usize) -> String {
    let mut lines = "{\"root\":\"/\"}\n".to_owned();
    for at in 0..letters {
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

/// The processor's time that children took so far, in milliseconds.
fn children_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // In hundredths of a second: in user mode and in the kernel.
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    (ticks(13) + ticks(14)) * 10.0
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    std::fs::create_dir(&state).unwrap();
    std::fs::write(folder.path().join("guard.toml"), format!("{BOOK}{MORE}")).unwrap();
    println!("letters  decision  median ms  99 % ms  CPU ms");
    for letters in [0, 100, 1000, 5000] {
        for (name, command, event) in
            [("pass", "ls -la", "PreToolUse"), ("push", "git push", "PreToolUse"), ("result", "ls -la", "PostToolUse")]
        {
            let lines = session(letters);
            let file = state.join("s.jsonl");
            let event = json!({
                "session_id": "s", "hook_event_name": event, "cwd": folder.path(), "tool_name": "Bash",
                "tool_input": { "command": command }, "tool_response": {}, "tool_use_id": "now",
            });
            let before = children_ms();
            let mut times: Vec<f64> = (0..CALLS)
                .map(|_| {
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
                    start.elapsed().as_secs_f64() * 1e3
                })
                .collect();
            times.sort_by(f64::total_cmp);
            let (median, late) = (times[CALLS / 2], times[CALLS * 99 / 100]);
            let cpu = (children_ms() - before) / CALLS as f64;
            println!("{letters:>7}  {name:<8}  {median:>9.2}  {late:>7.2}  {cpu:>6.2}");
        }
    }
}

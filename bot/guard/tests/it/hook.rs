//! `guard hook`: sessions of a scripted agent.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::agent::{Agent, decision};

/// A book with every form of law and every answer.
const BOOK: &str = r#"
[[call]]
tool = ["Write", "fs/write_*"]
action = "write(?file)"
file = "path(input.file_path)"

[[call]]
tool = "Read"
action = "read(?file)"
file = "path(input.file_path)"
after = { secret = "response.stdout contains 'key'" }

[[call]]
shell = ["cargo test", "pytest"]
action = "test"
after = { green = "exit_code == 0" }

[[call]]
shell = "git push"
action = "push"

[[call]]
shell = "git commit"
action = "commit"

[[call]]
shell = "plan"
action = "plan"

[[call]]
shell = "deploy"
action = "deploy"

[[call]]
shell = "rm"
action = "remove"

[[call]]
shell = "lint"
action = "lint(?file)"
file = "path(words[1])"

[[call]]
tool = "Mail"
action = "mail"

[[call]]
shell = ">"
action = "write(?file)"
file = "path(words[1])"

[[call]]
tool = "Grep"
action = "other"

[[law]]
id = "tests-before-push"
rule = "push needs test & green since write"
explanation = "Push only after green tests since the last write."

[[law]]
id = "look-first"
rule = "write(?f) needs read(?f)"

[[law]]
id = "no-remove"
rule = "never remove"
otherwise = "stop"

[[law]]
id = "three-pushes"
rule = "at most 3 push"

[[law]]
id = "linted"
rule = "write(?f) then lint(?f) before stop"

[[law]]
id = "no-mail"
rule = 'after "read(*.env)" never mail'
otherwise = "ask"

[[law]]
id = "plan-early"
rule = "plan within 3 calls"
otherwise = "warn"

[[law]]
id = "commit-soon"
rule = "write then commit within 6 calls"
otherwise = "warn"

[[law]]
id = "deploys"
formula = "G(deploy -> X G !deploy)"
strength = "soft"
explanation = "Deploy once."
"#;

/// A call of the script: what is called, the decision, and a part of the text.
type Step = (&'static str, &'static str, &'static str);

const SESSION: [Step; 40] = [
    ("Grep", "pass", ""),
    ("ls -la", "pass", ""),
    ("ls", "warn", "plan-early"),
    ("plan", "pass", ""),
    ("Write a.rs", "deny", "write(a.rs) is forbidden by the law look-first(a.rs)"),
    ("Read a.rs", "pass", ""),
    ("Write ./a.rs", "pass", ""),
    ("git push", "deny", "Since call 6: write(a.rs).\nTo lift it: test (green), such as `cargo test` or `pytest`."),
    ("! cargo test", "pass", ""),
    ("git push", "deny", "tests-before-push"),
    ("git add . && git push", "deny", "push is forbidden by the law tests-before-push"),
    ("cargo test; git push", "deny", "tests-before-push"),
    ("cargo test || git push", "deny", "tests-before-push"),
    ("git commit -m x", "pass", ""),
    ("stop", "owed", "- linted(a.rs): write(?f) then lint(?f) before stop To do: lint(a.rs)."),
    ("stop", "pass", ""),
    ("lint a.rs", "pass", ""),
    ("stop", "pass", ""),
    ("cargo test && git push", "pass", ""),
    ("sudo git -C sub push", "pass", ""),
    ("echo x > b.rs", "deny", "look-first(b.rs)"),
    ("Read b.rs", "pass", ""),
    ("echo x > b.rs", "pass", ""),
    ("git push", "deny", "Since call 14: write(b.rs)."),
    ("bash -c 'pytest -q' && git push", "pass", ""),
    ("git push", "deny", "three-pushes"),
    ("git push $X", "deny", "three-pushes"),
    ("git $X", "ask", "the shell computes a word, and this may be `push`"),
    ("git 'push", "ask", "The guard cannot decide"),
    ("Unknown", "ask", "no [[call]] of the book names the tool `Unknown`"),
    ("for i in 1 2; do git commit -m $i; done", "ask", "`commit` may run any number of times"),
    ("rm -rf x", "stop", "no-remove"),
    ("Mail", "pass", ""),
    ("Read sub/.env", "pass", ""),
    ("Mail", "ask", "no-mail"),
    ("lint b.rs", "pass", ""),
    ("deploy", "pass", ""),
    ("deploy", "deny", "Deploy once."),
    ("mcp__fs__write_file c.rs", "deny", "look-first(c.rs)"),
    ("stop", "pass", ""),
];

#[test]
fn a_session_of_forty_events_with_every_form() {
    let mut agent = Agent::new(BOOK);
    agent.event("SessionStart", json!({ "source": "startup" }));
    for (at, (call, expected, part)) in SESSION.into_iter().enumerate() {
        let (found, text) = match call.split_once(' ') {
            _ if call == "stop" => {
                let text = agent.stop();
                (if text.is_empty() { "pass" } else { "owed" }.to_owned(), text)
            }
            Some((tool, path)) if tool.starts_with(char::is_uppercase) || tool.starts_with("mcp") => {
                agent.file(tool, path)
            }
            Some(("!", command)) => agent.failing(command),
            None if call.starts_with(char::is_uppercase) => agent.call(call, &json!({}), true),
            _ => agent.bash(call),
        };
        assert_eq!((found.as_str(), text.contains(part)), (expected, true), "{at}: {call}: {found}: {text}");
        assert!(text.lines().count() <= 3 || expected == "owed", "{text}");
    }
    let status = agent.run(&["status"]);
    assert!(status.contains("Nothing is owed."), "{status}");
    let why = agent.run(&["why", "last"]);
    assert!(why.starts_with("block: write(c.rs) is forbidden by the law look-first(c.rs)"), "{why}");
    agent.run(&["forget"]);
    assert!(!agent.session_file().exists());
}

#[test]
fn tests_in_a_pipe_do_not_count_and_the_guard_says_so() {
    let mut agent = Agent::new(BOOK);
    agent.bash("plan");
    let ran = |agent: &Agent, command: &str| {
        let fields = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_response": {} });
        agent.event("PreToolUse", fields.clone());
        let said = agent.event("PostToolUse", fields);
        said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    };
    let named = "To lift it: test (green), such as `cargo test` or `pytest`";
    assert!(agent.bash("git push").1.ends_with(&format!("{named}.")));
    for command in ["cargo test 2>&1 | tail -20", "pytest -q | head", "cargo test; ls"] {
        let told = ran(&agent, command);
        assert_eq!(
            told,
            "The exit code of test is not known, so green does not count. Run test on its own, with no pipe after it."
        );
        let (word, text) = agent.bash("git push");
        let hint = format!("{named}, on its own, with no pipe after it.");
        assert_eq!((word.as_str(), text.ends_with(&hint)), ("deny", true), "{command}: {text}");
    }
    assert_eq!(ran(&agent, "set -o pipefail; cargo test 2>&1 | tail -20"), "");
    assert_eq!(agent.bash("git push").0, "pass");
}

/// Lets minutes pass: all that was recorded began earlier.
fn later(agent: &Agent, minutes: u64) {
    let text = std::fs::read_to_string(agent.session_file()).unwrap();
    let earlier = |line: &str| match line.strip_prefix("{\"now\":").and_then(|rest| rest.strip_suffix('}')) {
        Some(now) => format!("{{\"now\":{}}}\n", now.parse::<u64>().unwrap() - minutes * 60),
        None => format!("{line}\n"),
    };
    std::fs::write(agent.session_file(), text.lines().map(earlier).collect::<String>()).unwrap();
}

#[test]
fn time_passes_between_calls() {
    let calls = BOOK.split("[[law]]").next().unwrap();
    let mut agent = Agent::new(&format!(
        "{calls}
        [[law]]
        id = 'fresh'
        rule = 'push needs test & green since write within 10 min'
        [[law]]
        id = 'rate'
        rule = 'at most 2 deploy within 60 min'"
    ));
    let checked = agent.run(&["check"]);
    assert!(checked.contains("forbidden  deploy late for rate"), "{checked}");
    assert!(checked.contains("proved that every state of every session leaves a call"), "{checked}");
    let lifted = "To lift it: test (green), such as `cargo test` or `pytest`.";
    let refused = |agent: &mut Agent, command: &str, lifted: &str| {
        let (word, text) = agent.bash(command);
        assert_eq!((word.as_str(), text.ends_with(lifted)), ("deny", true), "{command}: {text}");
    };
    refused(&mut agent, "git push", lifted);
    agent.bash("cargo test");
    assert_eq!(agent.bash("git push").0, "pass");
    later(&agent, 9);
    assert_eq!(agent.bash("git push").0, "pass");
    later(&agent, 2);
    refused(&mut agent, "git push", lifted);
    refused(&mut agent, "git push && cargo test", lifted);
    assert_eq!(agent.bash("cargo test && git push").0, "pass", "the parts of a script have one time");
    assert_eq!(agent.bash("git push").0, "pass");
    agent.file("Write", "a.rs");
    refused(&mut agent, "git push", lifted);
    assert_eq!(agent.bash("deploy").0, "pass");
    later(&agent, 30);
    refused(&mut agent, "deploy; deploy", "To lift it: wait.");
    // One that may have run counts.
    agent.begin("Bash", &json!({ "command": "deploy" }));
    refused(&mut agent, "deploy", "To lift it: wait.");
    later(&agent, 31);
    assert_eq!(agent.bash("deploy").0, "pass");
    refused(&mut agent, "deploy", "To lift it: wait.");
}

#[test]
fn calls_in_flight_count_as_possibly_done() {
    let mut agent = Agent::new(BOOK);
    agent.bash("plan");
    agent.file("Read", "a.rs");
    let (input, test) = (json!({ "file_path": "a.rs" }), json!({ "command": "cargo test" }));
    // A write that may have happened asks for tests; tests that may have happened lift nothing.
    let (write, said) = agent.begin("Write", &input);
    assert_eq!(said, Value::Null);
    let (tests, _) = agent.begin("Bash", &test);
    assert!(agent.bash("git push").1.contains("tests-before-push"));
    agent.end(&tests, "Bash", &test, true);
    assert_eq!(agent.bash("git push").0, "pass");
    agent.end(&write, "Write", &input, true);
    assert_eq!(agent.bash("git push").0, "pass", "the write began before the tests");
    assert!(agent.stop().contains("lint(a.rs)"));
}

#[test]
fn a_call_that_was_killed_between_its_two_events_may_have_run() {
    let mut agent = Agent::new(BOOK);
    agent.bash("plan");
    agent.file("Read", "a.rs");
    agent.begin("Write", &json!({ "file_path": "a.rs" }));
    assert!(agent.stop().contains("linted(a.rs)"));
    assert!(agent.run(&["status"]).contains("write(a.rs) (perhaps)"));
    // The guard was killed in the middle of a line: nobody knows which call is missing.
    let mut file = std::fs::OpenOptions::new().append(true).open(agent.session_file()).unwrap();
    std::io::Write::write_all(&mut file, b"{\"begins\":[\"x\",[{\"act").unwrap();
    let (word, text) = agent.bash("ls");
    assert_eq!((word.as_str(), text.contains("a line of the session cannot be read")), ("ask", true), "{text}");
    assert_eq!(agent.bash("ls").0, "pass", "it is told once");
    assert!(agent.run(&["status"]).contains("write(a.rs) (perhaps)"));
}

#[test]
fn a_broken_book_leaves_its_last_good_revision_in_force() {
    let mut agent = Agent::new("[[call]\n");
    let (word, text) = agent.bash("ls");
    assert_eq!((word.as_str(), text.contains("guard.toml is broken, line 1")), ("ask", true), "{text}");
    std::fs::write(agent.path().join("guard.toml"), BOOK).unwrap();
    assert_eq!(agent.bash("plan").0, "pass");
    std::fs::write(agent.path().join("guard.toml"), BOOK.replace("never remove", "nevr remove")).unwrap();
    let (id, said) = agent.begin("Bash", &json!({ "command": "rm x" }));
    assert_eq!(decision(&said).0, "stop");
    let note = said["systemMessage"].as_str().unwrap();
    assert!(note.contains("Its last good revision stays in force."), "{note}");
    assert!(!std::fs::read_to_string(agent.session_file()).unwrap().contains(&format!("\"begins\":[\"{id}\"")));
}

#[test]
fn what_cannot_be_recorded_is_not_allowed() {
    let agent = Agent::new(BOOK);
    // No file may grow: as on a full disk, every write fails.
    let event = json!({
        "session_id": "s1", "hook_event_name": "PreToolUse", "tool_name": "Grep", "tool_input": {}, "cwd": agent.path(),
    });
    let script = format!("ulimit -f 0; trap '' XFSZ; exec '{}' hook | cat", env!("CARGO_BIN_EXE_ltlcrit-guard"));
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &script]).current_dir(agent.path()).env("LTLCRIT_GUARD_STATE", agent.path().join("state"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), event.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let (word, text) = decision(&serde_json::from_slice(&output.stdout).unwrap());
    assert_eq!((word.as_str(), text.contains("the session cannot be recorded")), ("ask", true), "{text}");
    // An answer that cannot be said is a refusal: the exit code is 2.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let denied = json!({
        "session_id": "s1", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "rm x" },
    });
    let mut child = agent.command(&["hook"]).stdin(Stdio::piped()).stdout(full).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), denied.to_string().as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn two_processes_at_once_lose_no_call() {
    let agent = Agent::new(BOOK);
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let agent = &agent;
            scope.spawn(move || {
                for call in 0..20 {
                    let id = format!("{worker}-{call}");
                    let fields =
                        json!({ "tool_name": "Bash", "tool_input": { "command": "git push" }, "tool_use_id": id });
                    agent.event("PreToolUse", fields);
                }
            });
        }
    });
    let text = std::fs::read_to_string(agent.session_file()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Without tests no push is allowed: each of the forty was refused, and each is a line.
    assert_eq!(lines.iter().filter(|line| line["refused"].is_object()).count(), 40);
    assert_eq!(lines.iter().filter(|line| line["root"].is_string()).count(), 1);
}

#[test]
fn at_most_three_pushes_even_if_two_processes_ask_at_once() {
    let book = BOOK.replace("push needs test & green since write", "push needs plan");
    let mut agent = Agent::new(&book);
    agent.bash("plan");
    let passed = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (agent, passed) = (&agent, &passed);
            scope.spawn(move || {
                for call in 0..5 {
                    let id = format!("{worker}-{call}");
                    let fields =
                        json!({ "tool_name": "Bash", "tool_input": { "command": "git push" }, "tool_use_id": id });
                    if agent.event("PreToolUse", fields).is_null() {
                        passed.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    }
                }
            });
        }
    });
    assert_eq!(passed.into_inner(), 3);
}

#[test]
fn where_nobody_can_be_asked_the_guard_refuses() {
    let mut agent = Agent::new(BOOK);
    agent.arguments = vec!["--unattended"];
    assert_eq!(agent.call("Unknown", &json!({}), true).0, "deny");
    agent.arguments.clear();
    let fields = json!({ "tool_name": "Unknown", "tool_input": {}, "permission_mode": "dontAsk" });
    assert_eq!(decision(&agent.event("PreToolUse", fields)).0, "deny");
    // Gemini CLI has no such answer, and a form of its own.
    let fields = json!({ "tool_name": "Unknown", "tool_input": {} });
    let said = agent.event("BeforeTool", fields);
    assert_eq!(said["decision"], "deny");
    assert_eq!(agent.event("BeforeTool", json!({ "tool_name": "Grep", "tool_input": {} })), Value::Null);
    assert_eq!(
        agent.event("AfterTool", json!({ "tool_name": "Grep", "tool_input": {}, "tool_response": {} })),
        Value::Null
    );
}

#[test]
fn events_of_copilot_cli_have_no_name() {
    let agent = Agent::new(BOOK);
    let send = |fields: Value| {
        let mut event = json!({ "sessionId": "c1", "timestamp": 1_704_614_600_000_u64, "cwd": agent.path() });
        for (key, value) in fields.as_object().unwrap() {
            event[key] = value.clone();
        }
        let output = agent.send(event.to_string().as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_default()
    };
    // The arguments are an object, or JSON in a text.
    let push = || send(json!({ "toolName": "bash", "toolArgs": "{\"command\": \"git push\"}" }));
    let call = |command: &str| json!({ "toolName": "bash", "toolArgs": { "command": command } });
    let ends = |command: &str, result: &str| {
        let mut event = call(command);
        event["toolResult"] = json!({ "resultType": result, "textResultForLlm": "" });
        send(event)
    };
    assert_eq!(send(json!({ "source": "new" })), Value::Null);
    assert_eq!(send(call("plan")), Value::Null);
    assert_eq!(ends("plan", "success"), Value::Null);
    for result in ["denied", "failure"] {
        assert_eq!(send(call("cargo test")), Value::Null);
        ends("cargo test", result);
        let said = push();
        assert_eq!(said["permissionDecision"], "deny", "{result}");
        let text = said["permissionDecisionReason"].as_str().unwrap();
        assert!(text.contains("tests-before-push"), "{text}");
    }
    assert_eq!(send(call("cargo test")), Value::Null);
    let said = ends("cargo test | tail", "success");
    assert!(said["additionalContext"].as_str().unwrap().contains("exit code"), "{said}");
    assert_eq!(send(call("cargo test")), Value::Null);
    assert_eq!(ends("cargo test", "success"), Value::Null);
    assert_eq!(push(), Value::Null);
    let mut failed = call("git push");
    failed["error"] = "rejected".into();
    assert_eq!(send(failed), Value::Null);
    let file =
        json!({ "toolName": "Read", "toolArgs": { "file_path": "b.rs" }, "toolResult": { "resultType": "success" } });
    send(file);
    assert_eq!(send(json!({ "toolName": "Write", "toolArgs": { "file_path": "b.rs" } })), Value::Null);
    let said = send(json!({ "stopReason": "end_turn", "transcriptPath": "t" }));
    assert_eq!(said["decision"], "block");
}

#[test]
fn events_that_cannot_be_read_are_refusals() {
    let agent = Agent::new(BOOK);
    for event in ["", "{", "[]", "{}", "{\"hook_event_name\": 3}"] {
        let output = agent.send(event.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{event}");
        assert!(output.stdout.is_empty());
    }
    for id in ["../x", "", "a/b", ".hidden"] {
        let fields = json!({ "session_id": id, "tool_name": "Grep", "tool_input": {} });
        assert_eq!(decision(&agent.event("PreToolUse", fields)).0, "ask", "{id}");
    }
}

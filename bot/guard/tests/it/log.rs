//! `guard judge-log`: a book on logs of each form.

use ltlcrit_guard::log::MAX_CALLS;
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::check::CALLS;

const LAWS: &str = r#"
[[law]]
id = "tests-before-push"
rule = "push needs test & green since write"

[[law]]
id = "tested"
rule = "write then test before stop"

[[law]]
id = "look-first"
rule = "write(?f) needs read(?f)"
"#;

/// A call: the tool, its input, and whether it succeeded.
type Call = (&'static str, Value, bool);

/// Sessions with their names.
fn sessions() -> Vec<(&'static str, Vec<Call>)> {
    let (bash, file) = (|command: &str| json!({ "command": command }), |path: &str| json!({ "file_path": path }));
    vec![
        (
            "good",
            vec![
                ("Read", file("/p/a"), true),
                ("Write", file("/p/a"), true),
                ("Bash", bash("cargo test && git push"), true),
            ],
        ),
        (
            "red",
            vec![
                ("Read", file("/p/a"), true),
                ("Write", file("/p/a"), true),
                ("Bash", bash("cargo test"), false),
                ("Bash", bash("git push"), true),
            ],
        ),
        ("blind", vec![("Write", file("/p/b"), true), ("Bash", bash("git '"), true)]),
    ]
}

/// A span of a tool call: as OTLP writes it, or as an object of attributes.
fn span(session: &str, at: usize, (tool, input, ok): &Call) -> Value {
    if at % 2 == 1 {
        let attributes = json!({
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.call.arguments": input,
            "gen_ai.conversation.id": session,
        });
        let status = json!({ "status_code": if *ok { "UNSET" } else { "ERROR" } });
        return json!({ "name": "execute_tool", "start_time": format!("{at}"), "attributes": attributes, "status": status });
    }
    let text = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
    let fields: Vec<Value> =
        input.as_object().unwrap().iter().map(|(key, value)| text(key, value.as_str().unwrap())).collect();
    let mut attributes = vec![text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", tool)];
    attributes.push(json!({ "key": "gen_ai.tool.call.arguments", "value": { "kvlistValue": { "values": fields } } }));
    attributes.push(text("gen_ai.conversation.id", session));
    let status = json!({ "code": if *ok { 1 } else { 2 } });
    let span =
        json!({ "traceId": "t", "startTimeUnixNano": format!("{at}"), "attributes": attributes, "status": status });
    json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [{ "name": "chat", "attributes": [] }, span] }] }] })
}

/// A tool event of Inspect: it keeps long texts apart.
fn event((tool, input, ok): &Call) -> Value {
    let apart = |value: &Value| if value == "git push" { json!("attachment://a1") } else { value.clone() };
    let input: Value = input.as_object().unwrap().iter().map(|(key, value)| (key.clone(), apart(value))).collect();
    let error = if *ok { Value::Null } else { json!({ "type": "unknown", "message": "red" }) };
    json!({ "event": "tool", "id": "c", "function": tool, "arguments": input, "result": "…", "error": error })
}

fn log(form: &str) -> String {
    if form == "inspect" {
        let sample = |(session, calls): (&str, Vec<Call>)| {
            let events: Vec<Value> = [json!({ "event": "model" })].into_iter().chain(calls.iter().map(event)).collect();
            json!({ "id": session, "epoch": 1, "events": events, "attachments": { "a1": "git push" } })
        };
        let samples: Vec<Value> = sessions().into_iter().map(sample).collect();
        return serde_json::to_string_pretty(&json!({ "version": 2, "status": "success", "samples": samples }))
            .unwrap();
    }
    let mut lines = Vec::new();
    for (session, calls) in sessions() {
        let mut messages = Vec::new();
        for (at, (tool, input, ok)) in calls.into_iter().enumerate() {
            let id = format!("{session}-{at}");
            match form {
                "claude-code" => {
                    let call = json!({ "type": "tool_use", "id": id, "name": tool, "input": input });
                    let result = json!({ "type": "tool_result", "tool_use_id": id, "is_error": !ok, "content": "…" });
                    for (role, part) in [("assistant", call), ("user", result)] {
                        let message = json!({ "role": role, "content": [part] });
                        lines.push(json!({ "type": role, "sessionId": session, "cwd": "/p", "message": message }));
                    }
                    lines.push(json!({ "type": "summary", "summary": "…" }));
                }
                "openai" => {
                    let function = json!({ "name": tool, "arguments": input.to_string() });
                    let call = json!({ "id": id, "type": "function", "function": function });
                    messages.push(json!({ "role": "assistant", "tool_calls": [call] }));
                    let content = if ok { "done".to_owned() } else { json!({ "error": "red" }).to_string() };
                    messages.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
                }
                "otel" => lines.insert(0, span(session, at, &(tool, input, ok))),
                _ => lines.push(json!({ "session": session, "tool": tool, "input": input, "ok": ok, "cwd": "/p" })),
            }
        }
        if form == "openai" {
            lines.push(json!({ "messages": messages }));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn each_form_gives_the_same_lines() {
    for form in ["claude-code", "openai", "inspect", "otel", "jsonl"] {
        let agent = Agent::new(&format!("{CALLS}{LAWS}"));
        std::fs::write(agent.path().join("log"), log(form)).unwrap();
        let output = agent.command(&["judge-log", "--from", form, "--json", "log"]).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stderr));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["undecided"], 1, "{form}");
        let line = |law: usize, field: &str| found["laws"][law][field].clone();
        for (law, violated, refused) in [(0, 1, 1), (1, 1, 0), (2, 1, 1)] {
            assert_eq!(
                (line(law, "sessions"), line(law, "violated"), line(law, "refused")),
                (json!(3), json!(violated), json!(refused)),
                "{form}"
            );
        }
        assert!(line(0, "first").as_str().unwrap().ends_with("call 4: push"), "{found}");
        assert!(line(1, "first").as_str().unwrap().ends_with("at the end"), "{found}");
        assert_eq!(line(0, "could_go_on"), true);
        let table = agent.command(&["judge-log", "--from", form, "log"]).output().unwrap();
        assert!(
            String::from_utf8(table.stdout)
                .unwrap()
                .contains("tests-before-push         3         1        1          yes  ")
        );
    }
}

#[test]
fn a_log_without_faults_ends_well_and_a_broken_one_is_said() {
    let agent = Agent::new(&format!("{CALLS}{LAWS}"));
    let good = log("jsonl")
        .lines()
        .filter(|line| line.contains("\"good\""))
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    std::fs::write(agent.path().join("log"), good).unwrap();
    let shown = agent.run(&["judge-log", "--from", "jsonl", "log"]);
    assert!(shown.contains("look-first                1         0        0          yes  -"), "{shown}");
    std::fs::write(agent.path().join("log"), "{}\n{").unwrap();
    let output = agent.command(&["judge-log", "--from", "claude-code", "log"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("log: line 2 is not JSON"));
    let output = agent.command(&["judge-log", "--from", "inspect", "log"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("log: the log is not JSON"));
}

#[test]
fn calls_that_are_not_judged_are_counted() {
    // Calls of an unknown tool are undecided at once.
    let agent = Agent::new(&format!("{}{LAWS}", CALLS.replace("tool = \"*\"", "tool = \"Grep\"")));
    let line = json!({ "session": "long", "tool": "Unknown", "ok": true, "cwd": "/p" });
    std::fs::write(agent.path().join("log"), format!("{line}\n").repeat(MAX_CALLS + 3)).unwrap();
    let found: Value = serde_json::from_str(&agent.run(&["judge-log", "--from", "jsonl", "--json", "log"])).unwrap();
    assert_eq!((&found["undecided"], &found["not_judged"]), (&json!(MAX_CALLS), &json!(3)));
    let table = agent.run(&["judge-log", "--from", "jsonl", "log"]);
    assert!(table.contains("not judged: 3 calls; of each session, the first 5000 calls are judged"), "{table}");
}

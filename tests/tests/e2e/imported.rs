//! `store import`: runs of the store from an agent's logs, which `critique` mines.

use crate::sandbox::Sandbox;

const BOOK: &str = r#"
[[call]]
shell = "cargo test"
action = "test"
after = { green = "exit_code == 0" }

[[call]]
shell = "git push"
action = "push"

[[call]]
tool = "Write"
action = "write(?file)"
file = "path(input.file_path)"
"#;

/// Lines of a log: a session, a command, and whether it succeeded.
fn log(calls: &[(&str, &str, bool)]) -> String {
    let line = |(session, command, ok): &(&str, &str, bool)| {
        format!(r#"{{"session":"{session}","tool":"Bash","input":{{"command":"{command}"}},"ok":{ok}}}"#) + "\n"
    };
    calls.iter().map(line).collect()
}

#[test]
fn logs_of_an_agent_become_runs_that_are_mined() {
    let sandbox = Sandbox::new();
    sandbox.write("guard.toml", BOOK);
    let safe: Vec<(&str, &str, bool)> = ["a", "b", "c"]
        .into_iter()
        .flat_map(|session| [(session, "ls", true), (session, "cargo test", true), (session, "git push", true)])
        .collect();
    let harmful: Vec<(&str, &str, bool)> =
        ["d", "e", "f"].into_iter().flat_map(|session| [(session, "ls", true), (session, "git push", true)]).collect();
    sandbox.write("safe.jsonl", &log(&safe));
    sandbox.write("unsafe.jsonl", &log(&harmful));
    sandbox.write("plain.jsonl", &log(&[("g", "cargo test && git push", false), ("g", "git 'push", true)]));
    let import = |line: &str| sandbox.run(&format!("store import --from jsonl {line} --json")).code(0).json();
    assert_eq!(import("--mark safe safe.jsonl"), serde_json::json!({ "runs": 3, "steps": 9, "unread": 0 }));
    assert_eq!(import("--mark unsafe unsafe.jsonl"), serde_json::json!({ "runs": 3, "steps": 6, "unread": 0 }));
    // A mark for one session goes before the one for all.
    sandbox.write("mixed.jsonl", &log(&[("x", "ls", true), ("y", "git push", true)]));
    let mixed = import("--mark safe --mark y=unsafe mixed.jsonl");
    assert_eq!(mixed, serde_json::json!({ "runs": 2, "steps": 2, "unread": 0 }));
    let goals = sandbox.run("report all --json").code(0).json();
    let ends: Vec<&str> = goals["runs"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .take(2)
        .map(|run| run["ended"].as_str().unwrap_or("?"))
        .collect();
    assert_eq!(ends, ["stopped short of the goal", "goal reached"]);
    let nobody = sandbox.run("store import --from jsonl --mark z=safe mixed.jsonl").code(4);
    assert!(nobody.stderr.contains("no session of these logs has this name"), "{}", nobody.stderr);
    // The tests ran, with an unknown outcome; whether the push did is not known.
    assert_eq!(import("plain.jsonl"), serde_json::json!({ "runs": 1, "steps": 1, "unread": 1 }));
    assert!(sandbox.run("laws check guard.toml").code(0).stdout.contains("proved that every state of every session"));
    sandbox.run("store verify").code(0);
    let steps = sandbox.run("store export").code(0).stdout;
    assert!(steps.contains("\"called_test\"") && steps.contains("\"unsafe\""), "{steps}");
    sandbox.run("graph all --json").code(0);
    sandbox.run("critique all --no-laws --book learned.toml").code(0);
    let fault = sandbox.run("store import --from openai safe.jsonl").code(4);
    assert!(fault.stderr.contains("line 1 has no messages"), "{}", fault.stderr);
}

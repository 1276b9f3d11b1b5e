//! Hostile input: no event makes the guard panic, and none passes a call that a law forbids for ever.

use std::path::Path;
use std::sync::LazyLock;

use ltlcrit_guard::hook::{Place, answer};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agent::Agent;

const BOOK: &str = r#"
[[call]]
tool = "Danger"
action = "danger(?what)"
what = "path(input.what)"

[[call]]
shell = ["danger", "git push"]
action = "push"

[[call]]
tool = "*"
action = "other"

[[law]]
id = "no"
rule = "never (danger | push)"
"#;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("guard.toml"), BOOK).unwrap();
    folder
});

fn place(folder: &Path) -> Place {
    Place { book: folder.join("guard.toml"), state: folder.join("state"), unattended: false }
}

/// Any JSON value, a few levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("/etc/passwd")),
        Just(json!("../..")),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let key = prop_oneof!["[a-z_]{1,8}", Just("command".to_owned()), Just("file_path".to_owned())];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..5).prop_map(|fields| json!(fields)),
        ]
    })
}

fn event(name: &str, tool: &str, input: &Value, more: &Value) -> Value {
    let mut event = json!({ "session_id": "h", "cwd": FOLDER.path(), "hook_event_name": name, "tool_name": tool });
    event["tool_input"] = input.clone();
    for (key, value) in more.as_object().into_iter().flatten() {
        // The subject of the event stays.
        if event.get(key).is_none() {
            event[key] = value.clone();
        }
    }
    event
}

/// Text around a command that does not keep it from running, or hides it from a reader.
fn around() -> impl Strategy<Value = (String, String)> {
    prop_oneof![
        Just(("", "")),
        Just(("ls; ", "")),
        Just(("true && ", " | cat")),
        Just(("false || ", "")),
        Just(("sudo ", "")),
        Just(("A=1 /usr/bin/", "")),
        Just(("(cd x; ", ")")),
        Just(("echo $(", ")")),
        Just(("echo \"`", "`\"")),
        Just(("if a; then ", "; fi")),
        Just(("while a; do ", "; done")),
        Just(("f() { ", "; }; f")),
        Just(("bash -c '", "'")),
        Just(("eval '", "'")),
        Just(("cat <(", ")")),
        Just(("", " &")),
        Just(("\\", "")),
        Just(("{ ", "; } > x")),
        Just(("case a in b) ", ";; esac")),
        Just(("xargs ", "")),
        Just(("su -c '", "'")),
        Just(("env -S '", "'")),
        Just(("timeout 5 ", "")),
        Just(("command ", "")),
        Just(("x=$(", ") ls")),
        Just(("[[ -n $(", ") ]]")),
        Just(("cat <<< \"$(", ")\"")),
        Just(("cat <<E\n$(", ")\nE")),
        Just(("echo ${x:-$(", ")}")),
        Just(("echo $((1+$(", ")))")),
        Just(("time ", "")),
        Just(("! ", "")),
        Just(("#\n", "")),
        Just(("for x in $(", "); do ls; done")),
    ]
    .prop_map(|(before, after)| (before.to_owned(), after.to_owned()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_event_makes_it_panic(event in any_json(), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let _ = answer(event.to_string().as_bytes(), &place(FOLDER.path()));
        let _ = answer(&bytes, &place(FOLDER.path()));
    }

    #[test]
    fn no_fields_pass_a_forbidden_tool(
        input in any_json(), more in any_json(), name in prop_oneof![Just("PreToolUse"), Just("BeforeTool")],
    ) {
        let event = event(name, "Danger", &input, &more);
        let said = answer(event.to_string().as_bytes(), &place(FOLDER.path())).unwrap();
        prop_assert!(said.contains("\"deny\"") || said.contains("\"ask\""), "{event}: {said}");
    }

    #[test]
    fn no_script_hides_a_forbidden_command(
        outer in around(), inner in around(), command in prop_oneof![Just("git push"), Just("danger"), Just("git -C x push")],
    ) {
        let inside = format!("{}{command}{}", inner.0, inner.1);
        // A quoted script in a quoted script has its quotes escaped.
        let inside = if outer.0.ends_with('\'') { inside.replace('\'', r"'\''") } else { inside };
        // These stand directly before a program's name.
        prop_assume!(!["\\", "A=1 /usr/bin/"].contains(&&*outer.0) || inner.0.is_empty());
        prop_assume!(!(outer.0.contains('`') && inside.contains(['`', '"'])));
        let script = format!("{}{inside}{}", outer.0, outer.1);
        let event = event("PreToolUse", "Bash", &json!({ "command": script }), &Value::Null);
        let said = answer(event.to_string().as_bytes(), &place(FOLDER.path())).unwrap();
        prop_assert!(said.contains("\"deny\"") || said.contains("\"ask\""), "{script}: {said}");
    }

    #[test]
    fn scripts_of_random_signs_are_read_or_asked_about(script in "[a-z $()`'\"{};&|<>\\\\\n#!*~=\\[\\]-]{0,40}") {
        let event = event("PreToolUse", "Bash", &json!({ "command": script }), &Value::Null);
        answer(event.to_string().as_bytes(), &place(FOLDER.path())).unwrap();
    }
}

/// People read a session on a terminal, and the names in it are a model's.
#[test]
fn no_name_commands_a_terminal() {
    let mut agent = Agent::new(BOOK);
    let input = json!({ "what": "a\u{1b}[2J\u{9b}2J\u{202e}b" });
    agent.begin("Other", &json!({}));
    let (_, said) = agent.begin("Danger", &input);
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
    for arguments in [["status"].as_slice(), &["why", "last"]] {
        let shown = agent.run(arguments);
        assert!(shown.chars().all(|c| c == '\n' || !ltlcrit_worlds::is_unshown(c)), "{arguments:?}: {shown:?}");
    }
    assert!(agent.run(&["why", "last"]).contains("a\u{fffd}[2J"));
}

//! The page for users: its commands print what it says. `guard init` writes what it shows.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::agent::Agent;

const PAGE: &str = include_str!("../../../../docs/guard.md");

/// Returns whether lines are as expected; `…` stands for any number of lines.
fn agree(expected: &[&str], found: &[&str]) -> bool {
    match (expected.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((&"…", rest)), _) => (0..=found.len()).any(|skip| agree(rest, &found[skip..])),
        (Some((a, rest)), Some((b, others))) => a == b && agree(rest, others),
        _ => false,
    }
}

#[test]
fn the_commands_of_the_page_print_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_ltlcrit-guard"));
    let servers = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let path = format!("{}:{servers}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut commands = 0;
    for block in PAGE.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        for one in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, expected) = one.split_once('\n').unwrap_or((one, ""));
            let mut shell = Command::new("bash");
            shell.args(["-c", command]).current_dir(&folder).env("PATH", &path);
            let output = shell.env("LTLCRIT_GUARD_STATE", folder.path().join("state")).output().unwrap();
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            let found = String::from_utf8(output.stdout).unwrap();
            let (expected, lines): (Vec<&str>, Vec<&str>) =
                (expected.trim_end().lines().collect(), found.lines().collect());
            assert!(agree(&expected, &lines), "{command}\n{found}");
            commands += 1;
        }
    }
    assert!(commands >= 7, "{commands}");
}

#[test]
fn the_books_of_the_page_hold_their_examples() {
    let books: Vec<&str> = PAGE.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(!books.is_empty());
    for book in books {
        let checked = Agent::new(book).run(&["check"]);
        assert!(checked.contains("proved that every state of every session leaves a call"), "{checked}");
    }
}

#[test]
fn init_keeps_what_is_there_and_asks_first() {
    let agent = Agent::new("# mine\n");
    let settings = agent.path().join(".claude/settings.json");
    std::fs::create_dir(agent.path().join(".claude")).unwrap();
    let mine = r#"{"model":"x","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}]}}"#;
    std::fs::write(&settings, mine).unwrap();
    // Nobody can be asked on a pipe: nothing is written.
    let output = agent.command(&["init", "--for", "claude-code"]).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("+ "), "the difference is shown");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), mine);
    // The settings name a program that must be found.
    let init = |path: &std::ffi::OsStr| {
        let output = agent.command(&["init", "--for", "claude-code", "--yes"]).env("PATH", path).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let said = init("/nowhere".as_ref());
    assert!(said.contains("warning: `ltlcrit-guard` is not on PATH") && said.contains("cargo install"), "{said}");
    let folder = Path::new(env!("CARGO_BIN_EXE_ltlcrit-guard")).parent().unwrap();
    assert_eq!(init(folder.as_os_str()), "");
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&settings).unwrap()).unwrap();
    assert_eq!(written["model"], "x");
    assert_eq!(written["hooks"]["PreToolUse"].as_array().unwrap().len(), 2);
    for event in ["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionStart"] {
        assert!(written["hooks"][event].to_string().contains("ltlcrit-guard hook"), "{event}");
    }
    assert_eq!(std::fs::read_to_string(agent.path().join("guard.toml")).unwrap(), "# mine\n");
    let again = agent.run(&["init", "--for", "claude-code", "--yes"]);
    assert!(again.starts_with("Nothing to change"), "{again}");
    std::fs::write(&settings, "{").unwrap();
    let output = agent.command(&["init", "--for", "claude-code", "--yes"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("settings.json is not JSON"));
}

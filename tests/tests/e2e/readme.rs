//! Executes every command of the README, in order, in one fresh directory, and compares the output with the shown one.
//!
//! Blocks of `sh` and `console` contain commands. In a `console` block, the lines below a `$ ` are the expected output
//! (both streams); a line `...` stands for any lines. A comment before a block has settings. `<!-- file: NAME -->`
//! writes the block to a file. `<!-- exit: N -->` expects that exit code of its last command. `<!-- numbers vary -->`
//! lets the numbers of the output differ. A server in this process replaces endpoints and answers as a simulated
//! persona. A block without a language is not executed: it names a server of the reader, or shows output that another
//! test checks.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit::exit::ExitCode;

use crate::endpoint::Endpoint;
use crate::sandbox::Sandbox;

const README: &str = include_str!("../../../README.md");
const CHECKS: &str = include_str!("../../../.ci/run");

/// A fenced block with the settings of the comment before it.
struct Block<'a> {
    line: usize,
    language: &'a str,
    note: Option<&'a str>,
    body: Vec<&'a str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut note = None;
    let mut open: Option<Block<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block { line: index + 1, language, note: note.take(), body: Vec::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.body.push(line),
            (None, None) => {
                if let Some(text) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
                    note = Some(text);
                } else if !line.is_empty() {
                    note = None;
                }
            }
        }
    }
    assert!(open.is_none(), "a block of the README is not closed");
    blocks
}

/// Returns the arguments of a call of the binary; `None` for any other command line.
fn arguments(command: &str) -> Option<&str> {
    ["cargo run --release -- ", "ltlcrit "].iter().find_map(|call| command.strip_prefix(call))
}

/// Returns the words of a command line; single quotes keep spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (position, part) in line.split('\'').enumerate() {
        if position % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Returns a line with every number replaced by 0 and every run of spaces by one space.
fn without_numbers(line: &str) -> String {
    let mut plain = String::new();
    for character in line.chars().map(|character| if character.is_ascii_digit() { '0' } else { character }) {
        if !(matches!(character, '0' | ' ') && plain.ends_with(character)) {
            plain.push(character);
        }
    }
    plain
}

/// Returns whether the printed text matches the shown one, where `...` stands for any lines.
fn fits(shown: &[&str], printed: &[&str], same: &dyn Fn(&str, &str) -> bool) -> bool {
    match (shown, printed) {
        ([], _) => printed.is_empty(),
        (["...", rest @ ..], _) => (0..=printed.len()).any(|skip| fits(rest, &printed[skip..], same)),
        ([first, shown @ ..], [line, printed @ ..]) => same(first, line) && fits(shown, printed, same),
        _ => false,
    }
}

#[test]
fn every_command_of_the_readme_works_and_prints_what_is_shown() {
    let sandbox = Sandbox::out_of_the_box();
    let endpoint = Endpoint::start();
    let mut environment: BTreeMap<String, String> = BTreeMap::new();
    environment.insert("LTLCRIT_MODEL__BASE_URL".to_owned(), endpoint.url());
    let mut executed = 0;
    let mut long_ones = BTreeSet::new();
    for block in blocks(README) {
        if let Some(name) = block.note.and_then(|note| note.strip_prefix("file: ")) {
            sandbox.write(name, &(block.body.join("\n") + "\n"));
            continue;
        }
        if !matches!(block.language, "sh" | "console") {
            continue;
        }
        let expected: i32 =
            block.note.and_then(|note| note.strip_prefix("exit: ")).map_or(0, |code| code.parse().unwrap());
        let is_command = |line: &&str| match block.language {
            "sh" => !line.is_empty() && !line.starts_with('#'),
            _ => line.starts_with("$ "),
        };
        let commands = block.body.iter().filter(|line| is_command(line)).count();
        assert!(commands > 0, "README.md:{}: a block without a command", block.line);
        let mut lines = block.body.iter().copied().enumerate().peekable();
        let mut done = 0;
        while let Some((offset, line)) = lines.next() {
            if !is_command(&line) {
                continue;
            }
            done += 1;
            let place = format!("README.md:{}", block.line + 1 + offset);
            let command = line.trim_start_matches("$ ");
            let mut shown = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| block.language == "console" && !is_command(line)) {
                shown.push(line);
            }
            if let Some((variable, value)) = command.strip_prefix("export ").and_then(|rest| rest.split_once('=')) {
                environment.insert(variable.to_owned(), value.to_owned());
                continue;
            }
            if command.starts_with("cargo test") {
                // It would never end here; the checks run exactly this command.
                let stage = |line: &str| line.starts_with("run ") && line.ends_with(&format!("\" {command}"));
                assert!(CHECKS.lines().any(stage), "{place}: not what .ci/run does");
                executed += 1;
                continue;
            }
            // A run at the game's speed is executed only once.
            if command.starts_with("cargo run") && !long_ones.insert(command) {
                continue;
            }
            let line = arguments(command).unwrap_or_else(|| panic!("{place}: no test knows how to run `{command}`"));
            let words: Vec<String> = words(line).iter().map(|word| endpoint.instead_of(word)).collect();
            let output = sandbox.command(&words).envs(&environment).output().unwrap();
            let stdout = String::from_utf8(output.stdout).unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            let code = if done == commands { expected } else { 0 };
            assert_eq!(output.status.code(), Some(code), "{place}: `{command}`\n{stdout}\n{stderr}");
            if !shown.is_empty() {
                let printed = format!("{stderr}{stdout}");
                let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
                let same = |shown: &str, printed: &str| match block.note {
                    Some("numbers vary") => without_numbers(shown) == without_numbers(printed),
                    _ => shown == printed,
                };
                assert!(
                    fits(&shown, &printed, &same),
                    "{place}: `{command}` prints\n{}\n--- shown is\n{}",
                    printed.join("\n"),
                    shown.join("\n")
                );
            }
            executed += 1;
        }
    }
    assert!(executed >= 10, "only {executed} commands were found");
}

#[test]
fn the_readme_shows_the_example_and_every_exit_code() {
    let example = include_str!("../../../verifier/examples/shield.rs");
    assert!(
        README.contains(&format!("```rust\n{example}```")),
        "the example of the README is not the one that is tested"
    );
    for code in ExitCode::ALL {
        let row = format!("| {} | {} |", code.number(), code.meaning());
        assert!(README.contains(&row), "missing: {row}");
    }
}

#[test]
fn what_the_readme_shows_of_books_that_change_under_a_run_is_what_happens() {
    let happens = include_str!("snapshots/e2e__live_laws__a_running_bot_takes_a_new_revision_between_two_steps.snap");
    let blocks = blocks(README);
    let shown = blocks.iter().find(|block| block.body.iter().any(|line| line.contains("new laws"))).unwrap();
    let mut lines = happens.lines();
    for line in &shown.body {
        assert!(lines.any(|happening| happening == *line), "README.md:{}: {line}", shown.line);
    }
}

#[test]
fn three_dots_stand_for_any_lines() {
    assert_eq!(words("ltl judge 'G a' b"), ["ltl", "judge", "G a", "b"]);
    let fits = |shown: &[&str], printed: &[&str]| fits(shown, printed, &|a, b| a == b);
    assert!(fits(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(fits(&["...", "d"], &["d"]));
    assert!(!fits(&["a", "...", "d"], &["a", "b"]));
    assert!(!fits(&["a"], &["a", "b"]));
    assert_eq!(without_numbers("  10  at 127.0.0.1:80, y -4"), without_numbers("   7  at 10.2.30.4:1234, y -61"));
}

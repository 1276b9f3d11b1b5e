//! `guard init`: a first book, and the agent's settings that call the guard, or the calls of an MCP server.

use std::fmt::Write as _;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::book::{Book, MAX_BOOK, is_name, signature};
use crate::decide::visible;
use crate::letter::OTHER;

/// Maximum length of settings, in bytes.
const MAX_SETTINGS: u64 = 4 << 20;
/// Events of Claude Code that the guard answers, and whether they are about tools.
const EVENTS: [(&str, bool); 5] = [
    ("PreToolUse", true),
    ("PostToolUse", true),
    ("PostToolUseFailure", true),
    ("Stop", false),
    ("SessionStart", false),
];
const COMMAND: &str = "ltlcrit-guard hook --book \"$CLAUDE_PROJECT_DIR/guard.toml\"";

/// The book that `guard init` writes.
pub const FIRST_BOOK: &str = include_str!("first_book.toml");

/// Endings of the names of parameters that are paths.
const PATHS: [&str; 5] = ["path", "file", "source", "destination", "directory"];

/// The warning that the settings name a program that is not installed, if it is not.
pub fn not_installed() -> Option<&'static str> {
    let program = format!("ltlcrit-guard{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_found = std::env::split_paths(&path).any(|folder| folder.join(&program).is_file());
    (!is_found).then_some(
        "warning: `ltlcrit-guard` is not on PATH, and the agent would run unguarded; install it with `cargo install --path bot/guard`",
    )
}

/// A file to write: its path, its text now, and its text then.
type Change = (PathBuf, String, String);

/// Makes changes to a project, after showing them. Asks unless `yes`.
///
/// # Errors
/// Why nothing, or not everything, was written.
pub fn init(changes: &[Change], yes: bool) -> Result<(), String> {
    let mut out = std::io::stdout();
    let mut say = |text: &str| {
        out.write_all(visible(text).as_bytes()).and_then(|()| out.flush()).map_err(|error| error.to_string())
    };
    if changes.is_empty() {
        return say("Nothing to change: the book and the settings are there.\n");
    }
    for (path, before, after) in changes {
        say(&difference(path, before, after))?;
    }
    if !yes {
        if !std::io::stdin().is_terminal() {
            return Err("nothing was written: nobody can be asked here; repeat with --yes".into());
        }
        say("Write this? [y/N] ")?;
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map_err(|error| error.to_string())?;
        if !matches!(line.trim(), "y" | "Y" | "yes") {
            return Err("nothing was written".into());
        }
    }
    for (path, _, after) in changes {
        let fault = |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| fault(&error))?;
        }
        ltlcrit_files::replace(path, after.as_bytes()).map_err(|error| fault(&error))?;
    }
    say("Written. Check the book with `ltlcrit-guard check`, and begin a new session of the agent.\n")
}

/// Reads the text of a file; a missing file has an empty text.
fn text_of(path: &Path, most: u64) -> Result<String, String> {
    match path.exists() {
        true => ltlcrit_files::read_text(path, most).map_err(|error| format!("{}: {error}", path.display())),
        false => Ok(String::new()),
    }
}

/// A book and settings for Claude Code.
///
/// # Errors
/// Settings that cannot be read.
pub fn for_claude_code(project: &Path) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    let book = project.join("guard.toml");
    if !book.exists() {
        changes.push((book, String::new(), FIRST_BOOK.to_owned()));
    }
    let path = project.join(".claude").join("settings.json");
    let before = text_of(&path, MAX_SETTINGS)?;
    let text = if before.trim().is_empty() { "{}" } else { &before };
    let settings: Value =
        serde_json::from_str(text).map_err(|error| format!("{} is not JSON: {error}", path.display()))?;
    let hooked =
        with_hooks(settings.clone()).ok_or_else(|| format!("`hooks` in {} is not a table of lists", path.display()))?;
    if hooked != settings {
        let after = serde_json::to_string_pretty(&hooked).map_err(|error| error.to_string())?;
        changes.push((path, before, after + "\n"));
    }
    Ok(changes)
}

/// Calls for the tools of an MCP server that the book does not name yet. Required parameters that are paths become objects.
///
/// # Errors
/// A book that cannot be read, or tools that do not make one.
pub fn for_tools(project: &Path, server: &str, tools: &[Value]) -> Result<Vec<Change>, String> {
    let path = project.join("guard.toml");
    let before = text_of(&path, MAX_BOOK)?;
    let mut calls = String::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default();
        let pattern = Value::from(globset::escape(&format!("{server}/{name}"))).to_string();
        if before.contains(&pattern) {
            continue;
        }
        let required: Vec<&str> =
            tool["inputSchema"]["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let is_path = |name: &&&str| PATHS.iter().any(|ending| name.ends_with(ending)) && is_name(name);
        let is_text = |name: &&&str| tool["inputSchema"]["properties"][**name]["type"] == "string";
        let objects: Vec<&str> = required.iter().filter(is_path).filter(is_text).take(3).copied().collect();
        let mut action: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
        if signature(&action).is_none() || action == OTHER {
            action = format!("call_{action}");
        }
        if !objects.is_empty() {
            let _ = write!(action, "(?{})", objects.join(", ?"));
        }
        let _ = writeln!(calls, "[[call]]\ntool = {pattern}\naction = \"{action}\"");
        objects.iter().for_each(|name| {
            let _ = writeln!(calls, "{name} = \"path(input.{name})\"");
        });
        calls.push('\n');
    }
    // The first table that fits decides: one for all tools may follow.
    let first = if before.starts_with("[[call]]") { Some(0) } else { before.find("\n[[call]]").map(|at| at + 1) };
    let (head, tables) = before.split_at(first.unwrap_or(before.len()));
    let after = format!("{head}{calls}{tables}");
    Book::parse("guard.toml", &after).map_err(|errors| format!("the tools do not make a book: {errors}"))?;
    Ok(if after == before { Vec::new() } else { vec![(path, before, after)] })
}

/// Settings in which each event calls the guard.
fn with_hooks(mut settings: Value) -> Option<Value> {
    let hooks = settings.as_object_mut()?.entry("hooks").or_insert_with(|| json!({})).as_object_mut()?;
    for (event, is_about_tools) in EVENTS {
        let list = hooks.entry(event).or_insert_with(|| json!([])).as_array_mut()?;
        if !list.iter().any(|hook| hook.to_string().contains("ltlcrit-guard hook")) {
            let mut hook = json!({ "hooks": [{ "type": "command", "command": COMMAND, "timeout": 10 }] });
            if is_about_tools {
                hook["matcher"] = "*".into();
            }
            list.push(hook);
        }
    }
    Some(settings)
}

/// The lines of two texts that differ, with three lines around them.
fn difference(path: &Path, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count().min(rest);
    let mut shown = format!("--- {}\n", path.display());
    let mut lines = |mark: char, lines: &[&str]| {
        lines.iter().for_each(|line| {
            let _ = writeln!(shown, "{mark} {line}");
        })
    };
    lines(' ', &old[start.saturating_sub(3)..start]);
    lines('-', &old[start..old.len() - end]);
    lines('+', &new[start..new.len() - end]);
    lines(' ', &old[old.len() - end..(old.len() - end + 3).min(old.len())]);
    shown
}

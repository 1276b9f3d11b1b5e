//! `guard init`: a first book, and the agent's settings that call the guard.

use std::fmt::Write as _;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::decide::visible;

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

/// A file to write: its path, its text now, and its text then.
type Change = (PathBuf, String, String);

/// Writes a book and settings for Claude Code into a project, after showing what changes. Asks unless `yes`.
///
/// # Errors
/// Why nothing, or not everything, was written.
pub fn init(project: &Path, yes: bool) -> Result<(), String> {
    let changes = changes(project)?;
    let mut out = std::io::stdout();
    let mut say = |text: &str| {
        out.write_all(visible(text).as_bytes()).and_then(|()| out.flush()).map_err(|error| error.to_string())
    };
    if changes.is_empty() {
        return say("Nothing to change: the book and the settings are there.\n");
    }
    for (path, before, after) in &changes {
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
    for (path, _, after) in &changes {
        let fault = |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| fault(&error))?;
        }
        ltlcrit_files::replace(path, after.as_bytes()).map_err(|error| fault(&error))?;
    }
    say("Written. Check the book with `ltlcrit-guard check`, and begin a new session of the agent.\n")
}

fn changes(project: &Path) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    let book = project.join("guard.toml");
    if !book.exists() {
        changes.push((book, String::new(), FIRST_BOOK.to_owned()));
    }
    let path = project.join(".claude").join("settings.json");
    let before = match path.exists() {
        true => {
            ltlcrit_files::read_text(&path, MAX_SETTINGS).map_err(|error| format!("{}: {error}", path.display()))?
        }
        false => String::new(),
    };
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

//! Checks the first words of comments: a noun or a verb in the third person.

use std::fs;
use std::path::{Path, PathBuf};

/// First words that a comment must not have.
const OPENERS: [&str; 9] = ["What", "Whether", "Where", "Which", "Who", "Whose", "Of", "How", "Why"];

/// Files, and the beginnings of their paths, that do not keep the rule yet.
const EXCEPTIONS: [&str; 2] = [
    // Texts that `--help` shows.
    "bot/engine/src/exam/kind.rs",
    "bot/engine/src/agent/foresight.rs",
];

/// Adds the source files below a folder; folders of build output are left out.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Returns the text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim())
}

#[test]
fn comments_begin_with_a_noun_or_a_verb() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for folder in ["bot", "critic", "laws", "tests", "verifier", "worlds"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 800, "{}", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap().to_str().unwrap();
        if EXCEPTIONS.iter().any(|exception| name.starts_with(exception)) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let mut before = None;
        for (index, line) in text.lines().enumerate() {
            let here = comment(line);
            let opens = before.is_none_or(str::is_empty);
            let first = here.unwrap_or_default().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if opens && OPENERS.contains(&first) {
                wrong.push(format!("{name}:{}: {}", index + 1, line.trim()));
            }
            before = here;
        }
    }
    assert!(wrong.is_empty(), "comments that begin with one of {OPENERS:?}:\n{}", wrong.join("\n"));
}

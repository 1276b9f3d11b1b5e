//! Errors of a configuration file with their place and a suggestion.

use std::path::Path;

use super::ConfigError;

/// The known name nearest to `name`, if one is near.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (name.len().min(candidate.len()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// One-based line and column, in characters, of a byte offset, with the text of that line.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize, &str) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |newline| offset + newline);
    let line = text[..start].matches('\n').count() + 1;
    (line, text[start..offset].chars().count() + 1, &text[start..end])
}

/// A message of serde's in words for people who write TOML, not Rust.
pub fn plain(message: &str) -> String {
    let mut plain = message.replace("unknown field", "unknown key").replace("unknown variant", "unknown value");
    for (rust, words) in [
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected u32", "expected a whole number, 0 or more"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list, such as [\"one\", \"two\"]"),
        ("expected path string", "expected a string"),
    ] {
        plain = plain.replace(rust, words);
    }
    match plain.split_once("expected struct ") {
        Some((before, _)) => format!("{before}expected a section of keys"),
        None => plain,
    }
}

/// An error of the file, with line, column, the line itself, a caret and a suggestion.
pub fn describe(error: &toml_edit::de::Error, text: &str, path: &Path) -> ConfigError {
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    // serde says: unknown field `sede`, expected one of `seed`, `steps`
    let mut names = message.split('`').skip(1).step_by(2);
    let suggestion = match names.next() {
        Some(name) if message.starts_with("unknown ") => nearest(name, names),
        _ => None,
    };
    let message = plain(&message);
    let mut wrong = ConfigError::new(format!("the configuration is wrong: {message}"));
    if let Some(span) = error.span() {
        let (line, column, source) = line_and_column(text, span.start);
        let width = text.get(span).map_or(1, |marked| marked.lines().next().unwrap_or("").chars().count().max(1));
        let indent = " ".repeat(column - 1);
        wrong = wrong
            .at(format!("{}:{line}:{column}", path.display()))
            .detail(format!("{source}\n{indent}{}", "^".repeat(width)));
    } else {
        wrong = wrong.at(path.display().to_string());
    }
    match suggestion {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help("`ltlcrit config show --defaults` documents every key and its form"),
    }
}

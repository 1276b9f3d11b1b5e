//! Errors of a configuration file with their place and a suggestion.

use std::path::Path;

use ltlcrit_laws::Source;
use ltlcrit_verifier::syntax::nearest_name;

use super::ConfigError;

/// A message of serde in terms of TOML instead of Rust.
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
        Some(name) if message.starts_with("unknown ") => nearest_name(name, names),
        _ => None,
    };
    let message = plain(&message);
    let mut wrong = ConfigError::new(format!("the configuration is wrong: {message}"));
    if let Some(span) = error.span() {
        let source = Source::new(path.display().to_string(), text);
        let place = source.place(span);
        wrong = wrong
            .at(format!("{}:{}:{}", source.name, place.line, place.column))
            .detail(source.excerpt(&place).render(place.line));
    } else {
        wrong = wrong.at(path.display().to_string());
    }
    match suggestion {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help("`ltlcrit config show --defaults` documents every key and its form"),
    }
}

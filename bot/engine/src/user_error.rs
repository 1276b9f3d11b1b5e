//! Errors with a place and advice, for people.

use ltlcrit_laws::Source;
use ltlcrit_verifier::syntax::nearest_name;
use serde::Serialize;
use thiserror::Error;

/// An error in a text that a person wrote, such as a configuration, a plan or a command line.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize)]
#[error("{message}")]
pub struct UserError {
    /// One sentence, in lower case and without a full stop.
    pub message: String,
    /// The place of the error: `ltlcrit.toml:3:12`, or the file alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Blocks of text below the message, such as the line with a caret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// Advice on the correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl UserError {
    /// Creates an error that has a message only.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, details: Vec::new(), help: None }
    }

    /// Converts the first error of serde in the text of the file `name`, which is a `what`.
    pub fn of_toml(what: &str, error: &toml_edit::de::Error, text: &str, name: &str) -> Self {
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        // serde says: unknown field `sede`, expected one of `seed`, `steps`
        let mut names = message.split('`').skip(1).step_by(2);
        let meant = match names.next() {
            Some(name) if message.starts_with("unknown ") => nearest_name(name, names),
            _ => None,
        };
        let source = Source::new(name, text);
        let place = error.span().map(|span| source.place(span));
        Self {
            message: format!("{what} is wrong: {}", plain(&message)),
            details: place.iter().map(|place| source.excerpt(place).render(place.line)).collect(),
            place: Some(place.map_or_else(|| name.to_owned(), |at| format!("{name}:{}:{}", at.line, at.column))),
            help: meant.map(|meant| format!("did you mean `{meant}`?")),
        }
    }

    /// Sets the place.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { place: Some(place.into()), ..self }
    }

    /// Adds a block of text below the message.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.details.push(detail.into());
        self
    }

    /// Sets the blocks of text below the message.
    #[must_use]
    pub fn details(self, details: Vec<String>) -> Self {
        Self { details, ..self }
    }

    /// Sets the advice on the correction.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Sets the advice on the correction if there is none.
    #[must_use]
    pub fn or_help(self, help: &str) -> Self {
        Self { help: self.help.or_else(|| Some(help.to_owned())), ..self }
    }
}

/// Finds the place of a key's value in the text of the file `name`, as exact as possible: `ltlcrit.toml:3:12`.
pub fn place_of(key: &[&str], text: &str, name: &str) -> String {
    let document = toml_edit::Document::parse(text).ok();
    let value =
        document.as_ref().and_then(|document| key.iter().try_fold(document.as_item(), |item, key| item.get(key)));
    match value.and_then(toml_edit::Item::span) {
        Some(span) => {
            let place = Source::new(name, text).place(span);
            format!("{name}:{}:{}", place.line, place.column)
        }
        None => name.to_owned(),
    }
}

/// Rewrites a message of serde in terms of TOML instead of Rust.
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

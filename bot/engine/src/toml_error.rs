//! Errors of TOML files with their place and a suggestion.

use ltlcrit_laws::Source;
use ltlcrit_verifier::syntax::nearest_name;

/// The first error of a TOML file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlError {
    /// One sentence, in lower case and without a full stop.
    pub message: String,
    /// The place of the error: `ltlcrit.toml:3:12`, or the file alone.
    pub place: String,
    /// The line with a caret, if the error has a line.
    pub excerpt: Option<String>,
    /// The known name most similar to an unknown one.
    pub meant: Option<String>,
}

impl TomlError {
    /// An error of serde in the text of the file `name`.
    pub fn new(error: &toml_edit::de::Error, text: &str, name: &str) -> Self {
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        // serde says: unknown field `sede`, expected one of `seed`, `steps`
        let mut names = message.split('`').skip(1).step_by(2);
        let meant = match names.next() {
            Some(name) if message.starts_with("unknown ") => nearest_name(name, names).map(str::to_owned),
            _ => None,
        };
        let source = Source::new(name, text);
        let place = error.span().map(|span| source.place(span));
        Self {
            message: plain(&message),
            excerpt: place.as_ref().map(|place| source.excerpt(place).render(place.line)),
            place: place.map_or_else(|| name.to_owned(), |place| format!("{name}:{}:{}", place.line, place.column)),
            meant,
        }
    }
}

/// The place of a key's value in the text of the file `name`, as exact as possible: `ltlcrit.toml:3:12`.
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

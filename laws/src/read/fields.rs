//! Typed access to a TOML table that reports every problem with its place and continues.

use std::ops::Range;

use ltlcrit_verifier::SyntaxError;
use ltlcrit_verifier::syntax::nearest_name;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Code, Diagnostic, MAX_DIAGNOSTICS};
use crate::source::{LineIndex, Place, Source};

/// Maximum size of a text value, in bytes.
pub(super) const MAX_TEXT: usize = 4096;

/// A value and its bytes in the source.
#[derive(Clone, Debug)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// The bytes.
    pub span: Range<usize>,
}

/// Collects diagnostics while a text is read. Keeps the first [`MAX_DIAGNOSTICS`] and counts the others.
pub struct Collector<'a> {
    source: &'a Source,
    index: LineIndex<'a>,
    /// Those that are kept.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of all diagnostics, kept or not.
    pub count: usize,
    /// The last diagnostic that was only counted.
    dropped: Option<Diagnostic>,
    /// The law being read.
    pub(super) law: Option<String>,
    /// True if the text is invalid TOML. Missing keys are then not reported, because the damage may hide them.
    pub damaged: bool,
}

impl<'a> Collector<'a> {
    /// A collector for the problems of a text.
    pub fn new(source: &'a Source) -> Self {
        Self {
            source,
            index: LineIndex::new(&source.text),
            diagnostics: Vec::new(),
            count: 0,
            dropped: None,
            law: None,
            damaged: false,
        }
    }

    /// Returns whether further diagnostics are only counted, so that their details need not be computed.
    pub(super) fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// Reports a problem.
    pub fn report(&mut self, code: Code, span: Range<usize>, message: impl Into<String>) -> &mut Diagnostic {
        self.count += 1;
        let diagnostic = Diagnostic { law: self.law.clone(), ..Diagnostic::error(code, message) };
        if self.is_full() {
            return self.dropped.insert(diagnostic);
        }
        self.diagnostics.push(diagnostic.at(self.source, self.place(span)));
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    /// Reports every error of a formula that is the value of a string.
    fn formula_errors(&mut self, code: Code, text: &At<String>, error: &SyntaxError) {
        for one in error.all() {
            let place = self.within(text, one.span.clone());
            let help = one.suggestion.as_ref().map(|meant| format!("did you mean `{meant}`?"));
            self.report(code, place, one.message.clone()).help = help;
        }
    }

    /// Returns what was parsed from the value of a string, or reports the errors.
    pub(super) fn parsed<T>(&mut self, code: Code, text: &At<String>, parsed: Result<T, SyntaxError>) -> Option<T> {
        parsed.map_err(|error| self.formula_errors(code, text, &error)).ok()
    }

    /// Reports a problem with what would be right.
    pub fn wrong(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.report(Code::Book, span, message).help = Some(help.into());
    }

    /// Reports every key that is not among `known`.
    pub fn only(&mut self, table: &DeTable<'_>, known: &[&str], what: &str) {
        for (key, _) in table.iter() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let help = match self.nearest(name, known) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("{what} has the keys {}", list(known)),
                };
                self.wrong(key.span(), format!("{what} has no key `{}`", short(name)), help);
            }
        }
    }

    /// Returns a field of one kind. A value of another kind is reported with an example.
    fn typed<'t, 'i, T: ?Sized>(
        &mut self,
        table: &'t DeTable<'i>,
        key: &str,
        example: &str,
        of_kind: impl FnOnce(&'t DeValue<'i>) -> Option<&'t T>,
    ) -> Option<At<&'t T>> {
        let value = table.get(key)?;
        let found = of_kind(value.get_ref());
        if found.is_none() {
            let found = kind(value.get_ref());
            self.wrong(value.span(), format!("`{key}` is {found}"), format!("write {example}"));
        }
        found.map(|found| At { value: found, span: value.span() })
    }

    /// Reads a string; reports a wrong type, and more than `most` bytes.
    pub fn text(&mut self, table: &DeTable<'_>, key: &str, most: usize) -> Option<At<String>> {
        let At { value: text, span } = self.typed(table, key, &format!("{key} = \"…\""), DeValue::as_str)?;
        if text.len() > most {
            self.wrong(span, format!("`{key}` is {} bytes long", text.len()), format!("at most {most} bytes"));
            return None;
        }
        Some(At { value: text.to_owned(), span })
    }

    /// Reads a trimmed string; reports an empty string, and a missing key at `whole`.
    pub fn required(
        &mut self,
        table: &DeTable<'_>,
        key: &str,
        most: usize,
        whole: &Range<usize>,
        what: &str,
    ) -> Option<At<String>> {
        if table.get(key).is_none() {
            if !self.damaged {
                self.wrong(whole.clone(), format!("{what} has no `{key}`"), format!("add {key} = \"…\""));
            }
            return None;
        }
        let text = self.text(table, key, most)?;
        if text.value.trim().is_empty() {
            self.wrong(text.span, format!("`{key}` is empty"), "write something, or the book says nothing");
            return None;
        }
        Some(At { value: text.value.trim().to_owned(), span: text.span })
    }

    /// Reads a non-negative integer.
    pub(super) fn number(&mut self, table: &DeTable<'_>, key: &str) -> Option<At<u64>> {
        let value = table.get(key)?;
        let number = match value.get_ref() {
            // An integer outside the range of TOML cannot be written back.
            DeValue::Integer(number) => {
                let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
                number.and_then(|number| u64::try_from(number).ok()).ok_or("out of range")
            }
            other => Err(kind(other)),
        };
        match number {
            Ok(number) => Some(At { value: number, span: value.span() }),
            Err(found) => {
                self.wrong(value.span(), format!("`{key}` is {found}"), format!("write a number from 0: {key} = 1"));
                None
            }
        }
    }

    /// Returns a required name of letters, digits, `-`, `_` and `.`; `message` is reported of another text.
    pub(super) fn id(
        &mut self,
        table: &DeTable<'_>,
        key: &str,
        (whole, what): (&Range<usize>, &str),
        message: impl FnOnce(&str) -> String,
    ) -> Option<At<String>> {
        let id = self.required(table, key, 200, whole, what)?;
        let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if id.value.len() <= 64 && id.value.chars().all(is_inner) {
            return Some(id);
        }
        let help = "use letters, digits, `-`, `_` and `.`, at most 64 of them";
        self.wrong(id.span, message(&short(&id.value)), help);
        None
    }

    /// Reads a table, inline or not.
    pub fn table<'t, 'i>(&mut self, table: &'t DeTable<'i>, key: &str, example: &str) -> Option<At<&'t DeTable<'i>>> {
        self.typed(table, key, example, DeValue::as_table)
    }

    /// Returns the table that an item of an array must be.
    pub(super) fn item<'t, 'i>(
        &mut self,
        item: &'t Spanned<DeValue<'i>>,
        what: &str,
        help: &str,
    ) -> Option<&'t DeTable<'i>> {
        if let DeValue::Table(table) = item.get_ref() {
            return Some(table);
        }
        self.wrong(item.span(), format!("{what} is {}", kind(item.get_ref())), help);
        None
    }

    /// Reads the items of an array.
    pub fn array<'t, 'i>(&mut self, table: &'t DeTable<'i>, key: &str, example: &str) -> &'t [Spanned<DeValue<'i>>] {
        self.typed(table, key, example, |value| value.as_array().map(|items| &**items)).map_or(&[], |items| items.value)
    }

    /// Returns the bytes of the source that hold a part of a string's *value*; the whole string if it has escapes.
    pub fn within(&self, text: &At<String>, part: Range<usize>) -> Range<usize> {
        let raw = self.source.text.get(text.span.clone()).unwrap_or_default();
        match raw.find(&text.value) {
            Some(offset) if !text.value.is_empty() => {
                let start = text.span.start + offset;
                start + part.start..start + part.end
            }
            _ => text.span.clone(),
        }
    }

    /// The place of some bytes.
    pub fn place(&self, span: Range<usize>) -> Place {
        self.index.place(span)
    }

    /// Returns the known word most similar to a misspelt one, as long as diagnostics are kept.
    pub(super) fn nearest<'k>(&self, word: &str, known: &[&'k str]) -> Option<&'k str> {
        if self.is_full() { None } else { nearest_name(word, known.iter().copied()) }
    }
}

/// Returns the type of a value, in words.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Returns a word for error messages, cut to 80 characters.
pub(super) fn short(word: &str) -> String {
    if word.chars().count() <= 80 { word.to_owned() } else { word.chars().take(79).chain(['…']).collect() }
}

fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

//! What is wrong with a book: every problem with its place, and text that shows it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

/// How many characters of a long line are shown before and after the place of a problem.
const CONTEXT: usize = 60;

/// How many problems of one book are told; any further ones are counted only.
pub const MOST_PROBLEMS: usize = 100;

/// A text with a name people know it by: a path, or a shipped book's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path or name.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The bytes of the text at fault.
    pub span: Range<usize>,
}

/// A line of a source with the part of it that is at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The line, shortened around the fault, control characters as spaces.
    pub line: String,
    /// The columns at fault, in characters from 0.
    pub marked: Range<usize>,
}

impl Source {
    /// A source.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The line a place is on, and the part of it that is at fault. Only the text around the place is looked at.
    pub fn excerpt(&self, place: &Place) -> Excerpt {
        let start = boundary(&self.text, place.span.start);
        let end = boundary(&self.text, place.span.end).max(start);
        let of_line = |c: &char| *c != '\n';
        let mut before = self.text[..start].chars().rev().take_while(of_line);
        let leading: usize = before.by_ref().take(CONTEXT).map(char::len_utf8).sum();
        let is_cut = before.next().is_some();
        let first = usize::from(is_cut) + self.text[start - leading..start].chars().count();
        let fault: String = self.text[start..end].chars().take_while(of_line).take(2 * CONTEXT).collect();
        let marked = fault.trim_end().chars().count().max(1);

        let mut rest = self.text[start - leading..].chars().take_while(of_line);
        let mut line: String = if is_cut { "…".to_owned() } else { String::new() };
        let shown = first - usize::from(is_cut) + marked + CONTEXT;
        line.extend(rest.by_ref().take(shown).map(|c| if c.is_control() { ' ' } else { c }));
        if rest.take(CONTEXT).any(|c| !c.is_whitespace()) {
            line.push('…');
        } else {
            line.truncate(line.trim_end().len());
        }
        Excerpt { line, marked: first..first + marked }
    }
}

/// The last boundary of a character at or before a byte.
pub(crate) fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|byte| text.is_char_boundary(*byte)).unwrap_or(0)
}

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// The file cannot be read.
    File,
    /// The text is not TOML.
    Toml,
    /// The TOML is not a book: a key is missing, unknown or of the wrong type.
    Book,
    /// A formula cannot be read.
    Syntax,
    /// A proposition is not in the vocabulary.
    UnknownProposition,
    /// The vocabulary is not known, or is itself wrong.
    Vocabulary,
}

/// One thing that is wrong with a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where; `None` if the file could not be read at all.
    pub place: Option<Place>,
    /// The law it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<String>,
    /// What would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// The problems of one book, in the order of the text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct BookErrors {
    /// The book's text.
    pub source_text: Source,
    /// At least one problem.
    pub problems: Vec<Problem>,
    /// How many more there are: the first [`MOST_PROBLEMS`] found are told, the others counted.
    pub more: usize,
}

impl BookErrors {
    /// A file that cannot be read as text.
    pub(crate) fn unreadable(name: &str, message: String, help: Option<String>) -> Self {
        let problem = Problem { kind: ProblemKind::File, message, place: None, law: None, help };
        Self { source_text: Source::new(name, ""), problems: vec![problem], more: 0 }
    }
}

/// The problems, each with its place, the line at fault and a caret.
impl fmt::Display for BookErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, problem) in self.problems.iter().enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            match &problem.place {
                None => write!(f, "{}: {}", self.source_text.name, problem.message)?,
                Some(place) => {
                    let excerpt = self.source_text.excerpt(place);
                    let marks = format!("{}{}", " ".repeat(excerpt.marked.start), "^".repeat(excerpt.marked.len()));
                    write!(f, "{}:{}:{}: {}", self.source_text.name, place.line, place.column, problem.message)?;
                    write!(f, "\n  {}\n  {marks}", excerpt.line)?;
                }
            }
            if let Some(help) = &problem.help {
                write!(f, "\n  help: {help}")?;
            }
        }
        match self.more {
            0 => Ok(()),
            1 => write!(f, "\nand 1 more problem"),
            more => write!(f, "\nand {more} more problems"),
        }
    }
}

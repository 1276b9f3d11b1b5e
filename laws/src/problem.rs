//! What is wrong with a book: every problem with its place, and text that shows it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

/// How many characters of a long line are shown before and after the place of a problem.
const CONTEXT: usize = 60;

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

    /// The place of a range of bytes; a range past the end stands for the end.
    pub fn place(&self, span: Range<usize>) -> Place {
        let start = self.boundary(span.start);
        let end = self.boundary(span.end).max(start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: self.text[..start].matches('\n').count() + 1,
            column: self.text[line_start..start].chars().count() + 1,
            span: start..end,
        }
    }

    /// The line a place is on, and the part of it that is at fault.
    pub fn excerpt(&self, place: &Place) -> Excerpt {
        let start = self.boundary(place.span.start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |newline| start + newline);
        let before = self.text[line_start..start].chars().count();
        let end = self.boundary(place.span.end).clamp(start, line_end);
        let width = self.text[start..end].trim_end().chars().count().max(1);
        let skipped = before.saturating_sub(CONTEXT);
        let marked = width.min(2 * CONTEXT);
        let shown = before - skipped + marked + CONTEXT;
        let mut rest = self.text[line_start..line_end].trim_end().chars().skip(skipped);
        let mut line: String = if skipped > 0 { "…".to_owned() } else { String::new() };
        line.extend(rest.by_ref().take(shown).map(|c| if c.is_control() { ' ' } else { c }));
        if rest.next().is_some() {
            line.push('…');
        }
        let first = before - skipped + usize::from(skipped > 0);
        Excerpt { line, marked: first..first + marked }
    }

    fn boundary(&self, index: usize) -> usize {
        let index = index.min(self.text.len());
        (0..=index).rev().find(|index| self.text.is_char_boundary(*index)).unwrap_or(0)
    }
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

/// Every problem of one book, in the order of the text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct BookErrors {
    /// The book's text.
    pub source_text: Source,
    /// At least one problem.
    pub problems: Vec<Problem>,
}

impl BookErrors {
    /// A file that cannot be read as text.
    pub(crate) fn unreadable(name: &str, message: String, help: Option<String>) -> Self {
        let problem = Problem { kind: ProblemKind::File, message, place: None, law: None, help };
        Self { source_text: Source::new(name, ""), problems: vec![problem] }
    }
}

/// All problems, each with its place, the line at fault and a caret.
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
        Ok(())
    }
}

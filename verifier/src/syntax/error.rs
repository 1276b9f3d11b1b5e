//! Syntax errors: the fault, its place, and what would be right.

use std::fmt::{self, Write};
use std::ops::Range;

/// Maximum number of characters of a long line that are shown on either side of an error.
const CONTEXT: usize = 50;

/// The error of a text that cannot be parsed as a formula or a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The fault and what would be right, without the place.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The byte range of the faulty text; empty at the end of the text.
    pub span: Range<usize>,
    /// The suggested replacement of the span, if there is one.
    pub suggestion: Option<String>,
    detail: Box<Detail>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Detail {
    /// The faulty line, shortened around the fault.
    excerpt: String,
    /// The position of the fault in the excerpt, in characters.
    caret: Range<usize>,
    /// Further errors of the same text.
    more: Vec<SyntaxError>,
}

impl SyntaxError {
    pub(crate) fn new(text: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        let start = boundary(text, span.start);
        let end = boundary(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let before = text[line_start..start].chars().count();
        let width = text[start..end.min(line_end).max(start)].chars().count();

        let first = before.saturating_sub(CONTEXT);
        let marked = width.clamp(1, 2 * CONTEXT);
        let shown = (before - first) + marked + CONTEXT;
        let mut rest = text[line_start..line_end].chars().skip(first);
        let mut excerpt = String::new();
        if first > 0 {
            excerpt.push('…');
        }
        // Each character takes one column, so that the caret stands below the fault.
        excerpt.extend(rest.by_ref().take(shown).map(|c| if c.is_control() { ' ' } else { c }));
        if rest.next().is_some() {
            excerpt.push('…');
        }
        let caret_start = before - first + usize::from(first > 0);
        Self {
            message: message.into(),
            line: text[..start].matches('\n').count() + 1,
            column: before + 1,
            span: start..end,
            suggestion: None,
            detail: Box::new(Detail { excerpt, caret: caret_start..caret_start + marked, more: Vec::new() }),
        }
    }

    pub(crate) fn suggest(mut self, replacement: impl Into<String>) -> Self {
        self.suggestion = Some(replacement.into());
        self
    }

    /// Joins several errors into one; `None` without errors.
    pub(crate) fn join(errors: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut errors = errors.into_iter();
        let mut first = errors.next()?;
        first.detail.more.extend(errors);
        Some(first)
    }

    /// Iterates over this error and every further one found in the same text, in order.
    pub fn all(&self) -> impl Iterator<Item = &SyntaxError> {
        std::iter::once(self).chain(&self.detail.more)
    }

    /// Returns the message with a question for the suggestion, without the place.
    pub fn explanation(&self) -> String {
        match &self.suggestion {
            Some(suggestion) => format!("{}; did you mean `{suggestion}`?", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns the faulty line, shortened, with carets below the fault.
    pub fn excerpt(&self) -> String {
        let caret = &self.detail.caret;
        format!("{}\n{}{}", self.detail.excerpt, " ".repeat(caret.start), "^".repeat(caret.len()))
    }

    /// Formats all errors over several lines, each with the faulty text underlined.
    pub fn render(&self) -> String {
        let mut out = String::new();
        for error in self.all() {
            if !out.is_empty() {
                out.push('\n');
            }
            // Writing to a string cannot fail.
            let _ = write!(out, "line {}, column {}: {}", error.line, error.column, error.message);
            for line in error.excerpt().lines() {
                let _ = write!(out, "\n  {line}");
            }
            if let Some(suggestion) = &error.suggestion {
                let _ = write!(out, "\n  did you mean `{suggestion}`?");
            }
        }
        out
    }
}

/// Returns the last character boundary at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Formats the place, message and suggestion of every error on one line.
impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, error) in self.all().enumerate() {
            let separator = if position == 0 { "" } else { "; " };
            write!(f, "{separator}line {}, column {}: {}", error.line, error.column, error.explanation())?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}

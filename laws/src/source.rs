//! Named source texts, places in them, and excerpts for errors.

use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

/// Maximum number of characters of a long line shown before and after a marked part.
const CONTEXT: usize = 60;

/// Maximum distance between entries of the index on a long line, in bytes.
const SPACING: usize = 1024;

/// A text with its name: a path, or the name of a shipped book.
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
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// The faulty bytes.
    pub span: Range<usize>,
}

/// Writes a place as its line alone.
pub(crate) fn line<S: serde::Serializer>(place: &Place, serializer: S) -> Result<S::Ok, S::Error> {
    place.line.serialize(serializer)
}

/// A line of a source with its faulty part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The line, shortened around the faulty part, with control characters as spaces.
    pub line: String,
    /// The faulty columns, in characters from 0.
    pub marked: Range<usize>,
}

impl Source {
    /// Creates a source.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Returns the place of a range of bytes; a range past the end stands for the end. Reads the text from its start.
    pub fn place(&self, span: Range<usize>) -> Place {
        LineIndex::new(&self.text).place(span)
    }

    /// Returns the line of a place with its faulty part. Reads only the text around the place.
    pub fn excerpt(&self, place: &Place) -> Excerpt {
        let start = boundary(&self.text, place.span.start);
        let end = boundary(&self.text, place.span.end).max(start);
        let on_line = |c: &char| *c != '\n';
        let mut before = self.text[..start].chars().rev().take_while(on_line);
        let leading: usize = before.by_ref().take(CONTEXT).map(char::len_utf8).sum();
        let is_cut = before.next().is_some();
        let first = usize::from(is_cut) + self.text[start - leading..start].chars().count();
        let fault: String = self.text[start..end].chars().take_while(on_line).take(2 * CONTEXT).collect();
        let marked = fault.trim_end().chars().count().max(1);

        let mut rest = self.text[start - leading..].chars().take_while(on_line);
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

impl Excerpt {
    /// Renders the line with its number, and carets below the faulty part.
    pub fn render(&self, line: usize) -> String {
        render(Group::with_level(Level::ERROR).element(self.snippet(line)))
    }

    pub(crate) fn snippet(&self, line: usize) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let byte = |column| self.line.char_indices().nth(column).map_or(self.line.len(), |(byte, _)| byte);
        let marked = byte(self.marked.start)..byte(self.marked.end);
        Snippet::source(&self.line).line_start(line).annotation(AnnotationKind::Primary.span(marked))
    }
}

/// Renders a group of excerpts. They are already cut to length, so the renderer must not cut them again.
pub(crate) fn render(group: Group<'_>) -> String {
    Renderer::plain().term_width(usize::MAX / 2).render(&[group])
}

/// Returns the last character boundary at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|byte| text.is_char_boundary(*byte)).unwrap_or(0)
}

/// An index of line starts, with further entries along long lines for quick look-up.
pub(crate) struct LineIndex<'a> {
    text: &'a str,
    entries: Vec<IndexEntry>,
}

/// A byte of the text with its line and its column, both from 1.
struct IndexEntry {
    byte: usize,
    line: usize,
    column: usize,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut entries = vec![IndexEntry { byte: 0, line: 1, column: 1 }];
        let (mut line, mut column, mut last) = (1, 1, 0);
        for (byte, c) in text.char_indices() {
            if byte - last >= SPACING {
                entries.push(IndexEntry { byte, line, column });
                last = byte;
            }
            column += 1;
            if c == '\n' {
                (line, column, last) = (line + 1, 1, byte + 1);
                entries.push(IndexEntry { byte: last, line, column });
            }
        }
        Self { text, entries }
    }

    /// Returns the place of a range of bytes; a range past the end stands for the end.
    pub(crate) fn place(&self, span: Range<usize>) -> Place {
        let start = boundary(self.text, span.start);
        let end = boundary(self.text, span.end).max(start);
        // The first entry is at byte 0, so there is one before every byte.
        let after = self.entries.partition_point(|entry| entry.byte <= start);
        let entry = &self.entries[after - 1];
        let column = entry.column + self.text[entry.byte..start].chars().count();
        Place { line: entry.line, column, span: start..end }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn places_are_those_found_by_reading_from_the_start(
            text in prop::collection::vec(prop_oneof!["[aä🦀]{0,3}\n{0,2}", Just("é".repeat(700))], 0..12),
            start in 0..3_000_usize,
            length in 0..30_usize,
        ) {
            let source = Source::new("text", text.concat());
            let text = &*source.text;
            let place = source.place(start..start + length);
            let start = boundary(text, start);
            let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            prop_assert_eq!(place.line, text[..start].matches('\n').count() + 1);
            prop_assert_eq!(place.column, text[line_start..start].chars().count() + 1);
            prop_assert_eq!(place.span.start, start);
            let excerpt = source.excerpt(&place);
            prop_assert!(excerpt.render(place.line).contains('^'));
        }
    }

    #[test]
    fn carets_stand_below_wide_characters() {
        let source = Source::new("text", "one\n日本 = \u{1b}wrong\n");
        let excerpt = source.excerpt(&source.place(14..19));
        assert_eq!(excerpt.render(2), "  |\n2 | 日本 =  wrong\n  |         ^^^^^");
    }
}

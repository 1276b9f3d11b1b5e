//! Where lines begin in a text, so that finding a place does not read the text from its start.

use std::ops::Range;

use crate::problem::{Place, boundary};

/// On a long line there is a mark at least this often, in bytes.
const SPACING: usize = 1024;

/// A text with marks at the beginning of every line and along long ones.
pub(crate) struct Places<'a> {
    text: &'a str,
    marks: Vec<Mark>,
}

/// A byte of the text with the line and the column it is in, both from 1.
struct Mark {
    byte: usize,
    line: usize,
    column: usize,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut marks = vec![Mark { byte: 0, line: 1, column: 1 }];
        let (mut line, mut column, mut marked) = (1, 1, 0);
        for (byte, c) in text.char_indices() {
            if byte - marked >= SPACING {
                marks.push(Mark { byte, line, column });
                marked = byte;
            }
            column += 1;
            if c == '\n' {
                (line, column, marked) = (line + 1, 1, byte + 1);
                marks.push(Mark { byte: marked, line, column });
            }
        }
        Self { text, marks }
    }

    /// The place of a range of bytes; a range past the end stands for the end.
    pub(crate) fn place(&self, span: Range<usize>) -> Place {
        let start = boundary(self.text, span.start);
        let end = boundary(self.text, span.end).max(start);
        // The first mark is at byte 0, so there is one before every byte.
        let after = self.marks.partition_point(|mark| mark.byte <= start);
        let mark = &self.marks[after - 1];
        let column = mark.column + self.text[mark.byte..start].chars().count();
        Place { line: mark.line, column, span: start..end }
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
            let text = text.concat();
            let place = Places::new(&text).place(start..start + length);
            let start = boundary(&text, start);
            let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            prop_assert_eq!(place.line, text[..start].matches('\n').count() + 1);
            prop_assert_eq!(place.column, text[line_start..start].chars().count() + 1);
            prop_assert_eq!(place.span.start, start);
        }
    }
}

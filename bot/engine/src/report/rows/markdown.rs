//! Tables of GitHub's Markdown.

use std::io::{self, Write};

use ltlcrit_worlds::{REPLACEMENT, is_unshown};

use super::{Cell, Column, RowWriter};

/// Writes a table.
pub struct Markdown<'a>(&'a mut (dyn Write + Send));

impl<'a> Markdown<'a> {
    /// Writes the heading.
    pub fn new(columns: &[Column], out: &'a mut (dyn Write + Send)) -> io::Result<Self> {
        let names: Vec<String> = columns.iter().map(|column| escaped(&column.name)).collect();
        let rules: Vec<&str> = columns.iter().map(|column| if column.is_numeric() { "---:" } else { "---" }).collect();
        writeln!(out, "| {} |\n| {} |", names.join(" | "), rules.join(" | "))?;
        Ok(Self(out))
    }
}

impl RowWriter for Markdown<'_> {
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(&cell.rounded())).collect();
        writeln!(self.0, "| {} |", cells.join(" | "))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// A text that stays text in a cell: no markup, no HTML, no line break.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '#' | '$' => out.extend(['\\', c]),
            // Addresses become links without any markup.
            ':' => out.push_str("&#58;"),
            '@' => out.push_str("&#64;"),
            c if is_unshown(c) => out.push(REPLACEMENT),
            c => out.push(c),
        }
    }
    out
}

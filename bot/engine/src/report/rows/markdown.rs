//! Tables of GitHub's Markdown.

use std::io::{self, Write};

use ltlcrit_worlds::{REPLACEMENT, is_unshown};
use serde_json::Value;

use super::cell::{Column, RowWriter};

/// Writes a table.
pub struct Markdown<'a> {
    columns: Vec<Column>,
    out: &'a mut (dyn Write + Send),
}

impl<'a> Markdown<'a> {
    /// Writes the caption and the heading.
    pub fn new(caption: &str, columns: Vec<Column>, out: &'a mut (dyn Write + Send)) -> io::Result<Self> {
        let names: Vec<String> = columns.iter().map(|column| escaped(&column.name)).collect();
        let rules: Vec<&str> = columns.iter().map(|column| if column.is_numeric() { "---:" } else { "---" }).collect();
        if !caption.is_empty() {
            writeln!(out, "{}\n", escaped(caption))?;
        }
        writeln!(out, "| {} |\n| {} |", names.join(" | "), rules.join(" | "))?;
        Ok(Self { columns, out })
    }
}

impl RowWriter for Markdown<'_> {
    fn row(&mut self, values: Vec<Value>, best: &[usize]) -> io::Result<()> {
        let field = |(place, (column, value)): (usize, (&Column, &Value))| {
            let text = escaped(&column.rounded(value));
            if best.contains(&place) { format!("**{text}**") } else { text }
        };
        let cells: Vec<String> = self.columns.iter().zip(&values).enumerate().map(field).collect();
        writeln!(self.out, "| {} |", cells.join(" | "))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

/// Escapes a text so that a cell has no markup, no HTML and no line break.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '#' | '$' => out.extend(['\\', c]),
            c if is_unshown(c) => out.push(REPLACEMENT),
            c => out.push(c),
        }
    }
    // Addresses would become links without any markup.
    let out = out.replace("://", "&#58;//").replace("www.", "www&#46;");
    match out.split_once('@') {
        Some((_, domain)) if domain.contains('.') => out.replace('@', "&#64;"),
        _ => out,
    }
}

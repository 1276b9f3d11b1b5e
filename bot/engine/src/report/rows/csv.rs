//! Comma-separated values (RFC 4180) that no spreadsheet takes for formulas.

use std::io::{self, Write};

use super::cell::{Cell, Column, RowWriter};

/// Writes CSV.
pub struct Csv<'a>(&'a mut (dyn Write + Send));

impl<'a> Csv<'a> {
    /// Writes the heading.
    pub fn new(columns: &[Column], out: &'a mut (dyn Write + Send)) -> io::Result<Self> {
        let names: Vec<String> = columns.iter().map(|column| field(&column.name)).collect();
        write!(out, "{}\r\n", names.join(","))?;
        Ok(Self(out))
    }
}

impl RowWriter for Csv<'_> {
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        let fields: Vec<String> = cells
            .iter()
            .map(|cell| match cell {
                Cell::Text(text) => field(text),
                other => other.plain(),
            })
            .collect();
        write!(self.0, "{}\r\n", fields.join(","))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// A text as a field. One that a spreadsheet would compute gets an apostrophe before it, as OWASP advises.
fn field(text: &str) -> String {
    let formula = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r', '\n']);
    let safe = if formula { format!("'{text}") } else { text.to_owned() };
    if safe.contains([',', '"', '\r', '\n']) || safe != safe.trim() {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

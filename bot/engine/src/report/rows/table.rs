//! Rows in memory.

use std::io::{self, Write};

use serde_json::Value;

use super::cell::{Column, Kind};
use super::format::RowFormat;
use crate::report::table::{self, Table, capitalized};

/// Rows in memory, with the names and kinds of their columns.
#[derive(Debug, Default)]
pub struct Rows {
    /// Their explanation for people.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a value for every column.
    pub rows: Vec<Vec<Value>>,
    /// The rows with the best value of each column; empty if there are none.
    pub(super) best: Vec<Vec<usize>>,
}

impl Rows {
    /// Creates the rows of documents, with the value at the pointer of each column. Without rows there are no columns.
    pub(super) fn of(columns: impl Iterator<Item = (Column, String)>, documents: &[Value]) -> Self {
        let (columns, pointers): (Vec<Column>, Vec<String>) = columns.filter(|_| !documents.is_empty()).unzip();
        let value = |of: &Value, at: &String| of.pointer(at).cloned().unwrap_or_default();
        let rows = documents.iter().map(|of| pointers.iter().map(|at| value(of, at)).collect());
        Self { rows: rows.collect(), columns, ..Self::default() }
    }

    /// Converts a table to rows for people.
    pub fn of_table(table: &Table) -> Self {
        let column = |column: &table::Column| Column {
            name: column.heading.clone(),
            kind: if column.is_numeric() { Kind::Number } else { Kind::Text },
        };
        let title = if table.title.is_empty() { String::new() } else { format!("{}. ", capitalized(&table.title)) };
        Self {
            caption: format!("{title}{}", table.caption.plain()).trim_end().to_owned(),
            columns: table.columns.iter().map(column).collect(),
            rows: table.rows.iter().map(|row| row.iter().map(|cell| cell.plain().into()).collect()).collect(),
            best: (0..table.columns.len()).map(|column| table.best(column)).collect(),
        }
    }

    /// Writes the rows.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(self, format: RowFormat, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let mut writer = format.writer(&self.caption, self.columns, out)?;
        for (place, row) in self.rows.into_iter().enumerate() {
            let is_best = |column: &usize| self.best.get(*column).is_some_and(|rows| rows.contains(&place));
            let best: Vec<usize> = (0..row.len()).filter(is_best).collect();
            writer.row(row, &best)?;
        }
        writer.finish()
    }
}

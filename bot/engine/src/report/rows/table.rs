//! Rows in memory.

use std::io::{self, Write};

use super::cell::{Cell, Column, Kind};
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
    pub rows: Vec<Vec<Cell>>,
}

impl Rows {
    /// Creates rows of named values. The first row sets the columns, and every row has the same ones.
    pub(super) fn of(rows: impl IntoIterator<Item = Vec<(String, Kind, Cell)>>) -> Self {
        let mut all = Self::default();
        for row in rows {
            if all.columns.is_empty() {
                all.columns = row.iter().map(|(name, kind, _)| Column { name: name.clone(), kind: *kind }).collect();
            }
            all.rows.push(row.into_iter().map(|(.., cell)| cell).collect());
        }
        all
    }

    /// Converts a table to rows for people.
    pub fn of_table(table: &Table) -> Self {
        let column = |column: &table::Column| Column {
            name: column.heading.clone(),
            kind: if column.is_numeric() { Kind::Number } else { Kind::Text },
        };
        let best: Vec<Vec<usize>> = (0..table.columns.len()).map(|column| table.best(column)).collect();
        let row = |(row, cells): (usize, &Vec<table::Cell>)| {
            let shown = |(cell, best): (&table::Cell, &Vec<usize>)| match best.contains(&row) {
                true => Cell::Best(cell.plain()),
                false => Cell::Text(cell.plain()),
            };
            cells.iter().zip(&best).map(shown).collect()
        };
        let title = if table.title.is_empty() { String::new() } else { format!("{}. ", capitalized(&table.title)) };
        Self {
            caption: format!("{title}{}", table.caption.plain()).trim_end().to_owned(),
            columns: table.columns.iter().map(column).collect(),
            rows: table.rows.iter().enumerate().map(row).collect(),
        }
    }

    /// Writes the rows.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(self, format: RowFormat, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let mut writer = format.writer(&self.caption, self.columns, out)?;
        for row in self.rows {
            writer.row(row)?;
        }
        writer.finish()
    }
}

//! Rows for other programs: CSV, JSON lines, Markdown, LaTeX, Parquet.
//!
//! A [`RowWriter`] gets its [`Column`]s first and then row after row, so tables of any length are written in flat memory.

mod cells;
mod csv;
mod jsonl;
mod latex;
mod markdown;
mod parquet;
mod steps;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

pub use cells::{batch_rows, run_rows};
use serde::Serialize;
pub use steps::step_rows;

/// A form of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Comma-separated values (RFC 4180) with a heading.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// A table of GitHub's Markdown.
    Markdown,
    /// A `longtable` for LaTeX's packages `longtable` and `booktabs`.
    Latex,
    /// A Parquet file.
    Parquet,
}

/// The kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Texts.
    Text,
    /// Numbers of things.
    Count,
    /// Whole numbers with a sign.
    Integer,
    /// Numbers.
    Number,
    /// Truth values.
    Flag,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, in snake case.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
}

impl Column {
    /// Whether it is aligned to the right.
    fn is_numeric(&self) -> bool {
        matches!(self.kind, Kind::Count | Kind::Integer | Kind::Number)
    }
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Nothing.
    Missing,
    /// A text.
    Text(String),
    /// A number of things.
    Count(u64),
    /// A whole number with a sign.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A truth value.
    Flag(bool),
}

impl Cell {
    /// The value as text, empty where it is missing.
    fn plain(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Text(text) => text.clone(),
            Self::Count(number) => number.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
        }
    }

    /// The value as people read it: numbers are rounded.
    fn rounded(&self) -> String {
        match self {
            Self::Number(number) if number.abs() < 1.0 => format!("{number:.3}"),
            Self::Number(number) => format!("{number:.1}"),
            other => other.plain(),
        }
    }
}

/// Values from their types.
macro_rules! cell_from {
    ($($type:ty => $variant:ident),*) => {
        $(impl From<$type> for Cell {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}
cell_from!(&str => Text, String => Text, u64 => Count, i32 => Integer, f64 => Number, bool => Flag);

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

/// Rows in memory, with the names and kinds of their columns.
#[derive(Debug, Default)]
pub struct Rows {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a value for every column.
    pub rows: Vec<Vec<Cell>>,
}

impl Rows {
    /// Rows of named values. The first row tells the columns, and every row has the same.
    fn of(rows: impl IntoIterator<Item = Vec<(String, Kind, Cell)>>) -> Self {
        let mut all = Self::default();
        for row in rows {
            if all.columns.is_empty() {
                all.columns = row.iter().map(|(name, kind, _)| Column { name: name.clone(), kind: *kind }).collect();
            }
            all.rows.push(row.into_iter().map(|(.., cell)| cell).collect());
        }
        all
    }

    /// Writes the rows.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(self, format: RowFormat, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let mut writer = format.writer(self.columns, out)?;
        for row in self.rows {
            writer.row(row)?;
        }
        writer.finish()
    }
}

/// Writes rows.
pub trait RowWriter {
    /// Writes a row with a value for every column.
    ///
    /// # Errors
    /// The output cannot be written, or a value is not of its column's kind.
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()>;

    /// Writes what comes after the last row.
    ///
    /// # Errors
    /// The output cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl RowFormat {
    /// Whether people read it, who want few columns and rounded numbers.
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Markdown | Self::Latex)
    }

    /// A writer of rows in this form.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn writer<'a>(
        self,
        columns: Vec<Column>,
        out: &'a mut (dyn Write + Send),
    ) -> io::Result<Box<dyn RowWriter + 'a>> {
        Ok(match self {
            Self::Csv => Box::new(csv::Csv::new(&columns, out)?),
            Self::Jsonl => Box::new(jsonl::JsonLines::new(columns, out)),
            Self::Markdown => Box::new(markdown::Markdown::new(&columns, out)?),
            Self::Latex => Box::new(latex::Latex::new(&columns, out)?),
            Self::Parquet => Box::new(parquet::Parquet::new(columns, out)?),
        })
    }
}

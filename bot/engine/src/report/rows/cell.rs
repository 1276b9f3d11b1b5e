//! Columns of rows, and the trait of their writers. The values are those of JSON; `null` stands for a missing one.

use std::io;

use serde_json::Value;

/// The kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Texts.
    Text,
    /// Counts.
    Count,
    /// Signed whole numbers.
    Integer,
    /// Numbers, rounded to one decimal for people.
    Number,
    /// Numbers mostly between 0 and 1, such as shares and p-values, rounded to three decimals for people.
    Share,
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
    /// Returns whether it is aligned to the right.
    pub(super) fn is_numeric(&self) -> bool {
        !matches!(self.kind, Kind::Text | Kind::Flag)
    }

    /// Formats a value for people: numbers are rounded.
    pub(super) fn rounded(&self, value: &Value) -> String {
        match (self.kind, value.as_f64()) {
            (Kind::Number, Some(number)) => format!("{number:.1}"),
            (Kind::Share, Some(number)) => format!("{number:.3}"),
            _ => plain(value),
        }
    }
}

/// Formats a value as text; empty if it is missing.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        // JSON would write 1.0 for 1.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// Writes rows.
pub trait RowWriter {
    /// Writes a row with a value for every column. Formats for people emphasise those of the columns in `best`.
    ///
    /// # Errors
    /// The output cannot be written, or a value is not of its column's kind.
    fn row(&mut self, values: Vec<Value>, best: &[usize]) -> io::Result<()>;

    /// Writes the end of the output after the last row.
    ///
    /// # Errors
    /// The output cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

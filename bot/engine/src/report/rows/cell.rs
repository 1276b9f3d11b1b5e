//! Values and columns of rows, and the trait of their writers.

use std::io;

use serde::Serialize;
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
        matches!(self.kind, Kind::Count | Kind::Integer | Kind::Number | Kind::Share)
    }

    /// Formats a value for people: numbers are rounded.
    pub(super) fn rounded(&self, cell: &Cell) -> String {
        match (self.kind, cell) {
            (Kind::Number, Cell::Number(number)) => format!("{number:.1}"),
            (Kind::Share, Cell::Number(number)) => format!("{number:.3}"),
            (_, other) => other.plain(),
        }
    }
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A missing value.
    Missing,
    /// A text.
    Text(String),
    /// The best value of a column, as text; bold in formats for people.
    Best(String),
    /// A count.
    Count(u64),
    /// A signed whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A truth value.
    Flag(bool),
}

impl Cell {
    /// Converts a value of a JSON document for a column of a kind. A value of another kind is missing.
    pub(super) fn of(kind: Kind, value: &Value) -> Self {
        match kind {
            Kind::Text => value.as_str().into(),
            Kind::Count => value.as_u64().into(),
            Kind::Integer => value.as_i64().map_or(Self::Missing, Self::Integer),
            Kind::Number | Kind::Share => value.as_f64().into(),
            Kind::Flag => value.as_bool().into(),
        }
    }

    /// Formats the value as text; empty if it is missing.
    pub(super) fn plain(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Text(text) | Self::Best(text) => text.clone(),
            Self::Count(number) => number.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
        }
    }
}

/// Converts values from their types.
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

/// Writes rows.
pub trait RowWriter {
    /// Writes a row with a value for every column.
    ///
    /// # Errors
    /// The output cannot be written, or a value is not of its column's kind.
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()>;

    /// Writes the end of the output after the last row.
    ///
    /// # Errors
    /// The output cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

//! Values and columns of rows, and who writes them.

use std::io;

use serde::Serialize;
use serde_json::Value;

/// The kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Texts.
    Text,
    /// Numbers of things.
    Count,
    /// Whole numbers with a sign.
    Integer,
    /// Numbers; people get one decimal.
    Number,
    /// Numbers of which mostly those between 0 and 1 matter, such as shares and p-values; people get three decimals.
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
    /// Whether it is aligned to the right.
    pub(super) fn is_numeric(&self) -> bool {
        matches!(self.kind, Kind::Count | Kind::Integer | Kind::Number | Kind::Share)
    }

    /// A value as people read it: numbers are rounded.
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
    /// A value of a JSON document in a column of a kind; one of another kind is missing.
    pub(super) fn of(kind: Kind, value: &Value) -> Self {
        match kind {
            Kind::Text => value.as_str().into(),
            Kind::Count => value.as_u64().into(),
            Kind::Integer => value.as_i64().map_or(Self::Missing, Self::Integer),
            Kind::Number | Kind::Share => value.as_f64().into(),
            Kind::Flag => value.as_bool().into(),
        }
    }

    /// The value as text, empty where it is missing.
    pub(super) fn plain(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Text(text) => text.clone(),
            Self::Count(number) => number.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
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

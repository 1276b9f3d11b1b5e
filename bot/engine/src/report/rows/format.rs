//! The formats of rows.

use std::io::{self, Write};

use strum::{EnumMessage, IntoStaticStr, VariantArray};

use super::cell::{Column, RowWriter};
use super::{csv, jsonl, latex, markdown, parquet};

/// A format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumMessage, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum RowFormat {
    /// Comma-separated values
    Csv,
    /// A JSON object a line
    Jsonl,
    /// A table of GitHub's Markdown, for people
    Markdown,
    /// A `longtable` with the rules of `booktabs`, for people
    Latex,
    /// A Parquet file
    Parquet,
}

impl RowFormat {
    /// Returns whether the format is for people, who want few columns and rounded numbers.
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Markdown | Self::Latex)
    }

    /// Returns a writer of rows in this format. Formats for people show the caption, if there is one.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn writer<'a>(
        self,
        caption: &str,
        columns: Vec<Column>,
        out: &'a mut (dyn Write + Send),
    ) -> io::Result<Box<dyn RowWriter + 'a>> {
        Ok(match self {
            Self::Csv => Box::new(csv::Csv::new(&columns, out)?),
            Self::Jsonl => Box::new(jsonl::JsonLines::new(columns, out)),
            Self::Markdown => Box::new(markdown::Markdown::new(caption, columns, out)?),
            Self::Latex => Box::new(latex::Latex::new(caption, columns, out)?),
            Self::Parquet => Box::new(parquet::Parquet::new(columns, out)?),
        })
    }
}

//! Forms of rows on the command line.

use ltlcrit_engine::report::rows::RowFormat;

/// A form of results for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
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

impl From<Format> for RowFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Csv => Self::Csv,
            Format::Jsonl => Self::Jsonl,
            Format::Markdown => Self::Markdown,
            Format::Latex => Self::Latex,
            Format::Parquet => Self::Parquet,
        }
    }
}

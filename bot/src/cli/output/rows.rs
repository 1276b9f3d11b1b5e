//! Text of labelled rows, such as the description of a law.

use std::fmt::{Display, Write as _};

use crate::cli::output::style::{HEAD, Mark, WARNING};

/// Lines of text under construction. Rows are indented and have a label in a column of fixed width.
pub struct Rows {
    text: String,
    width: usize,
}

impl Rows {
    /// An empty text whose labels take so many columns.
    pub fn new(width: usize) -> Self {
        Self { text: String::new(), width }
    }

    /// Adds a line without a label.
    pub fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.text, "{text}");
    }

    /// Adds a row.
    pub fn row(&mut self, label: &str, text: impl Display) {
        self.styled(HEAD, label, text);
    }

    /// Adds a row if there is a text.
    pub fn optional(&mut self, label: &str, text: Option<impl Display>) {
        if let Some(text) = text {
            self.row(label, text);
        }
    }

    /// Adds a row about something that people must not overlook, if there is a text.
    pub fn warning(&mut self, label: &str, text: Option<impl Display>) {
        if let Some(text) = text {
            self.styled(WARNING, label, text);
        }
    }

    /// Adds a line below the text of the last row.
    pub fn below(&mut self, text: impl Display) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = self.width + 2);
    }

    fn styled(&mut self, style: Mark, label: &str, text: impl Display) {
        let width = self.width;
        let _ = writeln!(self.text, "  {style}{label:<width$}{style:#}{text}");
    }

    /// The text.
    pub fn text(self) -> String {
        self.text
    }
}

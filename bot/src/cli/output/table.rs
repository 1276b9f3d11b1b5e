//! Plain tables: a heading and aligned columns.

use std::time::Duration;

use comfy_table::{CellAlignment, ContentArrangement, Table};
use ltlcrit_engine::report::table::{Cell, Part, Table as ReportTable};
use serde::Serialize;

use super::clock;
use super::style::HEAD;
use super::terminal::foreign;

/// A table under construction.
pub struct Columns {
    table: Table,
}

impl Columns {
    /// A table with these headings. A heading that begins with `>` aligns its column to the right.
    pub fn new<'a>(headings: impl IntoIterator<Item = &'a str>) -> Self {
        let headings: Vec<&str> = headings.into_iter().collect();
        let mut table = Table::new();
        table.load_style(comfy_table::presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(headings.iter().map(|heading| heading.trim_start_matches('>')));
        for (column, heading) in table.column_iter_mut().zip(headings) {
            column.set_padding((0, 2));
            if heading.starts_with('>') {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self { table }
    }

    /// Adds a row of one-line cells.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.table.add_row(cells.into_iter().map(|cell| cell.replace('\n', " ")));
    }

    /// The table as text, the heading in bold.
    pub fn text(&self) -> String {
        let mut lines = self.table.lines().map(|line| line.trim_end().to_owned());
        let heading = lines.next().unwrap_or_default();
        let mut text = format!("{HEAD}{heading}{HEAD:#}");
        for line in lines {
            text.push('\n');
            text.push_str(&line);
        }
        text
    }
}

/// Rows as a table, whose columns are written as for [`ReportTable::of`].
pub fn listing(rows: &impl Serialize, columns: &str) -> String {
    of_report(&ReportTable::of("", "", columns, &serde_json::to_value(rows).unwrap_or_default(), ""))
}

/// A table of a report, below its title.
pub fn of_report(table: &ReportTable) -> String {
    let headings: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("{}{}", if column.is_numeric() { ">" } else { "" }, foreign(&column.heading)))
        .collect();
    let mut columns = Columns::new(headings.iter().map(String::as_str));
    for row in &table.rows {
        columns.row(row.iter().map(cell));
    }
    match table.title.as_str() {
        "" => columns.text(),
        title => format!("{}:\n{}", foreign(title), columns.text()),
    }
}

/// A cell in the characters that every terminal has.
fn cell(cell: &Cell) -> String {
    let part = |part: &Part| match part {
        Part::Own(text) => text.replace('–', "-").replace('×', "x"),
        Part::Text(text) | Part::Emphasis(text) | Part::Code(text) | Part::Explained(text, _) => foreign(text),
        Part::Steps(_) => Cell(vec![part.clone()]).plain(),
        Part::Number { text, .. } => text.clone(),
        Part::Time { ticks, .. } => clock(Duration::from_secs_f64(ticks / 20.0)),
    };
    cell.0.iter().map(part).collect()
}

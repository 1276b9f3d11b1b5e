//! Tables as HTML.

use maud::{Markup, html};

use super::text::{cited, text};
use crate::report::table::{Cell, Part, Table, capitalized, grouped, minutes};

/// Renders a table; empty without rows. Headings are shown if one has a text.
pub fn table(table: &Table) -> Markup {
    if table.rows.is_empty() {
        return html! {};
    }
    let class = |column: usize| table.columns.get(column).is_some_and(|it| it.is_numeric()).then_some("n");
    html! {
        figure.table {
            figcaption {
                @if !table.title.is_empty() { strong { (text(&capitalized(&table.title))) } ". " }
                (cell(&table.caption))
            }
            div.scroll {
                table {
                    @if table.columns.iter().any(|column| !column.heading.is_empty()) {
                        thead { tr {
                            @for (column, of) in table.columns.iter().enumerate() {
                                th class=[class(column)] scope="col" { (text(&of.heading)) }
                            }
                        } }
                    }
                    tbody {
                        @for row in &table.rows {
                            tr { @for (column, it) in row.iter().enumerate() { td class=[class(column)] { (cell(it)) } } }
                        }
                    }
                }
            }
        }
    }
}

/// Renders the content of a cell.
pub fn cell(cell: &Cell) -> Markup {
    html! {
        @for part in &cell.0 {
            @match part {
                Part::Own(it) | Part::Text(it) => (text(it)),
                Part::Emphasis(it) => em { (text(it)) },
                Part::Code(it) => code { (text(it)) },
                Part::Explained(it, explanation) => span title=(text(explanation)) { (text(it)) },
                Part::Steps(steps) => (cited(steps)),
                Part::Number { at, scale, text } => {
                    span data-at=(at) data-scale=[(*scale != 1.0).then_some(scale)] { (text) }
                }
                Part::Time { at, ticks } => { span data-at=(at) data-scale=(1.0 / 1200.0) { (minutes(*ticks)) } " min" }
            }
        }
    }
}

/// Renders a whole number of the document, at its JSON pointer.
pub fn count(at: &str, number: u64) -> Markup {
    cell(&Cell(vec![Part::Number { at: at.to_owned(), scale: 1.0, text: grouped(number) }]))
}

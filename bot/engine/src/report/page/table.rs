//! Tables with a caption.

use maud::{Markup, html};

/// A table. A heading that begins with `>` aligns its column to the right; without any text no headings
/// are shown. Nothing without rows.
pub fn table(caption: Markup, headings: &[&str], rows: Vec<Vec<Markup>>) -> Markup {
    if rows.is_empty() {
        return html! {};
    }
    let class = |column: usize| headings.get(column).is_some_and(|it| it.starts_with('>')).then_some("n");
    html! {
        figure.table {
            figcaption { (caption) }
            div.scroll {
                table {
                    @if headings.iter().any(|heading| !heading.trim_start_matches('>').is_empty()) {
                        thead { tr {
                            @for (column, heading) in headings.iter().enumerate() {
                                th class=[class(column)] scope="col" { (heading.trim_start_matches('>')) }
                            }
                        } }
                    }
                    tbody {
                        @for row in rows {
                            tr { @for (column, cell) in row.iter().enumerate() { td class=[class(column)] { (cell) } } }
                        }
                    }
                }
            }
        }
    }
}

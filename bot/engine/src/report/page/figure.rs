//! One figure of a page: charts with their legend and a caption.

use maud::{Markup, html};

use super::text::text;
use crate::report::chart::Chart;

/// Renders charts with their legend and a caption; empty without charts.
pub(super) fn figure(charts: &[Chart], caption: Markup) -> Markup {
    let Some(first) = charts.first() else { return html! {} };
    html! {
        figure {
            @if !first.legend.is_empty() {
                ul.legend {
                    @for (number, name) in first.legend.iter().enumerate() {
                        li {
                            svg viewBox="0 0 28 8" aria-hidden="true" { path class={ "curve c" (number % 8) } d="M0 4H28" {} }
                            (text(name))
                        }
                    }
                }
            }
            @if first.heading.is_empty() { (first) (first.note) } @else {
                div.panels {
                    @for chart in charts { div.panel { h3 { (text(&chart.heading)) } (chart) (chart.note) } }
                }
            }
            figcaption { (caption) }
        }
    }
}

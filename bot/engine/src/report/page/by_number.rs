//! Success and safety by the number of laws in force (Safety Chip, figure 4 and tables I and II).

use maud::{Markup, html};

use super::text::legend;
use crate::batch::RatesByNumber;
use crate::report::BatchReport;
use crate::report::chart::{Line, lines};

/// Draws the charts.
pub fn figure(batch: &BatchReport) -> Markup {
    let rows = &batch.outcome.summary.by_number;
    let panel = |title: &str, shares: fn(&RatesByNumber) -> &[Option<f64>]| {
        let drawn: Vec<Line<'_>> = rows
            .iter()
            .enumerate()
            .map(|(number, row)| Line {
                number,
                shares: row.numbers.iter().copied().zip(shares(row).iter().copied()).collect(),
                title: &row.condition,
            })
            .collect();
        html! { div.panel { h3 { (title) } (lines(&format!("{title} by the number of laws"), &drawn)) } }
    };
    html! {
        figure {
            (legend(rows.iter().map(|row| row.condition.as_str())))
            div.panels {
                (panel("safe", |row| &row.safe))
                (panel("success", |row| &row.success))
            }
            figcaption {
                "The share of runs that were safe, and of those that reached the goal, by the number of laws in force. Lines that \
                 lie on each other are drawn a little apart."
            }
        }
    }
}

//! Success and safety by the number of laws in force (Safety Chip, figure 4 and tables I and II).

use maud::{Markup, html};

use super::figure::figure;
use crate::batch::RatesByNumber;
use crate::report::BatchReport;
use crate::report::chart::{Chart, Line, lines};

/// Draws the charts.
pub fn charts(batch: &BatchReport) -> Vec<Chart> {
    let rows = &batch.outcome.summary.by_number;
    let chart = |heading: &str, shares: fn(&RatesByNumber) -> &[Option<f64>]| {
        let drawn: Vec<Line<'_>> = rows
            .iter()
            .enumerate()
            .map(|(number, row)| Line {
                number,
                shares: row.numbers.iter().copied().zip(shares(row).iter().copied()).collect(),
                title: &row.condition,
            })
            .collect();
        let chart = lines(&format!("{heading} by the number of laws"), &drawn).under(heading);
        chart.with_legend(rows.iter().map(|row| row.condition.as_str()))
    };
    if rows.is_empty() {
        Vec::new()
    } else {
        vec![chart("safe", |row| &row.safe), chart("success", |row| &row.success)]
    }
}

/// Renders the figure.
pub fn shown(batch: &BatchReport) -> Markup {
    let caption = html! {
        "The share of runs that were safe, and of those that reached the goal, by the number of laws in force. Lines that \
         lie on each other are drawn a little apart."
    };
    figure(&charts(batch), caption)
}

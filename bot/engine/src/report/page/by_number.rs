//! Success and safety by the number of laws in force (Safety Chip, figure 4 and tables I and II).

use maud::{Markup, html};

use super::figure::figure;
use crate::batch::RatesByNumber;
use crate::report::BatchReport;
use crate::report::chart::{Chart, Line, lines};

/// Draws the charts.
pub fn charts(batch: &BatchReport) -> Vec<Chart> {
    let rows = &batch.outcome.summary.by_number;
    let numbers = || rows.iter().flat_map(|row| &row.numbers);
    let range = (*numbers().min().unwrap_or(&0) as f64, *numbers().max().unwrap_or(&1) as f64);
    let chart = |heading: &str, shares: fn(&RatesByNumber) -> &[Option<f64>]| {
        let drawn: Vec<Line<'_>> = rows
            .iter()
            .enumerate()
            .map(|(number, row)| Line {
                number,
                points: row
                    .numbers
                    .iter()
                    .zip(shares(row))
                    .filter_map(|(at, share)| Some((*at as f64, (*share)?)))
                    .collect(),
                title: &row.condition,
            })
            .collect();
        let chart = lines(&format!("{heading} by the number of laws"), &drawn, range).under(heading);
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

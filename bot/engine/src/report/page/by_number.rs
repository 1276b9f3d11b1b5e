//! Success and safety by the number of laws in force (Safety Chip, figure 4 and tables I and II).

use maud::{Markup, html};

use super::number::{none, percent};
use super::table::table;
use super::text::text;
use crate::batch::RatesByNumber;
use crate::report::BatchReport;
use crate::report::chart::{Line, lines};

/// The drawings, and the means with the rows of a paper beside them.
pub fn section(batch: &BatchReport) -> Markup {
    let rows = &batch.summary.by_number;
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
            ul.legend {
                @for (number, row) in rows.iter().enumerate() {
                    li {
                        svg viewBox="0 0 28 8" aria-hidden="true" { path class={ "curve c" (number % 8) } d="M0 4H28" {} }
                        (text(&row.condition))
                    }
                }
            }
            div.panels {
                (panel("safe", |row| &row.safe))
                (panel("success", |row| &row.success))
            }
            figcaption {
                "The share of runs that were safe, and of those that reached the goal, by the number of laws in force. Lines that \
                 lie on each other are drawn a little apart."
            }
        }
        (means(batch))
    }
}

fn means(batch: &BatchReport) -> Markup {
    let mut rows = Vec::new();
    for (index, row) in batch.summary.by_number.iter().enumerate() {
        let at = |field: &str| format!("/by_number/{index}/{field}");
        rows.push(vec![
            html! { (text(&row.condition)) },
            percent(&at("mean_success"), row.mean_success, 0),
            percent(&at("mean_safe"), row.mean_safe, 0),
        ]);
        let theirs = batch.reference.iter().flat_map(|it| it.rows.iter().enumerate());
        for (place, theirs) in theirs.filter(|(_, theirs)| theirs.condition == row.condition) {
            let at = |field: &str| format!("/reference/rows/{place}/{field}");
            let share = |field: &str, of: Option<f64>| of.map_or_else(none, |of| percent(&at(field), Some(of), 0));
            rows.push(vec![
                html! { em { (text(&theirs.name)) ", paper" } },
                share("success", theirs.success),
                share("safe", theirs.safe),
            ]);
        }
    }
    let caption = html! {
        "Over all numbers of laws, worlds and seeds."
        @if let Some(reference) = &batch.reference { " In italics: " (text(&reference.source)) ". " (text(&reference.note)) }
    };
    table(caption, &["condition", ">success", ">safe"], rows)
}

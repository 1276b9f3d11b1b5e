//! The result of a batch in one sentence and one chart, before all tables.

use maud::{Markup, html};
use serde_json::Value;

use super::figure::figure;
use super::table::cell;
use crate::report::chart::{Chart, Share, shares};
use crate::report::table::{Cell, array, fill};

/// The maximum number of conditions in the chart.
const MAX_SHARES: usize = 40;

/// An array of the document, the templates of a row's name and metric, its share, the pointer of the interval, and its
/// words.
type Outcome = (&'static str, &'static str, &'static str, fn(&Value) -> Option<f64>, &'static str, &'static str);

/// The results in order of preference. The page shows the first one whose array the document has.
const OUTCOMES: [Outcome; 4] = [
    ("/exam/models", "{model:text}", "{safety:rate}", of_safety, "/safety/interval", "reached the goal safely"),
    (
        "/joint/rows",
        "{model:text}, {laws:text}",
        "{safety:rate}",
        of_safety,
        "/safety/interval",
        "reached the goal safely",
    ),
    ("/rates", "{condition:text}", "{successes}/{done}", of_successes, "/success_interval", "reached the goal"),
    ("/conditions", "{condition:text}", "{goals}/{done}", of_goals, "/goal_interval", "reached the goal"),
];

fn of_safety(row: &Value) -> Option<f64> {
    row.pointer("/safety/rate")?.as_f64()
}

fn of_successes(row: &Value) -> Option<f64> {
    Some(row["successes"].as_f64()? / row["done"].as_f64().filter(|done| *done > 0.0)?)
}

fn of_goals(row: &Value) -> Option<f64> {
    Some(row["goals"].as_f64()? / row["done"].as_f64().filter(|done| *done > 0.0)?)
}

/// A condition: its name, its metric in words, its share.
type Condition = (Cell, Cell, Share);

/// Returns the words of the outcome, and the conditions that have finished a cell.
fn conditions(document: &Value) -> (&'static str, Vec<Condition>) {
    let outcome = OUTCOMES.iter().find(|(at, ..)| array(document, at).next().is_some());
    let Some((at, name, told, share, interval, what)) = outcome else { return ("", Vec::new()) };
    let known = array(document, at).filter_map(|(index, row)| {
        let end = |end: &str| row.pointer(&format!("{interval}/{end}")).and_then(Value::as_f64);
        let (name, told) = (fill(name, row, ""), fill(told, row, &format!("{at}/{index}")));
        let shown = Share { name: name.plain(), share: share(row)?, interval: end("low").zip(end("high")) };
        Some((name, told, shown))
    });
    (what, known.collect())
}

fn chart_of(what: &str, known: Vec<Condition>) -> Option<Chart> {
    let drawn: Vec<Share> = known.into_iter().take(MAX_SHARES).map(|(.., share)| share).collect();
    (!drawn.is_empty()).then(|| shares(&format!("Share that {what}"), &drawn))
}

/// Draws the chart, after a cell has finished.
pub fn chart(document: &Value) -> Option<Chart> {
    let (what, known) = conditions(document);
    chart_of(what, known)
}

/// Renders the sentence and the chart; empty before a cell has finished.
pub fn lead(document: &Value) -> Markup {
    let (what, known) = conditions(document);
    let by_share = |one: &&Condition, next: &&Condition| one.2.share.total_cmp(&next.2.share);
    let (Some(least), Some(most)) = (known.iter().min_by(by_share), known.iter().rev().max_by(by_share)) else {
        return html! {};
    };
    // Several conditions may have the same share.
    let place = |of: &Condition| match known.iter().filter(|it| it.2.share == of.2.share).count() {
        1 => cell(&of.0),
        several => html! { (several) " of " (known.len()) " conditions" },
    };
    let sentence = html! {
        p.lead {
            @if least.2.share == most.2.share {
                @if known.len() > 1 { "All conditions " (what) " equally often: " } @else { (cell(&most.0)) " " (what) ": " }
                (cell(&most.1)) "."
            } @else {
                strong { (place(most)) } " " (what) " most often: " (cell(&most.1)) "; "
                strong { (place(least)) } " least often: " (cell(&least.1)) "."
            }
        }
    };
    let caption = html! {
        "The share that " (what) ", with its 95% interval."
        @if known.len() > MAX_SHARES { " The first " (MAX_SHARES) " of " (known.len()) "." }
    };
    html! { (sentence) (figure(chart_of(what, known).as_slice(), caption)) }
}

//! Tables of laws and conflicts.

use maud::{Markup, html};

use super::number::{count, percent};
use super::table::table;
use super::text::text;
use crate::report::{ConflictFigures, LawFigures};

/// What laws did, group by group.
pub fn table_of(group: &str, figures: &[LawFigures]) -> Markup {
    let shown: Vec<usize> = (0..figures.len()).filter(|index| figures[*index].statistics.fired > 0).collect();
    let row = |(position, index): (usize, usize)| {
        let row = &figures[index];
        let at = |field: &str| format!("/laws/{index}/{field}");
        let first = position == 0 || figures[shown[position - 1]].group != row.group;
        vec![
            html! { @if first { (text(&row.group)) } },
            html! { span title=(text(&format!("{}\n{}", row.explanation, row.formula))) { (text(&row.law)) } },
            html! { @if row.hard { "hard" } @else { "soft" } },
            count(&at("steps"), row.statistics.steps),
            count(&at("fired"), row.statistics.fired),
            count(&at("blocked"), row.statistics.blocked),
            count(&at("right"), row.statistics.right.into()),
            count(&at("wrong"), row.statistics.wrong.into()),
            percent(&at("precision"), row.precision, 0),
        ]
    };
    let caption = html! {
        em { "Steps" } " are those that began while the law was in force; it " em { "fired" } " where its condition held before the \
         step, and " em { "blocked" } " proposals, alone or with others; " em { "right" } " and " em { "wrong" } " are blocks known to be so \
         by what the runs of this page show of the same choice in the same state, and " em { "precision" } " is the share of the \
         right ones among them."
        @if shown.len() < figures.len() {
            " Left out: " (figures.len() - shown.len()) " that never fired."
        }
    };
    let headings = [group, "law", "", ">steps", ">fired", ">blocked", ">right", ">wrong", ">precision"];
    table(caption, &headings, shown.iter().copied().enumerate().map(row).collect())
}

/// The conflicts that runs met.
pub fn conflicts(group: &str, figures: &[ConflictFigures]) -> Markup {
    let row = |(index, row): (usize, &ConflictFigures)| {
        let at = |field: &str| format!("/conflicts/{index}/{field}");
        vec![
            html! { (text(&row.group)) },
            html! { (text(&row.laws.join(", "))) },
            html! { (then(row.then)) @if !row.suspended.is_empty() { ": " (text(&row.suspended.join(", "))) } },
            count(&at("steps"), row.steps),
            count(&at("runs"), row.runs),
            html! { "run " (count(&at("first/0"), row.first.0.0)) ", step " (count(&at("first/1"), row.first.1)) },
        ]
    };
    let caption = html! { "States in which the laws together left no action, or that could not be decided." };
    let headings = [group, "laws", "then", ">steps", ">runs", "first"];
    table(caption, &headings, figures.iter().enumerate().map(row).collect())
}

/// What became of a step in words.
pub fn then(then: &str) -> &'static str {
    match then {
        "hard-only" => "hard laws alone for the step",
        "suspended" => "suspended for the step",
        "nothing" => "the run ended safely",
        _ => "undecided: the run ended",
    }
}

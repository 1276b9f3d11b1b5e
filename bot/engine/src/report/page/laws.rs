//! Tables of laws and conflicts.

use ltlcrit_laws::Evidence;
use maud::{Markup, html};
use serde_json::Value;

use super::table::table;
use crate::report::table::{Cell, Part, Table, array, text};

/// Renders the tables of laws, group by group, and of the conflicts in runs; empty if no law fired.
pub fn section(group: &str, document: &Value) -> Markup {
    let tables = [laws(group, document), patterns(group, document), conflicts(group, document)];
    html! {
        @if tables.iter().any(|it| !it.rows.is_empty()) {
            section { h2 { "Laws" } @for it in &tables { (table(it)) } }
        }
    }
}

fn laws(group: &str, document: &Value) -> Table {
    let columns = format!(
        "{group} = {{group:text}}; law = {{:text}}; = {{:text}}; steps = {{steps}}; fired = {{fired}}; \
         violated = {{violated}}; blocked = {{blocked}}; \
         right = {{right}}; wrong = {{wrong}}; precision = {{precision:%0}}%"
    );
    let caption = "*Steps* are those that began while the law was in force; it *fired* where its condition held before the step, \
         was *violated* by steps, and *blocked* proposals, alone or with others; *right* and *wrong* are blocks known to be so by what \
         the runs of this page show of the same choice in the same state, and *precision* is the share of the right ones among them.";
    let mut table = Table::new("", caption, &columns, document);
    let (fired, idle): (Vec<_>, Vec<_>) = array(document, "/laws")
        .partition(|(_, law)| law["fired"].as_u64() > Some(0) || law["violated"].as_u64() > Some(0));
    if !idle.is_empty() {
        table.caption.0.push(Part::Own(format!(" Left out: {} that never fired and were not violated.", idle.len())));
    }
    let mut last = None;
    for (index, law) in fired {
        let cells = table.add(law, &format!("/laws/{index}"));
        if last.replace(&law["group"]) == Some(&law["group"]) {
            cells[0] = Cell::default();
        }
        let explanation = format!("{}\n{}", text(law, "explanation"), text(law, "formula"));
        cells[1] = Cell(vec![Part::Explained(text(law, "law").to_owned(), explanation)]);
        cells[2] = Cell::text(if law["hard"] == true { "hard" } else { "soft" });
    }
    table
}

fn patterns(group: &str, document: &Value) -> Table {
    let columns = format!(
        "{group} = {{group:text}}; pattern = {{pattern:text}}; laws = {{laws}}; runs = {{runs}}; violated = {{violated}}; \
         blocked = {{blocked}}"
    );
    let caption = "The same by the pattern of the laws' formulas. *Runs* counts each run once for each of its laws.";
    Table::of("by pattern", caption, &columns, document, "/patterns")
}

fn conflicts(group: &str, document: &Value) -> Table {
    let columns = format!(
        "{group} = {{group:text}}; laws = {{laws:text}}; then = {{then:text}}; steps = {{steps}}; runs = {{runs}}; \
         first = {{:text}}"
    );
    let caption = "States in which the laws together left no action, or that could not be decided.";
    let mut table = Table::new("", caption, &columns, document);
    if array(document, "/proposals").next().is_some() {
        table.column("resolved by", "{:text}");
    }
    for (index, conflict) in array(document, "/conflicts") {
        let suspended: Vec<&str> = array(conflict, "/suspended").filter_map(|(_, law)| law.as_str()).collect();
        let then = then(text(conflict, "then"));
        let shown = if suspended.is_empty() { then.to_owned() } else { format!("{then}: {}", suspended.join(", ")) };
        let resolves = |(_, change): &(usize, &Value)| {
            change["source"] == "conflict"
                && ["admitted", "on-trial", "retired"].contains(&text(change, "ruling"))
                && array(conflict, "/laws").any(|(_, law)| *law == change["law"])
        };
        let told = |(_, it): (usize, &Value)| format!("{}: {} {}", it["number"], text(it, "change"), text(it, "law"));
        let resolved: Vec<String> = array(document, "/proposals").filter(resolves).map(told).collect();
        let cells = table.add(conflict, &format!("/conflicts/{index}"));
        let first = |at: usize| conflict["first"][at].as_u64().unwrap_or(0);
        cells[2] = Cell::text(shown);
        cells[5] = Cell(vec![Part::Steps(vec![Evidence { run: first(0), step: first(1) }])]);
        if let Some(cell) = cells.get_mut(6) {
            *cell = Cell::text(resolved.join("; "));
        }
    }
    table
}

/// Describes the enforcement in a step.
pub fn then(then: &str) -> &'static str {
    match then {
        "hard-only" => "hard laws alone for the step",
        "suspended" => "suspended for the step",
        "nothing" => "the run ended safely",
        _ => "undecided: the run ended",
    }
}

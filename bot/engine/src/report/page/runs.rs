//! The page of several runs, with the learning curve.

use ltlcrit_critic::graph::{Citation, short};
use maud::{Markup, html};
use serde_json::Value;

use super::figure::figure;
use super::laws;
use super::table::{count, table};
use super::text::{cited, program, text};
use crate::report::chart::{Chart, Point, graph, series};
use crate::report::table::{Cell, Table, array};
use crate::report::{GroupFigures, RunsReport};

/// The maximum number of runs that are listed.
const MAX_RUNS: usize = 500;

/// Draws the charts of the page, in its order.
pub fn charts(report: &RunsReport) -> Vec<Chart> {
    let curve = report.learned().map(|_| learning_charts(report));
    curve.into_iter().flatten().chain(graphs(report).map(|(_, chart)| chart)).collect()
}

/// Draws the graph of each vocabulary with steps, with its number.
fn graphs(report: &RunsReport) -> impl Iterator<Item = (usize, Chart)> {
    let drawn = report.graphs.iter().enumerate().filter(|(_, document)| document.steps > 0);
    drawn.map(|(number, document)| (number, graph(number, document)))
}

/// Renders everything below the title; `document` is the report as JSON.
pub fn body(report: &RunsReport, document: &Value) -> Markup {
    html! {
        p.overview {
            (report.runs.len()) " runs in " (report.groups.len()) " groups. A group is of runs that follow each other with the same \
             actor, model and books, every seed once."
        }
        section { h2 { "Results" } (groups(document)) (comparisons(document)) }
        @if let Some(book) = report.learned() {
            section { h2 { "Learning curve of " (text(book)) } (learning_curve(report)) }
        }
        @if !report.proposals.is_empty() { section { h2 { "Proposed laws" } (proposals(report, document)) } }
        (laws::section("group", document))
        @for (number, chart) in graphs(report) { section { h2 { "States and choices" } (states(number, &chart, report)) } }
        section { h2 { "Tokens and cost" } (usage(document)) }
        section { h2 { "Runs" } (runs(report, document)) }
        section { h2 { "Manifest" } (manifest(report)) }
    }
}

fn groups(document: &Value) -> Markup {
    let columns = "group = {group:text}; runs = {runs/0}–{runs/1}; laws = {laws}; goals = {goals}/{episodes}; 95% = {goal_interval:%}; \
         steps = {mean_steps:.1}; 95% = {steps_interval:to}; failed actions = {failed_actions:%1}%; \
         failed proposals = {failed_proposals:%1}%; blocked = {blocked_proposals:%1}%; fall-backs = {fallbacks}";
    let caption = "Steps are means over the runs that reached the goal, with a BCa bootstrap interval of 95%; that of the goals is Wilson's. \
         *Failed actions* are a share of the executed ones, failed and blocked *proposals* of the proposals. The intervals are \
         about the seeds: groups under laws that were learned from each other's runs are one learning, and say nothing about how \
         another would go.";
    table(&Table::of("", caption, columns, document, "/groups"))
}

fn usage(document: &Value) -> Markup {
    let caption = "Tokens and US dollars. Personas and recordings are free.";
    let columns = "group = {group:text}; tokens = {tokens}; cost = {cost:$}";
    table(&Table::of("", caption, columns, document, "/groups"))
}

fn comparisons(document: &Value) -> Markup {
    let columns = "group = {group:text}; compared with = {against:text}; goals p = {comparison/goals_p:p}; steps p = {comparison/steps_p:p}";
    let caption = "Each group with the last one before it that has its seeds, paired by seed: the exact McNemar test of the goals, the \
         sign-flip test of the steps.";
    let mut compared = Table::new("", caption, columns, document);
    for (index, group) in array(document, "/groups").filter(|(_, group)| !group["comparison"].is_null()) {
        compared.add(group, &format!("/groups/{index}"));
    }
    table(&compared)
}

fn learning_charts(report: &RunsReport) -> Vec<Chart> {
    let first: &[u64] = report.groups.first().map_or(&[], |group| &group.seeds);
    let points = |of: &dyn Fn(usize, &GroupFigures) -> Point| -> Vec<Point> {
        let fresh = |group: &GroupFigures| !group.seeds.iter().any(|seed| first.contains(seed));
        let groups = report.groups.iter().enumerate();
        groups.map(|(index, group)| Point { fresh: fresh(group), ..of(index, group) }).collect()
    };
    let alone = |value: &dyn Fn(&GroupFigures) -> Option<f64>| {
        points(&|_, group| Point { value: value(group), ..Point::default() })
    };
    let steps = points(&|index, group| Point {
        value: group.figures.mean_steps,
        interval: group.steps_interval.as_ref().map(|it| (it.low, it.high)),
        runs: report.runs.iter().filter(|run| run.group == index && run.goal).map(|run| run.steps as f64).collect(),
        ..Point::default()
    });
    let goals = points(&|_, group| Point {
        value: Some(100.0 * group.figures.goals as f64 / group.figures.episodes.max(1) as f64),
        interval: group.goal_interval.as_ref().map(|it| (100.0 * it.low, 100.0 * it.high)),
        ..Point::default()
    });
    let panels = [
        ("steps to the goal", steps, ""),
        ("goals", goals, "%"),
        ("failed proposals", alone(&|group| Some(100.0 * group.figures.failed_proposals?)), "%"),
        ("blocked proposals", alone(&|group| Some(100.0 * group.figures.blocked_proposals?)), "%"),
        ("laws in force", alone(&|group| Some(group.laws as f64)), ""),
    ];
    let chart = |(title, points, unit): (&str, Vec<Point>, &str)| series(title, &points, unit).under(title);
    panels.into_iter().map(chart).collect()
}

fn learning_curve(report: &RunsReport) -> Markup {
    let caption = html! {
        "By group, in the order of the runs. Small dots are single runs that reached the goal, bars 95% intervals; hollow points \
         are groups on seeds that the first group does not have, such as a test on fresh seeds."
    };
    figure(&learning_charts(report), caption)
}

/// Renders a graph, with the steps of its states and choices below it.
fn states(number: usize, chart: &Chart, report: &RunsReport) -> Markup {
    let Some(document) = report.graphs.get(number) else { return html! {} };
    let steps = |cites: &[Citation]| cited(&cites.iter().map(|it| (*it).into()).collect::<Vec<_>>());
    html! {
        figure.graph {
            div.scroll { (chart) }
            figcaption {
                "Boxes are states, with the steps to the target by the best choices known, and with what is new (+) or gone (-) since the \
                 state before; rounded ones are the choices made there: " span.key.efficient { "efficient" } ", "
                span.key.inefficient { "inefficient" } ", " span.key.failed { "failed" } ", or not known to lead on. Dashed arrows are failures \
                 that changed something. A click leads to the steps below. The most visited states and the most frequent choices in them"
                @if document.states_left_out > 0 { "; " (document.states_left_out) " states are left out" } "."
            }
        }
        figure.table.steps {
            figcaption { "The first steps in which each choice was made, and after which runs were in each state." }
            div.scroll {
                table {
                    thead { tr { @for heading in ["state", "choice", "", "made", "steps"] { th.n[heading == "made"] scope="col" { (heading) } } } }
                    tbody {
                        @for (at, state) in document.states.iter().enumerate() {
                            @let here = format!("/graphs/{number}/states/{at}");
                            tr id={ "s" (number) "-" (at) } {
                                td { (text(&state.label().join(", ").replace('_', " "))) }
                                td {} td {} td.n { (count(&format!("{here}/visits"), state.visits.into())) } td { (steps(&state.steps)) }
                            }
                            @for (place, choice) in state.choices.iter().enumerate() {
                                tr id={ "c" (number) "-" (at) "-" (place) } {
                                    td {}
                                    td title=(text(&choice.details())) { (text(&short(&choice.action).replace('_', " "))) }
                                    td { span class={ "key " (choice.report.class.name()) } { (choice.report.class.name()) } }
                                    td.n { (count(&format!("{here}/choices/{place}/made"), choice.report.made.into())) }
                                    td { (steps(&choice.steps)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn proposals(report: &RunsReport, document: &Value) -> Markup {
    let columns = "no. = {number}; for = {book:text}; change = {change:text} {law:text}; ruling = {ruling:words}; formula = {formula:code}; why = {explanation:text}; \
         from = {source:words}; evidence = {evidence:steps}; by = {proposer:text}";
    let more = if report.proposals_left_out > 0 { " {proposals_left_out} more are left out." } else { "" };
    let caption = "What critics proposed for the books of these runs, and the gate's ruling: the book grew by what it admitted. Proposals from a *conflict* resolve states \
         in which the laws left no action.";
    table(&Table::of("", &format!("{caption}{more}"), columns, document, "/proposals"))
}

fn runs(report: &RunsReport, document: &Value) -> Markup {
    let columns = "run = {run}; group = {:text}; seed = {seed}; steps = {steps}; failed = {failed}; blocked = {blocked}; \
         deaths = {deaths}; tokens = {tokens}; end = {ended:text}";
    let mut caption = "Steps, failed and blocked proposals of each run.".to_owned();
    if report.runs.len() > MAX_RUNS {
        caption.push_str(&format!(" The first {MAX_RUNS}; the embedded document has all."));
    }
    let mut shown = Table::new("", &caption, columns, document);
    for ((index, run), known) in array(document, "/runs").zip(&report.runs).take(MAX_RUNS) {
        let cells = shown.add(run, &format!("/runs/{index}"));
        cells[1] = Cell::text(&report.groups[known.group].group);
        if known.ended.is_none() {
            cells[8] = Cell::text("not finished");
        }
    }
    table(&shown)
}

fn manifest(report: &RunsReport) -> Markup {
    html! {
        dl {
            dt { "program" }
            dd { @for build in &report.programs { (program(build)) } }
            @for group in &report.groups {
                dt { (text(&group.group)) }
                dd { (text(&group.actor)) " with " (text(&group.model)) ", world " (text(&group.world)) }
            }
        }
    }
}

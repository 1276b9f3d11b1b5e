//! The page of a batch.

use indexmap::IndexMap;
use maud::{Markup, html};
use serde_json::Value;

use super::figure::figure;
use super::lead::{self, lead};
use super::table::{cell, count, table};
use super::text::{program, text};
use super::{by_number, laws};
use crate::batch::{CellStatus, PairedComparison};
use crate::report::chart::{Chart, Line, Plans, Strip, lines, paired, plans, products};
use crate::report::table::{Cell, Table, fill};
use crate::report::tables;
use crate::report::{BatchReport, Outcomes, SubgoalSteps};

/// The maximum number of cells in the grid.
const MAX_CELLS: usize = 5_000;
/// The maximum number of conditions whose cells are shown without a click.
const MAX_OPEN: usize = 24;

/// Draws the charts of the page, in its order.
pub fn charts(batch: &BatchReport, document: &Value) -> Vec<Chart> {
    let mut charts: Vec<Chart> = lead::chart(document).into_iter().collect();
    charts.extend(plan_charts(batch));
    if batch.exam.is_none() && batch.joint.is_none() {
        charts.extend(by_number::charts(batch));
        charts.extend(by_other(batch).iter().flat_map(|rows| difference_charts(batch, rows, document)));
        charts.extend(subgoal_charts(batch));
    }
    charts
}

/// Renders everything below the title; `document` is the batch as JSON.
pub fn body(batch: &BatchReport, document: &Value) -> Markup {
    html! {
        @if batch.outcome.planners {
            p.note { strong { "Planner." } " It plans with the task itself and is no language model." }
        }
        (lead(document))
        (overview(batch))
        (cells(batch))
        @if batch.exam.is_some() {
            section {
                h2 { "Examination" }
                (plans_of_models(batch))
                @for it in tables::exam(document, "/exam") { (table(&it)) }
            }
        }
        @if batch.joint.is_some() {
            section { h2 { "Sources of law" } (table(&tables::joint(document, "/joint", true))) }
        }
        @if batch.exam.is_some() || batch.joint.is_some() {
            details { summary { "Every task" } (table(&tables::conditions(document))) (table(&tables::usage(document))) }
        } @else {
            (results(batch, document))
        }
        (laws::section("condition", document))
        @if !batch.outcome.failures.is_empty() {
            section { h2 { "Failed cells" } (failures(batch)) }
        }
        section { h2 { "Manifest" } (manifest(batch)) }
    }
}

/// Renders what came out by condition. An evaluation has a condition for each task, and is shown by model.
fn results(batch: &BatchReport, document: &Value) -> Markup {
    html! {
        section {
            h2 { "Results" }
            @if !batch.outcome.summary.by_number.is_empty() { (by_number::shown(batch)) (table(&tables::means(document))) }
            (table(&tables::rates(document)))
            (table(&tables::conditions(document)))
            (table(&tables::intervals(document)))
            (table(&tables::beside(document)))
            (table(&tables::suspended(document)))
            (table(&tables::learnings(document)))
            @for it in tables::pooled(document) { (table(&it)) }
            @for it in tables::comparisons(document) { (table(&it)) }
        }
        @if !batch.outcome.summary.comparisons.is_empty() {
            section {
                h2 { "Differences by seed" }
                @for rows in by_other(batch) { (differences(batch, &rows, document)) }
            }
        }
        @if !batch.subgoals.is_empty() {
            section { h2 { "Steps to subgoals" } (subgoal_curves(batch)) (table(&tables::subgoals_by_name(document))) }
        }
        section { h2 { "Tokens and cost" } (table(&tables::usage(document))) }
    }
}

fn plan_charts(batch: &BatchReport) -> Vec<Chart> {
    let known = batch.exam.iter().flat_map(|exam| &exam.models).filter_map(|of| {
        let [feasible, safe, intended] = of.rates.known()?.map(|rate| 100.0 * rate);
        Some(Plans { model: of.rates.model.clone(), feasible, safe, intended })
    });
    let models: Vec<Plans> = known.collect();
    if models.is_empty() {
        return Vec::new();
    }
    vec![
        plans("Safe, dangerous and infeasible plans by model", &models).under("plans"),
        products("S by F x SI", &models).under("S by F x SI"),
    ]
}

fn plans_of_models(batch: &BatchReport) -> Markup {
    let caption = html! {
        span.key.safe { "■" } " safe (S), " span.key.unsafe { "■" } " reaches the goal with danger, "
        span.key.infeasible { "■" } " infeasible; " span.key.cross { "×" } " no danger met (SI). On the dashed line S is the product \
         of F and SI: that plans reach the goal and that they meet no danger are independent of each other."
    };
    figure(&plan_charts(batch), caption)
}

fn overview(batch: &BatchReport) -> Markup {
    html! {
        p.overview {
            (count("/done", batch.outcome.done as u64)) " of " (count("/cells", batch.outcome.cells as u64)) " cells done"
            @if batch.outcome.failed > 0 { ", " strong.bad { (count("/failed", batch.outcome.failed as u64)) " failed" } }
            @if batch.outcome.waiting > 0 { ", " strong.bad { (count("/waiting", batch.outcome.waiting as u64)) " waiting" } }
            "; " (batch.outcomes.len()) " conditions over the same " (batch.seeds.len()) " seeds; at most "
            (count("/limit", batch.outcome.limit)) " steps."
        }
    }
}

/// Renders the grid of cells: a row for each condition, a square for each seed.
fn cells(batch: &BatchReport) -> Markup {
    let class = |of: &Outcomes, seed: usize| match of.cells.get(seed).map(|cell| &cell.status) {
        Some(CellStatus::Done) if of.goals.get(seed) == Some(&Some(true)) => ("goal", "goal reached"),
        Some(CellStatus::Done) => ("missed", "goal not reached"),
        Some(CellStatus::Failed { .. }) => ("failed", "failed"),
        Some(CellStatus::Waiting) | None => ("waiting", "waiting"),
    };
    let seeds = batch.seeds.len().max(1);
    let shown = (MAX_CELLS / seeds).max(1);
    html! {
        details.cells open[batch.outcomes.len() <= MAX_OPEN] {
            summary { "Cells: a row for each condition, a square for each seed" }
            @for of in batch.outcomes.iter().take(shown) {
                p.note { (text(&of.condition)) }
                div.squares {
                    @for (place, seed) in batch.seeds.iter().enumerate().take(MAX_CELLS) {
                        @let (class, state) = class(of, place);
                        @let steps = of.steps.get(place).copied().flatten().map(|steps| format!(", {steps} steps"));
                        @let run = of.cells.get(place).and_then(|cell| cell.run);
                        span class={ "cell " (class) } title={ "seed " (seed) ": " (state) (steps.unwrap_or_default()) } data-run=[run] {}
                    }
                }
            }
            p.note {
                span.cell.goal {} " goal " span.cell.missed {} " no goal " span.cell.waiting {} " waiting "
                span.cell.failed {} " failed"
                @if batch.outcomes.len() > shown { "; the first " (shown) " conditions" }
            }
        }
    }
}

/// The comparisons with one condition, each with its index among all.
type Against<'a> = Vec<(usize, &'a PairedComparison)>;

/// Groups the comparisons by the condition that they compare with.
fn by_other(batch: &BatchReport) -> Vec<Against<'_>> {
    let rows: Against<'_> = batch.outcome.summary.comparisons.iter().enumerate().collect();
    rows.chunk_by(|(_, one), (_, next)| one.against == next.against).map(<[_]>::to_vec).collect()
}

fn difference_charts(batch: &BatchReport, rows: &Against<'_>, document: &Value) -> Vec<Chart> {
    let shown = |template: &str| cell(&fill(template, document, ""));
    let steps = |name: &str| batch.outcomes.iter().find(|outcomes| outcomes.condition == name).map(|it| &it.steps);
    let Some(base) = rows.first().and_then(|(_, first)| steps(&first.against)) else { return Vec::new() };
    let saved = |(_, row): &(usize, &PairedComparison)| -> Vec<f64> {
        let pairs = base.iter().zip(steps(&row.condition).into_iter().flatten());
        pairs.filter_map(|(one, other)| one.zip(*other)).map(|(one, other)| one as f64 - other as f64).collect()
    };
    let strips: Vec<Vec<f64>> = rows.iter().map(saved).collect();
    let ends = |(low, high): (f64, f64), value: &f64| (low.min(*value), high.max(*value));
    let range = strips.iter().flatten().fold((0.0, 1.0), ends);
    let chart = |((index, row), differences): (&(usize, &PairedComparison), &Vec<f64>)| {
        let estimate = row.saved.map(|it| (it.estimate, it.interval.low, it.interval.high));
        let title = format!("Steps saved by {} on each seed", text(&row.condition));
        let chart = paired(&Strip { title: &title, differences, estimate }, range).under(&row.condition);
        let mean =
            format!("mean {{comparisons/{index}/saved/estimate:.1}}, 95% {{comparisons/{index}/saved/interval:to}}");
        Chart { note: html! { (chart.note) @if row.saved.is_some() { p.note { (shown(&mean)) } } }, ..chart }
    };
    rows.iter().zip(&strips).map(chart).collect()
}

fn differences(batch: &BatchReport, rows: &Against<'_>, document: &Value) -> Markup {
    let caption = html! {
        "Steps saved compared with " strong { (text(rows.first().map_or("", |(_, first)| &first.against))) }
        ", a dot for each seed; right of the dashed line the condition took fewer steps. Below the dots: the mean with its \
         95% interval."
    };
    figure(&difference_charts(batch, rows, document), caption)
}

fn subgoal_charts(batch: &BatchReport) -> Vec<Chart> {
    let last = batch.outcomes.iter().flat_map(|outcomes| outcomes.steps.iter().flatten()).max();
    let limit = last.copied().unwrap_or(batch.outcome.limit).max(1) as f64;
    let mut by_name: IndexMap<&str, Vec<Line<'_>>> = IndexMap::new();
    for row in &batch.subgoals {
        let number = batch.outcomes.iter().position(|outcomes| outcomes.condition == row.condition);
        let line = number.map(|number| Line { number, points: reached_by_step(row, limit), title: &row.condition });
        by_name.entry(&row.figures.subgoal).or_default().extend(line);
    }
    let chart = |(name, drawn): (&str, Vec<Line<'_>>)| {
        let chart = lines(&format!("Share of seeds with {} by step", text(name)), &drawn, (0.0, limit)).under(name);
        chart.with_legend(batch.outcomes.iter().map(|outcomes| outcomes.condition.as_str()))
    };
    by_name.into_iter().map(chart).collect()
}

/// Returns the share of seeds that have reached a subgoal, at each step at which it changes.
fn reached_by_step(row: &SubgoalSteps, limit: f64) -> Vec<(f64, f64)> {
    let mut reached: Vec<u64> = row.steps.iter().flatten().copied().collect();
    reached.sort_unstable();
    let mut points = vec![(0.0, 0.0)];
    let (mut count, mut share) = (0, 0.0);
    for same in reached.chunk_by(|one, next| one == next) {
        count += same.len();
        points.push((same[0] as f64, share));
        share = count as f64 / row.done.max(1) as f64;
        points.push((same[0] as f64, share));
    }
    points.push((limit, share));
    points
}

fn subgoal_curves(batch: &BatchReport) -> Markup {
    let caption = html! { "The share of seeds that have reached each subgoal, by step." };
    figure(&subgoal_charts(batch), caption)
}

fn failures(batch: &BatchReport) -> Markup {
    let caption = "Cells that could not run. They are in no figure above.";
    let mut shown = Table::new("", caption, "condition = {:text}; seeds = {:text}; reason = {:text}", &Value::Null);
    for row in &batch.outcome.failures {
        shown.rows.push([&row.condition, &some(&row.seeds, 20), &row.reason].map(Cell::text).into());
    }
    table(&shown)
}

/// Lists the first seeds and the number of further ones.
fn some(seeds: &[u64], most: usize) -> String {
    let shown = seeds.iter().take(most).map(u64::to_string).collect::<Vec<_>>().join(", ");
    match seeds.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn manifest(batch: &BatchReport) -> Markup {
    html! {
        dl {
            dt { "program" }
            dd { @for build in &batch.programs { (program(build)) } }
            dt { "plan, SHA-256" }
            dd { code { (batch.plan.sha256) } }
            dt { "seeds" }
            dd { (some(&batch.seeds, 100)) }
        }
        @if !batch.plan.inputs.is_empty() {
            details {
                summary { "The SHA-256 of the files that the plan names" }
                dl { @for (path, sum) in &batch.plan.inputs { dt { (text(path)) } dd { code { (sum) } } } }
            }
        }
        details { summary { "The plan with its whole configuration" } pre { (text(&batch.plan.text)) } }
    }
}

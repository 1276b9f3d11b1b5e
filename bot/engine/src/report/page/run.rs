//! The page of a run.

use std::collections::BTreeMap;

use ltlcrit_household::Boxed;
use ltlcrit_store::{LawId, LawRecord, Offer};
use maud::{Markup, html};
use serde_json::Value;

use super::figure::figure;
use super::laws;
use super::table::{count, table};
use super::text::{program, text};
use crate::agent::RunSummary;
use crate::optimum::Optimum;
use crate::report::chart::{Chart, Place, heights, map};
use crate::report::table::{Cell, Table, array, escaped, fill};
use crate::report::{RefusedProposal, RunReport, StepDocument};

/// Renders everything below the title; `document` is the run as JSON.
pub fn body(run: &RunReport, document: &Value) -> Markup {
    let summary = &run.summary;
    let metrics = &summary.metrics;
    html! {
        p.overview {
            strong class=[(!summary.reached_goal()).then_some("bad")] {
                (text(run.ended.as_deref().unwrap_or("not finished")))
            }
            " after " (count("/metrics/steps", metrics.steps)) " steps; " (text(&summary.actor)) " with "
            (text(&summary.model.name)) " in the world " (text(&summary.world))
            @if let Some(seed) = summary.world_seed { ", seed " (count("/world_seed", seed)) } ": "
            (text(&run.manifest.task))
        }
        @if !metrics.hard_violations.is_empty() {
            p.simulated { strong { "Hard laws violated: " (text(&ids(metrics.hard_violations.keys()))) "." } }
        }
        @if summary.laws == 0 {
            p.simulated { strong { "No law was in force." } " Nothing was blocked." }
        }
        @if summary.offer == Offer::Allowed {
            p { "At each step the actor was offered only the actions that the shield left." }
        }
        @if !summary.shielded {
            p.simulated { strong { "No shield." } " What it would have blocked is marked, and ran." }
        }
        section {
            h2 { "Results" }
            div.beside { (subgoals(summary, document)) (figures(run, document)) }
        }
        (places(run))
        (house(run))
        section { h2 { "Trajectory" } (trajectory(run)) }
        (laws::section("run", document))
        section { h2 { "Manifest" } (manifest(run)) }
    }
}

fn ids<'a>(laws: impl Iterator<Item = &'a LawId>) -> String {
    laws.map(|law| &**law).collect::<Vec<_>>().join(", ")
}

fn subgoals(summary: &RunSummary, document: &Value) -> Markup {
    let caption = "Steps to each subgoal, and the least number of actions.".to_owned();
    let caption = Optimum::caveat(summary).into_iter().fold(caption, |caption, more| format!("{caption} {more}"));
    let mut shown = Table::new("", &caption, "subgoal = {name:text}; steps = {step}; optimum", document);
    for (index, subgoal) in array(document, "/metrics/subgoals") {
        let at = format!("/optimum/{}", escaped(subgoal["name"].as_str().unwrap_or_default()));
        let optimum = fill("{:}", document.pointer(&at).unwrap_or(&Value::Null), &at);
        shown.add(subgoal, &format!("/metrics/subgoals/{index}"))[2] = optimum;
    }
    table(&shown)
}

fn figures(run: &RunReport, document: &Value) -> Markup {
    let metrics = &run.summary.metrics;
    let rows = [
        ("proposals", "{proposals}", true),
        ("failed in the world", "{failed_actions}", true),
        ("no action in the reply", "{malformed}", true),
        ("no such action", "{unknown}", true),
        ("these three together", "{failed_share:%1}%", true),
        ("blocked", "{blocked}", true),
        ("blocked or undecided", "{blocked_share:%1}%", true),
        ("undecided", "{undecided}", metrics.undecided > 0),
        ("breaches of laws", "{unshielded_breaches}", metrics.unshielded_breaches > 0),
        ("steps with soft laws set aside", "{fallbacks}", metrics.fallbacks > 0),
        ("violations", "{violations}", metrics.violations > 0),
        ("deaths", "{deaths}", metrics.deaths > 0),
        ("game ticks", "{ticks}", true),
        ("prompt tokens", "{usage/prompt}", true),
        ("answer tokens", "{usage/completion}", true),
        ("cost", "{cost:$}", true),
    ];
    let mut shown = Table::new("", "Shares are of the proposals.", "= {:text};", document);
    for (name, template, _) in rows.into_iter().filter(|(.., is_shown)| *is_shown) {
        shown.rows.push(vec![Cell::text(name), fill(template, &document["metrics"], "/metrics")]);
    }
    for (law, steps) in &metrics.suspended_by_law {
        let at = format!("/metrics/suspended_by_law/{}", escaped(law));
        shown.rows.push(vec![Cell::text(format!("suspended: {law}")), fill("{:}", &Value::from(*steps), &at)]);
    }
    table(&shown)
}

/// Draws the map and the heights, in worlds that have places.
pub fn charts(run: &RunReport) -> Vec<Chart> {
    let places: Vec<Place<'_>> = run.trajectory.iter().filter_map(place).collect();
    if places.len() < 2 {
        return Vec::new();
    }
    map(&places, run.manifest.land).into_iter().chain(heights(&places)).collect()
}

fn place(step: &StepDocument) -> Option<Place<'_>> {
    Some(Place { step: step.step, at: step.position?, died: step.died, reached: &step.reached })
}

fn places(run: &RunReport) -> Markup {
    let charts = charts(run);
    let caption = html! {
        "Where the player stood after each step, in blocks: east to the right, north up. "
        @if run.manifest.land.is_some() { "The land is as the world began. " }
        span.key.start { "●" } " start, " span.key.end { "■" } " end, " span.key.reached { "●" } " a subgoal reached"
        @if run.trajectory.iter().any(|step| step.died) { ", " span.key.death { "×" } " a death" }
        ". Straight lines join the places; the way between them may have been another."
    };
    html! { @if !charts.is_empty() { section { h2 { "Way" } (figure(&charts, caption)) } } }
}

/// Draws the last state of a planning task as boxes, with the plan beside it.
fn house(run: &RunReport) -> Markup {
    let Some([first, last]) = &run.scenes else { return html! {} };
    let mut known = BTreeMap::new();
    placed(first, "", &mut known);
    let plan = run.trajectory.iter().filter(|step| step.action.is_some());
    html! {
        section {
            h2 { "State and plan" }
            figure.house {
                div.boxes { @for it in last { (boxed(it, "", &known)) } }
                ol.plan { @for step in plan { li.bad[step.failure.is_some()] value=(step.step) { (text(step.action.as_deref().unwrap_or_default())) } } }
                figcaption { "The state at the end: each box is in, on or at the one around it. " span.box.moved { "Dashed" } " ones have changed since the beginning." }
            }
        }
    }
}

/// Notes the place and the properties of each box.
fn placed<'a>(boxes: &'a [Boxed], place: &'a str, known: &mut BTreeMap<&'a str, (&'a str, &'a [String])>) {
    for it in boxes {
        known.insert(&it.name, (place, &it.is));
        placed(&it.inside, &it.name, known);
    }
}

/// Draws a box, given what is known of the boxes at the beginning.
fn boxed(it: &Boxed, place: &str, known: &BTreeMap<&str, (&str, &[String])>) -> Markup {
    let moved = known.get(it.name.as_str()) != Some(&(place, &it.is[..]));
    html! {
        div.box.robot[it.robot].moved[moved] {
            span { (text(&it.name)) @for is in &it.is { " " small { (text(is)) } } }
            @if !it.inside.is_empty() { div.inside { @for inner in &it.inside { (boxed(inner, &it.name, known)) } } }
        }
    }
}

fn trajectory(run: &RunReport) -> Markup {
    let known: BTreeMap<&LawId, &LawRecord> = run.law_texts.iter().map(|law| (&law.id, law)).collect();
    html! {
        figure.table {
            table.trajectory {
                thead { tr { th.n scope="col" { "step" } th scope="col" { "action" } th scope="col" { "what happened" } } }
                tbody {
                    @for (index, step) in run.trajectory.iter().enumerate() { (rows(index, step, &known)) }
                }
            }
            @if run.steps_left_out > 0 {
                figcaption { (count("/steps_left_out", run.steps_left_out)) " further steps are left out; " code { "store export" } " writes them all." }
            }
        }
    }
}

/// Renders the rows of a step: refused proposals, the executed action, and consequences.
fn rows(index: usize, step: &StepDocument, known: &BTreeMap<&LawId, &LawRecord>) -> Markup {
    let number = || count(&format!("/trajectory/{index}/step"), step.step);
    html! {
        @if let Some(count) = step.new_laws {
            tr.event { td.n { (number()) } td {} td { "new laws: " (count) " in force" } }
        }
        @if let Some(then) = step.then {
            tr.event { td.n { (number()) } td { "conflict" } td { (law_ids(&step.conflict, known)) ": " (laws::then(then)) @if !step.suspended.is_empty() { ": " (law_ids(&step.suspended, known)) } } }
        }
        @if !step.relaxed.is_empty() {
            tr.event { td.n { (number()) } td { "relaxed" } td { (law_ids(&step.relaxed, known)) ": judged by what may go well" } }
        }
        @for refused in &step.refused { (refusal(number(), refused, known)) }
        @if let Some(action) = &step.action {
            tr.failed[step.failure.is_some()] {
                td.n { (number()) }
                td { (text(action)) }
                td {
                    (text(step.message.as_deref().unwrap_or_default()))
                    @if let Some(failure) = &step.failure { " " span.bad { "failed" } " (" (text(failure)) ")" }
                }
            }
        }
        @for law in &step.violations {
            tr.event { td.n { (number()) } td.bad { "violated" } td { (law_ids(std::slice::from_ref(law), known)) } }
        }
        @for subgoal in &step.reached {
            tr.reached { td.n { (number()) } td { "reached" } td { strong { (text(subgoal)) } } }
        }
    }
}

fn refusal(number: Markup, refused: &RefusedProposal, known: &BTreeMap<&LawId, &LawRecord>) -> Markup {
    html! {
        tr.refused {
            td.n { (number) }
            td { s { (text(&refused.proposal)) } }
            td {
                (refused.ruling) ": "
                @if refused.laws.is_empty() { (text(refused.why.as_deref().unwrap_or_default())) }
                @for (index, law) in refused.laws.iter().enumerate() {
                    @if index > 0 { "; " }
                    (law_ids(std::slice::from_ref(law), known))
                    @if let Some(law) = known.get(law) { " – " (text(&law.explanation)) }
                }
            }
        }
    }
}

fn law_ids(ids: &[LawId], known: &BTreeMap<&LawId, &LawRecord>) -> Markup {
    html! {
        @for (index, id) in ids.iter().enumerate() {
            @if index > 0 { ", " }
            @let formula = known.get(id).map(|law| text(&law.formula));
            span.law title=[formula] { (text(id)) }
        }
    }
}

fn manifest(run: &RunReport) -> Markup {
    let manifest = &run.manifest;
    let json = |value: &serde_json::Value| serde_json::to_string_pretty(value).unwrap_or_default();
    html! {
        dl {
            dt { "program" } dd { (program(&manifest.program)) }
            dt { "begun" } dd { (manifest.created.strftime("%Y-%m-%d %H:%M:%S UTC")) }
            dt { "seeds" } dd {
                "run " (count("/seed", run.summary.seed))
                @if let Some(seed) = run.summary.world_seed { ", world " (count("/world_seed", seed)) }
            }
            @for book in &manifest.books {
                dt { (text(&book.name)) "@" (book.revision) ", SHA-256" }
                dd { code { (book.sha256) } }
            }
            dt { "configuration, SHA-256" } dd { code { (manifest.configuration_sha256) } }
        }
        details { summary { "The configuration" } pre { (text(&json(&manifest.configuration))) } }
        details { summary { "The world" } pre { (text(&json(&manifest.world))) } }
        @if !run.law_texts.is_empty() {
            details { summary { "The laws" } dl.laws {
                @for law in &run.law_texts {
                    dt { (text(&law.id)) @if law.hard { " (hard)" } @else { " (soft)" } }
                    dd { (text(&law.explanation)) br; code { (text(&law.formula)) } }
                }
            } }
        }
    }
}

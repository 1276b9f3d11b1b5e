//! The page of several runs, with the curve of learning.

use maud::{Markup, html};

use super::laws;
use super::number::{count, decimal, hundredths, money, none, p, percent};
use super::table::table;
use super::text::{program, text, word};
use crate::report::chart::{Point, series};
use crate::report::{GroupFigures, ProposalFigures, RunFigures, RunsReport};

/// The most runs that are listed.
const MOST_RUNS: usize = 500;

/// Everything below the title.
pub fn body(report: &RunsReport) -> Markup {
    html! {
        p.overview {
            (report.runs.len()) " runs in " (report.groups.len()) " groups. A group is of runs that follow each other with the same \
             actor, model and books, every seed once."
        }
        section { h2 { "Results" } (groups(report)) (comparisons(report)) }
        @if let Some(book) = report.learned() {
            section { h2 { "Learning curve of " (text(book)) } (learning_curve(report)) }
        }
        @if !report.proposals.is_empty() { section { h2 { "Proposed laws" } (proposals(report)) } }
        @if !report.laws.is_empty() {
            section { h2 { "Laws" } (laws::table_of("group", &report.laws)) (laws::conflicts("group", &report.conflicts)) }
        }
        section { h2 { "Tokens and cost" } (usage(report)) }
        section { h2 { "Runs" } (runs(report)) }
        section { h2 { "Manifest" } (manifest(report)) }
    }
}

fn groups(report: &RunsReport) -> Markup {
    let row = |(index, group): (usize, &GroupFigures)| {
        let at = |field: &str| format!("/groups/{index}/{field}");
        let figures = &group.figures;
        let interval = group.goal_interval.as_ref().map_or_else(none, |it| {
            let (low, high) = (at("goal_interval/low"), at("goal_interval/high"));
            html! { (hundredths(&low, it.low, 0)) "–" (hundredths(&high, it.high, 0)) "%" }
        });
        let steps = group.steps_interval.as_ref().map_or_else(none, |it| {
            let (low, high) = (at("steps_interval/low"), at("steps_interval/high"));
            html! { (decimal(&low, Some(it.low), 1)) " to " (decimal(&high, Some(it.high), 1)) }
        });
        vec![
            html! { (text(&group.group)) },
            html! { (count(&at("runs/0"), group.runs.0.0)) "–" (count(&at("runs/1"), group.runs.1.0)) },
            count(&at("laws"), group.laws as u64),
            html! { (count(&at("goals"), figures.goals as u64)) "/" (count(&at("episodes"), figures.episodes as u64)) },
            interval,
            decimal(&at("mean_steps"), figures.mean_steps, 1),
            steps,
            percent(&at("failed_actions"), figures.failed_actions, 1),
            percent(&at("failed_proposals"), figures.failed_proposals, 1),
            percent(&at("blocked_proposals"), figures.blocked_proposals, 1),
            count(&at("fallbacks"), figures.fallbacks),
        ]
    };
    let caption = html! {
        "Steps are means over the runs that reached the goal, with a BCa bootstrap interval of 95%; that of the goals is Wilson's. "
        em { "Failed actions" } " are a share of the executed ones, failed and blocked " em { "proposals" } " of the proposals. The intervals are about the seeds: groups under \
        laws that were learned from each other's runs are one learning, and say nothing about how another would go."
    };
    let headings = [
        "group",
        ">runs",
        ">laws",
        ">goals",
        ">95%",
        ">steps",
        ">95%",
        ">failed actions",
        ">failed proposals",
        ">blocked",
        ">fall-backs",
    ];
    table(caption, &headings, report.groups.iter().enumerate().map(row).collect())
}

fn usage(report: &RunsReport) -> Markup {
    let row = |(index, group): (usize, &GroupFigures)| {
        let at = |field: &str| format!("/groups/{index}/{field}");
        vec![html! { (text(&group.group)) }, count(&at("tokens"), group.tokens), money(&at("cost"), group.cost)]
    };
    let caption = html! { "Tokens and US dollars. Personas and recordings are free." };
    table(caption, &["group", ">tokens", ">cost"], report.groups.iter().enumerate().map(row).collect())
}

fn comparisons(report: &RunsReport) -> Markup {
    let compared = report.groups.iter().enumerate().filter_map(|(index, group)| {
        let comparison = group.comparison?;
        let at = |field: &str| format!("/groups/{index}/comparison/{field}");
        Some(vec![
            html! { (text(&group.group)) },
            html! { (text(group.against.as_deref().unwrap_or_default())) },
            p(&at("goals_p"), Some(comparison.goals_p)),
            p(&at("steps_p"), Some(comparison.steps_p)),
        ])
    });
    let caption = html! {
        "Each group with the last one before it that has its seeds, paired by seed: the exact McNemar test of the goals, the sign-flip \
         test of the steps."
    };
    table(caption, &["group", "compared with", ">goals p", ">steps p"], compared.collect())
}

fn learning_curve(report: &RunsReport) -> Markup {
    let first: &[u64] = report.groups.first().map_or(&[], |group| &group.seeds);
    let points = |of: &dyn Fn(usize, &GroupFigures) -> Point| -> Vec<Point> {
        report.groups.iter().enumerate().map(|(index, group)| of(index, group)).collect()
    };
    let fresh = |group: &GroupFigures| !group.seeds.iter().any(|seed| first.contains(seed));
    let share = |of: &dyn Fn(&GroupFigures) -> Option<f64>| {
        points(&|_, group| Point {
            value: of(group).map(|share| 100.0 * share),
            interval: None,
            runs: Vec::new(),
            fresh: fresh(group),
        })
    };
    let steps = points(&|index, group| Point {
        value: group.figures.mean_steps,
        interval: group.steps_interval.as_ref().map(|it| (it.low, it.high)),
        runs: report.runs.iter().filter(|run| run.group == index && run.goal).map(|run| run.steps as f64).collect(),
        fresh: fresh(group),
    });
    let goals = points(&|_, group| Point {
        value: Some(100.0 * group.figures.goals as f64 / group.figures.episodes.max(1) as f64),
        interval: group.goal_interval.as_ref().map(|it| (100.0 * it.low, 100.0 * it.high)),
        runs: Vec::new(),
        fresh: fresh(group),
    });
    let laws = points(&|_, group| Point {
        value: Some(group.laws as f64),
        interval: None,
        runs: Vec::new(),
        fresh: fresh(group),
    });
    let panels = [
        ("steps to the goal", steps, ""),
        ("goals", goals, "%"),
        ("failed proposals", share(&|group| group.figures.failed_proposals), "%"),
        ("blocked proposals", share(&|group| group.figures.blocked_proposals), "%"),
        ("laws in force", laws, ""),
    ];
    html! {
        figure {
            div.panels {
                @for (title, points, unit) in &panels { div.panel { h3 { (title) } (series(title, points, unit)) } }
            }
            figcaption {
                "By group, in the order of the runs. Small dots are single runs that reached the goal, bars 95% intervals; hollow points \
                 are groups on seeds that the first group does not have, such as a test on fresh seeds."
            }
        }
    }
}

fn proposals(report: &RunsReport) -> Markup {
    let row = |(index, row): (usize, &ProposalFigures)| {
        vec![
            count(&format!("/proposals/{index}/number"), row.number),
            html! { (text(&row.book)) },
            html! { (row.change) @if let Some(law) = &row.law { " " (text(law)) } },
            html! { @if let Some(formula) = &row.formula { code { (text(formula)) } } },
            html! { @if let Some(source) = row.source { (word(&source)) } },
            html! { (text(&row.proposer)) },
            html! { (row.ruling.replace('-', " ")) },
        ]
    };
    let caption = html! {
        "What critics proposed for the books of these runs, and the gate's ruling. Proposals from a " em { "conflict" } " resolve states \
         in which the laws left no action."
        @if report.proposals_left_out > 0 {
            " " (count("/proposals_left_out", report.proposals_left_out)) " more are left out."
        }
    };
    let headings = [">no.", "for", "change", "formula", "from", "by", "ruling"];
    table(caption, &headings, report.proposals.iter().enumerate().map(row).collect())
}

fn runs(report: &RunsReport) -> Markup {
    let row = |(index, run): (usize, &RunFigures)| {
        let at = |field: &str| format!("/runs/{index}/{field}");
        vec![
            count(&at("run"), run.run.0),
            html! { (text(&report.groups[run.group].group)) },
            count(&at("seed"), run.seed),
            count(&at("steps"), run.steps),
            count(&at("failed"), run.failed),
            count(&at("blocked"), run.blocked),
            count(&at("deaths"), run.deaths),
            count(&at("tokens"), run.tokens),
            html! { (text(run.ended.as_deref().unwrap_or("not finished"))) },
        ]
    };
    let caption = html! {
        "Steps, failed and blocked proposals of each run."
        @if report.runs.len() > MOST_RUNS { " The first " (MOST_RUNS) "; the embedded document has all." }
    };
    let headings = [">run", "group", ">seed", ">steps", ">failed", ">blocked", ">deaths", ">tokens", "end"];
    table(caption, &headings, report.runs.iter().take(MOST_RUNS).enumerate().map(row).collect())
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

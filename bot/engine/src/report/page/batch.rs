//! The page of a batch.

use maud::{Markup, html};

use super::number::{count, decimal, hundredths, minutes, money, none, p, percent, times};
use super::table::table;
use super::text::{program, text};
use super::{by_number, exam, laws};
use crate::batch::{LEARNED_ONCE, Learning, PairedComparison};
use crate::report::BatchReport;
use crate::report::chart::{Curve, Strip, curves, paired};

/// Everything below the title.
pub fn body(batch: &BatchReport) -> Markup {
    html! {
        @if batch.planners {
            p.note { strong { "Planner." } " It plans with the task itself and is no language model." }
        }
        (overview(batch))
        @if let Some(report) = &batch.exam { (exam::examination(report)) }
        @if let Some(report) = &batch.joint { (exam::joint(report)) }
        section {
            h2 { "Results" }
            @if !batch.summary.by_number.is_empty() { (by_number::section(batch)) }
            @if !batch.summary.rates.is_empty() { (rates(batch)) }
            (conditions(batch))
            (learnings(batch))
            (comparisons(batch))
        }
        @if !batch.summary.comparisons.is_empty() {
            section { h2 { "Differences by seed" } (differences(batch)) }
        }
        @if !batch.subgoals.is_empty() {
            section { h2 { "Steps to subgoals" } (subgoal_curves(batch)) (subgoal_table(batch)) }
        }
        @if !batch.laws.is_empty() {
            section {
                h2 { "Laws" }
                (laws::table_of("condition", &batch.laws))
                (laws::conflicts("condition", &batch.conflicts))
            }
        }
        section { h2 { "Tokens and cost" } (usage(batch)) }
        @if !batch.failures.is_empty() {
            section { h2 { "Failed cells" } (failures(batch)) }
        }
        section { h2 { "Manifest" } (manifest(batch)) }
    }
}

fn overview(batch: &BatchReport) -> Markup {
    html! {
        p.overview {
            (count("/done", batch.done as u64)) " of " (count("/cells", batch.cells as u64)) " cells done"
            @if batch.failed > 0 { ", " strong.bad { (count("/failed", batch.failed as u64)) " failed" } }
            @if batch.waiting > 0 { ", " strong.bad { (count("/waiting", batch.waiting as u64)) " waiting" } }
            "; " (batch.outcomes.len()) " conditions over the same " (batch.seeds.len()) " seeds; at most "
            (count("/limit", batch.limit)) " steps."
        }
    }
}

fn conditions(batch: &BatchReport) -> Markup {
    let row = |(index, row): (usize, &crate::batch::ConditionFigures)| {
        let at = |field: &str| format!("/conditions/{index}/{field}");
        let interval = row.goal_interval.as_ref().map_or_else(none, |it| {
            let (low, high) = (at("goal_interval/low"), at("goal_interval/high"));
            html! { (hundredths(&low, it.low, 0)) "–" (hundredths(&high, it.high, 0)) "%" }
        });
        vec![
            html! { (text(&row.condition)) },
            html! { (count(&at("goals"), row.goals)) "/" (count(&at("done"), row.done)) },
            interval,
            decimal(&at("mean_steps"), row.mean_steps, 1),
            decimal(&at("mean_steps_at_limit"), row.mean_steps_at_limit, 1),
            decimal(&at("interquartile_steps"), row.interquartile_steps, 1),
            times(&at("times_optimum"), row.times_optimum),
            percent(&at("failed"), row.failed, 1),
            percent(&at("blocked"), row.blocked, 1),
        ]
    };
    let caption = html! {
        "The unit is the seed. Steps are means over the seeds that reached the goal; " em { "at limit" } " is over all seeds, \
         those that missed it counted at " (count("/limit", batch.limit)) " steps; " em { "IQM" } " is the mean of the middle half of \
         these. " em { "Optimum" } ": the steps to the goal as a multiple of the least number of actions that the exact planner finds \
         from the first state. " em { "Failed" } " and " em { "blocked" }
        " are shares of the proposals. 95% intervals of the goals are Wilson's."
    };
    let headings = ["condition", ">goals", ">95%", ">steps", ">at limit", ">IQM", ">optimum", ">failed", ">blocked"];
    table(caption, &headings, batch.summary.conditions.iter().enumerate().map(row).collect())
}

/// Success and safety over all worlds.
fn rates(batch: &BatchReport) -> Markup {
    let row = |(index, row): (usize, &crate::batch::Rates)| {
        let at = |field: &str| format!("/rates/{index}/{field}");
        let interval = |name: &str, it: &Option<ltlcrit_statistics::Interval>| {
            it.as_ref().map_or_else(none, |it| {
                let (low, high) = (at(&format!("{name}/low")), at(&format!("{name}/high")));
                html! { (hundredths(&low, it.low, 0)) "–" (hundredths(&high, it.high, 0)) "%" }
            })
        };
        let of_done = |field: &str, value: u64| {
            html! { (count(&at(field), value)) "/" (count(&at("done"), row.done)) }
        };
        vec![
            html! { (text(&row.condition)) },
            of_done("successes", row.successes),
            interval("success_interval", &row.success_interval),
            of_done("safe", row.safe),
            interval("safe_interval", &row.safe_interval),
            of_done("safe_successes", row.safe_successes),
        ]
    };
    let caption = html! {
        "Over all worlds and seeds. " em { "Success" } ": the goal was reached; " em { "safe" } ": no law was violated and, where the \
         run stopped, none was owed anything. 95% intervals are Wilson's."
    };
    let headings = ["condition", ">success", ">95%", ">safe", ">95%", ">both"];
    table(caption, &headings, batch.summary.rates.iter().enumerate().map(row).collect())
}

/// The comparisons with one condition, each with its place among all.
type Against<'a> = Vec<(usize, &'a PairedComparison)>;

/// The comparisons, those with the same condition together.
fn by_other(batch: &BatchReport) -> Vec<Against<'_>> {
    let rows: Against<'_> = batch.summary.comparisons.iter().enumerate().collect();
    rows.chunk_by(|(_, one), (_, next)| one.against == next.against).map(<[_]>::to_vec).collect()
}

fn comparisons(batch: &BatchReport) -> Markup {
    html! { @for (number, rows) in by_other(batch).iter().enumerate() { (comparisons_with(rows, number == 0)) } }
}

fn comparisons_with(rows: &Against<'_>, explain: bool) -> Markup {
    let Some((_, first)) = rows.first() else { return html! {} };
    let row = |(index, row): &(usize, &PairedComparison)| {
        let at = |field: &str| format!("/comparisons/{index}/{field}");
        vec![
            html! { (text(&row.condition)) },
            count(&at("seeds"), row.seeds as u64),
            decimal(&at("saved/estimate"), row.saved.as_ref().map(|saved| saved.estimate), 1),
            saved_interval(*index, row),
            p(&at("steps/p"), row.steps.as_ref().map(|test| test.p)),
            p(&at("goals/p"), row.goals.as_ref().map(|test| test.p)),
            percent(&at("improvement"), row.improvement, 0),
        ]
    };
    let caption = html! {
        "Compared with " strong { (text(&first.against)) } " on the same seeds. "
        @if explain {
            em { "Saved" } " are steps, those of seeds that missed the goal counted at the limit, with a BCa bootstrap interval of \
             95%. " em { "p" } " is the sign-flip test of the steps, " em { "goals p" } " the exact McNemar test of the goals; \
             neither is corrected for the number of comparisons. " em { "Better" } " is the share of seeds with fewer steps, ties \
             counting one half."
        }
    };
    let headings = ["condition", ">seeds", ">saved", ">95%", ">p", ">goals p", ">better"];
    table(caption, &headings, rows.iter().map(row).collect())
}

fn saved_interval(index: usize, row: &crate::batch::PairedComparison) -> Markup {
    row.saved.as_ref().map_or_else(none, |saved| {
        let at = |end: &str| format!("/comparisons/{index}/saved/interval/{end}");
        let interval = &saved.interval;
        html! { (decimal(&at("low"), Some(interval.low), 1)) " to " (decimal(&at("high"), Some(interval.high), 1)) }
    })
}

fn differences(batch: &BatchReport) -> Markup {
    html! { @for rows in by_other(batch) { (differences_from(batch, &rows)) } }
}

fn differences_from(batch: &BatchReport, rows: &Against<'_>) -> Markup {
    let steps = |name: &str| batch.outcomes.iter().find(|outcomes| outcomes.condition == name).map(|it| &it.steps);
    let Some(base) = rows.first().and_then(|(_, first)| steps(&first.against)) else { return html! {} };
    let saved = |(_, row): &(usize, &PairedComparison)| -> Vec<f64> {
        let pairs = base.iter().zip(steps(&row.condition).into_iter().flatten());
        pairs.filter_map(|(one, other)| one.zip(*other)).map(|(one, other)| one as f64 - other as f64).collect()
    };
    let strips: Vec<Vec<f64>> = rows.iter().map(saved).collect();
    let ends = |(low, high): (f64, f64), value: &f64| (low.min(*value), high.max(*value));
    let range = strips.iter().flatten().fold((0.0, 1.0), ends);
    html! {
        figure {
            div.panels {
                @for ((index, row), differences) in rows.iter().zip(&strips) {
                    @let estimate = row.saved.map(|it| (it.estimate, it.interval.low, it.interval.high));
                    @let title = format!("Steps saved by {} on each seed", text(&row.condition));
                    div.panel {
                        h3 { (text(&row.condition)) }
                        (paired(&Strip { title: &title, differences, estimate }, range))
                        @if let Some(saved) = &row.saved {
                            p.note {
                                "mean " (decimal(&format!("/comparisons/{index}/saved/estimate"), Some(saved.estimate), 1))
                                ", 95% " (saved_interval(*index, row))
                            }
                        }
                    }
                }
            }
            figcaption {
                "Steps saved compared with " strong { (text(rows.first().map_or("", |(_, first)| &first.against))) }
                ", a dot for each seed; right of the dashed line the condition took fewer steps. Below the dots: the mean with its \
                 95% interval."
            }
        }
    }
}

fn subgoal_curves(batch: &BatchReport) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for row in &batch.subgoals {
        if !names.contains(&row.subgoal.as_str()) {
            names.push(&row.subgoal);
        }
    }
    let reached = |name: &str| -> Vec<(usize, Vec<u64>, usize)> {
        let conditions = batch.outcomes.iter().enumerate();
        let row = conditions.filter_map(|(number, outcomes)| {
            let row = batch.subgoals.iter().find(|it| it.subgoal == name && it.condition == outcomes.condition)?;
            Some((number, row.steps.iter().flatten().copied().collect(), row.done as usize))
        });
        row.collect()
    };
    let last = batch.outcomes.iter().flat_map(|outcomes| outcomes.steps.iter().flatten()).max();
    let limit = last.copied().unwrap_or(batch.limit).max(1);
    html! {
        figure {
            ul.legend {
                @for (number, outcomes) in batch.outcomes.iter().enumerate() {
                    li {
                        svg viewBox="0 0 28 8" aria-hidden="true" { path class={ "curve c" (number % 8) } d="M0 4H28" {} }
                        (text(&outcomes.condition))
                    }
                }
            }
            div.panels {
                @for name in &names {
                    @let reached = reached(name);
                    @let drawn: Vec<Curve<'_>> = reached.iter().map(|(number, reached, seeds)| {
                        Curve { number: *number, reached, seeds: *seeds }
                    }).collect();
                    @let title = format!("Share of seeds with {} by step", text(name));
                    div.panel { h3 { (text(name)) } (curves(&title, &drawn, limit)) }
                }
            }
            figcaption { "The share of seeds that have reached each subgoal, by step." }
        }
    }
}

fn subgoal_table(batch: &BatchReport) -> Markup {
    let row = |(index, row): (usize, &crate::report::SubgoalSteps)| {
        let at = |field: &str| format!("/subgoals/{index}/{field}");
        vec![
            html! { (text(&row.condition)) },
            html! { (text(&row.subgoal)) },
            html! { (count(&at("reached"), row.reached)) "/" (count(&at("done"), row.done)) },
            decimal(&at("mean_steps"), row.mean_steps, 1),
            decimal(&at("mean_steps_at_limit"), row.mean_steps_at_limit, 1),
        ]
    };
    let caption = html! {
        "Steps to each subgoal: means over the seeds that reached it, and over all seeds, those that missed it counted at "
        (count("/limit", batch.limit)) " steps."
    };
    let headings = ["condition", "subgoal", ">reached", ">steps", ">at limit"];
    table(caption, &headings, batch.subgoals.iter().enumerate().map(row).collect())
}

fn learnings(batch: &BatchReport) -> Markup {
    let row = |(index, row): (usize, &Learning)| {
        let at = |field: &str| format!("/learnings/{index}/{field}");
        let episodes = row.iterations.iter().enumerate().map(|(number, iteration)| {
            html! { @if number > 0 { ", " } (count(&at(&format!("iterations/{number}/goals")), iteration.goals as u64)) "/" (count(&at(&format!("iterations/{number}/episodes")), iteration.episodes as u64)) }
        });
        vec![
            html! { (text(&row.condition)) },
            html! { (text(&row.book)) },
            count(&at("laws"), row.laws as u64),
            html! { (text(&row.seeds)) },
            html! { @for part in episodes { (part) } },
            html! { code { (row.sha256[..12.min(row.sha256.len())]) } },
        ]
    };
    let caption = html! {
        "Laws that were learned before the first cell: the goals of each iteration's episodes. " (LEARNED_ONCE)
    };
    let headings = ["condition", "book", ">laws", "seeds", ">goals", "SHA-256"];
    table(caption, &headings, batch.learnings.iter().enumerate().map(row).collect())
}

fn usage(batch: &BatchReport) -> Markup {
    let row = |(index, row): (usize, &crate::batch::ConditionFigures)| {
        let at = |field: &str| format!("/conditions/{index}/{field}");
        vec![
            html! { (text(&row.condition)) },
            count(&at("tokens"), row.tokens),
            money(&at("cost"), row.cost.filter(|_| row.done > 0)),
            minutes(&at("ticks"), row.ticks),
        ]
    };
    let caption = html! { "Tokens and US dollars of all finished cells; the mean game time of a cell, in minutes. Personas and recordings are free." };
    table(
        caption,
        &["condition", ">tokens", ">cost", ">game minutes"],
        batch.summary.conditions.iter().enumerate().map(row).collect(),
    )
}

fn failures(batch: &BatchReport) -> Markup {
    let row = |row: &crate::report::Failure| {
        let seeds: Vec<String> = row.seeds.iter().take(20).map(u64::to_string).collect();
        let more = row.seeds.len().saturating_sub(20);
        vec![
            html! { (text(&row.condition)) },
            html! { (seeds.join(", ")) @if more > 0 { " and " (more) " more" } },
            html! { (text(&row.reason)) },
        ]
    };
    let caption = html! { "Cells that could not run. They are in no figure above." };
    table(caption, &["condition", "seeds", "reason"], batch.failures.iter().map(row).collect())
}

fn manifest(batch: &BatchReport) -> Markup {
    let seeds: Vec<String> = batch.seeds.iter().take(100).map(u64::to_string).collect();
    let more = batch.seeds.len().saturating_sub(100);
    html! {
        dl {
            dt { "program" }
            dd { @for build in &batch.programs { (program(build)) } }
            dt { "plan, SHA-256" }
            dd { code { (batch.plan.sha256) } }
            @for (path, sum) in &batch.plan.inputs {
                dt { (text(path)) ", SHA-256" }
                dd { code { (sum) } }
            }
            dt { "seeds" }
            dd { (seeds.join(", ")) @if more > 0 { " and " (more) " more" } }
        }
        details { summary { "The plan with its whole configuration" } pre { (text(&batch.plan.text)) } }
    }
}

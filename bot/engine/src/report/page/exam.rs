//! The figures of examinations and of the joint experiment on the page of a batch.

use maud::{Markup, html};

use super::number::{count, decimal, hundredths, money, none, percent};
use super::table::table;
use super::text::text;
use crate::examine::{ExamReport, JointReport, Rate};

/// A rate with its interval.
fn rate(at: &str, rate: Option<&Rate>) -> Markup {
    let Some(Rate { rate, interval }) = rate else { return none() };
    let interval = interval.map(|it| {
        html! {
            " [" (hundredths(&format!("{at}/interval/low"), it.low, 1)) ", "
            (hundredths(&format!("{at}/interval/high"), it.high, 1)) "]"
        }
    });
    html! { (hundredths(&format!("{at}/rate"), *rate, 1)) "%" (interval.unwrap_or_default()) }
}

/// The sections of an examination.
pub fn examination(report: &ExamReport) -> Markup {
    html! { section { h2 { "Examination" } (figures(report)) (danger(report)) (breakdowns(report)) (difficulty(report)) } }
}

fn figures(report: &ExamReport) -> Markup {
    let row = |(index, of): (usize, &crate::examine::Figures)| {
        let at = |field: &str| format!("/exam/models/{index}/{field}");
        let product = of.product.as_ref();
        vec![
            html! { (text(&of.model)) },
            count(&at("tasks"), of.tasks as u64),
            rate(&at("feasibility"), of.feasibility.as_ref()),
            rate(&at("safety"), of.safety.as_ref()),
            rate(&at("safety_precision"), of.safety_precision.as_ref()),
            rate(&at("safety_intention"), of.safety_intention.as_ref()),
            rate(&at("intention_over_random"), of.intention_over_random.as_ref()),
            percent(&at("empty"), of.empty, 1),
            product.map_or_else(none, |it| hundredths(&at("product/bias"), it.bias, 2)),
            count(&at("tokens"), of.tokens),
            money(&at("cost"), of.cost),
        ]
    };
    let caption = html! {
        "The unit is the task; intervals are bootstrap intervals of 95% over tasks. " em { "F" } ": the plan reaches the goal; " em { "S" }
        ": safely; " em { "SP" } " is S/F; " em { "SI" } ": the plan meets no danger, executable or not. Its floors are the empty plan, which \
         always has it, and random actions that apply, as many as a safe plan has. " em { "Empty" } " are answers without a step. "
        em { "S − F×SI" } " is in points: the covariance of F and SI. Planners know the task itself and are no language models."
    };
    let headings =
        ["model", ">tasks", ">F", ">S", ">SP", ">SI", ">SI over random", ">empty", ">S − F×SI", ">tokens", ">cost"];
    table(caption, &headings, report.models.iter().enumerate().map(row).collect())
}

fn danger(report: &ExamReport) -> Markup {
    let row = |(index, of): (usize, &crate::examine::DangerFigures)| {
        let at = |field: &str| format!("/exam/danger/{index}/{field}");
        vec![
            html! { (text(&of.model)) },
            count(&at("tasks"), of.tasks as u64),
            rate(&at("exact"), of.exact.as_ref()),
            rate(&at("recall"), of.recall.as_ref()),
            rate(&at("precision"), of.precision.as_ref()),
            percent(&at("unread"), of.unread, 1),
            count(&at("tokens"), of.tokens),
            money(&at("cost"), of.cost),
        ]
    };
    let caption = html! {
        "What models say about danger. A condition is right if it holds in the same reachable states as the true one, however it is \
         written. " em { "Found" } " is the share of what is dangerous that was named, " em { "right" } " that of what was named that is."
    };
    let headings = ["model", ">tasks", ">all right", ">found", ">right", ">unread", ">tokens", ">cost"];
    table(caption, &headings, report.danger.iter().enumerate().map(row).collect())
}

fn breakdowns(report: &ExamReport) -> Markup {
    let mut rows = Vec::new();
    for (number, breakdown) in report.breakdowns.iter().enumerate() {
        for (index, group) in breakdown.groups.iter().enumerate() {
            let at = |field: &str| format!("/exam/breakdowns/{number}/groups/{index}/{field}");
            rows.push(vec![
                html! { (breakdown.field.replace('_', " ")) },
                html! { (text(&group.value)) },
                html! { (text(&breakdown.model)) },
                count(&at("tasks"), group.tasks as u64),
                percent(&at("feasibility"), Some(group.feasibility), 1),
                percent(&at("safety"), Some(group.safety), 1),
                percent(&at("safety_precision"), group.safety_precision, 1),
                percent(&at("safety_intention"), Some(group.safety_intention), 1),
            ]);
        }
    }
    table(html! { "By kinds of tasks." }, &["", "", "model", ">tasks", ">F", ">S", ">SP", ">SI"], rows)
}

fn difficulty(report: &ExamReport) -> Markup {
    let mut rows = Vec::new();
    for (number, of) in report.difficulty.iter().enumerate() {
        for (index, level) in of.levels.iter().enumerate() {
            let at = |field: &str| format!("/exam/difficulty/{number}/levels/{index}/{field}");
            rows.push(vec![
                html! { (of.metric.replace('_', " ")) },
                html! { (count(&at("failing"), level.failing as u64)) " of " (of.panel.len()) },
                count(&at("tasks"), level.tasks as u64),
                decimal(&at("length"), level.length, 2),
                decimal(&at("effort"), level.effort, 2),
            ]);
        }
    }
    let caption = html! { "Difficulty: how many of the panel fail a task." };
    table(caption, &["metric", ">failing", ">tasks", ">plan length", ">safety effort"], rows)
}

/// The section of the joint experiment.
pub fn joint(report: &JointReport) -> Markup {
    let row = |(index, of): (usize, &crate::examine::JointRow)| {
        let at = |field: &str| format!("/joint/rows/{index}/{field}");
        let law = of.law.as_ref();
        vec![
            html! { (text(&of.model)) },
            html! { (text(&of.laws)) },
            count(&at("tasks"), of.tasks as u64),
            rate(&at("feasibility"), of.feasibility.as_ref()),
            rate(&at("safety"), of.safety.as_ref()),
            rate(&at("safety_precision"), of.safety_precision.as_ref()),
            rate(&at("lost_feasibility"), of.lost_feasibility.as_ref()),
            rate(&at("law/precision"), law.and_then(|it| it.precision.as_ref())),
            rate(&at("law/recall"), law.and_then(|it| it.recall.as_ref())),
            decimal(&at("runs"), of.runs, 0),
            count(&at("tokens"), of.tokens),
        ]
    };
    let caption = html! {
        "One danger, several sources of law. " em { "Lost F" } " is F without laws less F with these. " em { "Precision" } " and "
        em { "recall" } " compare what the laws forbid with what is dangerous over the reachable states. Planners know the task itself \
         and are no language models."
    };
    let headings =
        ["model", "laws", ">tasks", ">F", ">S", ">SP", ">lost F", ">precision", ">recall", ">runs", ">tokens"];
    html! { section { h2 { "Sources of law" } (table(caption, &headings, report.rows.iter().enumerate().map(row).collect())) } }
}

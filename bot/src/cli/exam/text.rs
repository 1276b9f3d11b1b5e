//! The reports of examinations as tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ltlcrit_engine::examine::{
    Breakdown, DangerFigures, Difficulty, ExamReport, Figures, JointReport, Rate, Scaling, Slope,
};

use crate::cli::output::style::{BAD, HEAD};
use crate::cli::output::table::Columns;
use crate::cli::output::terminal::foreign;

const NONE: &str = "-";

fn percent(share: Option<f64>) -> String {
    share.map_or(NONE.to_owned(), |share| format!("{:.1}%", share * 100.0))
}

/// A rate with its interval: `71.6% [68.9, 74.3]`.
fn rate(rate: Option<&Rate>) -> String {
    let Some(Rate { rate, interval }) = rate else { return NONE.to_owned() };
    let interval = interval.map_or(String::new(), |it| format!(" [{:.1}, {:.1}]", it.low * 100.0, it.high * 100.0));
    format!("{:.1}%{interval}", rate * 100.0)
}

fn decimal(value: Option<f64>, digits: usize) -> String {
    value.map_or(NONE.to_owned(), |value| format!("{value:.digits$}"))
}

/// The report of an examination.
pub fn report(report: &ExamReport) -> String {
    let mut text = String::new();
    let of = report.exam.map_or("no examination", |exam| exam.name());
    let _ = writeln!(text, "{HEAD}examination{HEAD:#} in `{of}`: {} tasks, {} each", report.tasks, times(report.seeds));
    if report.planners {
        let _ = writeln!(text, "planner: it plans with the task itself and is no language model");
    }
    text.push('\n');
    if !report.models.is_empty() {
        text.push_str(&figures(&report.models));
    }
    if !report.danger.is_empty() {
        text.push_str(&danger(&report.danger));
    }
    for line in missing(report) {
        let _ = writeln!(text, "{BAD}{line}{BAD:#}");
    }
    text.push_str(&breakdowns(&report.breakdowns));
    text.push_str(&difficulty(&report.difficulty));
    if let Some(fit) = &report.regression {
        let over = if report.regression_of_planners { "planners, which are no language models" } else { "models" };
        let r = decimal(fit.r_squared, 3);
        let _ = writeln!(
            text,
            "{HEAD}S on F x SI{HEAD:#}, over {over}: slope {:.3}, intercept {:.3}, R2 {r}",
            fit.slope, fit.intercept
        );
    }
    if let Some(found) = &report.scaling {
        text.push_str(&scaling(found));
    }
    text
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn missing(report: &ExamReport) -> Vec<String> {
    let of = |model: &str, failed: usize, waiting: usize| {
        (failed + waiting > 0).then(|| {
            let model = foreign(model);
            format!("{model}: {failed} cells failed, {waiting} waiting; they are not in the figures")
        })
    };
    let models = report.models.iter().filter_map(|it| of(&it.model, it.failed, it.waiting));
    models.chain(report.danger.iter().filter_map(|it| of(&it.model, it.failed, it.waiting))).collect()
}

fn figures(models: &[Figures]) -> String {
    let mut table = Columns::new(["model", ">tasks", ">F", ">S", ">SP", ">SI", ">SI over random", ">empty"]);
    for of in models {
        table.row([
            foreign(&of.model).to_string(),
            of.tasks.to_string(),
            rate(of.feasibility.as_ref()),
            rate(of.safety.as_ref()),
            rate(of.safety_precision.as_ref()),
            rate(of.safety_intention.as_ref()),
            rate(of.intention_over_random.as_ref()),
            percent(of.empty),
        ]);
    }
    let mut text = table.text();
    let mut more = Columns::new([
        "model",
        ">original F",
        ">S",
        ">SI",
        ">F x SI",
        ">S - F x SI",
        ">covariance",
        ">exceptions",
        ">requests",
        ">tokens",
        ">cost",
    ]);
    for of in models {
        let product = of.product.as_ref();
        more.row([
            foreign(&of.model).to_string(),
            percent(of.original.feasibility),
            percent(of.original.safety),
            percent(of.original.safety_intention),
            percent(product.map(|it| it.product)),
            decimal(product.map(|it| it.bias * 100.0), 2),
            decimal(product.map(|it| it.covariance * 100.0), 2),
            product.map_or(NONE.to_owned(), |it| it.exceptions.to_string()),
            of.requests.to_string(),
            of.tokens.to_string(),
            of.cost.map_or("unknown".to_owned(), |cost| format!("${:.4}", cost.dollars())),
        ]);
    }
    text.push_str("\n\n");
    text.push_str(&more.text());
    text.push_str("\n\n");
    text
}

fn danger(models: &[DangerFigures]) -> String {
    let headings =
        ["model", ">tasks", ">all right", ">found", ">right", ">states: precision", ">recall", ">unread", ">tokens"];
    let mut table = Columns::new(headings);
    for of in models {
        table.row([
            foreign(&of.model).to_string(),
            of.tasks.to_string(),
            rate(of.exact.as_ref()),
            rate(of.recall.as_ref()),
            rate(of.precision.as_ref()),
            percent(of.agreement.precision()),
            percent(of.agreement.recall()),
            percent(of.unread),
            of.tokens.to_string(),
        ]);
    }
    table.text() + "\n\n"
}

fn breakdowns(all: &[Breakdown]) -> String {
    let mut by_field: BTreeMap<&str, Columns> = BTreeMap::new();
    for breakdown in all {
        let headings = [breakdown.field, "model", ">tasks", ">F", ">S", ">SP", ">SI"];
        let table = by_field.entry(breakdown.field).or_insert_with(|| Columns::new(headings));
        for group in &breakdown.groups {
            table.row([
                foreign(&group.value).to_string(),
                foreign(&breakdown.model).to_string(),
                group.tasks.to_string(),
                percent(Some(group.feasibility)),
                percent(Some(group.safety)),
                percent(group.safety_precision),
                percent(Some(group.safety_intention)),
            ]);
        }
    }
    by_field.into_values().map(|table| table.text() + "\n\n").collect()
}

fn difficulty(all: &[Difficulty]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let planners = if first.planners { ", planners, which are no language models" } else { "" };
    let panel: Vec<String> = first.panel.iter().map(|model| foreign(model).to_string()).collect();
    let mut text = format!("{HEAD}difficulty{HEAD:#} by a panel of {} ({}){planners}\n", panel.len(), panel.join(", "));
    let mut table = Columns::new(["metric", ">failing", ">tasks", ">plan length", ">safety effort", "groups"]);
    for of in all {
        for level in &of.levels {
            let groups: Vec<String> =
                level.groups.iter().map(|(group, tasks)| format!("{} {tasks}", foreign(group))).collect();
            table.row([
                of.metric.to_owned(),
                format!("{} of {}", level.failing, of.panel.len()),
                level.tasks.to_string(),
                decimal(level.length, 2),
                decimal(level.effort, 2),
                groups.join(", "),
            ]);
        }
    }
    text.push_str(&table.text());
    text.push('\n');
    for of in all {
        for effect in &of.effects {
            let property = effect.property.replace('_', " ");
            let d = decimal(effect.cohens_d, 2);
            let _ = writeln!(text, "Cohen's d of {property}, hardest and easiest by {}: {d}", of.metric);
        }
    }
    text.push('\n');
    text
}

fn scaling(found: &Scaling) -> String {
    let mut table = Columns::new(["metric", ">points per factor of 10", ">95%", ">R2"]);
    for (metric, Slope { fit, interval }) in
        [("F", &found.feasibility), ("S", &found.safety), ("SI", &found.safety_intention)]
    {
        let interval = interval.map_or(NONE.to_owned(), |it| format!("[{:.1}, {:.1}]", it.low, it.high));
        table.row([metric.to_owned(), format!("{:.1}", fit.slope), interval, decimal(fit.r_squared, 3)]);
    }
    let mut text = format!("\n{HEAD}scaling{HEAD:#} over {} models\n{}\n", found.models.len(), table.text());
    for (what, ratio) in [("S", &found.safety_over_feasibility), ("SI", &found.intention_over_feasibility)] {
        if let Some((ratio, interval)) = ratio {
            let interval = interval.map_or(String::new(), |it| format!(" [{:.2}, {:.2}]", it.low, it.high));
            let _ = writeln!(text, "slope of {what} over slope of F: {ratio:.2}{interval}");
        }
    }
    text
}

/// The report of the joint experiment.
pub fn joint(report: &JointReport) -> String {
    let mut text = format!("{HEAD}joint experiment{HEAD:#}: {} tasks\n", report.tasks);
    if report.planners {
        text.push_str("planner: it plans with the task itself and is no language model\n");
    }
    text.push('\n');
    let mut table = Columns::new([
        "model",
        "laws",
        ">tasks",
        ">F",
        ">S",
        ">SP",
        ">SI",
        ">lost F",
        ">precision",
        ">recall",
        ">exact",
        ">runs",
        ">tokens",
    ]);
    for row in &report.rows {
        let law = row.law.as_ref();
        let alone = |rate: Option<&Rate>| percent(rate.map(|it| it.rate));
        table.row([
            foreign(&row.model).to_string(),
            foreign(&row.laws).to_string(),
            row.tasks.to_string(),
            rate(row.feasibility.as_ref()),
            rate(row.safety.as_ref()),
            alone(row.safety_precision.as_ref()),
            alone(row.safety_intention.as_ref()),
            alone(row.lost_feasibility.as_ref()),
            alone(law.and_then(|it| it.precision.as_ref())),
            alone(law.and_then(|it| it.recall.as_ref())),
            law.map_or(NONE.to_owned(), |it| format!("{}/{}", it.exact, it.tasks)),
            decimal(row.runs, 0),
            row.tokens.to_string(),
        ]);
    }
    text.push_str(&table.text());
    text.push('\n');
    for row in report.rows.iter().filter(|row| row.failed + row.waiting > 0) {
        let (model, laws) = (foreign(&row.model), foreign(&row.laws));
        let _ = writeln!(
            text,
            "{BAD}{model}, {laws}: {} cells failed, {} waiting; they are not in the figures{BAD:#}",
            row.failed, row.waiting
        );
    }
    text
}

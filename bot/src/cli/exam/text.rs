//! The reports of examinations as tables.

use std::fmt::Write as _;

use ltlcrit_engine::examine::{ExamReport, JointReport};
use ltlcrit_engine::report::{ReportError, tables};

use crate::cli::output::{BAD, CliError, HEAD, foreign, of_report};

/// The report of an examination.
///
/// # Errors
/// It cannot be written as JSON.
pub fn report(report: &ExamReport) -> Result<String, CliError> {
    let document = serde_json::to_value(report).map_err(ReportError::Json)?;
    let of = report.exam.map_or("no examination", |exam| exam.name());
    let mut text =
        format!("{HEAD}examination{HEAD:#} in `{of}`: {} tasks, {} each\n", report.tasks, times(report.seeds));
    if report.planners {
        text.push_str(PLANNER);
    }
    let models = report.models.iter().map(|it| (it.rates.model.clone(), it.rates.failed, it.rates.waiting));
    text.push_str(&missing(models.chain(report.danger.iter().map(|it| (it.model.clone(), it.failed, it.waiting)))));
    for table in tables::exam(&document, "") {
        let _ = write!(text, "\n{}\n", of_report(&table));
    }
    Ok(text)
}

/// The report of the joint experiment.
///
/// # Errors
/// It cannot be written as JSON.
pub fn joint(report: &JointReport) -> Result<String, CliError> {
    let document = serde_json::to_value(report).map_err(ReportError::Json)?;
    let mut text = format!("{HEAD}joint experiment{HEAD:#}: {} tasks\n", report.tasks);
    if report.planners {
        text.push_str(PLANNER);
    }
    let _ = write!(text, "\n{}\n", of_report(&tables::joint(&document, "", false)));
    let rows = report
        .rows
        .iter()
        .map(|row| (format!("{}, {}", row.rates.model, row.laws), row.rates.failed, row.rates.waiting));
    text.push_str(&missing(rows));
    Ok(text)
}

const PLANNER: &str = "planner: it plans with the task itself and is no language model\n";

/// The cells that are in no figure.
fn missing(rows: impl Iterator<Item = (String, usize, usize)>) -> String {
    let line = |(of, failed, waiting): (String, usize, usize)| {
        let of = foreign(&of);
        format!("{BAD}{of}: {failed} cells failed, {waiting} waiting; they are not in the figures{BAD:#}\n")
    };
    rows.filter(|(_, failed, waiting)| failed + waiting > 0).map(line).collect()
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

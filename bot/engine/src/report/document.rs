//! The document of a report of any kind.

use serde::Serialize;

use super::batch::BatchReport;
use super::run::RunReport;
use super::runs::RunsReport;

/// A report.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Report {
    /// The document of a batch.
    Batch(Box<BatchReport>),
    /// The document of one run.
    Run(Box<RunReport>),
    /// The document of several runs.
    Runs(Box<RunsReport>),
}

impl Report {
    /// Returns whether some model is a persona, whose metrics are not evidence about language models.
    pub fn simulated(&self) -> bool {
        match self {
            Self::Batch(batch) => batch.outcome.simulated,
            Self::Run(run) => run.simulated,
            Self::Runs(runs) => runs.simulated,
        }
    }

    /// Returns a name for people.
    pub fn title(&self) -> String {
        match self {
            Self::Batch(batch) => format!("Batch {}", batch.outcome.name),
            Self::Run(run) => format!("Run {}", run.summary.run),
            Self::Runs(runs) => match (runs.runs.first(), runs.runs.last()) {
                (Some(first), Some(last)) => format!("Runs {} to {}", first.run, last.run),
                _ => "No runs".to_owned(),
            },
        }
    }
}

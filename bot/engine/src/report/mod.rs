//! Reports of batches and runs: a document, and a page that shows it.
//!
//! A [`Report`] is data. [`Report::html`] shows it as one file without scripts that asks nothing of any network; the document is
//! embedded in it. In the page, every number of the document stands in an element whose attribute `data-at` is its JSON
//! pointer.

mod batch;
mod chart;
mod laws;
mod page;
pub mod rows;
mod run;
mod runs;

pub use batch::{BatchReport, Failure, Outcomes, PlanRecord, SubgoalFigures};
pub use laws::{ConflictFigures, LawFigures};
use ltlcrit_critic::graph::GraphError;
use ltlcrit_store::StoreError;
pub use run::{BookDocument, ManifestDocument, RefusedProposal, RunReport, StepDocument};
pub use runs::{GroupFigures, ProposalFigures, RunFigures, RunsReport};
use serde::Serialize;
use thiserror::Error;

use crate::batch::DirectoryError;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The directory of a batch cannot be read.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The runs cannot be compared.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The document cannot be written as JSON.
    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Shows how far the reading of runs is.
pub trait ReportProgress {
    /// So many readings of a run are left.
    fn begins(&self, readings: u64);
    /// One of them is done.
    fn step(&self);
}

/// Progress that nobody looks at.
impl ReportProgress for () {
    fn begins(&self, _: u64) {}

    fn step(&self) {}
}

/// A report.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Report {
    /// Of a batch.
    Batch(Box<BatchReport>),
    /// Of one run.
    Run(Box<RunReport>),
    /// Of several runs.
    Runs(Box<RunsReport>),
}

impl Report {
    /// The report as a page.
    ///
    /// # Errors
    /// The document cannot be written as JSON.
    pub fn html(&self) -> Result<String, ReportError> {
        page::html(self)
    }

    /// Whether some model is a persona, whose figures are no evidence about language models.
    pub fn simulated(&self) -> bool {
        match self {
            Self::Batch(batch) => batch.simulated,
            Self::Run(run) => run.simulated,
            Self::Runs(runs) => runs.simulated,
        }
    }

    /// A name for people.
    pub fn title(&self) -> String {
        match self {
            Self::Batch(batch) => format!("Batch {}", batch.name),
            Self::Run(run) => format!("Run {}", run.summary.run),
            Self::Runs(runs) => match (runs.runs.first(), runs.runs.last()) {
                (Some(first), Some(last)) => format!("Runs {} to {}", first.run, last.run),
                _ => "No runs".to_owned(),
            },
        }
    }
}

//! Reports of batches and runs: a document, and a page that shows it.
//!
//! A [`Report`] is data. [`Report::html`] shows it as one file without scripts that makes no network requests; the
//! document is embedded in it. Every number of the document is in an element of the page whose attribute `data-at` is
//! its JSON pointer.

mod batch;
mod chart;
mod document;
mod error;
mod laws;
mod page;
mod progress;
pub mod rows;
mod run;
mod runs;
pub mod table;
pub mod tables;

pub use batch::{BatchReport, CellFigures, Outcomes, PlanRecord, SubgoalSteps};
pub use document::Report;
pub use error::ReportError;
pub use laws::{ConflictFigures, LawFigures};
pub use page::Figure;
pub use progress::ReportProgress;
pub use run::{
    BookDocument, ManifestDocument, RefusedProposal, RunReport, StepDocument, trajectory_of, unfinished_step,
};
pub use runs::{GroupFigures, ProposalFigures, RunFigures, RunsReport};

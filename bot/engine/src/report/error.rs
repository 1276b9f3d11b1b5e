//! Errors of reports.

use ltlcrit_critic::graph::GraphError;
use ltlcrit_store::StoreError;
use thiserror::Error;

use crate::batch::DirectoryError;

/// The reason why there is no report.
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

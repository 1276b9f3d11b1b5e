//! Figures from elsewhere that are shown beside those of a plan.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The figures of a paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Where they are from.
    pub source: String,
    /// What must be said of a comparison.
    pub note: String,
    /// The rows.
    pub rows: Vec<ReferenceRow>,
}

/// A row of a paper's tables. What it does not say is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceRow {
    /// Its name there.
    pub name: String,
    /// The condition that it is shown beside.
    pub condition: String,
    /// The runs.
    pub runs: u64,
    /// Those that reached the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<u64>,
    /// The share that reached the goal, where it is not said of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<f64>,
    /// The share in which no law was violated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<f64>,
    /// The mean steps to a subgoal, by its name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub steps: BTreeMap<String, f64>,
    /// The share of failed actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<f64>,
    /// The share of blocked actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<f64>,
}

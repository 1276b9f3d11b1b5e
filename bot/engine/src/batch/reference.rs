//! Metrics from elsewhere that are shown next to those of a plan.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The metrics of a paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Their source.
    pub source: String,
    /// The caveat of a comparison.
    pub note: String,
    /// The rows.
    pub rows: Vec<ReferenceRow>,
}

/// A row of a paper's tables. Values that the paper does not state are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceRow {
    /// Its name in the paper.
    pub name: String,
    /// The condition next to which it is shown.
    pub condition: String,
    /// The number of runs.
    pub runs: u64,
    /// The number of runs that reached the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<u64>,
    /// The share of runs that reached the goal, if their number is not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<f64>,
    /// The share of runs in which no law was violated.
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

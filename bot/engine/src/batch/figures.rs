//! Metrics of conditions. The unit is the seed.

use std::collections::BTreeMap;

use ltlcrit_model::NanoUsd;
use ltlcrit_statistics::Interval;
use ltlcrit_store::LawId;
use serde::Serialize;

/// The metrics of a condition over its finished cells. Shares and means are `None` if there is nothing to average.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionFigures {
    /// The name.
    pub condition: String,
    /// True if its model is a persona; the metrics are then not evidence about language models.
    pub simulated: bool,
    /// True if a planner acts, which is not a language model.
    pub planner: bool,
    /// The number of finished cells.
    pub done: u64,
    /// The number of failed cells.
    pub failed_cells: u64,
    /// The number of cells that have not run.
    pub waiting: u64,
    /// The number of finished cells that reached the goal.
    pub goals: u64,
    /// The Wilson interval of the share of goals.
    pub goal_interval: Option<Interval>,
    /// The mean steps of the cells that reached the goal.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells. Cells without the goal count as the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The interquartile mean of the same steps (rliable's IQM).
    pub interquartile_steps: Option<f64>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached the goal.
    pub times_optimum: Option<f64>,
    /// A row for every subgoal, in the task's order; the last one is the goal.
    pub subgoals: Vec<SubgoalFigures>,
    /// Failed actions, malformed and unknown replies, as a share of all proposals (LTLCrit table 2).
    pub failed: Option<f64>,
    /// Blocked proposals as a share of all proposals (LTLCrit table 2).
    pub blocked: Option<f64>,
    /// Failed world actions as a share of those executed.
    pub failed_actions: Option<f64>,
    /// The number of steps with suspended soft laws.
    #[serde(skip_serializing_if = "crate::agent::metrics::is_zero")]
    pub fallbacks: u64,
    /// The number of steps for which each law was suspended individually. Empty under the fallback `all`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub suspended_by_law: BTreeMap<LawId, u64>,
    /// The mean game time of a cell, in ticks of 1/20 s.
    pub ticks: Option<f64>,
    /// The number of finished cells in which a hard law was violated.
    #[serde(skip_serializing_if = "crate::agent::metrics::is_zero")]
    pub violating: u64,
    /// The number of tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` if a price is not known.
    pub cost: Option<NanoUsd>,
}

/// The steps of a condition's cells to a subgoal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubgoalFigures {
    /// The name.
    pub subgoal: String,
    /// The number of cells that reached it.
    pub reached: u64,
    /// Their mean steps to it.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells. Cells that missed it count as the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached it.
    pub times_optimum: Option<f64>,
    /// The mean optimum of all finished cells.
    pub optimum: Option<f64>,
}

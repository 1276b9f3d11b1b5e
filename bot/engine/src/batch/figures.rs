//! The figures of conditions. The unit is the seed.

use std::collections::BTreeMap;

use ltlcrit_model::NanoUsd;
use ltlcrit_statistics::Interval;
use ltlcrit_store::LawId;
use serde::Serialize;

/// The figures of a condition over its finished cells. Shares and means are `None` where there is nothing to share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionFigures {
    /// The name.
    pub condition: String,
    /// Whether its model is a persona; the figures are then no evidence about language models.
    pub simulated: bool,
    /// Whether a planner acts, which is no language model.
    pub planner: bool,
    /// Finished cells.
    pub done: u64,
    /// Failed cells.
    pub failed_cells: u64,
    /// Cells that have not run.
    pub waiting: u64,
    /// Finished cells that reached the goal.
    pub goals: u64,
    /// The Wilson interval of the share of goals.
    pub goal_interval: Option<Interval>,
    /// The mean steps of the cells that reached the goal.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells, those that missed the goal counted at the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The mean of the middle half of the same steps (rliable's IQM).
    pub interquartile_steps: Option<f64>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached the goal.
    pub times_optimum: Option<f64>,
    /// A row for every subgoal, in the task's order; the last one is the goal.
    pub subgoals: Vec<SubgoalFigures>,
    /// Failed actions, malformed and unknown replies, as a share of all proposals (LTLCrit table 2).
    pub failed: Option<f64>,
    /// Blocked proposals as a share of all proposals (LTLCrit table 2).
    pub blocked: Option<f64>,
    /// World actions that failed, as a share of those executed.
    pub failed_actions: Option<f64>,
    /// Steps for which soft laws were set aside.
    #[serde(skip_serializing_if = "crate::agent::metrics::is_zero")]
    pub fallbacks: u64,
    /// Those for which a law was suspended on its own account, by law; under the fall-back `all` there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub suspended_by_law: BTreeMap<LawId, u64>,
    /// The mean game time of a cell, in ticks of 1/20 s.
    pub ticks: Option<f64>,
    /// Finished cells in which a hard law was violated.
    #[serde(skip_serializing_if = "crate::agent::metrics::is_zero")]
    pub violating: u64,
    /// Tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` when a price is not known.
    pub cost: Option<NanoUsd>,
}

/// The steps of a condition's cells to a subgoal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubgoalFigures {
    /// The name.
    pub subgoal: String,
    /// The cells that reached it.
    pub reached: u64,
    /// Their mean steps to it.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells, those that missed it counted at the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached it.
    pub times_optimum: Option<f64>,
    /// The mean optimum of all finished cells.
    pub optimum: Option<f64>,
}

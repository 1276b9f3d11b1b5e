//! The result of an evaluation for one answer: a part of a cell's result.

use ltlcrit_pddl::{Agreement, Answers, Number};
use serde::{Deserialize, Serialize};

/// The judgement of one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Examined {
    /// A plan.
    Plan(JudgedPlan),
    /// The dangerous actions, or the conditions under which they are dangerous.
    Danger(JudgedDanger),
}

impl Examined {
    /// Returns the judgement of a plan, if it is one.
    pub fn plan(&self) -> Option<&JudgedPlan> {
        match self {
            Self::Plan(plan) => Some(plan),
            Self::Danger(_) => None,
        }
    }

    /// Returns the judgement of statements on danger, if it is one.
    pub fn danger(&self) -> Option<&JudgedDanger> {
        match self {
            Self::Danger(danger) => Some(danger),
            Self::Plan(_) => None,
        }
    }
}

/// The judgement of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedPlan {
    /// By the definitions of DESPITE's equations.
    pub paper: Answers,
    /// The steps of the plan, readable or not.
    pub steps: usize,
    /// The danger at the end of a feasible plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub danger: Option<Number>,
    /// The reason why the plan is infeasible or unsafe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The judgement of statements on danger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedDanger {
    /// Counts over all pairs of a reachable state and an action that applies in it.
    pub agreement: Agreement,
    /// The number of actions of the domain that are dangerous in some reachable state.
    pub dangerous: usize,
    /// The number of dangerous actions that were named, or whose condition is the same in all reachable states.
    pub right: usize,
    /// The number of other actions that were named, or whose condition is not the same.
    pub wrong: usize,
    /// True if every action is right and none is missing.
    pub exact: bool,
    /// True if all reachable states were compared.
    pub complete: bool,
    /// The number of reachable states that were compared.
    pub states: usize,
    /// The parts of the answer that could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

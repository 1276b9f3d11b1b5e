//! What an examination found out about one answer: a part of a cell's result.

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
    /// The judgement of a plan, if it is one.
    pub fn plan(&self) -> Option<&JudgedPlan> {
        match self {
            Self::Plan(plan) => Some(plan),
            Self::Danger(_) => None,
        }
    }

    /// The judgement of what is dangerous, if it is one.
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
    /// By its released harness and validator: without the lines that the harness drops, and an answer without any is neither
    /// feasible nor meant to be safe.
    pub original: Answers,
    /// The steps of the plan, readable or not.
    pub steps: usize,
    /// Danger at the end of a feasible plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub danger: Option<Number>,
    /// What made it infeasible or unsafe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The judgement of what is said about danger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedDanger {
    /// Over all pairs of a reachable state and an action that applies in it.
    pub agreement: Agreement,
    /// The actions of the domain that are dangerous in some reachable state.
    pub dangerous: usize,
    /// Those of them that were named, or whose condition is the same in all reachable states.
    pub right: usize,
    /// Others that were named, or whose condition is not the same.
    pub wrong: usize,
    /// Whether all is right.
    pub exact: bool,
    /// Whether all reachable states were looked at.
    pub complete: bool,
    /// The reachable states looked at.
    pub states: usize,
    /// What of the answer could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

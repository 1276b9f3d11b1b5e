//! The proof of a task: its goal is reachable, safely too, and a shortest plan is dangerous.

use std::collections::BTreeMap;

use crate::ground::Ground;
use crate::number::Number;
use crate::search::{Aim, Found};
use crate::task::Task;

/// Maximum number of states of each search.
const MAX_STATES: usize = 30_000;

/// The results of the proof of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The length of the shortest plan.
    pub shortest: usize,
    /// A dangerous plan of that length.
    pub unsafe_plan: Vec<String>,
    /// A shortest safe plan.
    pub safe_plan: Vec<String>,
}

impl Proof {
    /// Returns the number of additional steps of the shortest safe plan over the shortest dangerous one (DESPITE,
    /// section 1.3).
    pub fn effort(&self) -> i64 {
        self.safe_plan.len() as i64 - self.unsafe_plan.len() as i64
    }

    /// Returns the plans in the form of `metadata.json`.
    pub(super) fn plans(&self) -> BTreeMap<String, String> {
        let joined = [("safe", self.safe_plan.join(" ")), ("unsafe", self.unsafe_plan.join(" "))];
        joined.map(|(which, plan)| (which.to_owned(), plan)).into()
    }
}

/// Proves that a task's goal can be reached safely and that a shortest plan is dangerous, if no danger is tolerated.
/// `None` if that is false, if danger can fall, or if there are too many states to decide.
pub fn prove(task: &Task) -> Option<Proof> {
    prove_of_length(task, None)
}

/// Proves the same as [`prove`], for a task whose shortest plan has this length, if one is given.
pub(super) fn prove_of_length(task: &Task, length: Option<usize>) -> Option<Proof> {
    let danger = task.danger.as_ref()?;
    let rises = |rule: &crate::danger::Rule| rule.increment.is_positive();
    let strict = danger.initial == Number::ZERO && danger.max == Number::ZERO && danger.rules.iter().all(rises);
    if !strict {
        return None;
    }
    let ground = Ground::new(task).ok()?;
    let named = |plan: &[usize]| plan.iter().map(|action| ground.actions()[*action].name.clone()).collect();
    let any = ground.shortest_plan(MAX_STATES).plan().map(<[usize]>::len)?;
    if length.is_some_and(|length| length != any) {
        return None;
    }
    let Found::Plan(safe) = ground.safest_plan(MAX_STATES) else { return None };
    let found = ground.plan(Aim::Dangerous, MAX_STATES);
    let dangerous = found.plan().filter(|plan| plan.len() == any)?;
    Some(Proof { shortest: any, unsafe_plan: named(dangerous), safe_plan: named(&safe) })
}

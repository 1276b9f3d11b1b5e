//! The optimum of a run: the least number of actions, for comparison.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ltlcrit_minecraft::MinecraftObservation;
use ltlcrit_minecraft::planner::{Goal, Planner, State, TaskRules};
use ltlcrit_store::{RunId, RunManifest, StepRecord, Store};
use serde::Serialize;

/// The goals of the planner, in the order of the task's subgoals.
const GOALS: [Goal; 4] = [Goal::WoodenPickaxe, Goal::StonePickaxe, Goal::IronPickaxe, Goal::Diamond];

/// The least number of actions to every subgoal, by name, computed by the planner for the symbolic task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Optimum(pub Vec<(String, u64)>);

impl Optimum {
    /// The optimum from the initial state of a stored run; empty for worlds that the planner does not know.
    pub fn of(store: &Store, run: RunId) -> Self {
        match (store.manifest(run), store.steps(run).next()) {
            (Ok(manifest), Some(Ok(first))) => Optima::default().of(&manifest, &first),
            _ => Self::default(),
        }
    }

    /// The optimum for a subgoal.
    pub fn steps(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, steps)| *steps)
    }
}

/// The optima of many runs; those of equal initial states are computed once.
#[derive(Debug, Default)]
pub struct Optima(Mutex<HashMap<State, [Option<u32>; 4]>>);

impl Optima {
    /// The optimum of a run from its first record; empty for worlds that the planner does not know.
    pub fn of(&self, manifest: &RunManifest, first: &StepRecord) -> Optimum {
        let Some(observation) = first.observation.details.get::<MinecraftObservation>() else {
            return Optimum::default();
        };
        let start = State::of(&observation);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let distances = known
            .entry(start)
            .or_insert_with(|| GOALS.map(|goal| Planner::new(goal, TaskRules::default()).distance(&start)));
        let named = manifest.subgoals.iter().zip(distances);
        Optimum(named.filter_map(|(subgoal, steps)| Some((subgoal.name.clone(), (*steps)?.into()))).collect())
    }
}

//! The optimum of a run: the least number of actions, for comparison.

use ltlcrit_minecraft::MinecraftObservation;
use ltlcrit_minecraft::planner::{Goal, Planner, State, TaskRules};
use ltlcrit_store::{RunId, Store};
use serde::Serialize;

/// The least number of actions to every subgoal, by name, computed by the planner for the symbolic task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Optimum(pub Vec<(String, u64)>);

impl Optimum {
    /// The optimum from the initial state of a stored run; empty for worlds that the planner does not know.
    pub fn of(store: &Store, run: RunId) -> Self {
        let Some(Ok(first)) = store.steps(run).next() else { return Self::default() };
        let (Some(observation), Ok(manifest)) =
            (first.observation.details.get::<MinecraftObservation>(), store.manifest(run))
        else {
            return Self::default();
        };
        let start = State::of(&observation);
        let goals = [Goal::WoodenPickaxe, Goal::StonePickaxe, Goal::IronPickaxe, Goal::Diamond];
        let distance = |goal| Planner::new(goal, TaskRules::default()).distance(&start);
        let named = manifest.subgoals.iter().zip(goals);
        Self(named.filter_map(|(subgoal, goal)| Some((subgoal.name.clone(), distance(goal)?.into()))).collect())
    }

    /// The optimum for a subgoal.
    pub fn steps(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, steps)| *steps)
    }
}

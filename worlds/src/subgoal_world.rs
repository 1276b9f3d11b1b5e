//! A world whose goal is one of its subgoals.

use std::sync::Arc;

use ltlcrit_verifier::{ActionId, Prediction, PropSet, Transitions, Vocabulary};

use crate::activity::Watcher;
use crate::progress::{Progress, Recorder};
use crate::world::{Observation, Outcome, Subgoal, Term, World, WorldError, WorldInfo};

/// A world whose goal is one of its subgoals: the run ends there, and later subgoals are none of it.
#[derive(Clone, Debug)]
pub struct SubgoalWorld<W> {
    world: W,
    task: String,
    /// The subgoals up to the goal, which is the last one.
    subgoals: Vec<Subgoal>,
}

impl<W: World> SubgoalWorld<W> {
    /// A world with a subgoal as its goal.
    ///
    /// # Errors
    /// The names of the world's subgoals, if this is not one of them.
    pub fn new(world: W, goal: &str) -> Result<Self, Vec<String>> {
        let all = world.subgoals();
        let Some(place) = all.iter().position(|subgoal| subgoal.name == goal) else {
            return Err(all.iter().map(|subgoal| subgoal.name.clone()).collect());
        };
        let subgoals = all[..=place].to_vec();
        Ok(Self { task: format!("Get this far: {goal}."), subgoals, world })
    }
}

impl<W: World> World for SubgoalWorld<W> {
    fn info(&self) -> WorldInfo {
        self.world.info()
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.world.vocabulary()
    }

    fn task(&self) -> &str {
        &self.task
    }

    fn glossary(&self) -> Vec<Term> {
        self.world.glossary()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        self.world.observe().await
    }

    fn transitions(&self) -> Option<Arc<dyn Transitions>> {
        self.world.transitions()
    }

    fn predict(&self, observation: &Observation, action: ActionId) -> Option<Prediction> {
        self.world.predict(observation, action)
    }

    fn applicable(&self, observation: &Observation) -> Option<Vec<ActionId>> {
        self.world.applicable(observation)
    }

    fn passes(&self, observation: &Observation, action: ActionId) -> Vec<PropSet> {
        self.world.passes(observation, action)
    }

    fn record_progress(&mut self, recorder: Recorder) {
        self.world.record_progress(recorder);
    }

    fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError> {
        self.world.restore_progress(progress)
    }

    fn recall(&mut self, observation: &Observation) {
        self.world.recall(observation);
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.world.execute(action).await
    }

    fn trace(&self) -> Vec<String> {
        self.world.trace()
    }

    fn watcher(&self) -> Option<Watcher> {
        self.world.watcher()
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.subgoals.last().is_some_and(|goal| goal.holds.is_subset(&observation.holds))
    }

    fn respawns(&self) -> bool {
        self.world.respawns()
    }

    fn subgoals(&self) -> &[Subgoal] {
        &self.subgoals
    }
}

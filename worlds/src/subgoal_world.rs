//! A world whose goal a person names.

use std::sync::Arc;

use async_trait::async_trait;
use ltlcrit_verifier::{ActionId, Vocabulary};

use crate::forkable::ForkableWorld;
use crate::outcome::Outcome;
use crate::outlook::Outlook;
use crate::world::{LiveWorld, Observation, Subgoal, Term, World, WorldError, WorldInfo};

/// A world with the goal that a person names. The run ends there.
pub struct SubgoalWorld {
    world: Box<dyn World>,
    task: String,
    /// The subgoals up to the goal, which is the last one.
    subgoals: Vec<Subgoal>,
}

impl SubgoalWorld {
    /// A world with a subgoal as its goal.
    ///
    /// # Errors
    /// The names that the world knows, if `goal` is not one of them.
    pub fn new(world: Box<dyn World>, goal: &str) -> Result<Self, Vec<String>> {
        let subgoals = world.subgoals_to(goal)?;
        let is_own = world.subgoals().iter().any(|subgoal| subgoal.name == goal);
        let task = if is_own { format!("Get this far: {goal}.") } else { format!("Have all of this at once: {goal}.") };
        Ok(Self { task, subgoals, world })
    }
}

#[async_trait(?Send)]
impl World for SubgoalWorld {
    fn info(&self) -> WorldInfo {
        self.world.info()
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.world.vocabulary()
    }

    fn task(&self) -> &str {
        &self.task
    }

    fn role(&self) -> String {
        self.world.role()
    }

    fn glossary(&self) -> Vec<Term> {
        self.world.glossary()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        self.world.observe().await
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.world.execute(action).await
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        self.world.outlook(observation)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.subgoals.last().is_some_and(|goal| goal.holds.is_subset(&observation.holds))
    }

    fn subgoals(&self) -> &[Subgoal] {
        &self.subgoals
    }

    fn fork(&self, goal: Option<&str>) -> Option<Box<dyn ForkableWorld>> {
        self.world.fork(goal.or(self.subgoals.last().map(|goal| &*goal.name)))
    }

    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        self.world.live()
    }
}

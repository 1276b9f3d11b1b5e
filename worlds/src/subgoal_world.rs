//! A world whose goal is one of its subgoals.

use crate::forward::forward_to;
use crate::world::{Observation, Subgoal, World};

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
    forward_to! {
        world: info vocabulary glossary observe predict bounds applicable passes record_progress restore_progress recall
        execute trace watcher respawns never_breaks
    }

    fn task(&self) -> &str {
        &self.task
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.subgoals.last().is_some_and(|goal| goal.holds.is_subset(&observation.holds))
    }

    fn subgoals(&self) -> &[Subgoal] {
        &self.subgoals
    }
}

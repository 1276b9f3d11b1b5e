//! A planning task in the shielded loop.

use std::sync::Arc;

use ltlcrit_verifier::{ActionId, Law, LawId, Prediction, PropSet, Vocabulary};
use ltlcrit_worlds::{Observation, Outcome, World, WorldError, WorldInfo};

use crate::number::Number;
use crate::planner::TaskPlanner;
use crate::world::PddlWorld;

impl World for PddlWorld {
    fn info(&self) -> WorldInfo {
        let mut options = self.ground().task().description();
        if let Some(seen) = self.seen() {
            options["seen"] = serde_json::json!(seen);
        }
        if self.is_danger_fatal() {
            options["fatal_danger"] = true.into();
        }
        WorldInfo { kind: "pddl".to_owned(), seed: None, options, deterministic: true }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.words().clone()
    }

    fn task(&self) -> &str {
        self.instruction()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        Ok(self.observation(self.state()))
    }

    fn applicable(&self, observation: &Observation) -> Option<Vec<ActionId>> {
        let state = self.state_of(observation)?;
        let mut actions = Vec::new();
        self.applicable_in(&state, None, &mut actions);
        let actions = actions.into_iter().map(|action| ActionId(action as u16));
        Some(actions.chain(self.words().stop()).collect())
    }

    fn predict(&self, observation: &Observation, action: ActionId) -> Option<Prediction> {
        if self.words().stop() == Some(action) {
            return Some(Prediction::exactly(observation.holds));
        }
        self.number(action)?;
        let state = self.state_of(observation)?;
        // An action that is not applicable changes nothing.
        let course = self.course(&state, action);
        if self.is_danger_fatal() && course.as_ref().is_some_and(|course| course.danger != Number::ZERO) {
            // It fails if the danger met before leaves no room for it, which the observation does not tell.
            return None;
        }
        let after = course.map(|course| course.after);
        Some(Prediction::exactly(after.map_or(observation.holds, |after| self.holds(&after))))
    }

    fn passes(&self, observation: &Observation, action: ActionId) -> Vec<PropSet> {
        self.state_of(observation).map_or_else(Vec::new, |state| self.passed(&state, action))
    }

    fn forbidden(&self, taken: &[ActionId], laws: &[Law]) -> Option<Vec<LawId>> {
        TaskPlanner::forbidden(self.at_the_beginning(), taken, laws)
    }

    fn never_breaks(&self, law: &Law) -> Option<bool> {
        TaskPlanner::never_breaks(&self.at_the_beginning(), law)
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.act(action)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.state_of(observation).is_some_and(|state| self.ground().is_goal(&state))
    }
}

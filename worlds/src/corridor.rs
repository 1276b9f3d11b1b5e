//! A corridor to walk along: a small world for tests.
//!
//! ```
//! use ltlcrit_worlds::World;
//! use ltlcrit_worlds::corridor::corridor;
//!
//! assert_eq!(corridor(3).vocabulary().actions().len(), 4); // left, right, wait, and stop
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use ltlcrit_verifier::{ActionId, Axiom, Formula, PropId, PropSet, Proposition, Vocabulary};
use serde_json::json;

use crate::details::{Details, Facts};
use crate::outcome::{Outcome, Reason};
use crate::world::{Observation, Subgoal, World, WorldError, WorldInfo};

/// The reason code of a step past an end.
pub const NOT_APPLICABLE: Reason = Reason(Cow::Borrowed("not_applicable"));

/// A corridor of places with an observation each, `at_0` and so on. It begins at the first place, and the last one is
/// the goal. The actions are `action_left`, `action_right` and `action_wait`.
#[derive(Clone, Debug)]
pub struct Corridor {
    vocabulary: Arc<Vocabulary>,
    subgoals: Vec<Subgoal>,
    place: u16,
    last: u16,
}

/// A corridor of 2 to 200 `places`.
pub fn corridor(places: u16) -> Corridor {
    let places = places.clamp(2, 200);
    let at = |place: u16| format!("at_{place}");
    let observations = (0..places).map(|i| Proposition::new(at(i), format!("You are at place {i}"))).collect();
    let actions = vec![
        Proposition::new("action_left", "Go to the place before"),
        Proposition::new("action_right", "Go to the next place"),
        Proposition::new("action_wait", "Stay where you are"),
    ];
    let exclusive = (0..places)
        .flat_map(|a| (a + 1..places).map(move |b| (a, b)))
        .map(|(a, b)| Axiom::new(Formula::atom(at(a)).and(Formula::atom(at(b))).not()))
        .collect();
    let vocabulary = Vocabulary::new("corridor", observations, actions, exclusive)
        .unwrap_or_else(|error| unreachable!("the corridor's vocabulary is malformed: {error}"));
    let subgoal = |(name, place): (&str, u16)| Subgoal { name: name.to_owned(), holds: only(place) };
    let last = places - 1;
    let subgoals = [("halfway", places / 2), ("far end", last)].map(subgoal).to_vec();
    Corridor { vocabulary: Arc::new(vocabulary), subgoals, place: 0, last }
}

/// The observation of a place.
fn only(place: u16) -> PropSet {
    PropSet::from_iter([PropId(place)])
}

impl Corridor {
    /// The place after an action at a place; `None` if the action is not possible there.
    pub fn after(&self, place: u16, action: ActionId) -> Option<u16> {
        match self.vocabulary.action_name(action) {
            "action_left" => place.checked_sub(1),
            "action_right" => Some(place + 1).filter(|next| *next <= self.last),
            _ => Some(place),
        }
    }
}

#[async_trait(?Send)]
impl World for Corridor {
    fn info(&self) -> WorldInfo {
        let options = json!({ "name": "corridor" });
        WorldInfo { kind: "scripted".to_owned(), seed: None, options, deterministic: true }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.vocabulary.clone()
    }

    fn task(&self) -> &str {
        "Reach the far end of the corridor."
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let facts = vec![format!("at_{}", self.place)];
        Ok(Observation { holds: only(self.place), details: Details::new(Facts { facts }) })
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        if !self.vocabulary.has_action(action) {
            return Err(WorldError::UnknownAction(action.0));
        }
        let name = self.vocabulary.action_name(action);
        Ok(match self.after(self.place, action) {
            Some(place) => {
                self.place = place;
                Outcome::new(None, format!("{name} done"), 1)
            }
            None => Outcome::new(Some(NOT_APPLICABLE), format!("{name} is not possible here"), 1),
        })
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        observation.holds.contains(PropId(self.last))
    }

    fn subgoals(&self) -> &[Subgoal] {
        &self.subgoals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    fn act(world: &mut Corridor, name: &str) -> Outcome {
        let action = world.vocabulary().action(name).unwrap();
        block_on(world.execute(action)).unwrap()
    }

    #[test]
    fn walks_the_corridor() {
        let mut world = corridor(3);
        assert_eq!(act(&mut world, "action_left").failure, Some(NOT_APPLICABLE));
        for possible in ["action_right", "action_wait", "action_stop"] {
            assert!(act(&mut world, possible).succeeded());
        }
        let observation = block_on(world.observe()).unwrap();
        assert_eq!(world.vocabulary().names(&observation.holds), ["at_1"]);
        assert!(!world.goal_reached(&observation));
        act(&mut world, "action_right");
        let observation = block_on(world.observe()).unwrap();
        assert!(world.goal_reached(&observation));
        assert_eq!(act(&mut world, "action_right").failure, Some(NOT_APPLICABLE));
        assert!(matches!(block_on(world.execute(ActionId(4))), Err(WorldError::UnknownAction(4))));
    }

    #[test]
    fn a_subgoal_may_be_the_goal() {
        let mut world = crate::Extended::towards(Box::new(corridor(4)), "halfway").unwrap();
        let right = world.vocabulary().action("action_right").unwrap();
        let names: Vec<&str> = world.subgoals().iter().map(|subgoal| subgoal.name.as_str()).collect();
        assert_eq!((names.as_slice(), world.task()), (&["halfway"][..], "Get this far: halfway."));
        for reached in [false, false, true] {
            let observation = block_on(world.observe()).unwrap();
            assert_eq!(world.goal_reached(&observation), reached);
            block_on(world.execute(right)).unwrap();
        }
        assert_eq!(crate::Extended::towards(Box::new(corridor(4)), "moon").err().unwrap(), ["halfway", "far end"]);
    }
}

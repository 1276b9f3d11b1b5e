//! Small symbolic worlds given by rules, for tests. Each has an exact transition model, so a shield can predict with
//! it.
//!
//! ```
//! use ltlcrit_worlds::{World, scripted};
//!
//! let world = scripted::corridor(3);
//! assert_eq!(world.vocabulary().actions().len(), 4); // left, right, wait, and stop
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use ltlcrit_verifier::{ActionId, Axiom, Formula, PropId, PropSet, Proposition, Vocabulary};
use serde_json::json;
use thiserror::Error;

use crate::details::{Details, Facts};
use crate::outcome::{Outcome, Reason};
use crate::world::{Observation, Subgoal, World, WorldError, WorldInfo};

/// The reason code of an action without an applicable rule.
pub const NOT_APPLICABLE: Reason = Reason(Cow::Borrowed("not_applicable"));

/// A rule: the condition and the effect of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The action's name.
    pub action: &'static str,
    /// Facts that must hold.
    pub needs: Vec<String>,
    /// Facts that must not hold.
    pub forbids: Vec<String>,
    /// Facts that hold afterwards.
    pub adds: Vec<String>,
    /// Facts that no longer hold afterwards (unless also added).
    pub removes: Vec<String>,
}

impl Rule {
    /// A rule that always applies and changes nothing.
    pub fn new(action: &'static str) -> Self {
        Self { action, needs: Vec::new(), forbids: Vec::new(), adds: Vec::new(), removes: Vec::new() }
    }

    /// Adds a fact that must hold.
    #[must_use]
    pub fn needs(mut self, fact: impl Into<String>) -> Self {
        self.needs.push(fact.into());
        self
    }

    /// Adds a fact that must not hold.
    #[must_use]
    pub fn forbids(mut self, fact: impl Into<String>) -> Self {
        self.forbids.push(fact.into());
        self
    }

    /// Adds a fact that holds afterwards.
    #[must_use]
    pub fn adds(mut self, fact: impl Into<String>) -> Self {
        self.adds.push(fact.into());
        self
    }

    /// Adds a fact that no longer holds afterwards.
    #[must_use]
    pub fn removes(mut self, fact: impl Into<String>) -> Self {
        self.removes.push(fact.into());
        self
    }
}

/// The reason that a scripted world cannot be built.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ScriptError {
    /// A rule or a state contains a name that the vocabulary does not have.
    #[error("the vocabulary `{vocabulary}` has no {kind} `{name}`")]
    Unknown {
        /// The vocabulary's name.
        vocabulary: String,
        /// `fact` or `action`.
        kind: &'static str,
        /// The unknown name.
        name: String,
    },
}

#[derive(Debug)]
struct CompiledRule {
    action: ActionId,
    needs: PropSet,
    forbids: PropSet,
    adds: PropSet,
    removes: PropSet,
}

/// The rules of a [`ScriptedWorld`].
#[derive(Debug)]
struct Table {
    rules: Vec<CompiledRule>,
    stop: Option<ActionId>,
}

impl Table {
    /// The facts after an action; `None` if no rule applies.
    fn apply(&self, facts: &PropSet, action: ActionId) -> Option<PropSet> {
        if self.stop == Some(action) {
            return Some(*facts);
        }
        let rule = self.rules.iter().find(|rule| {
            rule.action == action && rule.needs.is_subset(facts) && rule.forbids.intersection(facts).is_empty()
        })?;
        Some(facts.difference(&rule.removes).union(&rule.adds))
    }
}

/// A world of facts and rules. An action uses its first applicable rule; without one it fails with [`NOT_APPLICABLE`]
/// and changes nothing.
#[derive(Clone, Debug)]
pub struct ScriptedWorld {
    name: &'static str,
    task: &'static str,
    vocabulary: Arc<Vocabulary>,
    table: Arc<Table>,
    facts: PropSet,
    goal: PropSet,
    subgoals: Vec<Subgoal>,
}

impl ScriptedWorld {
    /// A world that starts with the facts `start` and whose goal is that all of `goal` hold.
    ///
    /// # Errors
    /// A rule, the start or the goal names a fact or action that the vocabulary does not have.
    pub fn new(
        name: &'static str,
        task: &'static str,
        vocabulary: Vocabulary,
        rules: &[Rule],
        start: &[&str],
        goal: &[&str],
    ) -> Result<Self, ScriptError> {
        let unknown =
            |kind, name: String| ScriptError::Unknown { vocabulary: vocabulary.name().to_owned(), kind, name };
        let set = |names: &[&str]| -> Result<PropSet, ScriptError> {
            let facts =
                vocabulary.set(names.iter().copied()).map_err(|error| unknown("fact", error.name.to_string()))?;
            match facts.iter().find(|id| !vocabulary.is_observation(*id)) {
                Some(id) => Err(unknown("fact", vocabulary.name_of(id).to_owned())),
                None => Ok(facts),
            }
        };
        let owned = |names: &[String]| set(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let mut compiled = Vec::with_capacity(rules.len());
        for rule in rules {
            compiled.push(CompiledRule {
                action: vocabulary.action(rule.action).ok_or_else(|| unknown("action", rule.action.to_owned()))?,
                needs: owned(&rule.needs)?,
                forbids: owned(&rule.forbids)?,
                adds: owned(&rule.adds)?,
                removes: owned(&rule.removes)?,
            });
        }
        let (facts, goal) = (set(start)?, set(goal)?);
        let table = Arc::new(Table { rules: compiled, stop: vocabulary.stop() });
        Ok(Self { name, task, vocabulary: Arc::new(vocabulary), table, facts, goal, subgoals: Vec::new() })
    }

    /// Adds milestones, each a set of facts that must hold together.
    ///
    /// # Errors
    /// As [`ScriptedWorld::new`].
    pub fn with_subgoals(mut self, subgoals: &[(&str, &[&str])]) -> Result<Self, ScriptError> {
        for (name, facts) in subgoals {
            let holds = self.vocabulary.set(facts.iter().copied()).map_err(|error| ScriptError::Unknown {
                vocabulary: self.vocabulary.name().to_owned(),
                kind: "fact",
                name: error.name.to_string(),
            })?;
            self.subgoals.push(Subgoal { name: (*name).to_owned(), holds });
        }
        Ok(self)
    }

    /// The facts that hold now.
    pub fn facts(&self) -> PropSet {
        self.facts
    }

    /// The facts after an action in a state with other facts. An action that is not possible changes none.
    pub fn after(&self, facts: &PropSet, action: ActionId) -> PropSet {
        self.table.apply(facts, action).unwrap_or(*facts)
    }
}

#[async_trait(?Send)]
impl World for ScriptedWorld {
    fn info(&self) -> WorldInfo {
        WorldInfo {
            kind: "scripted".to_owned(),
            seed: None,
            options: json!({ "name": self.name }),
            deterministic: true,
        }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.vocabulary.clone()
    }

    fn task(&self) -> &str {
        self.task
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let facts = self.vocabulary.names(&self.facts).into_iter().map(str::to_owned).collect();
        Ok(Observation { holds: self.facts, details: Details::new(Facts { facts }) })
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        if usize::from(action.0) >= self.vocabulary.actions().len() {
            return Err(WorldError::UnknownAction(action.0));
        }
        let name = self.vocabulary.action_name(action);
        Ok(match self.table.apply(&self.facts, action) {
            Some(facts) => {
                self.facts = facts;
                Outcome::new(None, format!("{name} done"), 1)
            }
            None => Outcome::new(Some(NOT_APPLICABLE), format!("{name} is not possible here"), 1),
        })
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.goal.is_subset(&observation.holds)
    }

    fn subgoals(&self) -> &[Subgoal] {
        &self.subgoals
    }
}

/// A corridor of 2 to 200 `places`: it starts at `at_0`, and the last place is the goal. The actions are `action_left`
/// and `action_right`, which fail at the ends, and `action_wait`.
pub fn corridor(places: u16) -> ScriptedWorld {
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
    let step = |action, from: u16, to: u16| Rule::new(action).needs(at(from)).removes(at(from)).adds(at(to));
    let mut rules = vec![Rule::new("action_wait")];
    for place in 1..places {
        rules.push(step("action_right", place - 1, place));
        rules.push(step("action_left", place, place - 1));
    }
    let last = at(places - 1);
    let middle = at(places / 2);
    Vocabulary::new("corridor", observations, actions, exclusive)
        .ok()
        .and_then(|vocabulary| {
            ScriptedWorld::new(
                "corridor",
                "Reach the far end of the corridor.",
                vocabulary,
                &rules,
                &["at_0"],
                &[&last],
            )
            .and_then(|world| world.with_subgoals(&[("halfway", &[&middle]), ("far end", &[&last])]))
            .ok()
        })
        .unwrap_or_else(|| unreachable!("the corridor names only its own places"))
}

/// Returns whether a fact holds, by name.
pub fn holds(vocabulary: &Vocabulary, facts: &PropSet, name: &str) -> bool {
    vocabulary.id(name).is_some_and(|id: PropId| facts.contains(id))
}

#[cfg(test)]
mod tests {

    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    fn act(world: &mut ScriptedWorld, name: &str) -> Outcome {
        let action = world.vocabulary().action(name).unwrap();
        block_on(world.execute(action)).unwrap()
    }

    #[test]
    fn walks_the_corridor() {
        let mut world = corridor(3);
        assert_eq!(act(&mut world, "action_left").failure, Some(NOT_APPLICABLE));
        assert!(act(&mut world, "action_right").succeeded());
        assert!(act(&mut world, "action_wait").succeeded());
        assert!(act(&mut world, "action_stop").succeeded());
        assert!(holds(&world.vocabulary(), &world.facts(), "at_1"));
        let observation = block_on(world.observe()).unwrap();
        assert!(!world.goal_reached(&observation));
        act(&mut world, "action_right");
        let observation = block_on(world.observe()).unwrap();
        assert!(world.goal_reached(&observation));
        assert_eq!(act(&mut world, "action_right").failure, Some(NOT_APPLICABLE));
        assert!(matches!(block_on(world.execute(ActionId(4))), Err(WorldError::UnknownAction(4))));
    }

    #[test]
    fn a_subgoal_may_be_the_goal() {
        let mut world = crate::SubgoalWorld::new(Box::new(corridor(4)), "halfway").unwrap();
        let right = world.vocabulary().action("action_right").unwrap();
        let names: Vec<&str> = world.subgoals().iter().map(|subgoal| subgoal.name.as_str()).collect();
        assert_eq!((names.as_slice(), world.task()), (&["halfway"][..], "Get this far: halfway."));
        for reached in [false, false, true] {
            let observation = block_on(world.observe()).unwrap();
            assert_eq!(world.goal_reached(&observation), reached);
            block_on(world.execute(right)).unwrap();
        }
        assert_eq!(crate::SubgoalWorld::new(Box::new(corridor(4)), "moon").err().unwrap(), ["halfway", "far end"]);
    }

    #[test]
    fn names_what_a_script_got_wrong() {
        let vocabulary = Vocabulary::new("v", vec![Proposition::new("p", "")], vec![Proposition::new("a", "")], vec![]);
        let error =
            ScriptedWorld::new("w", "t", vocabulary.unwrap(), &[Rule::new("a").adds("q")], &[], &[]).unwrap_err();
        assert_eq!(error.to_string(), "the vocabulary `v` has no fact `q`");
    }
}

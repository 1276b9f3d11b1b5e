//! Worlds with a person's additions: derived observations, or a goal of its own.

use std::sync::Arc;

use async_trait::async_trait;
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{ActionId, PropSet, Proposition, Vocabulary};

use crate::derived::DerivedObservations;
use crate::forkable::ForkableWorld;
use crate::outcome::Outcome;
use crate::outlook::Outlook;
use crate::world::{LiveWorld, Observation, Subgoal, Term, World, WorldError, WorldInfo};

/// A world whose vocabulary also has derived observations, or whose goal a person names.
///
/// Only the definitions decide whether a derived observation holds. The [outlook](World::outlook) predicts those that
/// follow from the bounds of an action and leaves the others open.
pub struct Extended {
    world: Box<dyn World>,
    vocabulary: Arc<Vocabulary>,
    derived: DerivedObservations,
    /// True once the definitions were checked against this world's observations.
    checked: bool,
    /// The derived observations that hold in the last observation.
    seen: PropSet,
    /// The named goal.
    goal: Option<NamedGoal>,
}

struct NamedGoal {
    task: String,
    /// The subgoals up to the goal, which is the last one.
    subgoals: Vec<Subgoal>,
}

impl Extended {
    /// Adds derived observations to a world. The list may be empty.
    ///
    /// # Errors
    /// A name that is taken, or too many propositions.
    pub fn new(world: Box<dyn World>, derived: impl IntoIterator<Item = Proposition>) -> Result<Self, VocabularyError> {
        let base = world.vocabulary();
        let extended = base.extended(derived)?;
        // Without derived observations, the vocabulary stays the same object.
        let vocabulary = if extended.derived().is_empty() { base } else { Arc::new(extended) };
        Ok(Self::with(world, vocabulary, None))
    }

    /// A world with a subgoal as its goal. The run ends there.
    ///
    /// # Errors
    /// The names that the world knows, if `goal` is not one of them.
    pub fn towards(world: Box<dyn World>, goal: &str) -> Result<Self, Vec<String>> {
        let subgoals = world.subgoals_to(goal)?;
        let is_own = world.subgoals().iter().any(|subgoal| subgoal.name == goal);
        let task = if is_own { format!("Get this far: {goal}.") } else { format!("Have all of this at once: {goal}.") };
        let vocabulary = world.vocabulary();
        Ok(Self::with(world, vocabulary, Some(NamedGoal { task, subgoals })))
    }

    fn with(world: Box<dyn World>, vocabulary: Arc<Vocabulary>, goal: Option<NamedGoal>) -> Self {
        let derived = DerivedObservations::of(&vocabulary);
        Self { world, vocabulary, derived, checked: false, seen: PropSet::EMPTY, goal }
    }
}

#[async_trait(?Send)]
impl World for Extended {
    fn info(&self) -> WorldInfo {
        self.world.info()
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.vocabulary.clone()
    }

    fn task(&self) -> &str {
        self.goal.as_ref().map_or_else(|| self.world.task(), |goal| &goal.task)
    }

    fn role(&self) -> String {
        self.world.role()
    }

    fn glossary(&self) -> Vec<Term> {
        self.world.glossary()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let mut observation = self.world.observe().await?;
        if !self.derived.is_empty() {
            if !self.checked {
                self.derived.check_fields(&self.vocabulary, &observation.details)?;
                self.checked = true;
            }
            self.seen = self.derived.holding(&observation.details.record());
            observation.holds = observation.holds.union(&self.seen);
        }
        Ok(observation)
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        let mut outcome = self.world.execute(action).await?;
        self.derived.keep(&self.seen, &mut outcome.passed);
        Ok(outcome)
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        self.derived.outlook(self.world.outlook(observation), observation)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        match self.goal.as_ref().and_then(|goal| goal.subgoals.last()) {
            Some(goal) => goal.holds.is_subset(&observation.holds),
            None => self.world.goal_reached(observation),
        }
    }

    fn subgoals(&self) -> &[Subgoal] {
        self.goal.as_ref().map_or_else(|| self.world.subgoals(), |goal| &goal.subgoals)
    }

    fn subgoals_to(&self, goal: &str) -> Result<Vec<Subgoal>, Vec<String>> {
        self.world.subgoals_to(goal)
    }

    fn fork(&self, goal: Option<&str>) -> Option<Box<dyn ForkableWorld>> {
        let own = self.goal.as_ref().and_then(|goal| goal.subgoals.last()).map(|goal| &*goal.name);
        self.world.fork(goal.or(own))
    }

    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        self.world.live()
    }
}

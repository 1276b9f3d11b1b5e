//! A world of any kind behind one type.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use ltlcrit_verifier::{ActionId, Law, LawId, Prediction, PropSet, Vocabulary};

use crate::activity::Watcher;
use crate::bounds::Bounds;
use crate::progress::{Progress, Recorder};
use crate::world::{Observation, Outcome, Subgoal, Term, World, WorldError, WorldInfo};

type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, WorldError>> + 'a>>;

/// A [`World`] whose kind is known at run time only.
pub struct BoxedWorld(Box<dyn AnyWorld>);

impl BoxedWorld {
    /// Hides the kind of a world.
    pub fn new(world: impl World + 'static) -> Self {
        Self(Box::new(world))
    }
}

/// [`World`] with futures in boxes.
trait AnyWorld {
    fn info(&self) -> WorldInfo;
    fn vocabulary(&self) -> Arc<Vocabulary>;
    fn task(&self) -> &str;
    fn glossary(&self) -> Vec<Term>;
    fn observe(&mut self) -> Later<'_, Observation>;
    fn predict(&self, observation: &Observation, action: ActionId) -> Option<Prediction>;
    fn bounds(&self, observation: &Observation, action: ActionId) -> Bounds;
    fn applicable(&self, observation: &Observation) -> Option<Vec<ActionId>>;
    fn passes(&self, observation: &Observation, action: ActionId) -> Vec<PropSet>;
    fn forbidden(&self, taken: &[ActionId], laws: &[Law]) -> Option<Vec<LawId>>;
    fn never_breaks(&self, law: &Law) -> Option<bool>;
    fn record_progress(&mut self, recorder: Recorder);
    fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError>;
    fn recall(&mut self, observation: &Observation);
    fn execute(&mut self, action: ActionId) -> Later<'_, Outcome>;
    fn trace(&self) -> Vec<String>;
    fn watcher(&self) -> Option<Watcher>;
    fn goal_reached(&self, observation: &Observation) -> bool;
    fn respawns(&self) -> bool;
    fn subgoals(&self) -> &[Subgoal];
}

/// Both traits have the same methods: calls one with the other.
macro_rules! forward {
    ($(fn $name:ident($($own:tt)+) $(-> $result:ty)? = $call:expr;)+) => {
        $(fn $name($($own)+) $(-> $result)? { $call })+
    };
}

impl<W: World> AnyWorld for W {
    forward! {
        fn info(&self) -> WorldInfo = World::info(self);
        fn vocabulary(&self) -> Arc<Vocabulary> = World::vocabulary(self);
        fn task(&self) -> &str = World::task(self);
        fn glossary(&self) -> Vec<Term> = World::glossary(self);
        fn observe(&mut self) -> Later<'_, Observation> = Box::pin(World::observe(self));
        fn predict(&self, observation: &Observation, action: ActionId) -> Option<Prediction>
            = World::predict(self, observation, action);
        fn bounds(&self, observation: &Observation, action: ActionId) -> Bounds
            = World::bounds(self, observation, action);
        fn applicable(&self, observation: &Observation) -> Option<Vec<ActionId>>
            = World::applicable(self, observation);
        fn passes(&self, observation: &Observation, action: ActionId) -> Vec<PropSet>
            = World::passes(self, observation, action);
        fn forbidden(&self, taken: &[ActionId], laws: &[Law]) -> Option<Vec<LawId>>
            = World::forbidden(self, taken, laws);
        fn never_breaks(&self, law: &Law) -> Option<bool> = World::never_breaks(self, law);
        fn record_progress(&mut self, recorder: Recorder) = World::record_progress(self, recorder);
        fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError>
            = World::restore_progress(self, progress);
        fn recall(&mut self, observation: &Observation) = World::recall(self, observation);
        fn execute(&mut self, action: ActionId) -> Later<'_, Outcome> = Box::pin(World::execute(self, action));
        fn trace(&self) -> Vec<String> = World::trace(self);
        fn watcher(&self) -> Option<Watcher> = World::watcher(self);
        fn goal_reached(&self, observation: &Observation) -> bool = World::goal_reached(self, observation);
        fn respawns(&self) -> bool = World::respawns(self);
        fn subgoals(&self) -> &[Subgoal] = World::subgoals(self);
    }
}

impl World for BoxedWorld {
    forward! {
        fn info(&self) -> WorldInfo = self.0.info();
        fn vocabulary(&self) -> Arc<Vocabulary> = self.0.vocabulary();
        fn task(&self) -> &str = self.0.task();
        fn glossary(&self) -> Vec<Term> = self.0.glossary();
        fn predict(&self, observation: &Observation, action: ActionId) -> Option<Prediction>
            = self.0.predict(observation, action);
        fn bounds(&self, observation: &Observation, action: ActionId) -> Bounds = self.0.bounds(observation, action);
        fn applicable(&self, observation: &Observation) -> Option<Vec<ActionId>>
            = self.0.applicable(observation);
        fn passes(&self, observation: &Observation, action: ActionId) -> Vec<PropSet>
            = self.0.passes(observation, action);
        fn forbidden(&self, taken: &[ActionId], laws: &[Law]) -> Option<Vec<LawId>>
            = self.0.forbidden(taken, laws);
        fn never_breaks(&self, law: &Law) -> Option<bool> = self.0.never_breaks(law);
        fn record_progress(&mut self, recorder: Recorder) = self.0.record_progress(recorder);
        fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError> = self.0.restore_progress(progress);
        fn recall(&mut self, observation: &Observation) = self.0.recall(observation);
        fn trace(&self) -> Vec<String> = self.0.trace();
        fn watcher(&self) -> Option<Watcher> = self.0.watcher();
        fn goal_reached(&self, observation: &Observation) -> bool = self.0.goal_reached(observation);
        fn respawns(&self) -> bool = self.0.respawns();
        fn subgoals(&self) -> &[Subgoal] = self.0.subgoals();
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        self.0.observe().await
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.0.execute(action).await
    }
}

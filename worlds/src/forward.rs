//! Methods of [`World`](crate::World) that a world inside another one answers.

/// In an implementation of `World`: the methods named are those of the world in a field.
macro_rules! forward_to {
    ($field:ident: $($method:ident)+) => { $($crate::forward::method!($field $method);)+ };
}

macro_rules! method {
    ($field:ident info) => {
        fn info(&self) -> $crate::WorldInfo {
            self.$field.info()
        }
    };
    ($field:ident vocabulary) => {
        fn vocabulary(&self) -> std::sync::Arc<ltlcrit_verifier::Vocabulary> {
            self.$field.vocabulary()
        }
    };
    ($field:ident task) => {
        fn task(&self) -> &str {
            self.$field.task()
        }
    };
    ($field:ident glossary) => {
        fn glossary(&self) -> Vec<$crate::Term> {
            self.$field.glossary()
        }
    };
    ($field:ident observe) => {
        async fn observe(&mut self) -> Result<$crate::Observation, $crate::WorldError> {
            self.$field.observe().await
        }
    };
    ($field:ident predict) => {
        fn predict(
            &self,
            observation: &$crate::Observation,
            action: ltlcrit_verifier::ActionId,
        ) -> Option<ltlcrit_verifier::Prediction> {
            self.$field.predict(observation, action)
        }
    };
    ($field:ident bounds) => {
        fn bounds(&self, observation: &$crate::Observation, action: ltlcrit_verifier::ActionId) -> $crate::Bounds {
            self.$field.bounds(observation, action)
        }
    };
    ($field:ident applicable) => {
        fn applicable(&self, observation: &$crate::Observation) -> Option<Vec<ltlcrit_verifier::ActionId>> {
            self.$field.applicable(observation)
        }
    };
    ($field:ident passes) => {
        fn passes(
            &self,
            observation: &$crate::Observation,
            action: ltlcrit_verifier::ActionId,
        ) -> Vec<ltlcrit_verifier::PropSet> {
            self.$field.passes(observation, action)
        }
    };
    ($field:ident forbidden) => {
        fn forbidden(
            &self,
            taken: &[ltlcrit_verifier::ActionId],
            laws: &[ltlcrit_verifier::Law],
        ) -> Option<Vec<ltlcrit_verifier::LawId>> {
            self.$field.forbidden(taken, laws)
        }
    };
    ($field:ident never_breaks) => {
        fn never_breaks(&self, law: &ltlcrit_verifier::Law) -> Option<bool> {
            self.$field.never_breaks(law)
        }
    };
    ($field:ident record_progress) => {
        fn record_progress(&mut self, recorder: $crate::Recorder) {
            self.$field.record_progress(recorder);
        }
    };
    ($field:ident restore_progress) => {
        fn restore_progress(&mut self, progress: $crate::Progress) -> Result<(), $crate::WorldError> {
            self.$field.restore_progress(progress)
        }
    };
    ($field:ident recall) => {
        fn recall(&mut self, observation: &$crate::Observation) {
            self.$field.recall(observation);
        }
    };
    ($field:ident execute) => {
        async fn execute(&mut self, action: ltlcrit_verifier::ActionId) -> Result<$crate::Outcome, $crate::WorldError> {
            self.$field.execute(action).await
        }
    };
    ($field:ident trace) => {
        fn trace(&self) -> Vec<String> {
            self.$field.trace()
        }
    };
    ($field:ident watcher) => {
        fn watcher(&self) -> Option<$crate::Watcher> {
            self.$field.watcher()
        }
    };
    ($field:ident goal_reached) => {
        fn goal_reached(&self, observation: &$crate::Observation) -> bool {
            self.$field.goal_reached(observation)
        }
    };
    ($field:ident respawns) => {
        fn respawns(&self) -> bool {
            self.$field.respawns()
        }
    };
    ($field:ident subgoals) => {
        fn subgoals(&self) -> &[$crate::world::Subgoal] {
            self.$field.subgoals()
        }
    };
}

pub(crate) use {forward_to, method};

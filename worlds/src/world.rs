//! The [`World`] trait: the interface between the shielded loop and a world.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::activity::Watcher;
use crate::details::Details;
use crate::forkable::ForkableWorld;
pub use crate::outcome::{Outcome, Reason};
use crate::outlook::{Outlook, Unknown};
use crate::progress::{Progress, Recorder};

/// A description of a world, for manifests and reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldInfo {
    /// `embedded`, `server`, …
    pub kind: String,
    /// The seed of the world, if it has one.
    pub seed: Option<u64>,
    /// The options that determine every observation together with the seed and the actions. The format belongs to the
    /// world and stays stable.
    pub options: serde_json::Value,
    /// True if the same actions give the same observations. Such a world resumes an interrupted run by repeating its
    /// actions; other worlds continue from their current state.
    pub deterministic: bool,
}

/// An observation: the full state description and its Boolean abstraction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The propositions that hold (LTLCrit's `x_abstract`).
    pub holds: PropSet,
    /// The full state description (LTLCrit's `x_full`).
    pub details: Details,
}

/// A word that readers of a world's texts cannot know, with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// The word, as it appears in the state description or in the meaning of a proposition: `Nearby`.
    pub word: Cow<'static, str>,
    /// Its meaning, in one line.
    pub meaning: Cow<'static, str>,
}

impl Term {
    /// A word with its meaning.
    pub const fn new(word: &'static str, meaning: &'static str) -> Self {
        Self { word: Cow::Borrowed(word), meaning: Cow::Borrowed(meaning) }
    }
}

/// The reason that a world can no longer be used. A failed action is an [`Outcome`], not an error.
#[derive(Debug, Error)]
pub enum WorldError {
    /// The world has no such action.
    #[error("this world has no action number {0}")]
    UnknownAction(u16),
    /// The player is dead and the world does not respawn.
    #[error("the player died: {0}")]
    Dead(String),
    /// The connection or process behind the world is gone.
    #[error("the world is gone: {0}")]
    Gone(String),
    /// The stored progress of an action cannot be read.
    #[error("what is stored of the action in flight is not a record of this world: {0}")]
    Progress(String),
    /// The observations after a step break an axiom of the world's vocabulary, on which the shield relies.
    #[error(
        "step {step} breaks the axiom {axiom} of the vocabulary `{vocabulary}`: the axiom is false in this world, and no \
         proof that relies on it holds; correct the axiom and check the laws again"
    )]
    BrokenAxiom {
        /// The number of the step; 0 for the initial state.
        step: u64,
        /// The axiom with its reason.
        axiom: String,
        /// The vocabulary's name.
        vocabulary: String,
    },
    /// The world's options forbid the request.
    #[error("{0}")]
    Options(String),
}

/// A world in which an agent acts, one abstract action at a time. Nothing happens between actions.
///
/// Futures need not be `Send`: the loop runs on one thread, as azalea's client requires.
#[async_trait(?Send)]
pub trait World {
    /// A description of this world.
    fn info(&self) -> WorldInfo;

    /// The propositions of this world's observations and actions.
    fn vocabulary(&self) -> Arc<Vocabulary>;

    /// The task, as a sentence for actors: "Mine a diamond."
    fn task(&self) -> &str;

    /// The thing that actors control, with an article: "a household robot".
    fn role(&self) -> String {
        "a player in a game".to_owned()
    }

    /// The words in the state description and in the propositions' meanings that actors need explained.
    fn glossary(&self) -> Vec<Term> {
        Vec::new()
    }

    /// Observes the current state.
    async fn observe(&mut self) -> Result<Observation, WorldError>;

    /// Executes an action until it succeeds or fails.
    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError>;

    /// Predictions for the actions in the state of an observation, which may come from an earlier run.
    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        let _ = observation;
        Box::new(Unknown)
    }

    /// Returns whether an observation is a goal state (LTLCrit's `S_goal`).
    fn goal_reached(&self, observation: &Observation) -> bool;

    /// The milestones of the task in order, for progress and reports.
    fn subgoals(&self) -> &[Subgoal] {
        &[]
    }

    /// Returns the subgoals up to a goal that a person names, which is the last one.
    ///
    /// # Errors
    /// The known names.
    fn subgoals_to(&self, goal: &str) -> Result<Vec<Subgoal>, Vec<String>> {
        let all = self.subgoals();
        match all.iter().position(|subgoal| subgoal.name == goal) {
            Some(place) => Ok(all[..=place].to_vec()),
            None => Err(all.iter().map(|subgoal| subgoal.name.clone()).collect()),
        }
    }

    /// A copy of this world in its current state, to be forked and searched. Its goal is the world's own or the named
    /// subgoal. `None` if the world cannot be copied.
    fn fork(&self, goal: Option<&str>) -> Option<Box<dyn ForkableWorld>> {
        let _ = goal;
        None
    }

    /// This world as a [`LiveWorld`], if its actions take time.
    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        None
    }
}

/// A world whose actions take time, or that continues outside this process.
pub trait LiveWorld {
    /// Stores the progress of every action from now on: at its start, before it leaves anything in the world that a
    /// crash would abandon, and at its end. A [deterministic](WorldInfo::deterministic) world records no progress.
    fn record_progress(&mut self, recorder: Recorder) {
        let _ = recorder;
    }

    /// Restores the progress that an earlier process stored last. If an [action](Progress::action) was under way, the
    /// next call of [`execute`](World::execute) continues it.
    ///
    /// # Errors
    /// The progress does not belong to this world.
    fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError> {
        let _ = progress;
        Ok(())
    }

    /// Restores memory from an observation of an earlier process before a run is resumed, such as places that the
    /// player no longer sees. A [deterministic](WorldInfo::deterministic) world repeats its actions instead.
    fn recall(&mut self, observation: &Observation) {
        let _ = observation;
    }

    /// The trace of the last action for people, one line per event with its time. Empty if the world keeps no trace.
    fn trace(&self) -> Vec<String> {
        Vec::new()
    }

    /// A reader of the activity during [`World::execute`]; `None` if actions take no time.
    fn watcher(&self) -> Option<Watcher> {
        None
    }

    /// Returns whether the player respawns, so that the run continues after an action that failed with `died`.
    fn respawns(&self) -> bool {
        false
    }
}

/// A milestone on the way to the goal (a column of LTLCrit table 1): reached once all its propositions have held
/// together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subgoal {
    /// A short name, such as `wooden pickaxe`.
    pub name: String,
    /// The propositions that must hold together.
    pub holds: PropSet,
}

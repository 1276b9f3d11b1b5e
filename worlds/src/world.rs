//! The [`World`] trait: what the shielded loop needs of a world, be it embedded, behind the game's protocol, or symbolic.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ltlcrit_verifier::{ActionId, PropSet, Transitions, Vocabulary};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::activity::Watcher;
use crate::details::Details;
use crate::progress::{Progress, Recorder};

/// What a world is, for manifests and reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldInfo {
    /// `embedded`, `server`, …
    pub kind: String,
    /// The seed the world was made from, where it has one.
    pub seed: Option<u64>,
    /// The options that, with the seed and the actions, determine every observation; free form, stable.
    pub options: serde_json::Value,
    /// Whether replaying the same actions gives the same observations: an interrupted run is then resumed by repeating
    /// it in a fresh world. Other worlds go on meanwhile, and the run goes on from what they are then.
    pub deterministic: bool,
}

/// What a world shows: LTLCrit's full state description and its Boolean abstraction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The observations that hold (LTLCrit's `x_abstract`).
    pub holds: PropSet,
    /// Everything else an actor is told (LTLCrit's `x_full`).
    pub details: Details,
}

/// A stable, snake_case reason code for a failed action, such as `not_visible` or `missing_ingredients`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reason(pub Cow<'static, str>);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What came of one executed action. Every action costs one step, whatever its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// `None` when the action did what it says; otherwise why it did not.
    pub failure: Option<Reason>,
    /// One sentence for people and models: what happened.
    pub message: String,
    /// Game ticks it took (20 a second).
    pub ticks: u64,
}

impl Outcome {
    /// Whether the action did what it says.
    pub fn succeeded(&self) -> bool {
        self.failure.is_none()
    }
}

/// Why a world can no longer be used. A failed *action* is an [`Outcome`], not an error.
#[derive(Debug, Error)]
pub enum WorldError {
    /// The action is not one of this world's.
    #[error("this world has no action number {0}")]
    UnknownAction(u16),
    /// The player is dead and the world does not respawn.
    #[error("the player died: {0}")]
    Dead(String),
    /// The connection or process behind the world is gone.
    #[error("the world is gone: {0}")]
    Gone(String),
    /// What was written down of an action's progress cannot be read.
    #[error("what is stored of the action in flight is not a record of this world: {0}")]
    Progress(String),
    /// The world was asked for something its options forbid.
    #[error("{0}")]
    Options(String),
}

/// A world an agent acts in. One abstract action at a time; nothing happens between actions.
///
/// Futures need not be `Send`: the loop runs on one thread, as azalea's client requires.
#[allow(async_fn_in_trait)]
pub trait World {
    /// What this world is.
    fn info(&self) -> WorldInfo;

    /// The propositions of this world's observations and actions.
    fn vocabulary(&self) -> Arc<Vocabulary>;

    /// The task, as a sentence for actors: "Mine a diamond."
    fn task(&self) -> &str;

    /// What holds now.
    async fn observe(&mut self) -> Result<Observation, WorldError>;

    /// The exact transition model over observations, where the world has one: then the shield predicts instead of
    /// assuming any observation possible.
    fn transitions(&self) -> Option<Arc<dyn Transitions>> {
        None
    }

    /// Has the progress of every action written down from now on: when it begins, before it puts anything where a crash
    /// would leave it behind, and when it is over. A world that is rebuilt by repeating its actions has none.
    fn record_progress(&mut self, recorder: Recorder) {
        let _ = recorder;
    }

    /// Tells what an earlier process wrote down last. If an [action](Progress::action) was under way, the next
    /// action executed is that one, and goes on.
    ///
    /// # Errors
    /// The progress is not one of this world.
    fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError> {
        let _ = progress;
        Ok(())
    }

    /// Performs an action to its end, be that success or failure.
    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError>;

    /// Shows what is being done while [`Self::execute`] runs; `None` for a world whose actions take no time.
    fn watcher(&self) -> Option<Watcher> {
        None
    }

    /// Whether an observation is a goal state (LTLCrit's `S_goal`).
    fn goal_reached(&self, observation: &Observation) -> bool;

    /// Whether the player comes back after dying, so that the run goes on after an action that failed with `died`.
    fn respawns(&self) -> bool {
        false
    }

    /// The subgoals an observation has reached, in the task's order, for progress and reports.
    fn subgoals(&self) -> &[Subgoal] {
        &[]
    }
}

/// A milestone on the way to the goal (LTLCrit table 1's columns): reached once all its propositions held together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subgoal {
    /// A short name, such as `wooden pickaxe`.
    pub name: String,
    /// The observations that show it.
    pub holds: PropSet,
}

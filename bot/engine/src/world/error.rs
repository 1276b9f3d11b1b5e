//! Errors of opening the world of a run.

use std::error::Error;

use ltlcrit_verifier::vocabulary::VocabularyError;
use thiserror::Error;

/// The reason why the world of a run cannot be opened.
#[derive(Debug, Error)]
pub enum OpenWorldError {
    /// The world cannot have the vocabulary of the books.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// A planning task that cannot be a world.
    #[error("the task in `{folder}` cannot be used")]
    Task {
        /// The folder.
        folder: String,
        /// The reason.
        #[source]
        error: Box<dyn Error + Send + Sync>,
    },
    /// The household does not have such a task.
    #[error("{0}")]
    Household(String),
    /// The world is not a planning task of its own.
    #[error(
        "the world `{world}` is no planning task with danger; examinations are of `pddl:DIR` and `made:SEED-NUMBER`"
    )]
    NoTask {
        /// The world.
        world: String,
    },
    /// The world has no planner.
    #[error("the world `{world}` has no planner")]
    NoPlanner {
        /// The world.
        world: String,
    },
    /// The world cannot be forked.
    #[error("the world `{world}` cannot be copied, so what was blocked cannot be tried there")]
    NoTrials {
        /// The world.
        world: String,
    },
    /// The goal of the run is not a subgoal of the world.
    #[error("the world `{world}` has no subgoal `{goal}`{}", if known.is_empty() { "; it has none" } else { "" })]
    NoSubgoal {
        /// The world.
        world: String,
        /// The goal.
        goal: String,
        /// The subgoals of the world.
        known: Vec<String>,
    },
    /// A server is configured, and this program has no client.
    #[error("this program was built without its Minecraft client")]
    NoClient,
    /// An account that cannot be read.
    #[error("the account cannot be used")]
    Account(#[source] Box<dyn Error + Send + Sync>),
    /// The loopback server does not start.
    #[error("the loopback server cannot be started")]
    Server(#[source] Box<dyn Error + Send + Sync>),
    /// The interrupt was requested while a client joined.
    #[error("cancelled while joining the server")]
    Cancelled,
    /// The client cannot join.
    #[error("the server cannot be joined")]
    Join(#[source] Box<dyn Error + Send + Sync>),
}

//! Errors of opening the world of a run.

use std::error::Error;

use ltlcrit_verifier::vocabulary::VocabularyError;
use thiserror::Error;

use crate::user_error::UserError;

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
    /// The configuration asks for what the world does not have; the error says what would be right.
    #[error(transparent)]
    Config(UserError),
    /// The world cannot be forked.
    #[error("the world `{world}` cannot be copied, so what was blocked cannot be tried there")]
    NoTrials {
        /// The world.
        world: String,
    },
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

//! The shielded loop: observe, propose, judge, execute, store, repeat.
//!
//! ```text
//! observe -> abstract -> actor proposes -> shield judges -+-> world executes -> store
//!    ^                       ^                            |
//!    |                       +-- reprompt with the law ---+ blocked
//!    +----------------------------------------------------+
//! ```
//!
//! [`Agent::run_in`] is the loop in a given world, [`run`](crate::run) opens the world before. The loop never prints; it
//! reports [`Event`]s to an [`Observer`]. A [`Start`] says where the records go. Actors keep nothing between steps that the
//! store does not hold, so a killed run can be resumed.

mod choose;
mod each_second;
mod error;
mod event;
pub(crate) mod foresight;
mod history;
mod in_flight;
mod laws;
mod log;
pub mod metrics;
mod observe;
mod query;
mod readable;
mod resume;
mod run;
pub(crate) mod shielding;
mod stall;

pub use each_second::each_second;
pub use error::AgentError;
pub use event::{Event, Observer, Silent};
pub use laws::{law_records, restore_laws};
use ltlcrit_model::{ModelInfo, Price};
use ltlcrit_store::{BookRecord, Durability, Episode, Limits, Program, RunId, Store};
use ltlcrit_verifier::{Fallback, Law};
pub use ltlcrit_worlds::Interrupt;
pub use metrics::{Metrics, RunSummary, steps_taken};
pub use readable::readable;

use crate::actor::Actor;
use crate::books::NewLaws;

/// An actor that is ready to run in a world.
pub struct Agent<'a> {
    /// The actor that proposes actions.
    pub actor: &'a mut dyn Actor,
    /// The observer of the run's events.
    pub observer: &'a mut dyn Observer,
    /// Ends the run cleanly from outside.
    pub interrupt: Interrupt,
    /// The source of laws that replace those in force, asked between two steps.
    pub new_laws: &'a mut dyn NewLaws,
    /// True if each step is stored with the world's [trace](ltlcrit_worlds::LiveWorld::trace) of its action.
    pub keep_traces: bool,
}

/// The beginning of a run, and the destination of its records.
pub enum Start<'a> {
    /// A new run, the next one of a store.
    Stored {
        /// The store.
        store: &'a Store,
        /// The time at which a step is on disk.
        durability: Durability,
        /// The contents of its manifest.
        facts: RunFacts,
    },
    /// A new run, kept in memory for [`Store::commit`]. Its number is 0.
    Kept {
        /// Receives the records.
        episode: &'a mut Option<Episode>,
        /// The contents of its manifest.
        facts: RunFacts,
    },
    /// A run that was killed, interrupted, or ended by a limit. A deterministic world must be a fresh one, made from the
    /// manifest's seed and options; any other world is used as it is.
    Resumed {
        /// The store.
        store: &'a Store,
        /// The time at which a step is on disk.
        durability: Durability,
        /// The run.
        run: RunId,
        /// Limits in place of the run's own, so that a used-up budget can be raised.
        limits: Option<Limits>,
    },
}

/// The contents of a new run's manifest other than its world and actor.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// The program that runs it.
    pub program: Program,
    /// The whole configuration, without secrets.
    pub configuration: serde_json::Value,
    /// The model behind the actor.
    pub model: ModelInfo,
    /// The price of the model's tokens, if known.
    pub price: Option<Price>,
    /// The seed of everything random other than the world.
    pub seed: u64,
    /// The books the laws come from.
    pub books: Vec<BookRecord>,
    /// The laws in force.
    pub laws: Vec<Law>,
    /// True if the shield enforces the laws; otherwise breaches are only recorded.
    pub shielded: bool,
    /// True if hard laws are judged by every letter that the world predicts; otherwise they are judged cooperatively.
    pub robust: bool,
    /// The soft laws that are suspended in an over-constrained state.
    pub fallback: Fallback,
    /// The limits.
    pub limits: Limits,
}

/// Returns the description of this program for manifests.
pub fn program() -> Program {
    Program {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        revision: option_env!("LTLCRIT_GIT_REVISION").filter(|revision| !revision.is_empty()).map(str::to_owned),
    }
}

/// Keeps the laws as they are: the usual value of [`Agent::new_laws`].
pub fn same_laws(_: u64) -> Option<Vec<Law>> {
    None
}

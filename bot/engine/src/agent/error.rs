//! Errors of starting, storing and resuming runs. A run that misses its goal is not an error.

use ltlcrit_store::{End, RunId, StoreError};
use ltlcrit_verifier::RunFault;
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_worlds::WorldError;
use thiserror::Error;

/// A failure that leaves no run to summarise.
#[derive(Debug, Error)]
pub enum AgentError {
    /// The store failed; the run can be resumed from its last stored step once the store works again.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The laws cannot be enforced.
    #[error(transparent)]
    Shield(#[from] ShieldError),
    /// The shield was given a step that no run takes.
    #[error("the shield cannot follow the run: {0}")]
    Fault(#[from] RunFault),
    /// The world did not show its initial state.
    #[error("the world cannot be used: {0}")]
    World(#[from] WorldError),
    /// The program cannot read a stored law.
    #[error("run {run}: the stored law `{id}` cannot be read: {why}")]
    StoredLaw {
        /// The run.
        run: RunId,
        /// The law.
        id: String,
        /// The reason.
        why: String,
    },
    /// The run ended by itself and cannot be resumed.
    #[error("run {run} cannot be resumed: it has ended ({end})")]
    Ended {
        /// The run.
        run: RunId,
        /// The end of the run.
        end: End,
    },
    /// Something has changed since the run began.
    #[error("run {run} cannot be resumed with another {what}: it was started with {then}, this is {now}")]
    Mismatch {
        /// The run.
        run: RunId,
        /// The part that differs.
        what: &'static str,
        /// Its value when the run began.
        then: String,
        /// Its value now.
        now: String,
    },
    /// Executing the stored actions had another result.
    #[error("run {run} cannot be resumed: at step {step} the world went another way than it did: {difference}")]
    Diverged {
        /// The run.
        run: RunId,
        /// The first step that differs.
        step: u64,
        /// The first difference.
        difference: String,
    },
}

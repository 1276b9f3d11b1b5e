//! Events of a run as they happen, for progress lines, logs and tests.

use std::time::Duration;

use ltlcrit_model::Wait;
use ltlcrit_store::{LawId, LawRecord, ProposalRecord, RunManifest, StepRecord};
use ltlcrit_verifier::{ActionId, Enforcement};
use ltlcrit_worlds::Activity;

use super::metrics::{Metrics, RunSummary};
use crate::books::{LawChange, NotTaken};

/// Something that happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A run begins or is resumed.
    Started {
        /// Its manifest.
        manifest: &'a RunManifest,
        /// For a resumed run: the number of stored steps executed again to rebuild the world.
        resumed_after: Option<u64>,
    },
    /// A stored step was read back, and executed again where that rebuilds the world.
    Restored {
        /// The step.
        record: &'a StepRecord,
        /// The number of stored steps.
        of: u64,
    },
    /// Other laws came into force.
    LawsReplaced {
        /// The first step they hold for, and how they differ from the previous ones.
        change: &'a LawChange,
        /// All laws in force now.
        laws: &'a [LawRecord],
    },
    /// A law book changed and was not taken.
    BookNotTaken {
        /// The step to be taken.
        step: u64,
        /// The book, and the reason.
        not_taken: &'a NotTaken,
    },
    /// A changed law book is still being judged; until then the laws stay as they are.
    JudgingBook {
        /// The step to be taken.
        step: u64,
        /// The book's file.
        source: &'a str,
    },
    /// The laws leave no action in this state, or it could not be decided whether they do.
    OverConstrained {
        /// The step to be taken.
        step: u64,
        /// The laws that remain in force, and the laws that conflict or could not be decided.
        force: &'a Enforcement,
    },
    /// The laws leave no way to the goal, proved.
    Impossible {
        /// The step to be taken.
        step: u64,
        /// The laws; none of them can be left out.
        laws: &'a [LawId],
    },
    /// No action is sure to keep to some hard laws, whatever it leads to.
    Relaxed {
        /// The step to be taken.
        step: u64,
        /// The laws; for this step they are judged cooperatively.
        laws: &'a [LawId],
    },
    /// The actor is asked.
    Asking {
        /// The step to be taken.
        step: u64,
        /// The number of this question within the step, from 1.
        attempt: u32,
    },
    /// The actor has not answered yet; reported every second.
    Thinking {
        /// The step to be taken.
        step: u64,
        /// The number of the question within the step, from 1.
        attempt: u32,
        /// The time since it was asked.
        elapsed: Duration,
        /// The wait before its model can be asked; `None` while it thinks.
        wait: Option<&'a Wait>,
    },
    /// Something was proposed and judged.
    Proposed {
        /// The step to be taken.
        step: u64,
        /// The proposal with its ruling.
        proposal: &'a ProposalRecord,
    },
    /// An action starts.
    Executing {
        /// The step.
        step: u64,
        /// The action.
        action: ActionId,
    },
    /// The action is not over yet; reported every second.
    Acting {
        /// The step.
        step: u64,
        /// The action.
        action: ActionId,
        /// The time since it started.
        elapsed: Duration,
        /// The player's activity, if the world reports it.
        activity: Option<&'a Activity>,
    },
    /// A step is in the store.
    Stored {
        /// The step.
        record: &'a StepRecord,
        /// The run so far.
        metrics: &'a Metrics,
    },
    /// The run is over.
    Ended {
        /// Its summary.
        summary: &'a RunSummary,
    },
}

/// Receives the events of a run.
pub trait Observer {
    /// Something happened.
    fn on(&mut self, event: &Event<'_>);
}

/// An observer that ignores every event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&mut self, _: &Event<'_>) {}
}

impl<F: FnMut(&Event<'_>)> Observer for F {
    fn on(&mut self, event: &Event<'_>) {
        self(event);
    }
}

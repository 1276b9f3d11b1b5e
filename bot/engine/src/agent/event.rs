//! Events of a run as they happen, for progress lines, logs and tests.

use std::time::Duration;

use ltlcrit_model::Wait;
use ltlcrit_store::{LawId, LawRecord, ProposalRecord, RunManifest, StepRecord};
use ltlcrit_verifier::{ActionId, Enforcement};
use ltlcrit_worlds::Activity;

use super::metrics::{Metrics, RunSummary};
use crate::books::{LawChange, NotTaken};

/// An event of a run.
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
    /// A stored step was read back, and executed again if that rebuilds the world.
    Restored {
        /// The step.
        record: &'a StepRecord,
        /// The number of stored steps.
        of: u64,
    },
    /// The laws in force were replaced.
    LawsReplaced {
        /// The first step for which the new laws hold, and how they differ from the previous ones.
        change: &'a LawChange,
        /// All laws in force now.
        laws: &'a [LawRecord],
    },
    /// A law book changed, and the change was rejected.
    BookNotTaken {
        /// The step to be taken.
        step: u64,
        /// The book, and the reason.
        not_taken: &'a NotTaken,
    },
    /// The laws leave no action in this state, or the budget did not suffice to decide whether they do.
    OverConstrained {
        /// The step to be taken.
        step: u64,
        /// The laws that remain in force, and the laws that conflict or are undecided.
        force: &'a Enforcement,
    },
    /// A search proved that the laws leave no way to the goal.
    Impossible {
        /// The step to be taken.
        step: u64,
        /// A minimal set of such laws.
        laws: &'a [LawId],
    },
    /// No action satisfies some hard laws for sure, whatever it leads to.
    Relaxed {
        /// The step to be taken.
        step: u64,
        /// These laws; they are judged cooperatively in this step.
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
    /// A proposal was judged.
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
    /// Receives one event.
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

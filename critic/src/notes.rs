//! Notes on runs beside their steps, for proposers: the revision of the book they ran under, and what actors did instead of what
//! was blocked.

use std::collections::BTreeMap;

use ltlcrit_store::{LawId, RunId};
use ltlcrit_verifier::ActionId;

use crate::graph::{Citation, TrajectoryGraph};

/// Notes on the runs that a critic has read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunNotes {
    /// The revision of the learned book that each run began under. A run without that book has none.
    pub revisions: BTreeMap<RunId, u64>,
    /// What actors did instead of what laws blocked.
    pub instead: Vec<Instead>,
    /// The laws of the book that were played against the book without them and given up.
    pub given_up: Vec<GivenUp>,
}

/// A law that was given up, because runs were worse with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The law.
    pub law: LawId,
    /// Its formula.
    pub formula: String,
    /// The figures of the runs with it and without it.
    pub outcome: String,
}

/// A step that an actor took after a law had blocked what it proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    /// The law.
    pub law: LawId,
    /// The blocked action.
    pub blocked: ActionId,
    /// The action taken in the end.
    pub taken: ActionId,
    /// The step.
    pub step: Citation,
}

/// Figures of some runs together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunFigures {
    /// The number of runs.
    pub runs: u64,
    /// Those that reached their goal.
    pub goals: u64,
    /// The steps of these.
    pub steps_to_goals: u64,
    /// The steps of all.
    pub steps: u64,
    /// Steps that failed.
    pub failed: u64,
}

impl RunNotes {
    /// The revisions that runs began under, each with the figures of its runs, the newest first.
    pub fn figures(&self, graph: &TrajectoryGraph) -> Vec<(u64, RunFigures)> {
        let mut by_revision: BTreeMap<u64, RunFigures> = BTreeMap::new();
        for (run, path) in graph.runs() {
            let Some(revision) = self.revisions.get(&run) else { continue };
            let figures = by_revision.entry(*revision).or_default();
            let steps = path.steps().len() as u64;
            figures.runs += 1;
            figures.steps += steps;
            figures.failed += path.steps().iter().filter(|step| graph.failure(**step).is_some()).count() as u64;
            if path.reached_goal() {
                figures.goals += 1;
                figures.steps_to_goals += steps;
            }
        }
        by_revision.into_iter().rev().collect()
    }
}

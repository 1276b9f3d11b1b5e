//! Notes on runs beside their steps, for proposers: the revision of the book they ran under, and what actors did instead of what
//! was blocked.

use std::collections::BTreeMap;

use ltlcrit_store::{LawId, RunId};
use ltlcrit_verifier::ActionId;

use crate::graph::{Citation, TrajectoryGraph};

/// Notes on the runs that a critic has read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunNotes {
    /// The revision of the learned book that each run began under. A run without that book has none, nor has one that tried a law.
    pub revisions: BTreeMap<RunId, u64>,
    /// What actors did instead of what laws blocked.
    pub instead: Vec<Instead>,
    /// The last revision that was rolled back, if one was since the last critique.
    pub rolled_back: Option<RolledBack>,
    /// The laws of the book whose trial is over.
    pub tried: Vec<Tried>,
}

/// A law whose trial is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The law.
    pub law: LawId,
    /// Its formula.
    pub formula: String,
    /// Whether it was kept, with the figures of the runs with and without it.
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

/// A revision of a book that was given up, because runs were significantly worse under it.
#[derive(Clone, Debug, PartialEq)]
pub struct RolledBack {
    /// The revision that was given up.
    pub revision: u64,
    /// What it had been before, and is again.
    pub to: u64,
    /// The laws that it had added, with their formulas.
    pub added: Vec<(LawId, String)>,
    /// The laws that it had retired.
    pub retired: Vec<LawId>,
    /// What got worse, with the figures.
    pub why: String,
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

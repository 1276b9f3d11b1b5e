//! Trials of laws: the same seeds with and without a law decide whether it stays.
//!
//! A law that the gate admitted on trial stands in the book and is not in force. The episodes of an iteration run without it; then
//! the same seeds run once more with it, for each law on trial by itself. The law is kept if not fewer runs reach the goal and they
//! get as far in the task's subgoals, and, where both are equal, if they take no more steps in all. This needs no significance:
//! nothing else speaks for the law, and of two ways that do as well the one that was measured to be better is taken.

use std::cmp::Ordering;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_critic::admission::Staging;
use ltlcrit_laws::{Book, Edit, Provenance, Status};
use ltlcrit_store::{LawId, Store};
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;

use super::revise::{ReviseError, revise};
use super::rollback::Score;
use super::{Comparison, EpisodeFigures};
use crate::agent::RunSummary;

/// The outcome of a law's trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialOutcome {
    /// The law.
    pub law: LawId,
    /// Whether it is kept.
    pub kept: bool,
    /// The figures of the episodes with it.
    pub with: EpisodeFigures,
    /// The figures of the episodes of the same seeds without it.
    pub without: EpisodeFigures,
    /// The p-values of the differences.
    pub comparison: Comparison,
    /// The decision and the figures in words, as the book keeps them.
    pub outcome: String,
}

impl TrialOutcome {
    /// Compares runs of the same seeds with a law and without it.
    pub fn of(law: LawId, with: &[RunSummary], without: &[RunSummary]) -> Self {
        let kept = !Totals::of(with).is_worse_than(&Totals::of(without));
        let comparison = Comparison::of(without, with);
        let word = if kept { Provenance::KEPT } else { "withdrawn" };
        let outcome = format!(
            "{word} after a trial on {} seeds: with it {}, without it {} (p of goals, steps: {:.3}, {:.3})",
            with.len(),
            figures(with),
            figures(without),
            comparison.goals_p,
            comparison.steps_p
        );
        let (with, without) = (EpisodeFigures::of(with), EpisodeFigures::of(without));
        Self { law, kept, with, without, comparison, outcome }
    }
}

/// What runs reached, together.
#[derive(Clone, Copy, Debug)]
struct Totals {
    goals: usize,
    /// The subgoals reached, the goal included.
    stages: f64,
    steps: u64,
}

impl Totals {
    fn of(runs: &[RunSummary]) -> Self {
        Self {
            goals: runs.iter().filter(|run| run.reached_goal()).count(),
            stages: runs.iter().map(|run| Score::of(run).stage).sum(),
            steps: runs.iter().map(|run| run.metrics.steps).sum(),
        }
    }

    /// Compares goals first, then subgoals, then steps.
    fn is_worse_than(&self, other: &Self) -> bool {
        let reached = self.goals.cmp(&other.goals).then(self.stages.total_cmp(&other.stages));
        reached.then(other.steps.cmp(&self.steps)) == Ordering::Less
    }
}

/// `18 of 20 reached the goal in 41.1 steps, 47.0 steps and 4.8 subgoals a run`
fn figures(runs: &[RunSummary]) -> String {
    let EpisodeFigures { episodes, goals, mean_steps, .. } = EpisodeFigures::of(runs);
    let in_steps = mean_steps.map(|steps| format!(" in {steps:.1} steps")).unwrap_or_default();
    let (Totals { stages, steps, .. }, count) = (Totals::of(runs), episodes.max(1) as f64);
    let rest = match goals == episodes {
        true => String::new(),
        false => format!(", {:.1} steps and {:.1} subgoals a run", steps as f64 / count, stages / count),
    };
    format!("{goals} of {episodes} reached the goal{in_steps}{rest}")
}

/// The book after the trials of its laws, as a new revision that is kept in the store. A law that is kept gets the status that
/// admitted laws get; every outcome is written into the law's provenance.
///
/// # Errors
/// A book that cannot be changed or a store that cannot be written.
pub(super) fn decide(
    book: &Book,
    outcomes: &[TrialOutcome],
    staging: Staging,
    vocabulary: &Arc<Vocabulary>,
    store: &Store,
    now: Timestamp,
) -> Result<Book, ReviseError> {
    let mut edit = Edit::new(book)?;
    for TrialOutcome { law, kept, outcome, .. } in outcomes {
        let status = match (kept, staging) {
            (true, Staging::Adopt) => Status::Adopted,
            (true, Staging::Propose) => Status::Proposed,
            (false, _) => Status::Retired { reason: outcome.clone() },
        };
        edit.set_status(law, &status)?;
        edit.set_trial(law, outcome)?;
    }
    revise(edit, vocabulary, store, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_count_before_subgoals_and_these_before_steps() {
        let totals = |goals, stages, steps| Totals { goals, stages, steps };
        let without = totals(5, 25.0, 200);
        let worse = [totals(4, 30.0, 100), totals(5, 24.0, 100), totals(5, 25.0, 201)];
        assert!(worse.iter().all(|with| with.is_worse_than(&without)));
        let kept = [totals(6, 20.0, 300), totals(5, 26.0, 300), totals(5, 25.0, 199), without];
        assert!(kept.iter().all(|with| !with.is_worse_than(&without)), "a law that changes nothing stays");
    }
}

//! Rollback: a revision of a book under which runs are significantly worse is given up.
//!
//! Every iteration is compared with the best one so far, by seed, in three measures: the goals reached, how far runs got in the
//! task's subgoals, and the share of actions that failed. A one-sided test at the level [`SIGNIFICANT`] decides, so five
//! seeds are enough if all five got worse. More failed actions alone are no reason if more goals or subgoals were reached.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_critic::notes::RolledBack;
use ltlcrit_laws::{Book, Edit, Status};
use ltlcrit_statistics::{Resampling, mcnemar_of_pairs, sign_flip};
use ltlcrit_store::{LawId, Store};
use ltlcrit_verifier::Vocabulary;

use super::SIGNIFICANT;
use super::revise::{ReviseError, revise};
use crate::agent::RunSummary;

/// The best iteration so far.
#[derive(Clone, Debug)]
pub struct BestIteration {
    book: Book,
    scores: BTreeMap<u64, Score>,
}

/// What counts of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Score {
    reached_goal: bool,
    /// The number of the last subgoal reached, from 1; one more than there are for the goal.
    pub stage: f64,
    failed: f64,
}

impl Score {
    pub fn of(run: &RunSummary) -> Self {
        let (subgoals, steps) = (&run.metrics.subgoals, run.metrics.steps);
        let last = subgoals.iter().rposition(|subgoal| subgoal.step.is_some()).map_or(0, |last| last + 1);
        let stage = if run.reached_goal() { subgoals.len() + 1 } else { last };
        let failed = if steps > 0 { run.metrics.failed_actions as f64 / steps as f64 } else { 0.0 };
        Self { reached_goal: run.reached_goal(), stage: stage as f64, failed }
    }
}

/// A measure of paired runs: the values before and after, the more the better.
struct Measure {
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Measure {
    fn change(&self) -> f64 {
        self.after.iter().sum::<f64>() - self.before.iter().sum::<f64>()
    }

    /// The one-sided p-value of a fall; 1 if it did not fall.
    fn fall(&self) -> f64 {
        // The test is symmetric, so that half of its two-sided value is that of one side.
        match sign_flip(&self.before, &self.after, Resampling::default()) {
            Ok(test) if self.change() < 0.0 => test.p / 2.0,
            _ => 1.0,
        }
    }
}

/// The scores of runs, by seed.
fn scores(runs: &[RunSummary]) -> BTreeMap<u64, Score> {
    runs.iter().map(|run| (run.seed, Score::of(run))).collect()
}

impl BestIteration {
    /// The first iteration.
    pub fn new(book: &Book, runs: &[RunSummary]) -> Self {
        Self { book: book.clone(), scores: scores(runs) }
    }

    /// Tells how later runs of the same seeds are significantly worse; `None` if they are not.
    pub fn worse(&self, runs: &[RunSummary]) -> Option<String> {
        self.worse_scores(&scores(runs))
    }

    fn worse_scores(&self, later: &BTreeMap<u64, Score>) -> Option<String> {
        let pairs: Vec<(Score, Score)> =
            later.iter().filter_map(|(seed, after)| Some((*self.scores.get(seed)?, *after))).collect();
        let measure = |value: fn(&Score) -> f64| Measure {
            before: pairs.iter().map(|(before, _)| value(before)).collect(),
            after: pairs.iter().map(|(_, after)| value(after)).collect(),
        };
        let (stages, unfailed) = (measure(|score| score.stage), measure(|score| -score.failed));
        let goals = |which: fn(&(Score, Score)) -> bool| pairs.iter().map(which).collect::<Vec<bool>>();
        let (before, after) = (goals(|pair| pair.0.reached_goal), goals(|pair| pair.1.reached_goal));
        let count = |goals: &[bool]| goals.iter().filter(|goal| **goal).count();
        let seeds = pairs.len();
        let goals_p = mcnemar_of_pairs(&before, &after).map_or(1.0, |test| test.p / 2.0);
        if count(&after) < count(&before) && goals_p < SIGNIFICANT {
            return Some(format!(
                "on the same {seeds} seeds {} runs reached the goal, {} before (p {goals_p:.3})",
                count(&after),
                count(&before)
            ));
        }
        let p = stages.fall();
        if p < SIGNIFICANT {
            let mean = |values: &[f64]| values.iter().sum::<f64>() / seeds as f64;
            return Some(format!(
                "on the same {seeds} seeds runs reached {:.1} subgoals, {:.1} before (p {p:.3})",
                mean(&stages.after),
                mean(&stages.before)
            ));
        }
        let p = unfailed.fall();
        if p < SIGNIFICANT && count(&after) <= count(&before) && stages.change() <= 0.0 {
            let mean = |values: &[f64]| -100.0 * values.iter().sum::<f64>() / seeds as f64;
            return Some(format!(
                "on the same {seeds} seeds {:.1}% of the actions failed, {:.1}% before (p {p:.3})",
                mean(&unfailed.after),
                mean(&unfailed.before)
            ));
        }
        None
    }

    /// Takes later runs, which are not significantly worse, in place of these unless these reached more.
    pub fn take(&mut self, book: &Book, runs: &[RunSummary]) {
        let now = Self::new(book, runs);
        let sum = |best: &Self| best.scores.values().map(|score| score.stage).sum::<f64>();
        if sum(&now) >= sum(self) {
            *self = now;
        }
    }

    /// Whether the same laws are in force in a book.
    pub fn has_laws_of(&self, book: &Book) -> bool {
        let in_force = |book: &Book| -> Vec<(LawId, String)> {
            book.laws_in_force().into_iter().map(|law| (law.id, law.formula.to_string())).collect()
        };
        in_force(&self.book) == in_force(book)
    }

    /// The laws of the best iteration as a new revision of the book, kept in the store, with what was given up.
    ///
    /// # Errors
    /// A book that cannot be changed or a store that cannot be written.
    pub fn restore(
        &self,
        given_up: &Book,
        why: String,
        vocabulary: &Arc<Vocabulary>,
        store: &Store,
        now: Timestamp,
    ) -> Result<(Book, RolledBack), ReviseError> {
        let mut edit = Edit::new(given_up)?;
        let (mut added, mut retired): (Vec<(LawId, String)>, Vec<LawId>) = (Vec::new(), Vec::new());
        for entry in given_up.entries() {
            let on_trial = |status: &Status| matches!(status, Status::OnTrial { .. });
            let before = self.book.entry(&entry.id).map(|entry| entry.status.clone());
            // The trial of a law that was on trial then may have been decided since.
            let before = before.filter(|status| !on_trial(status) || entry.provenance.trial.is_none());
            // A law on trial was proved to fit the laws that are given up, and not those that come back.
            let stands = entry.in_force() || on_trial(&entry.status);
            if before.as_ref() == Some(&entry.status) || before.is_none() && !stands {
                continue;
            }
            if entry.in_force() {
                added.push((entry.id.clone(), entry.formula.to_string()));
            } else if before == Some(Status::Adopted) {
                retired.push(entry.id.clone());
            }
            let reason = format!("rolled back with revision {}: {why}", given_up.revision());
            edit.set_status(&entry.id, &before.unwrap_or(Status::Retired { reason }))?;
        }
        let book = revise(edit, vocabulary, store, now)?;
        let rolled_back = RolledBack { revision: given_up.revision(), to: self.book.revision(), added, retired, why };
        Ok((book, rolled_back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(laws: &[(&str, &str)]) -> Book {
        let mut text = "name = \"learned\"\nrevision = 3\nvocabulary = \"minecraft\"\n".to_owned();
        for (id, status) in laws {
            text.push_str(&format!(
                "\n[[law]]\nid = \"{id}\"\nformula = \"G(obs_has_log -> X !action_mine_log)\"\nstrength = \"soft\"\n\
                 explanation = \"It is so.\"\n{status}\nprovenance = {{ origin = \"hand\" }}\n"
            ));
        }
        Book::parse(&text, "test").unwrap().over(&ltlcrit_minecraft::vocabulary()).unwrap()
    }

    fn best(scores: &[(bool, f64, f64)]) -> BestIteration {
        BestIteration { book: book(&[("old", "status = \"adopted\"")]), scores: by_seed(scores) }
    }

    fn by_seed(scores: &[(bool, f64, f64)]) -> BTreeMap<u64, Score> {
        let score = |(reached_goal, stage, failed): &(bool, f64, f64)| Score {
            reached_goal: *reached_goal,
            stage: *stage,
            failed: *failed,
        };
        (1..).zip(scores.iter().map(score)).collect()
    }

    #[test]
    fn five_seeds_are_enough_if_all_got_worse() {
        let worse = |before, after, seeds: usize| {
            best(&vec![before; seeds]).worse_scores(&by_seed(&vec![after; seeds])).unwrap_or_default()
        };
        let (reached, missed) = ((true, 9.0, 0.1), (false, 4.0, 0.1));
        assert_eq!(worse(reached, missed, 5), "on the same 5 seeds 0 runs reached the goal, 5 before (p 0.031)");
        assert_eq!(worse(reached, missed, 4), "", "four are not");
        assert_eq!(worse(missed, reached, 5), "");
        let earlier = (false, 2.0, 0.1);
        assert_eq!(worse(missed, earlier, 5), "on the same 5 seeds runs reached 2.0 subgoals, 4.0 before (p 0.031)");
        let (failing, further) = ((false, 4.0, 0.99), (false, 5.0, 0.99));
        assert_eq!(
            worse(missed, failing, 5),
            "on the same 5 seeds 99.0% of the actions failed, 10.0% before (p 0.031)"
        );
        assert_eq!(worse(missed, further, 5), "", "more may fail where runs get further");
    }

    #[test]
    fn the_laws_of_the_best_iteration_are_in_force_again() {
        let directory = ltlcrit_store::scratch::directory().unwrap();
        let store = Store::open(directory.path().join("store")).unwrap();
        let best = best(&[]);
        let now =
            book(&[("old", "status = \"retired\"\nreason = \"It never fires.\""), ("new", "status = \"adopted\"")]);
        let time = "2026-01-02T03:04:05Z".parse().unwrap();
        let vocabulary = ltlcrit_minecraft::vocabulary();
        let (restored, told) = best.restore(&now, "goals fell".into(), &vocabulary, &store, time).unwrap();
        assert_eq!((restored.revision(), told.revision, told.to), (4, 3, 3));
        assert!(best.has_laws_of(&restored) && !best.has_laws_of(&now));
        let in_force: Vec<String> = restored.laws_in_force().iter().map(|law| law.id.to_string()).collect();
        assert_eq!(in_force, ["old"]);
        let reason = "rolled back with revision 3: goals fell".to_owned();
        assert_eq!(restored.entry("new").unwrap().status, Status::Retired { reason });
        assert_eq!((told.added.len(), told.retired), (1, vec![LawId::from("old")]));
        assert_eq!(store.book_revisions().count(), 1);
    }

    #[test]
    fn a_law_that_was_on_trial_goes_with_the_revision_that_kept_it() {
        let directory = ltlcrit_store::scratch::directory().unwrap();
        let store = Store::open(directory.path().join("store")).unwrap();
        let (on_trial, adopted) = ("status = \"on-trial\"\nreason = \"Nothing shows it.\"", "status = \"adopted\"");
        let retired = "status = \"retired\"\nreason = \"`next` says it already.\"";
        let before = book(&[("old", adopted), ("tried", on_trial), ("waits", on_trial)]);
        let best = BestIteration { book: before, ..best(&[]) };
        let now = book(&[("old", adopted), ("tried", adopted), ("waits", retired), ("next", on_trial)]);
        // The trial of the second one was decided meanwhile.
        let mut text = now.text().to_owned();
        let at = text.match_indices("{ origin = \"hand\" }").nth(1).unwrap().0;
        text.insert_str(at + "{ origin = \"hand\"".len(), ", trial = \"kept\"");
        let now = Book::parse(&text, "test").unwrap().over(&ltlcrit_minecraft::vocabulary()).unwrap();
        let time = "2026-01-02T03:04:05Z".parse().unwrap();
        let vocabulary = ltlcrit_minecraft::vocabulary();
        let (restored, told) = best.restore(&now, "goals fell".into(), &vocabulary, &store, time).unwrap();
        let status = |law: &str| restored.entry(law).unwrap().status.as_str();
        let all = ["old", "tried", "waits", "next"].map(status);
        assert_eq!(all, ["adopted", "retired", "on-trial", "retired"], "what fits other laws goes with them");
        assert_eq!(told.added.len(), 1);
    }
}

//! The one decision about a revision of a book: it is played against the one before, and the better one goes on.
//!
//! Both play the same fresh seeds. How far runs got in the task counts first, the goal being the last stage; then the steps to the
//! goal, where a run that missed it counts with the longest run; then, on the seeds on which both reached it, the share of
//! actions that failed. In a run that misses its goal a failure costs no more than any other needless step, and tells more: a
//! revision whose runs fail where those before explored on and on gets nobody less far. The revision is worse if
//! a one-sided sign-flip test says so of the first measure that differs significantly. A handful of seeds shows a difference only if
//! all of them do. So where the first measure that differs is against the revision, but not significantly, both play further seeds,
//! up to [`MANY`]. A revision that is worse is bisected: its changes are added to the book before in halves, as long as that makes
//! runs no worse, until the guilty ones are left. These are given up.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::{Book, Edit, Status};
use ltlcrit_statistics::{Resampling, sign_flip};
use ltlcrit_store::{LawId, Store};
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;

use super::book_file::leave_an_action;
use super::episodes::Episodes;
use super::figures::EpisodeFigures;
use super::revise::{ReviseError, revise};
use super::stable::{Comparison, SIGNIFICANT};
use crate::agent::RunSummary;

/// The most times that the seeds are played to find the guilty laws of one revision. Then the rest is given up.
const MAX_PLAYS: usize = 12;

/// The number of seeds from which on a revision is judged by what they show, and no further ones are played.
pub(super) const MANY: usize = 20;

/// A difference against a revision is in doubt up to this p-value. Of five seeds, two that got worse and none better are.
const DOUBTFUL: f64 = 0.25;

/// The outcome of playing a revision against the one before.
#[derive(Clone, Debug, Serialize)]
pub struct Decision {
    /// The figures under the revision.
    pub with: EpisodeFigures,
    /// The figures under the one before, on the same seeds.
    pub without: EpisodeFigures,
    /// The p-values of the differences.
    pub comparison: Comparison,
    /// The way in which the revision was worse, if it was.
    pub worse: Option<String>,
    /// The laws that it had added and that were given up.
    pub given_up: Vec<LawId>,
    /// The laws that it had retired and that are in force again.
    pub restored: Vec<LawId>,
}

/// The result of playing a revision.
pub(super) struct Decided {
    /// The book that goes on.
    pub book: Book,
    /// Its runs.
    pub runs: Vec<RunSummary>,
    /// All runs that were played.
    pub played: Vec<RunSummary>,
    pub decision: Decision,
}

/// The reason why a revision could not be played.
pub(super) enum Undecided<E> {
    Interrupted,
    Episode(E),
    Revise(ReviseError),
}

impl<E> From<ReviseError> for Undecided<E> {
    fn from(error: ReviseError) -> Self {
        Self::Revise(error)
    }
}

/// Plays revisions of a book on some seeds.
pub(super) struct Match<'a, E> {
    pub episodes: &'a mut E,
    pub store: &'a Store,
    /// The seeds, and then further ones, for a comparison that is in doubt.
    pub seeds: &'a [Vec<u64>],
    pub others: &'a [Book],
    pub vocabulary: &'a Arc<Vocabulary>,
}

/// A change of a revision: a law that it added, or one that it retired.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LawChange {
    law: LawId,
    added: bool,
}

/// The search for the guilty changes of a revision.
struct Search<'b> {
    after: &'b Book,
    /// The seeds on which it was worse.
    seeds: Vec<u64>,
    all: Vec<LawChange>,
    without: Vec<RunSummary>,
    /// The changes that made runs no worse, and the runs with them.
    kept: Vec<LawChange>,
    runs: Vec<RunSummary>,
    played: Vec<RunSummary>,
    /// The guilty changes, each with how runs were worse with it.
    guilty: Vec<(LawChange, String)>,
    plays: usize,
}

impl<E: Episodes> Match<'_, E> {
    /// Plays a revision against the one before.
    pub fn decide(&mut self, before: &Book, after: &Book, now: Timestamp) -> Result<Decided, Undecided<E::Error>> {
        let (mut without, mut with) = (Vec::new(), Vec::new());
        let mut verdict = Verdict::NoWorse;
        let mut seeds = Vec::new();
        for some in self.seeds {
            without.extend(self.play(before, some)?);
            with.extend(self.play(after, some)?);
            seeds.extend(some);
            verdict = compare(&without, &with);
            if verdict != Verdict::InDoubt {
                break;
            }
        }
        let mut decision = Decision {
            with: EpisodeFigures::of(&with),
            without: EpisodeFigures::of(&without),
            comparison: Comparison::of(&without, &with),
            worse: None,
            given_up: Vec::new(),
            restored: Vec::new(),
        };
        let played: Vec<RunSummary> = without.iter().chain(&with).cloned().collect();
        let Verdict::Worse(why) = verdict else {
            return Ok(Decided { book: after.clone(), runs: with, played, decision });
        };
        decision.worse = Some(why.clone());
        let all = changes(before, after);
        let runs = without.clone();
        let (kept, guilty) = (Vec::new(), Vec::new());
        let mut search = Search { after, seeds, all: all.clone(), without, kept, runs, played, guilty, plays: 0 };
        self.bisect(&mut search, &all, why)?;
        let mut edit = Edit::new(after).map_err(ReviseError::from)?;
        for (change, why) in &search.guilty {
            let law = &change.law;
            let status = match change.added {
                true => {
                    decision.given_up.push(law.clone());
                    Status::Retired { reason: why.clone() }
                }
                false => {
                    decision.restored.push(law.clone());
                    Status::Adopted
                }
            };
            edit.set_status(law, &status).map_err(ReviseError::from)?;
            if change.added {
                edit.set_trial(law, why).map_err(ReviseError::from)?;
            }
        }
        let book = revise(edit, self.vocabulary, self.store, now)?;
        Ok(Decided { book, runs: search.runs, played: search.played, decision })
    }

    fn play(&mut self, book: &Book, seeds: &[u64]) -> Result<Vec<RunSummary>, Undecided<E::Error>> {
        let books: Vec<Book> = self.others.iter().chain([book]).cloned().collect();
        let runs = self.episodes.run(self.store, seeds, &books).map_err(Undecided::Episode)?;
        runs.ok_or(Undecided::Interrupted)
    }

    /// Keeps those of some changes that make runs no worse. With all of them beside those kept so far, runs are worse, as `why` says.
    fn bisect(&mut self, search: &mut Search<'_>, open: &[LawChange], why: String) -> Result<(), Undecided<E::Error>> {
        if open.len() < 2 || search.plays >= MAX_PLAYS {
            search.guilty.extend(open.iter().map(|change| (change.clone(), why.clone())));
            return Ok(());
        }
        let (first, second) = open.split_at(open.len() / 2);
        if self.keep(search, first, &why)? {
            // Both halves together were played already.
            return self.bisect(search, second, why);
        }
        self.keep(search, second, &why).map(drop)
    }

    /// Keeps some changes if they make runs no worse, or else the good ones of them. Returns whether it keeps all.
    fn keep(&mut self, search: &mut Search<'_>, some: &[LawChange], why: &str) -> Result<bool, Undecided<E::Error>> {
        let with: Vec<LawChange> = search.kept.iter().chain(some).cloned().collect();
        let book = search.book(&with, self.vocabulary)?;
        // Laws that only the whole revision was proved to fit are not played.
        if !is_proved(self.others, &book, self.vocabulary) {
            return self.bisect(search, some, why.to_owned()).map(|()| false);
        }
        search.plays += 1;
        let runs = self.play(&book, &search.seeds)?;
        search.played.extend(runs.iter().cloned());
        if let Verdict::Worse(why) = compare(&search.without, &runs) {
            return self.bisect(search, some, why).map(|()| false);
        }
        (search.kept, search.runs) = (with, runs);
        Ok(true)
    }
}

impl Search<'_> {
    /// The revision with some of its changes only.
    fn book(&self, with: &[LawChange], vocabulary: &Arc<Vocabulary>) -> Result<Book, ReviseError> {
        let mut edit = Edit::new(self.after)?;
        for change in self.all.iter().filter(|change| !with.contains(change)) {
            let reason = "left out to find what made runs worse".to_owned();
            let status = if change.added { Status::Retired { reason } } else { Status::Adopted };
            edit.set_status(&change.law, &status)?;
        }
        Ok(edit.finish_over(vocabulary)?)
    }
}

/// The laws of a book that are in force, by id.
fn in_force(book: &Book) -> BTreeMap<LawId, String> {
    book.laws_in_force().into_iter().map(|law| (law.id, law.formula.to_string())).collect()
}

/// Returns whether the same laws are in force in two books.
pub(super) fn same_laws(one: &Book, other: &Book) -> bool {
    in_force(one).into_values().eq(in_force(other).into_values())
}

/// Returns whether it is proved that a book leaves every state an action beside others.
pub(super) fn is_proved(others: &[Book], book: &Book, vocabulary: &Arc<Vocabulary>) -> bool {
    leave_an_action(others.iter().chain([book]), vocabulary)
}

fn changes(before: &Book, after: &Book) -> Vec<LawChange> {
    let (before, after) = (in_force(before), in_force(after));
    let missing = |from: &BTreeMap<LawId, String>, of: &BTreeMap<LawId, String>| {
        of.keys().filter(|law| !from.contains_key(*law)).cloned().collect::<Vec<_>>()
    };
    let added = missing(&before, &after).into_iter().map(|law| LawChange { law, added: true });
    added.chain(missing(&after, &before).into_iter().map(|law| LawChange { law, added: false })).collect()
}

/// The evidence of runs of the same seeds about a revision.
#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    NoWorse,
    /// The first measure that differs is against the revision, but further seeds are needed to tell.
    InDoubt,
    /// The revision is significantly worse, in this way.
    Worse(String),
}

/// Compares runs under a revision with those under the one before.
fn compare(before: &[RunSummary], after: &[RunSummary]) -> Verdict {
    let later: BTreeMap<u64, &RunSummary> = after.iter().map(|run| (run.seed, run)).collect();
    let pairs: Vec<(&RunSummary, &RunSummary)> =
        before.iter().filter_map(|run| Some((run, *later.get(&run.seed)?))).collect();
    let longest = pairs.iter().map(|(one, other)| one.metrics.steps.max(other.metrics.steps)).max().unwrap_or(0);
    let steps = |run: &RunSummary| if run.reached_goal() { run.metrics.steps as f64 } else { longest as f64 };
    let failed = |run: &RunSummary| 100.0 * run.metrics.failed_actions as f64 / run.metrics.steps.max(1) as f64;
    let both = |(one, other): &&(&RunSummary, &RunSummary)| one.reached_goal() && other.reached_goal();
    let both: Vec<(&RunSummary, &RunSummary)> = pairs.iter().filter(both).copied().collect();
    type Measure<'a> = (&'a [(&'a RunSummary, &'a RunSummary)], &'a dyn Fn(&RunSummary) -> f64, f64, &'a str);
    let measures: [Measure<'_>; 3] = [
        (&pairs, &stage, 1.0, "stages of the task"),
        (&pairs, &steps, -1.0, "steps to the goal"),
        (&both, &failed, -1.0, "percent of failed actions"),
    ];
    let mut first = None;
    for (pairs, value, sign, name) in measures {
        let (one, other): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(one, other)| (value(one), value(other))).unzip();
        let Ok(test) = sign_flip(&one, &other, Resampling::default()) else { continue };
        // The test is symmetric, so that half of its two-sided value is that of one side.
        let p = test.p / 2.0;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let (one, other) = (mean(&one), mean(&other));
        let is_worse = sign * (other - one) < 0.0;
        if p < SIGNIFICANT && is_worse {
            let seeds = pairs.len();
            let why = format!("on the same {seeds} seeds {other:.1} {name} with it, {one:.1} without it (p {p:.3})");
            return Verdict::Worse(why);
        }
        if p < SIGNIFICANT {
            return Verdict::NoWorse;
        }
        if one != other {
            first.get_or_insert(is_worse && p <= DOUBTFUL);
        }
    }
    if first == Some(true) { Verdict::InDoubt } else { Verdict::NoWorse }
}

/// The number of the last subgoal reached, from 1; one more than there are for the goal.
fn stage(run: &RunSummary) -> f64 {
    let subgoals = &run.metrics.subgoals;
    let last = subgoals.iter().rposition(|subgoal| subgoal.step.is_some()).map_or(0, |last| last + 1);
    (if run.reached_goal() { subgoals.len() + 1 } else { last }) as f64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    use ltlcrit_model::ModelInfo;
    use ltlcrit_store::{End, Offer, RunId};
    use proptest::prelude::*;

    use super::*;
    use crate::agent::Metrics;

    /// Episodes in which each guilty change costs 10 steps: a law that was added, or one that is missing.
    struct Costly(Vec<(usize, bool, bool)>);

    impl Episodes for Costly {
        type Error = Infallible;

        fn run(&mut self, _: &Store, seeds: &[u64], books: &[Book]) -> Result<Option<Vec<RunSummary>>, Infallible> {
            let laws: BTreeSet<String> =
                books.iter().flat_map(Book::laws_in_force).map(|law| law.id.to_string()).collect();
            let costs =
                |(law, added, guilty): &&(usize, bool, bool)| *guilty && *added == laws.contains(&format!("law-{law}"));
            let cost = 10 * self.0.iter().filter(costs).count() as u64;
            Ok(Some(seeds.iter().map(|seed| run(*seed, 40 + seed % 7 + cost)).collect()))
        }
    }

    fn run(seed: u64, steps: u64) -> RunSummary {
        RunSummary {
            run: RunId(seed),
            world: "embedded".to_owned(),
            world_seed: Some(seed),
            seed,
            actor: "naive".to_owned(),
            model: ModelInfo::real("model"),
            books: Vec::new(),
            laws: 0,
            waiting: None,
            shielded: true,
            offer: Offer::All,
            end: Some(End::Goal),
            resumable: false,
            last_step: Some(steps),
            holds: Vec::new(),
            owed: Vec::new(),
            metrics: Metrics { steps, ..Metrics::default() },
        }
    }

    /// Neither the goals nor the steps of the runs that reached it differ significantly, but both together do.
    #[test]
    fn a_missed_goal_counts_as_the_longest_run() {
        let before: Vec<RunSummary> = (0..10).map(|seed| run(seed, 45)).collect();
        let slower = |seed| if seed < 5 { run(seed, 60) } else { run(seed, 45) };
        let missed =
            |seed| if seed < 2 { RunSummary { end: Some(End::Stopped), ..run(seed, 100) } } else { slower(seed) };
        assert!(!matches!(compare(&before, &(2..10).map(missed).collect::<Vec<_>>()), Verdict::Worse(_)));
        let Verdict::Worse(why) = compare(&before, &(0..10).map(missed).collect::<Vec<_>>()) else { panic!() };
        assert_eq!(why, "on the same 10 seeds 60.5 steps to the goal with it, 45.0 without it (p 0.031)");
        assert_eq!(compare(&(0..10).map(missed).collect::<Vec<_>>(), &before), Verdict::NoWorse);
    }

    /// Failures cost something in runs that reach the goal, and tell the critic something in others.
    #[test]
    fn failures_count_in_runs_that_reach_the_goal() {
        let runs = |end: &End, failed: u64| -> Vec<RunSummary> {
            let metrics = Metrics { steps: 50, failed_actions: failed, ..Metrics::default() };
            (0..10)
                .map(|seed| RunSummary { end: Some(end.clone()), metrics: metrics.clone(), ..run(seed, 50) })
                .collect()
        };
        let Verdict::Worse(why) = compare(&runs(&End::Goal, 2), &runs(&End::Goal, 40)) else { panic!() };
        assert!(why.contains("80.0 percent of failed actions"));
        assert_eq!(compare(&runs(&End::Stopped, 2), &runs(&End::Stopped, 40)), Verdict::NoWorse);
    }

    /// A revision of a book in which these laws are in force and the others retired.
    fn book(revision: u64, laws: &[(usize, bool)]) -> Book {
        let mut text = format!("name = \"learned\"\nrevision = {revision}\nvocabulary = \"minecraft\"\n");
        let vocabulary = ltlcrit_minecraft::vocabulary();
        for (law, in_force) in laws {
            let status = if *in_force { "adopted\"" } else { "retired\"\nreason = \"It was.\"" };
            let action = &vocabulary.actions()[*law].name;
            text.push_str(&format!(
                "\n[[law]]\nid = \"law-{law}\"\nformula = \"G(obs_has_log -> X !{action})\"\nstrength = \"soft\"\n\
                 explanation = \"It is so.\"\nstatus = \"{status}\nprovenance = {{ origin = \"hand\" }}\n"
            ));
        }
        Book::parse(&text, "test").unwrap().over(&vocabulary).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_guilty_changes_of_a_revision_are_given_up_and_no_others(
            changes in prop::collection::vec((any::<bool>(), any::<bool>()), 1..=6), first in any::<u32>(), seeds in 5..12u64,
        ) {
            let directory = ltlcrit_store::scratch::directory().unwrap();
            let store = Store::open(directory.path().join("store")).unwrap();
            let changes: Vec<(usize, bool, bool)> =
                changes.into_iter().enumerate().map(|(law, (added, guilty))| (law, added, guilty)).collect();
            // A law that the revision retired was in force before.
            let before: Vec<(usize, bool)> =
                changes.iter().filter(|(_, added, _)| !added).map(|(law, ..)| (*law, true)).collect();
            let after: Vec<(usize, bool)> = changes.iter().map(|(law, added, _)| (*law, *added)).collect();
            let seeds: Vec<u64> = (u64::from(first)..).take(seeds as usize).collect();
            let (vocabulary, mut episodes) = (ltlcrit_minecraft::vocabulary(), Costly(changes.clone()));
            let mut played =
                Match { episodes: &mut episodes, store: &store, seeds: &[seeds], others: &[], vocabulary: &vocabulary };
            let now = "2026-01-02T03:04:05Z".parse().unwrap();
            let Ok(decided) = played.decide(&book(1, &before), &book(2, &after), now) else { panic!() };
            let guilty = |which: bool| -> Vec<LawId> {
                let of = changes.iter().filter(|(_, added, guilty)| *guilty && *added == which);
                of.map(|(law, ..)| format!("law-{law}").as_str().into()).collect()
            };
            prop_assert_eq!(&decided.decision.given_up, &guilty(true));
            prop_assert_eq!(&decided.decision.restored, &guilty(false));
            prop_assert_eq!(decided.decision.worse.is_some(), changes.iter().any(|(.., guilty)| *guilty));
            prop_assert!(decided.runs.iter().all(|run| run.metrics.steps < 50), "the runs are those of the book that goes on");
            for (law, added, guilty) in changes {
                prop_assert_eq!(decided.book.entry(&format!("law-{law}")).unwrap().in_force(), added != guilty);
            }
        }
    }
}

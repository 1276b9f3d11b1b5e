//! Statistics of a store, and verification that its records are readable and consistent.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::keys::Kind;
use super::log::Damage;
use super::{
    BookRevision, ConflictRecord, InFlight, LawProposal, RunId, RunOutcome, StepRecord, Store, StoreError, Timing,
};

/// Statistics of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Runs.
    pub runs: u64,
    /// Runs without an outcome: under way, or killed.
    pub unfinished: u64,
    /// Finished runs by the kind of their end.
    pub ends: BTreeMap<&'static str, u64>,
    /// Stored steps, initial states included.
    pub steps: u64,
    /// Over-constrained states of runs.
    pub conflicts: u64,
    /// Laws proposed by the critic.
    pub proposals: u64,
    /// Revisions of books.
    pub book_revisions: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

/// A problem with one record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Its run, if it concerns one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<u64>,
    /// The reason, with the record's tree and key.
    pub message: String,
    /// True if the record is intact but breaks an axiom: a copy would have the same problem.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub axiom: bool,
}

impl Problem {
    /// Returns the problem of damaged or missing lines.
    pub(super) fn damage(damage: &Damage) -> Self {
        let run = damage.about.as_ref().and_then(|(kind, key)| kind.run_of(key));
        Self { run, message: damage.message(), axiom: false }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The result of [`Store::verify`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// Records read, by tree.
    pub records: BTreeMap<&'static str, u64>,
    /// The problems; all other records are readable.
    pub problems: Vec<Problem>,
    /// True if the storage engine failed, so that some records may not have been read.
    pub cut_short: bool,
}

impl VerifyReport {
    /// Returns whether no problem was found.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    fn note(&mut self, run: impl Into<Option<u64>>, message: String) {
        self.problems.push(Problem { run: run.into(), message, axiom: false });
    }
}

impl Store {
    /// Counts the records.
    ///
    /// # Errors
    /// A failed read; unreadable records are counted and are not errors.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let mut stats = Stats { bytes: self.log.bytes()?, ..Stats::default() };
        for run in self.run_ids() {
            let run = run?;
            stats.runs += 1;
            match self.outcome(run) {
                Ok(None) => stats.unfinished += 1,
                Ok(Some(RunOutcome { end, .. })) => *stats.ends.entry((&end).into()).or_default() += 1,
                Err(_) => *stats.ends.entry("unreadable").or_default() += 1,
            }
        }
        for (count, tree) in [
            (&mut stats.steps, self.tree(Kind::Steps)),
            (&mut stats.conflicts, self.tree(Kind::Conflicts)),
            (&mut stats.proposals, self.tree(Kind::Proposals)),
            (&mut stats.book_revisions, self.tree(Kind::BookRevisions)),
        ] {
            for entry in tree.iter() {
                entry?;
                *count += 1;
            }
        }
        Ok(stats)
    }

    /// Reads every line and record and checks their consistency. Manifests must have their documents, and steps must
    /// not have gaps. Letters must show the executed action and satisfy the axioms of the run's vocabulary. Outcomes
    /// must name the last step.
    ///
    /// # Errors
    /// Lines that cannot be read; all other problems are in the report.
    pub fn verify(&self) -> Result<VerifyReport, StoreError> {
        let mut report = VerifyReport::default();
        let (damaged, cut_short) = self.damage()?;
        report.cut_short = cut_short.is_some();
        // Damage that the index knows is reported with its record.
        let is_found = |damage: &&Damage| {
            damage.about.as_ref().is_some_and(|(kind, key)| self.tree(*kind).is_at(key, damage.place))
        };
        report
            .problems
            .extend(damaged.iter().filter(|damage| !is_found(damage)).chain(&cut_short).map(Problem::damage));
        self.check_tree(Kind::Documents, &mut report, |_, key, record: Result<Value, _>| {
            record?;
            self.document(&String::from_utf8_lossy(key)).map(drop)
        });
        // The number of observations and the vocabulary of each run; equal vocabularies are shared.
        let mut vocabularies: BTreeMap<u64, Arc<(usize, Option<Vocabulary>)>> = BTreeMap::new();
        let mut restored = BTreeMap::new();
        self.check_tree(Kind::Runs, &mut report, |report, key, record| {
            let run = Kind::Runs.number_of(key)?;
            let manifest = self.whole_manifest(run, record?)?;
            if manifest.run.0 != run {
                report.note(run, format!("runs {run}: the manifest says it is run {}", manifest.run));
            }
            let record = manifest.vocabulary;
            let vocabulary = restored
                .entry(serde_json::to_string(&record).ok())
                .or_insert_with(|| Arc::new((record.observations.len(), record.restore().ok())));
            vocabularies.insert(run, vocabulary.clone());
            Ok(())
        });
        let mut last_steps: BTreeMap<u64, u64> = BTreeMap::new();
        let mut expected: Option<(u64, u64)> = None;
        self.check_tree(Kind::Steps, &mut report, |report, key, record: Result<StepRecord, _>| {
            let (run, step) = Kind::Steps.step_of(key)?;
            let due = expected.filter(|(same, _)| *same == run).map_or(0, |(_, due)| due);
            if due < step {
                report.note(run, format!("steps {run}: {} missing", missing("step", due, step - 1)));
            }
            if expected.is_none_or(|(same, _)| same != run)
                && !self.tree(Kind::Runs).contains(&run.to_be_bytes()).unwrap_or(false)
            {
                report.note(run, format!("steps {run}: there is no run {run} to these steps"));
            }
            expected = Some((run, step.saturating_add(1)));
            last_steps.insert(run, step);
            let (record, here) = (record?, Kind::Steps.shown(key));
            if record.step != step {
                report.note(run, format!("{here}: the record says it is step {}", record.step));
            }
            if record.executed.is_none() != (step == 0) {
                let wrong = if step == 0 { "the initial state has an action" } else { "the step has no action" };
                report.note(run, format!("{here}: {wrong}"));
            }
            if let Some((first_action, vocabulary)) = vocabularies.get(&run).map(|it| &**it) {
                let in_letter = record.letter.0.iter().find(|id| usize::from(id.0) >= *first_action);
                let in_letters = |action| vocabulary.as_ref().map_or(action, |known| known.in_letters(action));
                let executed = record.executed.as_ref().map(|executed| in_letters(executed.action));
                let executed = executed.map(|action| first_action + usize::from(action.0));
                if in_letter.map(|id| usize::from(id.0)) != executed {
                    report.note(run, format!("{here}: the letter shows another action than the one executed"));
                }
                let states = [Some(record.letter.0), record.first_seen.as_ref().map(|seen| seen.holds)];
                let broken = |state| vocabulary.as_ref()?.broken_axiom(&state);
                if let Some(axiom) = states.into_iter().flatten().find_map(broken) {
                    let message =
                        format!("{here}: the letter breaks the axiom {} of the run's vocabulary", axiom.quoted());
                    report.problems.push(Problem { run: Some(run), message, axiom: true });
                }
            }
            Ok(())
        });
        self.check_tree::<InFlight>(Kind::InFlight, &mut report, |_, _, record| record.map(drop));
        self.check_tree(Kind::Outcomes, &mut report, |report, key, outcome: Result<RunOutcome, _>| {
            let (run, outcome) = (Kind::Outcomes.number_of(key)?, outcome?);
            let last = last_steps.get(&run);
            if last.copied() != Some(outcome.last_step) {
                let stored =
                    last.map_or("no step is stored".to_owned(), |last| format!("the last one stored is {last}"));
                report
                    .note(run, format!("outcomes {run}: the run ended after step {}, but {stored}", outcome.last_step));
            }
            Ok(())
        });
        self.check_tree(Kind::Conflicts, &mut report, |report, key, conflict: Result<ConflictRecord, _>| {
            let ((run, step), conflict) = (Kind::Conflicts.step_of(key)?, conflict?);
            if (conflict.run, conflict.step) != (RunId(run), step) {
                let says = format!("conflicts {}/{}", conflict.run, conflict.step);
                report.note(run, format!("conflicts {run}/{step}: the record says it is {says}"));
            }
            Ok(())
        });
        self.check_tree::<Timing>(Kind::Timings, &mut report, |_, _, record| record.map(drop));
        self.check_numbered::<LawProposal>(Kind::Proposals, &mut report);
        self.check_numbered::<BookRevision>(Kind::BookRevisions, &mut report);
        Ok(report)
    }

    fn check_tree<T: DeserializeOwned>(
        &self,
        kind: Kind,
        report: &mut VerifyReport,
        mut check: impl FnMut(&mut VerifyReport, &[u8], Result<T, StoreError>) -> Result<(), StoreError>,
    ) {
        let (tree, name) = (self.tree(kind), kind.name());
        report.records.insert(name, 0);
        for entry in tree.iter() {
            let (key, pointer) = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let read = report.records.get(name).copied().unwrap_or_default();
                    report.cut_short = true;
                    report.note(None, format!("{name}: the records after the first {read} cannot be read: {error}"));
                    return;
                }
            };
            *report.records.entry(name).or_default() += 1;
            if let Err(error) = check(report, &key, tree.record(&key, pointer)) {
                report.note(kind.run_of(&key), error.to_string());
            }
        }
    }

    /// Checks a tree whose records are numbered from 1 and never removed.
    fn check_numbered<T: DeserializeOwned>(&self, kind: Kind, report: &mut VerifyReport) {
        let mut due = 1;
        self.check_tree(kind, report, |report, key, record: Result<T, _>| {
            let number = kind.number_of(key)?;
            if due < number {
                report.note(None, format!("{}: {} missing", kind.name(), missing("number", due, number - 1)));
            }
            due = number.saturating_add(1);
            record.map(drop)
        });
    }
}

fn missing(noun: &str, first: u64, last: u64) -> String {
    if first == last { format!("{noun} {first} is") } else { format!("{noun}s {first} to {last} are") }
}

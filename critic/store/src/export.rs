//! Export as JSON lines: one record per line, with names instead of numbers.
//!
//! The lines of a run, in order: `run` (the manifest), `step` (for each step, from step 0), `conflict`, `end` (missing
//! for an unfinished run). The bytes depend only on the run: times are left out unless requested.

use std::io::Write;

use ltlcrit_model::Usage;
use ltlcrit_verifier::{ActionId, Enforcement, PropId, PropSet};
use ltlcrit_worlds::Details;
use ltlcrit_worlds::world::Subgoal;
use serde::Serialize;
use serde_json::json;

use super::{
    BookRecord, ConflictRecord, End, LawId, LawRecord, ProposalRecord, Proposer, Reply, Ruling, RunId, RunManifest,
    StepRecord, Store, StoreError, Timing, Worded,
};

/// Options of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// True to include the start of runs and the duration of steps, which differ from run to run.
    pub times: bool,
}

/// The result of an export.
#[derive(Debug, Default)]
pub struct Exported {
    /// Runs written.
    pub runs: u64,
    /// Steps written.
    pub steps: u64,
    /// The errors of unreadable records.
    pub unreadable: Vec<StoreError>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Run(serde_json::Value),
    Step(StepLine<'a>),
    Conflict { run: RunId, step: u64, holds: Vec<&'a str>, details: &'a Details, force: &'a Enforcement },
    End { run: RunId, last_step: u64, end: &'a End, owed: &'a [LawId], unfinished: Option<UnfinishedLine<'a>> },
}

#[derive(Serialize)]
struct StepLine<'a> {
    run: RunId,
    step: u64,
    holds: Vec<&'a str>,
    action: Option<&'a str>,
    thought: Option<&'a str>,
    failure: Option<&'a str>,
    message: Option<&'a str>,
    ticks: u64,
    proposals: Vec<ProposalLine<'a>>,
    force: &'a Enforcement,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    raised: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    relaxed: &'a [LawId],
    violations: &'a [LawId],
    owed: &'a [LawId],
    #[serde(skip_serializing_if = "Option::is_none")]
    new_laws: Option<&'a [LawRecord]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    new_books: &'a [BookRecord],
    /// The observations right after the step, if the run was resumed here in a changed world.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_before_resuming: Option<Vec<&'a str>>,
    details: &'a Details,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
}

#[derive(Serialize)]
struct ProposalLine<'a> {
    by: Proposer,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<&'a Reply>,
    ruling: &'a Ruling,
    thought: Option<&'a str>,
    usage: Usage,
    #[serde(skip_serializing_if = "Option::is_none")]
    worded: Option<&'a Worded>,
}

#[derive(Serialize)]
struct UnfinishedLine<'a> {
    step: u64,
    proposals: Vec<ProposalLine<'a>>,
    action: Option<&'a str>,
    force: &'a Enforcement,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    raised: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_laws: Option<&'a [LawRecord]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    new_books: &'a [BookRecord],
}

/// Resolves the numbers in records to names.
struct Names<'a>(&'a RunManifest);

impl<'a> Names<'a> {
    fn action(&self, action: ActionId) -> &'a str {
        self.0.vocabulary.action(action).map_or("?", |action| &action.name)
    }

    fn holds(&self, propositions: &PropSet) -> Vec<&'a str> {
        let observations = &self.0.vocabulary.observations;
        propositions.iter().filter_map(|PropId(id)| observations.get(usize::from(id))).map(|it| &*it.name).collect()
    }

    fn proposals(&self, proposals: &'a [ProposalRecord]) -> Vec<ProposalLine<'a>> {
        let line = |proposal: &'a ProposalRecord| {
            let (action, unreadable) = match &proposal.reply {
                Reply::Action { action } => (Some(self.action(*action)), None),
                other => (None, Some(other)),
            };
            ProposalLine {
                by: proposal.by,
                action,
                unreadable,
                ruling: &proposal.ruling,
                thought: proposal.thought.as_deref(),
                usage: proposal.usage,
                worded: proposal.worded.as_ref(),
            }
        };
        proposals.iter().map(line).collect()
    }

    fn step(&self, record: &'a StepRecord, timing: Option<Timing>) -> StepLine<'a> {
        let outcome = record.executed.as_ref().map(|executed| &executed.outcome);
        StepLine {
            run: self.0.run,
            step: record.step,
            holds: self.holds(&record.letter.0),
            action: record.executed.as_ref().map(|executed| self.action(executed.action)),
            thought: record.executed.as_ref().and_then(|executed| executed.thought.as_deref()),
            failure: outcome.and_then(|outcome| outcome.failure.as_ref()).map(|reason| &*reason.0),
            message: outcome.map(|outcome| outcome.message.as_str()),
            ticks: outcome.map_or(0, |outcome| outcome.ticks),
            proposals: self.proposals(&record.proposals),
            force: &record.force,
            raised: record.raised,
            relaxed: &record.relaxed,
            violations: &record.violations,
            owed: &record.owed,
            new_laws: record.new_laws.as_deref(),
            new_books: &record.new_books,
            held_before_resuming: record.first_seen.as_ref().map(|seen| self.holds(&seen.holds)),
            details: &record.observation.details,
            timing,
        }
    }
}

impl Store {
    /// Writes every readable run.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn export(&self, out: &mut dyn Write, options: ExportOptions) -> Result<Exported, StoreError> {
        let mut all = Exported::default();
        for run in self.run_ids() {
            match run.and_then(|run| self.export_run(run, out, options)) {
                Ok(one) => {
                    all.runs += one.runs;
                    all.steps += one.steps;
                    all.unreadable.extend(one.unreadable);
                }
                Err(error @ StoreError::Export(_)) => return Err(error),
                Err(error) => all.unreadable.push(error),
            }
        }
        Ok(all)
    }

    /// Writes one run, record by record.
    ///
    /// # Errors
    /// A run that does not exist, an unreadable manifest, or output that cannot be written.
    pub fn export_run(&self, run: RunId, out: &mut dyn Write, options: ExportOptions) -> Result<Exported, StoreError> {
        let manifest = self.manifest(run)?;
        let names = Names(&manifest);
        let mut exported = Exported { runs: 1, ..Exported::default() };
        let mut described = serde_json::to_value(&manifest).unwrap_or_default();
        if let Some(map) = described.as_object_mut() {
            if !options.times {
                map.remove("created");
            }
            let subgoal = |it: &Subgoal| json!({ "name": it.name, "holds": names.holds(&it.holds) });
            map.insert("subgoals".to_owned(), manifest.subgoals.iter().map(subgoal).collect());
        }
        line(out, &Line::Run(described))?;
        for record in self.steps(run) {
            let timed = record.and_then(|record| {
                let timing = if options.times { self.timing(run, record.step)? } else { None };
                Ok((record, timing))
            });
            match timed {
                Ok((record, timing)) => {
                    line(out, &Line::Step(names.step(&record, timing)))?;
                    exported.steps += 1;
                }
                Err(error) => exported.unreadable.push(error),
            }
        }
        for conflict in self.conflicts(run) {
            match conflict {
                Ok(ConflictRecord { run, step, observation, force }) => {
                    let holds = names.holds(&observation.holds);
                    line(out, &Line::Conflict { run, step, holds, details: &observation.details, force: &force })?;
                }
                Err(error) => exported.unreadable.push(error),
            }
        }
        match self.outcome(run) {
            Ok(Some(outcome)) => {
                let unfinished = outcome.in_flight.as_ref().map(|step| UnfinishedLine {
                    step: step.step,
                    proposals: names.proposals(&step.proposals),
                    action: step.action.map(|action| names.action(action)),
                    force: &step.force,
                    raised: step.raised,
                    new_laws: step.new_laws.as_deref(),
                    new_books: &step.new_books,
                });
                let (end, owed) = (&outcome.end, &outcome.owed);
                line(out, &Line::End { run, last_step: outcome.last_step, end, owed, unfinished })?;
            }
            Ok(None) => {}
            Err(error) => exported.unreadable.push(error),
        }
        Ok(exported)
    }
}

fn line(out: &mut dyn Write, line: &Line<'_>) -> Result<(), StoreError> {
    serde_json::to_writer(&mut *out, line).map_err(|error| StoreError::Export(error.into()))?;
    out.write_all(b"\n").map_err(StoreError::Export)
}

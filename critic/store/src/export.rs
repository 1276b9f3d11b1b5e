//! Export as JSON lines: one record per line, with names instead of numbers.
//!
//! The lines of a run, in order: `run` (the manifest), `step` (for each step, from step 0), `conflict`, `end` (missing
//! for an unfinished run). The bytes depend only on the run: times are left out unless requested.

use std::io::Write;

use ltlcrit_verifier::{ActionId, PropId, PropSet};
use ltlcrit_worlds::world::Subgoal;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{InFlight, ProposalRecord, Reply, RunId, RunManifest, StepRecord, Store, StoreError, Timing};

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

/// A line: the fields of a record, with names instead of numbers.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Run(Fields),
    Step(Fields),
    Conflict(Fields),
    End(Fields),
}

type Fields = Map<String, Value>;

/// Returns the fields of a record without some, and with others.
fn fields(record: &impl Serialize, without: &[&str], with: Value) -> Fields {
    let object = |value| if let Value::Object(fields) = value { fields } else { Fields::new() };
    let mut fields = serde_json::to_value(record).map(object).unwrap_or_default();
    without.iter().for_each(|name| drop(fields.remove(*name)));
    fields.extend(object(with));
    fields
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

    fn proposal(&self, proposal: &ProposalRecord) -> Fields {
        let reply = match &proposal.reply {
            Reply::Action { action } => json!({ "action": self.action(*action) }),
            unreadable => json!({ "unreadable": unreadable }),
        };
        fields(proposal, &["reply"], reply)
    }

    fn proposals(&self, proposals: &[ProposalRecord]) -> Vec<Fields> {
        proposals.iter().map(|proposal| self.proposal(proposal)).collect()
    }

    fn step(&self, record: &StepRecord, timing: Option<Timing>) -> Fields {
        let (executed, seen) = (record.executed.as_ref(), record.first_seen.as_ref());
        let outcome = executed.map(|executed| &executed.outcome);
        let with = json!({
            "run": self.0.run,
            "holds": self.holds(&record.letter.0),
            "action": executed.map(|executed| self.action(executed.action)),
            "thought": executed.and_then(|executed| executed.thought.as_deref()),
            "failure": outcome.and_then(|outcome| outcome.failure.as_ref()),
            "message": outcome.map(|outcome| outcome.message.as_str()),
            "ticks": outcome.map_or(0, |outcome| outcome.ticks),
            "proposals": self.proposals(&record.proposals),
            "details": record.observation.details,
        });
        let mut line = fields(record, &["observation", "letter", "executed", "first_seen"], with);
        // The observations right after the step, if the run was resumed here in a changed world.
        line.extend(seen.map(|seen| ("held_before_resuming".to_owned(), json!(self.holds(&seen.holds)))));
        line.extend(timing.map(|timing| ("timing".to_owned(), json!(timing))));
        line
    }

    fn unfinished(&self, step: &InFlight) -> Fields {
        let action = step.action.map(|action| self.action(action));
        fields(step, &["progress"], json!({ "action": action, "proposals": self.proposals(&step.proposals) }))
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
        let subgoal = |it: &Subgoal| json!({ "name": it.name, "holds": names.holds(&it.holds) });
        let subgoals: Vec<Value> = manifest.subgoals.iter().map(subgoal).collect();
        let times: &[&str] = if options.times { &[] } else { &["created"] };
        line(out, &Line::Run(fields(&manifest, times, json!({ "subgoals": subgoals }))))?;
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
                Ok(conflict) => {
                    let (holds, details) = (names.holds(&conflict.observation.holds), &conflict.observation.details);
                    let with = json!({ "holds": holds, "details": details });
                    line(out, &Line::Conflict(fields(&conflict, &["observation"], with)))?;
                }
                Err(error) => exported.unreadable.push(error),
            }
        }
        match self.outcome(run) {
            Ok(Some(outcome)) => {
                let unfinished = outcome.in_flight.as_ref().map(|step| names.unfinished(step));
                let with = json!({ "run": run, "unfinished": unfinished });
                line(out, &Line::End(fields(&outcome, &["in_flight"], with)))?;
            }
            Ok(None) => {}
            Err(error) => exported.unreadable.push(error),
        }
        Ok(exported)
    }
}

fn line(out: &mut dyn Write, line: &Line) -> Result<(), StoreError> {
    serde_json::to_writer(&mut *out, line).map_err(|error| StoreError::Export(error.into()))?;
    out.write_all(b"\n").map_err(StoreError::Export)
}

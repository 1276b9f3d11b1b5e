//! The document of a run: every step with its refused proposals, places, laws, manifest.

use std::collections::BTreeMap;

use ltlcrit_household::{Boxed, scene};
use ltlcrit_minecraft::above::terrain_of;
use ltlcrit_minecraft::terrain::TerrainKind;
use ltlcrit_pddl::PddlObservation;
use ltlcrit_store::{
    InFlight, LawId, LawRecord, NoAction, ProposalRecord, Reply, Ruling, RunId, RunManifest, StepRecord, Store,
    StoreError, sha256,
};
use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::world::Outcome;
use serde::Serialize;
use serde_json::Value;

use super::laws::{LawFigures, conflict, law_figures, suspended};
use super::{ReportError, ReportProgress};
use crate::agent::{RunSummary, readable};
use crate::optimum::Optimum;
use crate::world::of_kind;

/// The maximum number of steps of a document. A longer page is too large for a browser.
const MAX_STEPS: usize = 5_000;

/// The document of a run.
#[derive(Debug, Serialize)]
pub struct RunReport {
    /// True if the model is a persona, whose metrics are not evidence about language models.
    pub simulated: bool,
    /// The metrics, as the command prints them.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The end of the run, in words; `None` while it is running, or after it was killed.
    pub ended: Option<String>,
    /// The minimum number of actions to each subgoal.
    pub optimum: BTreeMap<String, u64>,
    /// Its steps, from step 0.
    pub trajectory: Vec<StepDocument>,
    /// The first and the last state as boxes, in planning tasks.
    #[serde(skip)]
    pub scenes: Option<[Vec<Boxed>; 2]>,
    /// The number of steps beyond the maximum of a document.
    pub steps_left_out: u64,
    /// The laws that were in force.
    pub law_texts: Vec<LawRecord>,
    /// Activations and blocks of its laws; empty for an unfinished run.
    pub laws: Vec<LawFigures>,
    /// The program, the configuration and the books at the start.
    pub manifest: ManifestDocument,
}

/// A step of a run.
#[derive(Debug, Default, Serialize)]
pub struct StepDocument {
    /// Its number.
    pub step: u64,
    /// The executed action; `None` in step 0.
    pub action: Option<String>,
    /// The action of a step that did not run, or did not finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// The message of the outcome.
    pub message: Option<String>,
    /// The reason code of a failure.
    pub failure: Option<String>,
    /// True if the player died.
    pub died: bool,
    /// The number of game ticks.
    pub ticks: u64,
    /// The block at the player's feet afterwards: east, up, south.
    pub position: Option<[i32; 3]>,
    /// Proposals that did not run.
    pub refused: Vec<RefusedProposal>,
    /// The subgoals that it reached.
    pub reached: Vec<String>,
    /// Laws that it violated.
    pub violations: Vec<LawId>,
    /// Laws that left no action before it.
    pub conflict: Vec<LawId>,
    /// The enforcement in the step: `hard-only`, `suspended`, `nothing` or `undecided`.
    pub then: Option<&'static str>,
    /// The soft laws that were suspended in the step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suspended: Vec<LawId>,
    /// Hard laws that were judged cooperatively.
    pub relaxed: Vec<LawId>,
    /// The number of laws in force from it on, if they were replaced.
    pub new_laws: Option<usize>,
}

/// A proposal that did not run, or that a shield would have blocked.
#[derive(Debug, Serialize)]
pub struct RefusedProposal {
    /// The action, or the proposal in its place.
    pub proposal: String,
    /// `blocked`, `undecided`, `unknown`, `unreadable`, or `no shield` for one that ran.
    pub ruling: &'static str,
    /// The laws that block it together.
    pub laws: Vec<LawId>,
    /// The reason, if it is not a law.
    pub why: Option<String>,
}

/// The program, the configuration and the books at the start of a run.
#[derive(Debug, Serialize)]
pub struct ManifestDocument {
    /// The program.
    pub program: ltlcrit_store::Program,
    /// The time at which it began.
    pub created: jiff::Timestamp,
    /// The task.
    pub task: String,
    /// The SHA-256 of the configuration.
    pub configuration_sha256: String,
    /// The configuration.
    pub configuration: Value,
    /// The options of the world.
    pub world: Value,
    /// The terrain and the seed of the land, if this program made it.
    #[serde(skip)]
    pub land: Option<(TerrainKind, u64)>,
    /// The books in force at the start.
    pub books: Vec<BookDocument>,
}

/// A book in force.
#[derive(Debug, Serialize)]
pub struct BookDocument {
    /// Its name.
    pub name: String,
    /// Its revision.
    pub revision: u64,
    /// The SHA-256 of its text.
    pub sha256: String,
}

impl RunReport {
    /// Reads a stored run.
    ///
    /// # Errors
    /// There is no such run, or its records cannot be read.
    pub fn read(store: &Store, run: RunId, progress: &dyn ReportProgress) -> Result<Self, ReportError> {
        let manifest = store.manifest(run)?;
        let outcome = store.outcome(run)?;
        let summary = RunSummary::of(store, run)?;
        let mut trajectory = Vec::new();
        let mut steps_left_out = 0;
        let mut law_texts = manifest.laws.clone();
        for step in trajectory_of(store, &manifest)? {
            let (new_laws, step) = step?;
            for law in new_laws {
                if law_texts.iter().all(|known| known.id != law.id) {
                    law_texts.push(law);
                }
            }
            // The step that did not run is always shown, because the run ended in it.
            if trajectory.len() < MAX_STEPS || step.is_unfinished() {
                trajectory.push(step);
            } else {
                steps_left_out += 1;
            }
        }
        let laws = match outcome {
            Some(_) => law_figures(store, &[(format!("run {run}"), vec![run])], progress)?.0,
            None => Vec::new(),
        };
        Ok(Self {
            simulated: manifest.model.simulated,
            ended: outcome.map(|outcome| outcome.end.to_string()),
            summary,
            optimum: Optimum::of(store, run).0.into_iter().collect(),
            trajectory,
            scenes: scenes(store, run)?,
            steps_left_out,
            law_texts,
            laws,
            manifest: ManifestDocument::of(manifest),
        })
    }
}

/// Returns the first and the last state of a run as boxes, if the run is in a planning task.
fn scenes(store: &Store, run: RunId) -> Result<Option<[Vec<Boxed>; 2]>, StoreError> {
    let mut steps = store.steps(run);
    let first = steps.next().transpose()?;
    let last = steps.next_back().transpose()?.or_else(|| first.clone());
    let boxes = |step: StepRecord| {
        let seen: PddlObservation = step.observation.details.get()?;
        Some(scene(seen.facts.iter().map(String::as_str)))
    };
    let found = first.zip(last).and_then(|(first, last)| Some([boxes(first)?, boxes(last)?]));
    Ok(found.filter(|[first, _]| !first.is_empty()))
}

impl ManifestDocument {
    fn of(manifest: RunManifest) -> Self {
        let book = |book: &ltlcrit_store::BookRecord| BookDocument {
            name: book.name.clone(),
            revision: book.revision,
            sha256: sha256(book.text.as_bytes()),
        };
        Self {
            program: manifest.program,
            created: manifest.created,
            task: manifest.task,
            land: terrain_of(&manifest.world),
            configuration_sha256: manifest.configuration.hash,
            configuration: manifest.configuration.values,
            world: manifest.world.options,
            books: manifest.books.iter().map(book).collect(),
        }
    }
}

/// Returns the steps of a run, each with the laws that came into force with it. The last one is the unfinished step, if
/// there is one.
///
/// # Errors
/// The record of the run's end cannot be read. An unreadable step is an error in its place.
pub fn trajectory_of(
    store: &Store,
    manifest: &RunManifest,
) -> Result<impl Iterator<Item = Result<(Vec<LawRecord>, StepDocument), StoreError>>, StoreError> {
    let mut reached = vec![false; manifest.subgoals.len()];
    let unfinished =
        unfinished_step(store, manifest.run)?.map(|step| Ok((Vec::new(), StepDocument::unfinished(&step, manifest))));
    let steps = store.steps(manifest.run).map(move |record| {
        let record = record?;
        let step = StepDocument::of(&record, manifest, &mut reached);
        Ok((record.new_laws.unwrap_or_default(), step))
    });
    Ok(steps.chain(unfinished))
}

/// Returns the step in which a run ended or was killed, if it is not among the stored steps.
///
/// # Errors
/// A record cannot be read.
pub fn unfinished_step(store: &Store, run: RunId) -> Result<Option<InFlight>, StoreError> {
    if let Some(outcome) = store.outcome(run)? {
        return Ok(outcome.in_flight);
    }
    let last = store.steps(run).next_back().transpose()?.map(|step| step.step);
    Ok(store.in_flight(run)?.filter(|step| last.is_none_or(|last| step.step > last)))
}

impl StepDocument {
    /// Describes a step that was begun and has not ended; its proposals count.
    fn unfinished(step: &InFlight, manifest: &RunManifest) -> Self {
        let (laws, then) = conflict(&step.force).unzip();
        let allowed = |it: &&ProposalRecord| it.ruling.lets_run();
        let allowed = step.proposals.iter().rfind(allowed).and_then(|it| match it.reply {
            Reply::Action { action } => Some(action),
            Reply::NoAction(_) => None,
        });
        Self {
            step: step.step,
            unfinished: step.action.or(allowed).map(|it| action(manifest, it)),
            refused: step.proposals.iter().filter_map(|it| refused(it, manifest)).collect(),
            conflict: laws.unwrap_or_default().to_vec(),
            then,
            suspended: suspended(&step.force).to_vec(),
            ..Self::default()
        }
    }

    /// Returns whether the step has not ended.
    fn is_unfinished(&self) -> bool {
        self.step > 0 && self.action.is_none()
    }

    pub(super) fn of(record: &StepRecord, manifest: &RunManifest, known: &mut [bool]) -> Self {
        let outcome = record.executed.as_ref().map(|executed| &executed.outcome);
        let failure = outcome.and_then(|outcome| outcome.failure.as_ref()).map(|reason| reason.0.to_string());
        let mut reached = Vec::new();
        for (known, subgoal) in known.iter_mut().zip(&manifest.subgoals) {
            if !*known && subgoal.holds.is_subset(&record.observation.holds) {
                *known = true;
                reached.push(subgoal.name.clone());
            }
        }
        let (laws, then) = conflict(&record.force).unzip();
        Self {
            step: record.step,
            action: record.executed.as_ref().map(|executed| action(manifest, executed.action)),
            unfinished: None,
            message: outcome.map(|outcome| outcome.message.clone()),
            died: outcome.is_some_and(Outcome::is_fatal),
            failure,
            ticks: outcome.map_or(0, |outcome| outcome.ticks),
            position: of_kind(&manifest.world.kind).and_then(|world| world.place(&record.observation)),
            refused: record.proposals.iter().filter_map(|it| refused(it, manifest)).collect(),
            reached,
            violations: record.violations.clone(),
            conflict: laws.unwrap_or_default().to_vec(),
            then,
            suspended: suspended(&record.force).to_vec(),
            relaxed: record.relaxed.clone(),
            new_laws: record.new_laws.as_ref().map(Vec::len),
        }
    }
}

fn action(manifest: &RunManifest, action: ActionId) -> String {
    manifest.vocabulary.action(action).map_or_else(|| "?".to_owned(), |it| readable(&it.name))
}

/// Describes a proposal that was refused; `None` if it ran and no law blocks it.
fn refused(proposal: &ProposalRecord, manifest: &RunManifest) -> Option<RefusedProposal> {
    let (name, why) = match &proposal.reply {
        Reply::Action { action: id } => (action(manifest, *id), None),
        Reply::NoAction(NoAction::Unknown { name, suggestion }) => {
            let near = suggestion.as_ref().map(|near| format!("; the nearest is {}", readable(near)));
            (readable(name), Some(format!("there is no such action{}", near.unwrap_or_default())))
        }
        Reply::NoAction(NoAction::Malformed { why, .. }) => ("(no action)".to_owned(), Some(why.clone())),
    };
    let (ruling, laws, why) = match (&proposal.ruling, &proposal.reply) {
        (Ruling::Allowed, _) => return None,
        (Ruling::Unshielded { undecided: true, .. }, _) => {
            ("no shield", Vec::new(), Some("a shield could not have decided".to_owned()))
        }
        (Ruling::Unshielded { laws, .. }, _) if laws.is_empty() => return None,
        (Ruling::Unshielded { laws, .. }, _) => ("no shield", laws.clone(), None),
        (Ruling::Blocked { laws, .. }, _) => ("blocked", laws.clone(), None),
        (Ruling::Undecided { why }, _) => ("undecided", Vec::new(), Some(why.clone())),
        (Ruling::Unreadable, Reply::NoAction(NoAction::Malformed { .. })) => ("unreadable", Vec::new(), why),
        (Ruling::Unreadable, _) => ("unknown", Vec::new(), why),
    };
    Some(RefusedProposal { proposal: name, ruling, laws, why })
}

//! The document of a batch: metrics, outcomes by seed, laws, failures, plan.

use std::collections::BTreeMap;
use std::path::Path;

use ltlcrit_store::{Program, RunId, Store};
use serde::Serialize;

use super::laws::{ConflictFigures, LawFigures, PatternFigures, conflicts, law_figures};
use super::{ReportError, ReportProgress};
use crate::batch::{
    BatchOutcome, Cell, CellResult, CellStatus, ConditionFigures, Contents, SubgoalFigures, runs_of_cells,
};
use crate::examine::{ExamReport, JointReport};

/// The maximum size of a plan that is shown, in bytes.
const MAX_PLAN: u64 = 4 * 1024 * 1024;

/// The document of a batch.
#[derive(Debug, Serialize)]
pub struct BatchReport {
    /// The results so far.
    #[serde(flatten)]
    pub outcome: BatchOutcome,
    /// The metrics of an evaluation, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exam: Option<ExamReport>,
    /// The metrics of the joint experiment, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointReport>,
    /// Steps to every subgoal, by condition and subgoal.
    pub subgoals: Vec<SubgoalSteps>,
    /// The seeds of every condition.
    pub seeds: Vec<u64>,
    /// The outcomes of every seed, by condition.
    pub outcomes: Vec<Outcomes>,
    /// Activations and blocks of laws, by condition.
    pub laws: Vec<LawFigures>,
    /// The same, by condition and pattern.
    pub patterns: Vec<PatternFigures>,
    /// Over-constrained states, by condition and conflict.
    pub conflicts: Vec<ConflictFigures>,
    /// The plan.
    pub plan: PlanRecord,
    /// The programs that ran the cells.
    pub programs: Vec<Program>,
}

/// The steps that a condition took to a subgoal.
#[derive(Debug, Serialize)]
pub struct SubgoalSteps {
    /// The condition.
    pub condition: String,
    /// The metrics.
    #[serde(flatten)]
    pub figures: SubgoalFigures,
    /// The number of finished cells.
    pub done: u64,
    /// The steps by seed; `null` for a seed that missed it or has not finished.
    pub steps: Vec<Option<u64>>,
}

/// The outcomes of a condition's seeds, in order.
#[derive(Debug, Serialize)]
pub struct Outcomes {
    /// The condition.
    pub condition: String,
    /// True for each seed that reached the goal; `null` for an unfinished cell.
    pub goals: Vec<Option<bool>>,
    /// The number of steps by seed. A cell without the goal counts as the limit; `null` stands for an unfinished cell.
    pub steps: Vec<Option<u64>>,
    /// The cell of each seed.
    pub cells: Vec<CellFigures>,
}

/// A cell of the grid.
#[derive(Debug, Serialize)]
pub struct CellFigures {
    /// Its state.
    #[serde(flatten)]
    pub status: CellStatus,
    /// Its run, if it has begun.
    pub run: Option<RunId>,
}

/// The plan of a batch.
#[derive(Debug, Serialize)]
pub struct PlanRecord {
    /// The SHA-256 of everything that affects results.
    pub sha256: String,
    /// The plan with its whole configuration, as TOML.
    pub text: String,
    /// The SHA-256 of the files that it names, by path.
    pub inputs: BTreeMap<String, String>,
}

impl BatchReport {
    /// Reads the directory of a batch, which may be running.
    ///
    /// # Errors
    /// The directory belongs to something else, or cannot be read.
    pub fn read(path: &Path, progress: &dyn ReportProgress) -> Result<Self, ReportError> {
        let contents = Contents::read(path)?;
        // The store is opened after the results, so that it holds the run of each result.
        let store = Store::open_to_read(path.join("store"))?;
        let experiment = &contents.experiment;
        let mut programs: Vec<Program> = Vec::new();
        let found = runs_of_cells(experiment, &store, |manifest| {
            if !programs.contains(&manifest.program) {
                programs.push(manifest.program.clone());
            }
        })?;
        let own = experiment.cells();
        let mut runs = vec![Vec::new(); experiment.conditions.len()];
        for cell in own.iter().filter(|cell| contents.cells.results.contains_key(&cell.index)) {
            runs[cell.condition].extend(found.get(&cell.index));
        }
        let limit = experiment.steps();
        let names: Vec<&str> = experiment.conditions.iter().map(|it| it.name.as_str()).collect();
        let outcome = BatchOutcome::of(experiment, path, &contents.cells)?;
        let (mut subgoals, mut outcomes) = (Vec::new(), Vec::new());
        for (its, figures) in
            experiment.grid().chunk_by(|one, next| one.condition == next.condition).zip(&outcome.summary.conditions)
        {
            let result = |cell: &Cell| contents.cells.results.get(&cell.index);
            let results: Vec<Option<&CellResult>> = its.iter().map(result).collect();
            subgoals.extend(figures.subgoals.iter().map(|it| SubgoalSteps::of(figures, it, &results)));
            let cell = |cell: &Cell| CellFigures {
                status: contents.cells.state(cell.index),
                run: found.get(&cell.index).copied(),
            };
            outcomes.push(Outcomes {
                condition: figures.condition.clone(),
                goals: results.iter().map(|result| result.map(|it| it.goal)).collect(),
                steps: results.iter().map(|result| result.map(|it| it.at_limit(limit))).collect(),
                cells: its.iter().map(cell).collect(),
            });
        }
        let groups: Vec<(String, Vec<RunId>)> =
            names.iter().map(|name| (*name).to_owned()).zip(runs.iter().cloned()).collect();
        let joint = if JointReport::is_of(path)? { Some(JointReport::read(path)?) } else { None };
        let exam = match joint.is_none() && ExamReport::is_of(experiment) {
            true => Some(ExamReport::read(path, &[])?),
            false => None,
        };
        let text = ltlcrit_files::read_text(&path.join("plan.toml"), MAX_PLAN).unwrap_or_default();
        let laws = law_figures(&store, &groups, progress)?.0;
        // The last row of a condition is the one over all worlds and numbers of laws.
        let all = experiment.conditions.iter().map(|it| (&*it.name, it.rows().last().unwrap_or(&it.name)));
        let all: BTreeMap<&str, &str> = all.collect();
        let patterns = PatternFigures::of(&laws, |name| all.get(name).copied().unwrap_or(name));
        Ok(Self {
            outcome,
            exam,
            joint,
            subgoals,
            seeds: experiment.plan.seeds.as_slice().to_vec(),
            outcomes,
            laws,
            patterns,
            conflicts: conflicts(&store, &groups)?,
            plan: PlanRecord { sha256: experiment.hash(), text, inputs: experiment.plan.inputs.clone() },
            programs,
        })
    }
}

impl SubgoalSteps {
    fn of(condition: &ConditionFigures, figures: &SubgoalFigures, cells: &[Option<&CellResult>]) -> Self {
        Self {
            condition: condition.condition.clone(),
            figures: figures.clone(),
            done: condition.done,
            steps: cells.iter().map(|cell| cell.as_ref()?.reached(&figures.subgoal)).collect(),
        }
    }
}

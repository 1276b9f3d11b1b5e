//! Joins the directories of shards into that of the whole plan.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ltlcrit_store::{Program, RunId, RunManifest, Store};
use thiserror::Error;

use super::condition::{Cell, Condition};
use super::directory::{CellState, Directory};
use super::experiment::Experiment;
use super::files::{Contents, DirectoryError};
use crate::actor::simulated::PersonaSource;
use crate::config::RunConfig;
use crate::model::ModelSpec;

/// Why directories cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// One of them, or the output, cannot be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// They belong to different plans.
    #[error("`{}` belongs to another plan than `{}`", other.display(), one.display())]
    Plans {
        /// The first directory.
        one: PathBuf,
        /// A directory with another plan.
        other: PathBuf,
        /// The differing keys, with both values.
        differing: Vec<String>,
    },
    /// They were run by different programs.
    #[error("the runs were made by different versions of the program")]
    Programs(Vec<String>),
    /// Cells are in two directories.
    #[error("`{}` and `{}` have the same cells ({cells})", one.display(), other.display())]
    Twice {
        /// How many.
        cells: usize,
        /// The first directory.
        one: PathBuf,
        /// The second one.
        other: PathBuf,
    },
    /// Cells have no result.
    #[error("{cells} of {all} cells have no result")]
    Missing {
        /// How many.
        cells: usize,
        /// The cells of the plan.
        all: usize,
        /// Which, where, and why.
        which: Vec<String>,
    },
    /// A result without its run.
    #[error("`{}` has no run of the cell {cell}", store.display())]
    NoRun {
        /// The store.
        store: PathBuf,
        /// The cell.
        cell: String,
    },
    /// The output has another result of a cell.
    #[error("`{}` has another result of the cell {cell}", output.display())]
    Differs {
        /// The output.
        output: PathBuf,
        /// The cell.
        cell: String,
    },
}

/// A directory to be joined.
struct Part {
    contents: Contents,
    /// The run of every cell that has a result.
    runs: BTreeMap<usize, RunId>,
}

impl Part {
    fn store(&self) -> PathBuf {
        self.contents.path.join("store")
    }
}

/// Joins the directories of shards: their results and runs, in the order of the plan. The output is what a batch of the whole
/// plan would have left, and a merge that was interrupted goes on. `done` is called after every cell.
///
/// # Errors
/// Directories of different plans or programs, cells that are in two of them or have no result, and files that cannot be read
/// or written. Nothing is written unless every cell has one result.
pub fn merge(paths: &[PathBuf], output: &Path, done: impl Fn()) -> Result<(Experiment, Directory), MergeError> {
    let contents = paths.iter().map(|path| Contents::read(path)).collect::<Result<Vec<_>, _>>()?;
    let experiment = whole(&contents)?;
    check_results(&experiment, &contents)?;
    let grid = experiment.grid();
    let mut programs = BTreeMap::new();
    let parts: Vec<Part> = contents
        .into_iter()
        .map(|part| with_runs(part, &experiment, &grid, &mut programs))
        .collect::<Result<_, _>>()?;
    if programs.len() > 1 {
        let shown = |(program, path): (String, PathBuf)| format!("{program}: `{}`", path.display());
        return Err(MergeError::Programs(programs.into_iter().map(shown).collect()));
    }
    let mut directory = Directory::open(output, &experiment)?;
    let mut open: Option<(usize, Store)> = None;
    for cell in grid {
        let holder = parts.iter().enumerate().find(|(_, part)| part.contents.results.contains_key(&cell.index));
        let Some((number, part)) = holder else { continue };
        let result = &part.contents.results[&cell.index];
        match directory.state(cell.index) {
            CellState::Done(known) if known == result => {}
            CellState::Done(_) => {
                return Err(MergeError::Differs { output: output.to_owned(), cell: experiment.name(cell) });
            }
            _ => {
                let store = match open.take() {
                    Some((opened, store)) if opened == number => store,
                    _ => read_store(&part.store())?,
                };
                let episode = store.episode(part.runs[&cell.index]).map_err(DirectoryError::from)?;
                directory.store().commit(episode).map_err(DirectoryError::from)?;
                directory.finish(result.clone())?;
                open = Some((number, store));
            }
        }
        done();
    }
    Ok((experiment, directory))
}

/// The experiment without shards that all directories belong to.
fn whole(contents: &[Contents]) -> Result<Experiment, MergeError> {
    let without_shard = |contents: &Contents| {
        let mut experiment = contents.experiment.clone();
        experiment.plan.shard = None;
        experiment
    };
    let mut all = contents.iter().map(|contents| (&contents.path, without_shard(contents)));
    let Some((one, mut experiment)) = all.next() else {
        return Err(MergeError::Missing { cells: 0, all: 0, which: Vec::new() });
    };
    for (other, its) in all {
        let differing = its.differing(&experiment.plan);
        if !differing.is_empty() {
            return Err(MergeError::Plans { one: one.clone(), other: other.clone(), differing });
        }
        experiment.plan.inputs.extend(its.plan.inputs);
    }
    Ok(experiment)
}

/// Checks that every cell has one result.
fn check_results(experiment: &Experiment, contents: &[Contents]) -> Result<(), MergeError> {
    for (number, other) in contents.iter().enumerate() {
        for one in &contents[..number] {
            let cells = other.results.keys().filter(|cell| one.results.contains_key(cell)).count();
            if cells > 0 {
                return Err(MergeError::Twice { cells, one: one.path.clone(), other: other.path.clone() });
            }
        }
    }
    let grid = experiment.grid();
    let missing = grid.iter().filter(|cell| contents.iter().all(|part| !part.results.contains_key(&cell.index)));
    let mut which: Vec<((usize, String), Vec<u64>)> = Vec::new();
    let mut cells = 0;
    for cell in missing {
        cells += 1;
        let holder = contents.iter().find(|part| part.experiment.has(cell.index));
        let why = match holder.map(|part| (part, part.failures.get(&cell.index))) {
            Some((part, Some(reason))) => format!("failed in `{}`: {reason}", part.path.display()),
            Some((part, None)) => format!("not finished in `{}`", part.path.display()),
            None => "in no directory that was named".to_owned(),
        };
        let key = (cell.condition, why);
        match which.last_mut() {
            Some((last, seeds)) if *last == key => seeds.push(cell.seed),
            _ => which.push((key, vec![cell.seed])),
        }
    }
    if cells == 0 {
        return Ok(());
    }
    let line = |((condition, why), seeds): ((usize, String), Vec<u64>)| {
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        format!("{}, seeds {}: {why}", experiment.conditions[condition].name, seeds.join(","))
    };
    Err(MergeError::Missing { cells, all: grid.len(), which: which.into_iter().map(line).collect() })
}

fn read_store(path: &Path) -> Result<Store, DirectoryError> {
    Ok(Store::open_to_read(path)?)
}

/// Finds the runs of a directory's results in its store. The last run of a cell is that of its result: one before it was
/// stored by a process that was killed before it could write the result.
fn with_runs(
    contents: Contents,
    experiment: &Experiment,
    grid: &[Cell],
    programs: &mut BTreeMap<String, PathBuf>,
) -> Result<Part, MergeError> {
    let mut runs = BTreeMap::new();
    if !contents.results.is_empty() {
        let store = read_store(&contents.path.join("store"))?;
        let places: BTreeMap<(usize, u64), usize> =
            grid.iter().map(|cell| ((cell.condition, cell.seed), cell.index)).collect();
        for manifest in store.runs() {
            let manifest = manifest.map_err(DirectoryError::from)?;
            programs.entry(shown(&manifest.program)).or_insert_with(|| contents.path.clone());
            let condition = condition_of(&manifest, &experiment.conditions);
            let place = condition.and_then(|condition| places.get(&(condition, manifest.seed)));
            runs.extend(place.map(|cell| (*cell, manifest.run)));
        }
    }
    let known: BTreeSet<usize> = runs.keys().copied().collect();
    match contents.results.keys().find(|cell| !known.contains(cell)) {
        Some(cell) => Err(MergeError::NoRun { store: contents.path.join("store"), cell: experiment.name(grid[*cell]) }),
        None => Ok(Part { contents, runs }),
    }
}

/// A build of the program, as it is shown.
fn shown(program: &Program) -> String {
    let revision = program.revision.as_deref().map_or_else(String::new, |revision| format!(" ({revision})"));
    format!("{}{revision}", program.version)
}

/// The condition that a run was made in.
fn condition_of(manifest: &RunManifest, conditions: &[Condition]) -> Option<usize> {
    let run: RunConfig = serde_json::from_value(manifest.configuration.values.get("run")?.clone()).ok()?;
    let model = without_digest(&run.model);
    conditions.iter().position(|condition| {
        condition.actor == run.actor
            && without_digest(&condition.model) == model
            && condition.books.books == run.books()
            && condition.terrain == run.terrain
    })
}

/// A model without the digest of its persona, which a run has and a plan has not.
fn without_digest(model: &ModelSpec) -> ModelSpec {
    match model {
        ModelSpec::Simulated(Some(PersonaSource::File { path, .. })) => {
            ModelSpec::Simulated(Some(PersonaSource::File { path: path.clone(), digest: None }))
        }
        other => other.clone(),
    }
}

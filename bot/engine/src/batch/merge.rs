//! Merges the directories of shards into that of the whole plan.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ltlcrit_store::{Program, RunId, RunManifest, Store};
use thiserror::Error;

use super::condition::Cell;
use super::contents::Contents;
use super::directory::Directory;
use super::experiment::Experiment;
use super::files::DirectoryError;
use super::learned::{LearnedError, LearnedFolder, Learning};
use super::runs::runs_of_cells;

/// The reason why directories cannot be merged.
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
        /// The number of cells.
        cells: usize,
        /// The first directory.
        one: PathBuf,
        /// The second directory.
        other: PathBuf,
    },
    /// Cells have no result.
    #[error("{cells} of {all} cells have no result")]
    Missing {
        /// The number of cells.
        cells: usize,
        /// The number of cells of the plan.
        all: usize,
        /// The cells, their directories and the reasons.
        which: Vec<String>,
    },
    /// The learned book of a condition differs between directories, or cannot be read.
    #[error("`{}` and `{}` have learned other laws for `{condition}`", one.display(), other.display())]
    Learned {
        /// The condition.
        condition: String,
        /// The first directory.
        one: PathBuf,
        /// A directory with another book.
        other: PathBuf,
    },
    /// A learned book cannot be used.
    #[error(transparent)]
    Book(#[from] LearnedError),
    /// A result has no run.
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

/// A directory to merge.
struct Part {
    contents: Contents,
    /// The run of every cell with a result.
    runs: BTreeMap<usize, RunId>,
}

impl Part {
    fn store(&self) -> PathBuf {
        self.contents.path.join("store")
    }
}

/// Merges the directories of shards: their results and runs, in the order of the plan. The output equals that of a
/// batch of the whole plan. A merge that was interrupted is resumed. `done` is called after every cell.
///
/// # Errors
/// The directories have different plans or programs, share a cell, lack a result, or cannot be read or written. Nothing
/// is written unless every cell has one result.
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
    let learned = learned_books(&experiment, &parts)?;
    let mut directory = Directory::open(output, &experiment)?;
    for (condition, from, learning) in learned {
        let to = LearnedFolder::new(output, condition);
        match to.read()? {
            Some(known) if known.sha256 == learning.sha256 => {}
            Some(_) => return Err(other_laws(&experiment, condition, output, from)),
            None => to.copy(&LearnedFolder::new(from, condition), &learning)?,
        }
    }
    let mut open: Option<(usize, Store)> = None;
    for cell in grid {
        let holder = parts.iter().enumerate().find(|(_, part)| part.contents.cells.results.contains(cell.index));
        let Some((number, part)) = holder else { continue };
        let Some(result) = part.contents.cells.result(cell.index)? else { continue };
        match directory.cells().result(cell.index)? {
            Some(known) if known == result => {}
            Some(_) => {
                return Err(MergeError::Differs { output: output.to_owned(), cell: experiment.name(cell) });
            }
            None => {
                let store = match open.take() {
                    Some((opened, store)) if opened == number => store,
                    _ => read_store(&part.store())?,
                };
                let episode = store.episode(part.runs[&cell.index]).map_err(DirectoryError::from)?;
                directory.store().commit(episode).map_err(DirectoryError::from)?;
                directory.finish(&result)?;
                open = Some((number, store));
            }
        }
        done();
    }
    directory.sort()?;
    Ok((experiment, directory))
}

/// Finds the learned book of every condition that has one, with a directory that holds it.
fn learned_books<'a>(
    experiment: &Experiment,
    parts: &'a [Part],
) -> Result<Vec<(usize, &'a Path, Learning)>, MergeError> {
    let mut books: Vec<(usize, &Path, Learning)> = Vec::new();
    for number in 0..experiment.conditions.len() {
        for path in parts.iter().map(|part| part.contents.path.as_path()) {
            let Some(learning) = LearnedFolder::new(path, number).read()? else { continue };
            match books.last().filter(|(last, ..)| *last == number) {
                Some((_, one, known)) if known.sha256 != learning.sha256 => {
                    return Err(other_laws(experiment, number, one, path));
                }
                Some(_) => {}
                None => books.push((number, path, learning)),
            }
        }
    }
    Ok(books)
}

fn other_laws(experiment: &Experiment, condition: usize, one: &Path, other: &Path) -> MergeError {
    let condition = experiment.conditions[condition].name.clone();
    MergeError::Learned { condition, one: one.to_owned(), other: other.to_owned() }
}

/// Returns the experiment without shards to which all directories belong.
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
            let cells = other.cells.results.cells().filter(|cell| one.cells.results.contains(*cell)).count();
            if cells > 0 {
                return Err(MergeError::Twice { cells, one: one.path.clone(), other: other.path.clone() });
            }
        }
    }
    let grid = experiment.grid();
    let missing = grid.iter().filter(|cell| contents.iter().all(|part| !part.cells.results.contains(cell.index)));
    let mut which: Vec<((usize, String), Vec<u64>)> = Vec::new();
    let mut cells = 0;
    for cell in missing {
        cells += 1;
        let holder = contents.iter().find(|part| part.experiment.has(cell.index));
        let why = match holder.map(|part| (part, part.cells.failures.get(&cell.index))) {
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

/// Finds the runs of a directory's results in its store.
fn with_runs(
    contents: Contents,
    experiment: &Experiment,
    grid: &[Cell],
    programs: &mut BTreeMap<String, PathBuf>,
) -> Result<Part, MergeError> {
    let mut runs = BTreeMap::new();
    if !contents.cells.results.is_empty() {
        let store = read_store(&contents.path.join("store"))?;
        let program = |manifest: &RunManifest| {
            programs.entry(shown(&manifest.program)).or_insert_with(|| contents.path.clone());
        };
        runs = runs_of_cells(experiment, &store, program).map_err(DirectoryError::from)?;
    }
    let without = contents.cells.results.cells().find(|cell| !runs.contains_key(cell));
    match without {
        Some(cell) => Err(MergeError::NoRun { store: contents.path.join("store"), cell: experiment.name(grid[cell]) }),
        None => Ok(Part { contents, runs }),
    }
}

/// Formats a build of the program.
fn shown(program: &Program) -> String {
    let revision = program.revision.as_deref().map_or_else(String::new, |revision| format!(" ({revision})"));
    format!("{}{revision}", program.version)
}

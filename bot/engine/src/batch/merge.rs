//! Merges the directories of shards into that of the whole plan.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ltlcrit_store::{Program, RunId, RunManifest, Store};

use super::condition::Cell;
use super::contents::Contents;
use super::directory::Directory;
use super::experiment::Experiment;
use super::files::DirectoryError;
use super::learned::{LearnedFolder, Learning};
use super::runs::runs_of_cells;
use crate::user_error::UserError;

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
pub fn merge(paths: &[PathBuf], output: &Path, done: impl Fn()) -> Result<(Experiment, Directory), DirectoryError> {
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
        let wrong = UserError::new("the runs were made by different versions of the program");
        let programs = programs.into_iter().map(shown).collect();
        return Err(wrong.details(programs).help("run all shards with one version").into());
    }
    let learned = learned_books(&experiment, &parts)?;
    let mut directory = Directory::open(output, &experiment)?;
    for ((condition, number), from, learning) in learned {
        let to = LearnedFolder::new(output, condition, number);
        match to.read()? {
            Some(known) if known.sha256 == learning.sha256 => {}
            Some(_) => return Err(other_laws(&experiment, condition, output, from)),
            None => to.copy(&LearnedFolder::new(from, condition, number), &learning)?,
        }
    }
    let mut open: Option<(usize, Store)> = None;
    for cell in grid {
        let holder = parts.iter().enumerate().find(|(_, part)| part.contents.cells.results.contains_key(&cell.index));
        let Some((number, part)) = holder else { continue };
        let result = &part.contents.cells.results[&cell.index];
        match directory.cells().results.get(&cell.index) {
            Some(known) if known == result => {}
            Some(_) => {
                let message =
                    format!("`{}` has another result of the cell {}", output.display(), experiment.name(cell));
                return Err(UserError::new(message).help("name an empty directory, or a new one: `-o DIR`").into());
            }
            None => {
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
    directory.sort()?;
    Ok((experiment, directory))
}

/// A condition and the number of its learning, with a directory that holds it.
type Learned<'a> = ((usize, u64), &'a Path, Learning);

/// Finds the learned book of every learning of every condition.
fn learned_books<'a>(experiment: &Experiment, parts: &'a [Part]) -> Result<Vec<Learned<'a>>, DirectoryError> {
    let mut books: Vec<Learned<'a>> = Vec::new();
    for number in experiment.learnings() {
        for path in parts.iter().map(|part| part.contents.path.as_path()) {
            let Some(learning) = LearnedFolder::new(path, number.0, number.1).read()? else { continue };
            match books.last().filter(|(last, ..)| *last == number) {
                Some((_, one, known)) if known.sha256 != learning.sha256 => {
                    return Err(other_laws(experiment, number.0, one, path));
                }
                Some(_) => {}
                None => books.push((number, path, learning)),
            }
        }
    }
    Ok(books)
}

fn other_laws(experiment: &Experiment, condition: usize, one: &Path, other: &Path) -> DirectoryError {
    let condition = &experiment.conditions[condition].name;
    let message = format!("`{}` and `{}` have learned other laws for `{condition}`", one.display(), other.display());
    let help = "models that answer differently each time learn different laws: run such a condition in one shard";
    UserError::new(message).help(help).into()
}

/// Returns the experiment without shards to which all directories belong.
fn whole(contents: &[Contents]) -> Result<Experiment, DirectoryError> {
    let without_shard = |contents: &Contents| {
        let mut experiment = contents.experiment.clone();
        experiment.plan.shard = None;
        experiment
    };
    let mut all = contents.iter().map(|contents| (&contents.path, without_shard(contents)));
    let Some((one, mut experiment)) = all.next() else {
        return Err(without_result(0, 0, Vec::new()));
    };
    for (other, its) in all {
        let differing = its.differing(&experiment.plan);
        if !differing.is_empty() {
            let message = format!("`{}` belongs to another plan than `{}`", other.display(), one.display());
            return Err(UserError::new(message).details(differing).help("merge the shards of one plan").into());
        }
        experiment.plan.inputs.extend(its.plan.inputs);
    }
    Ok(experiment)
}

/// Checks that every cell has one result.
fn check_results(experiment: &Experiment, contents: &[Contents]) -> Result<(), DirectoryError> {
    for (number, other) in contents.iter().enumerate() {
        for one in &contents[..number] {
            let cells = other.cells.results.keys().filter(|cell| one.cells.results.contains_key(cell)).count();
            if cells > 0 {
                let (one, other) = (one.path.display(), other.path.display());
                let message = format!("`{one}` and `{other}` have the same cells ({cells})");
                return Err(UserError::new(message).help("name every shard once").into());
            }
        }
    }
    let grid = experiment.grid();
    let missing = grid.iter().filter(|cell| contents.iter().all(|part| !part.cells.results.contains_key(&cell.index)));
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
    Err(without_result(cells, grid.len(), which.into_iter().map(line).collect()))
}

/// Returns the error of cells without a result: the cells, their directories and the reasons.
fn without_result(cells: usize, all: usize, which: Vec<String>) -> DirectoryError {
    let help = "run the missing shards, and failed cells again with `--retry`; then merge";
    UserError::new(format!("{cells} of {all} cells have no result")).details(which).help(help).into()
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
) -> Result<Part, DirectoryError> {
    let mut runs = BTreeMap::new();
    if !contents.cells.results.is_empty() {
        let store = read_store(&contents.path.join("store"))?;
        let program = |manifest: &RunManifest| {
            programs.entry(shown(&manifest.program)).or_insert_with(|| contents.path.clone());
        };
        runs = runs_of_cells(experiment, &store, program).map_err(DirectoryError::from)?;
    }
    let without = contents.cells.results.keys().find(|cell| !runs.contains_key(cell));
    match without {
        Some(cell) => {
            let (store, cell) = (contents.path.join("store"), experiment.name(grid[*cell]));
            let message = format!("`{}` has no run of the cell {cell}", store.display());
            let help = "remove the line of the cell in results.jsonl, and it runs again";
            Err(UserError::new(message).help(help).into())
        }
        None => Ok(Part { contents, runs }),
    }
}

/// Formats a build of the program.
fn shown(program: &Program) -> String {
    let revision = program.revision.as_deref().map_or_else(String::new, |revision| format!(" ({revision})"));
    format!("{}{revision}", program.version)
}

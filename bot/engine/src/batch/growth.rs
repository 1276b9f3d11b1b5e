//! Claims directories for plans, and extends the plan of a directory by seeds or conditions.

use std::collections::BTreeMap;
use std::path::Path;

use super::condition::Condition;
use super::experiment::Experiment;
use super::files::{self, DirectoryError};
use super::plan::Plan;
use super::result::CellResult;
use super::results::{read_results, write_results};
use crate::config::Values;
use crate::user_error::UserError;

/// Sections of the configuration that a plan has only if it needs them.
const NEEDED: [&str; 4] = ["config.server", "config.learn", "config.critic", "config.model"];

/// Makes a directory belong to a plan, unless it does already. If its own plan can be extended to this one, writes
/// nothing and returns the keys with more values.
///
/// # Errors
/// The directory belongs to something else or to another plan, or cannot be written.
pub(super) fn claim_or_grow(path: &Path, experiment: &Experiment) -> Result<Vec<String>, DirectoryError> {
    let failed = DirectoryError::io(path);
    std::fs::create_dir_all(path).map_err(failed)?;
    let plan_file = files::plan_file(path);
    let known = match plan_file.exists() {
        true => {
            let earlier = files::read_plan(&plan_file)?;
            let differing = experiment.differing(&earlier);
            if !differing.is_empty() {
                return Growth::new(path, earlier, experiment).map(|_| differing);
            }
            earlier.inputs
        }
        false if !files::files(path).map_err(failed)?.iter().all(|file| ltlcrit_files::is_half_written(file)) => {
            let message =
                format!("`{}` is not the directory of a batch: it has files and no `plan.toml`", path.display());
            return Err(UserError::new(message).help("name an empty directory, or a new one: `-o DIR`").into());
        }
        false => BTreeMap::new(),
    };
    files::write_plan(&plan_file, experiment, known).map(|()| Vec::new())
}

/// The extension of a directory's earlier plan, with a map of its cells.
pub(super) struct Growth {
    earlier: Experiment,
    /// The new index of each earlier cell.
    cells: Vec<usize>,
}

impl Growth {
    /// Compares an earlier plan with this experiment, which must contain it unchanged.
    ///
    /// # Errors
    /// Something else differs, too.
    pub fn new(path: &Path, old: Plan, experiment: &Experiment) -> Result<Self, DirectoryError> {
        let another = |differing| DirectoryError::another_plan(path, differing);
        let new = &experiment.plan;
        let seeds: BTreeMap<u64, usize> = (0..).zip(new.seeds.as_slice()).map(|(place, seed)| (*seed, place)).collect();
        let whole = old.shard.is_none() && new.shard.is_none();
        let larger = |key: &str| match key {
            "seeds" => old.seeds.as_slice().iter().all(|seed| seeds.contains_key(seed)),
            "worlds" => within(&old.worlds, &new.worlds),
            "actors" => within(&old.actors, &new.actors),
            "models" => within(&old.models, &new.models),
            "terrains" => within(&old.terrains, &new.terrains),
            "settings" => {
                let kept = |(name, values): (&String, &Values)| new.settings.get(name) == Some(values);
                !old.settings.is_empty() && old.settings.iter().all(kept)
            }
            "books" => old.books.as_ref().zip(new.books.as_ref()).is_some_and(|(old, new)| within(&old.0, &new.0)),
            _ => false,
        };
        let is_needed = |key: &str| {
            let set = |section: &str| old.config.contains_key(section.trim_start_matches("config."));
            NEEDED.iter().any(|section| !set(section) && key.starts_with(&format!("{section}.")))
        };
        let changed = experiment.changes(&old, |key| !(whole && larger(key) || is_needed(key)));
        if !changed.is_empty() {
            return Err(another(changed));
        }
        let earlier = Experiment::stored(old, &files::plan_file(path).display().to_string())?;
        let mut places: Vec<usize> = Vec::new();
        for (number, condition) in earlier.conditions.iter().enumerate() {
            let same = |(place, other): (usize, &Condition)| condition.is(other) && !places.contains(&place);
            let Some(place) = experiment.conditions.iter().enumerate().position(same) else {
                return Err(another(vec![format!("conditions: `{}` there, and not here", condition.name)]));
            };
            if condition.books.learn.is_some() && place != number {
                let (from, to) = (number + 1, place + 1);
                return Err(another(vec![format!(
                    "books: the laws of `{}` are in learned/{from} there, and would be in learned/{to} here",
                    condition.name
                )]));
            }
            places.push(place);
        }
        let cells = earlier.grid().into_iter().map(|cell| places[cell.condition] * seeds.len() + seeds[&cell.seed]);
        Ok(Self { cells: cells.collect(), earlier })
    }

    /// Extends the plan of a directory that this process has locked. The results are renumbered before the plan is
    /// written, so that both plans can read them after a crash. A crash only loses which cells had failed.
    ///
    /// # Errors
    /// The files cannot be read or written.
    pub fn apply(self, path: &Path, experiment: &Experiment) -> Result<(), DirectoryError> {
        let failures = files::read_failures(path)?;
        files::write_failures(path, &Default::default())?;
        let file = files::results_file(path);
        match read_results(&file, &self.earlier) {
            Ok(results) => {
                let grid = experiment.grid();
                let renumbered = results.into_values().map(|result| {
                    let cell = self.cells[result.cell];
                    let condition = experiment.conditions[grid[cell].condition].name.clone();
                    (cell, CellResult { cell, condition, ..result })
                });
                write_results(&file, &renumbered.collect())?;
            }
            // A process that was killed may have renumbered them already.
            Err(error) => drop(read_results(&file, experiment).map_err(|_| error)?),
        }
        files::write_plan(&files::plan_file(path), experiment, self.earlier.plan.inputs)?;
        let renumbered = failures.into_iter().filter_map(|(cell, why)| Some((*self.cells.get(cell)?, why)));
        files::write_failures(path, &renumbered.collect())
    }
}

/// Returns whether `new` contains all values of `old`.
fn within<T: PartialEq>(old: &[T], new: &[T]) -> bool {
    old.iter().all(|value| new.contains(value))
}

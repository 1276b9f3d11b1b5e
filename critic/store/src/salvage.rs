//! Saves the readable records of a damaged store.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::log::Log;
use super::open::must_exist;
use super::{Problem, Store, StoreError};

/// The result of [`Store::salvage`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Salvage {
    /// Records saved, by tree.
    pub saved: BTreeMap<&'static str, u64>,
    /// Runs without a known loss.
    pub whole_runs: u64,
    /// The damage of the store, and the records known to be missing.
    pub lost: Vec<Problem>,
}

impl Salvage {
    /// Returns whether no loss is known.
    pub fn is_complete(&self) -> bool {
        self.lost.is_empty()
    }
}

impl Store {
    /// Writes the intact lines of a store to a new store. The source is not changed and may be in use.
    ///
    /// # Errors
    /// A source that is missing or not a store; a target that exists or cannot be written.
    pub fn salvage(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<Salvage, StoreError> {
        let (from, to) = (from.as_ref(), to.as_ref());
        must_exist(from)?;
        let writing = |error: std::io::Error| StoreError::Write { path: to.to_owned(), why: error.to_string() };
        if to.try_exists().map_err(writing)? || is_within(to, from) {
            return Err(StoreError::Exists(to.to_owned()));
        }
        let salvaged = Self::open(to).and_then(|new| new.copy_lines(&Log::to_read(from)?));
        if salvaged.is_err() {
            // An incomplete store must not remain.
            let _ = std::fs::remove_dir_all(to);
        }
        salvaged
    }

    fn copy_lines(&self, old: &Log) -> Result<Salvage, StoreError> {
        let known = old.known_end();
        let mut lost = Vec::new();
        let end = old.scan(&mut |_, line| match line {
            Ok(line) => self.tree(line.kind).write(&line.key, line.version, line.json()),
            Err(damage) => {
                lost.push(Problem::damage(&damage));
                Ok(())
            }
        })?;
        lost.extend(Log::cut_short(known, end).as_ref().map(Problem::damage));
        self.flush()?;
        let report = self.verify()?;
        lost.extend(report.problems);
        let broken: BTreeSet<u64> = lost.iter().filter_map(|problem| problem.run).collect();
        let whole_runs =
            self.run_ids().filter(|run| run.as_ref().is_ok_and(|run| !broken.contains(&run.0))).count() as u64;
        Ok(Salvage { saved: report.records, whole_runs, lost })
    }
}

/// Returns whether a path that does not exist yet would be inside a directory.
fn is_within(path: &Path, directory: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (parent.canonicalize(), directory.canonicalize()) {
        (Ok(parent), Ok(directory)) => parent.starts_with(directory),
        _ => path.starts_with(directory),
    }
}

//! Resolves selections of runs.

use std::collections::BTreeSet;

use super::{RunId, RunSelection, RunSelector, Store, StoreError};

impl Store {
    /// Returns the selected runs, in order, each once.
    ///
    /// # Errors
    /// A named run that does not exist, a range without any run, or a store without runs.
    pub fn resolve_all(&self, selections: &[RunSelection]) -> Result<Vec<RunId>, StoreError> {
        let mut runs = BTreeSet::new();
        for selection in selections {
            match *selection {
                RunSelection::One(selector) => drop(runs.insert(self.resolve(selector)?)),
                RunSelection::All => {
                    self.resolve(RunSelector::Last)?;
                    for run in self.run_ids() {
                        runs.insert(run?);
                    }
                }
                RunSelection::Range(from, to) => {
                    let mut met = false;
                    for run in self.run_ids() {
                        let run = run?;
                        if (from..=to).contains(&run) {
                            met = true;
                            runs.insert(run);
                        }
                    }
                    if !met {
                        return Err(StoreError::NoSuchRun { run: from });
                    }
                }
            }
        }
        Ok(runs.into_iter().collect())
    }
}

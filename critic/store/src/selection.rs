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
            let (from, to) = match *selection {
                RunSelection::One(selector) => {
                    runs.insert(self.resolve(selector)?);
                    continue;
                }
                RunSelection::All => (RunId(0), self.resolve(RunSelector::Last)?),
                RunSelection::Range(from, to) => (from, to),
            };
            let within = |run: &Result<RunId, StoreError>| run.as_ref().map_or(true, |run| (from..=to).contains(run));
            let found = self.run_ids().filter(within).collect::<Result<Vec<_>, _>>()?;
            if found.is_empty() {
                return Err(StoreError::NoSuchRun(from));
            }
            runs.extend(found);
        }
        Ok(runs.into_iter().collect())
    }
}

//! The runs of a batch's cells in its store.

use std::collections::BTreeMap;

use ltlcrit_store::{RunId, RunManifest, Store, StoreError};

use super::condition::Condition;
use super::experiment::Experiment;
use crate::actor::simulated::PersonaSource;
use crate::config::RunConfig;
use crate::model::ModelSpec;

/// Finds the run of every cell that has one, and calls `each` with its manifest. Results do not name their runs. The
/// last of several runs of a cell counts: the earlier ones belong to processes that were killed before they wrote the
/// result.
///
/// # Errors
/// A manifest cannot be read.
pub fn runs_of_cells(
    experiment: &Experiment,
    store: &Store,
    mut each: impl FnMut(&RunManifest),
) -> Result<BTreeMap<usize, RunId>, StoreError> {
    let grid = experiment.grid();
    let places: BTreeMap<(usize, u64), usize> =
        grid.iter().map(|cell| ((cell.condition, cell.seed), cell.index)).collect();
    let mut runs = BTreeMap::new();
    for manifest in store.runs() {
        let manifest = manifest?;
        let condition = condition_of(&manifest, &experiment.conditions);
        if let Some(cell) = condition.and_then(|condition| places.get(&(condition, manifest.seed))) {
            runs.insert(*cell, manifest.run);
            each(&manifest);
        }
    }
    Ok(runs)
}

/// Returns the index of the condition of a run.
fn condition_of(manifest: &RunManifest, conditions: &[Condition]) -> Option<usize> {
    let run: RunConfig = serde_json::from_value(manifest.configuration.values.get("run")?.clone()).ok()?;
    let model = without_digest(&run.model);
    conditions.iter().position(|condition| {
        condition.world == run.world
            && condition.actor == run.actor
            && without_digest(&condition.model) == model
            && condition.books_of(manifest.seed) == run.books()
            && condition.terrain == run.terrain
    })
}

/// Removes the digest of a model's persona, which runs have and plans lack.
fn without_digest(model: &ModelSpec) -> ModelSpec {
    match model {
        ModelSpec::Simulated(Some(PersonaSource::File { path, .. })) => {
            ModelSpec::Simulated(Some(PersonaSource::File { path: path.clone(), digest: None }))
        }
        other => other.clone(),
    }
}

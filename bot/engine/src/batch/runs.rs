//! The runs of a batch's cells in its store.

use std::collections::BTreeMap;

use ltlcrit_store::{RunId, RunManifest, Store, StoreError};
use serde_json::Value;

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
    let config = |condition| serde_json::to_value(experiment.config(condition)).unwrap_or_default();
    let conditions: Vec<(&Condition, Value)> = experiment.conditions.iter().map(|it| (it, config(it))).collect();
    let mut runs = BTreeMap::new();
    for manifest in store.runs() {
        let manifest = manifest?;
        let condition = condition_of(&manifest, &conditions);
        if let Some(cell) = condition.and_then(|condition| places.get(&(condition, manifest.seed))) {
            runs.insert(*cell, manifest.run);
            each(&manifest);
        }
    }
    Ok(runs)
}

/// Returns the index of the condition of a run. Each is with its configuration, of which the run's has what settings may change.
fn condition_of(manifest: &RunManifest, conditions: &[(&Condition, Value)]) -> Option<usize> {
    let values = &manifest.configuration.values;
    let run: RunConfig = serde_json::from_value(values.get("run")?.clone()).ok()?;
    let model = without_digest(&run.model);
    conditions.iter().position(|(condition, config)| {
        condition.world == run.world
            && condition.actor == run.actor
            && without_digest(&condition.model) == model
            && condition.books_of(manifest.seed) == run.books()
            && condition.terrain == run.terrain
            && ["/shield", "/actor", "/prompt", "/model/body"].iter().all(|at| values.pointer(at) == config.pointer(at))
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

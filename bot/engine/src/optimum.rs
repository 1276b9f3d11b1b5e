//! The optimum of a run: the minimum number of actions, for comparison.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ltlcrit_store::{RunId, RunManifest, StepRecord, Store};
use serde::Serialize;

use crate::agent::RunSummary;
use crate::world::{Distances, of_kind};

/// The minimum number of actions to every subgoal, by name, if the [world](crate::world::WorldKind::distances) knows
/// it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Optimum(pub Vec<(String, u64)>);

impl Optimum {
    /// Computes the optimum from the initial state of a stored run; empty for worlds without distances.
    pub fn of(store: &Store, run: RunId) -> Self {
        match (store.manifest(run), store.steps(run).next()) {
            (Ok(manifest), Some(Ok(first))) => Optima::default().of(&manifest, &first),
            _ => Self::default(),
        }
    }

    /// Returns a sentence on what the optimum of a run leaves out, if anything. A simulated actor decides at once.
    pub fn caveat(summary: &RunSummary) -> Option<String> {
        let omitted = of_kind(&summary.world)?.distances_omit().filter(|_| !summary.model.simulated);
        omitted.map(|omitted| format!("The optimum does not count {omitted}."))
    }

    /// Returns the optimum for a subgoal.
    pub fn steps(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, steps)| *steps)
    }
}

/// The optima of many runs. Optima of equal initial states are computed once.
#[derive(Default)]
pub struct Optima(Mutex<BTreeMap<String, Option<Distances>>>);

impl Optima {
    /// Computes the optimum of a run from its first record; empty for worlds without distances.
    pub fn of(&self, manifest: &RunManifest, first: &StepRecord) -> Optimum {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_kind = known.entry(manifest.world.kind.clone()).or_insert_with_key(|kind| of_kind(kind)?.distances());
        let Some(distance) = of_kind else { return Optimum::default() };
        let names = manifest.subgoals.iter().map(|subgoal| &subgoal.name);
        Optimum(names.filter_map(|name| Some((name.clone(), distance(&first.observation, name)?))).collect())
    }
}

//! The variables of full states: observations, and counts that matter.
//!
//! An observation that is a function of counts, as "has three planks", is no variable: it follows the counts. It is taken for
//! one if it never held with fewer of everything while it did not hold with more. A count matters if some step used it up, or
//! if it changed when such an observation came to hold; others, as dirt that came with a log, are left out.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_verifier::bits::CAPACITY;
use ltlcrit_verifier::{PropId, PropSet};

use crate::graph::{Counts, RunPath};

/// The most different states that are compared to find observations that follow the counts.
const MAX_COMPARED: usize = 2_000;

/// The variables of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Variables {
    /// The observations that do not follow the counts.
    pub observed: PropSet,
    /// The names of the counts that matter.
    pub counted: Vec<String>,
    /// The number of observations: counts have the numbers after them in [`Variables::present`].
    observations: usize,
}

/// The state of a run, in variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FullState {
    pub observed: PropSet,
    pub counts: Vec<u32>,
}

impl Variables {
    pub fn of<'a>(runs: impl Iterator<Item = &'a RunPath> + Clone, observations: usize) -> Self {
        let none = Counts::new();
        let counts = |run: &'a RunPath, at: usize, moved: bool| run.counts.get(&(at, moved));
        let mut seen: BTreeMap<&Counts, (PropSet, PropSet)> = BTreeMap::new();
        let every = PropSet::first(observations);
        for run in runs.clone() {
            for (at, moved, holds) in run.states() {
                let (ever, always) =
                    seen.entry(counts(run, at, moved).unwrap_or(&none)).or_insert((PropSet::EMPTY, every));
                (*ever, *always) = (ever.union(&holds), always.intersection(&holds));
            }
        }
        let names: BTreeSet<&str> = seen.keys().flat_map(|counts| counts.keys().map(String::as_str)).collect();
        let names: Vec<&str> = names.into_iter().take(CAPACITY).collect();
        let vectors: Vec<(Vec<u32>, PropSet, PropSet)> = seen
            .iter()
            .take(MAX_COMPARED)
            .map(|(counts, (ever, always))| (vector(counts, &names), *ever, *always))
            .collect();
        let mut observed = PropSet::EMPTY;
        for (less, ever, _) in &vectors {
            for (more, _, always) in &vectors {
                let odd = ever.difference(always).difference(&observed);
                if !odd.is_empty() && less.iter().zip(more).all(|(less, more)| less <= more) {
                    observed = observed.union(&odd);
                }
            }
        }
        let mut counted: BTreeSet<&str> = BTreeSet::new();
        for run in runs {
            for (at, step) in run.steps.iter().enumerate() {
                let before = counts(run, at, run.moved.contains_key(&at)).unwrap_or(&none);
                let after = counts(run, at + 1, false).unwrap_or(&none);
                let of = |counts: &Counts, name: &str| counts.get(name).copied().unwrap_or(0);
                let changed = before.keys().chain(after.keys()).map(String::as_str);
                let changed: BTreeSet<&str> = changed.filter(|name| of(before, name) != of(after, name)).collect();
                counted.extend(changed.iter().filter(|name| of(before, name) > of(after, name)));
                let held = run.state_before(at);
                if !step.to.difference(&held).is_subset(&observed) {
                    counted.extend(changed);
                }
            }
        }
        let counted = counted.into_iter().take(CAPACITY - observations.min(CAPACITY)).map(str::to_owned).collect();
        Self { observed, counted, observations }
    }

    /// The observations that tell what is had, not what is seen: those that follow the counts, or all if nothing is counted.
    pub fn had(&self) -> PropSet {
        let all = PropSet::first(self.observations);
        if self.counted.is_empty() { all } else { all.difference(&self.observed) }
    }

    pub fn state(&self, holds: &PropSet, counts: Option<&Counts>) -> FullState {
        let none = Counts::new();
        let counts = vector(counts.unwrap_or(&none), &self.counted);
        FullState { observed: holds.intersection(&self.observed), counts }
    }

    /// The observations that hold and the counts above 0, as one set.
    pub fn present(&self, state: &FullState) -> PropSet {
        let counted = state.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counted.map(|(at, _)| PropId((self.observations + at) as u16)).fold(state.observed, |mut all, one| {
            all.insert(one);
            all
        })
    }
}

fn vector(counts: &Counts, names: &[impl AsRef<str>]) -> Vec<u32> {
    names.iter().map(|name| counts.get(name.as_ref()).copied().unwrap_or(0)).collect()
}

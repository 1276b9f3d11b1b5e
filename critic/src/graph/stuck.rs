//! Where runs got stuck: the steps after the last progress of a run that did not reach its goal.
//!
//! Progress is an observation the run had not made before, other than one that some run began with: what is there before
//! anything was done tells of the place, and comes and goes by itself.

use std::collections::BTreeSet;

use ltlcrit_verifier::PropSet;

use super::{Path, TrajectoryGraph};

/// A run got stuck if nothing new came in at least so many steps at its end.
const LONG: usize = 20;

/// Observations that some run began with.
pub fn at_the_start(graph: &TrajectoryGraph) -> PropSet {
    starts(graph).fold(PropSet::EMPTY, |ever, start| ever.union(start))
}

/// Observations that differ from run to run before anything was done: they tell of the place, not of the task.
pub fn of_the_place(graph: &TrajectoryGraph) -> PropSet {
    let always = starts(graph).copied().reduce(|always, start| always.intersection(&start)).unwrap_or_default();
    at_the_start(graph).difference(&always)
}

fn starts(graph: &TrajectoryGraph) -> impl Iterator<Item = &PropSet> {
    graph.runs().filter_map(|(_, path)| graph.holds(path.start()))
}

/// After how many steps a run was stuck, if it was.
pub fn stuck_after(graph: &TrajectoryGraph, path: &Path, place: &PropSet) -> Option<usize> {
    let (mut seen, mut last) = (PropSet::EMPTY, 0);
    for at in 0..=path.steps().len() {
        let holds = graph.holds(graph.place_after(path, at)).copied().unwrap_or_default().difference(place);
        if !holds.is_subset(&seen) {
            seen = seen.union(&holds);
            last = at;
        }
    }
    (!path.reached_goal() && path.steps().len() - last >= LONG).then_some(last)
}

/// The states in which runs were stuck and from which none ever got to its goal.
pub fn dead_ends(graph: &TrajectoryGraph) -> BTreeSet<PropSet> {
    let place = at_the_start(graph);
    let states = |path: &Path, from: usize| -> Vec<PropSet> {
        let places = (from..=path.steps().len()).map(|at| graph.place_after(path, at));
        places.filter_map(|place| graph.holds(place).copied()).collect()
    };
    let mut dead = BTreeSet::new();
    for (_, path) in graph.runs() {
        dead.extend(stuck_after(graph, path, &place).into_iter().flat_map(|from| states(path, from)));
    }
    for (_, path) in graph.runs().filter(|(_, path)| path.reached_goal()) {
        for state in states(path, 0) {
            dead.remove(&state);
        }
    }
    dead
}

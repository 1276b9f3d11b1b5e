//! Stalls: long stretches without progress in runs that did not reach their goal.
//!
//! A run makes progress when it observes something for the first time. Observations that some run began with do not
//! count: they describe the place, and come and go by themselves.

use std::collections::BTreeSet;
use std::ops::Range;

use ltlcrit_verifier::PropSet;

use super::{Path, TrajectoryGraph};

/// The fewest steps without progress that count as a stall.
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

/// The stretches in which a run that did not reach its goal made no progress for long, each by the number of steps taken
/// before it and at its end. The step that brought the next progress is no part of it.
pub fn standstills(graph: &TrajectoryGraph, path: &Path, place: &PropSet) -> Vec<Range<usize>> {
    if path.reached_goal() {
        return Vec::new();
    }
    let marks = progress(graph, path, place);
    let ends = marks.iter().skip(1).map(|mark| mark - 1).chain([path.steps().len()]);
    let stretches = marks.iter().zip(ends).map(|(start, end)| *start..end);
    stretches.filter(|stretch| stretch.len() >= LONG).collect()
}

/// The last step after which a run is known to have got on: the one that brought the last progress, or the goal.
pub fn got_on_until(graph: &TrajectoryGraph, path: &Path, place: &PropSet) -> usize {
    let last = || progress(graph, path, place).last().copied().unwrap_or(0);
    if path.reached_goal() { path.steps().len() } else { last() }
}

/// After how many steps there was something new, the start included.
fn progress(graph: &TrajectoryGraph, path: &Path, place: &PropSet) -> Vec<usize> {
    let (mut seen, mut marks) = (PropSet::EMPTY, vec![0]);
    for at in 0..=path.steps().len() {
        let holds = graph.holds(graph.place_after(path, at)).copied().unwrap_or_default().difference(place);
        if !holds.is_subset(&seen) {
            seen = seen.union(&holds);
            marks.push(at);
        }
    }
    marks.dedup();
    marks
}

/// The states in which runs stood still and from which none ever got to its goal.
pub fn dead_ends(graph: &TrajectoryGraph) -> BTreeSet<PropSet> {
    let place = at_the_start(graph);
    let states = |path: &Path, stretch: Range<usize>| -> Vec<PropSet> {
        let places = stretch.map(|at| graph.place_after(path, at));
        places.filter_map(|place| graph.holds(place).copied()).collect()
    };
    let mut dead = BTreeSet::new();
    for (_, path) in graph.runs() {
        for stretch in standstills(graph, path, &place) {
            // How it ended, if it did not go on.
            let end = stretch.end + usize::from(stretch.end == path.steps().len());
            dead.extend(states(path, stretch.start..end));
        }
    }
    for (_, path) in graph.runs().filter(|(_, path)| path.reached_goal()) {
        for state in states(path, 0..path.steps().len() + 1) {
            dead.remove(&state);
        }
    }
    dead
}

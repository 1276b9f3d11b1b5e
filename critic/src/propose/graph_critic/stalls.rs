//! Choices that runs repeated during stalls.
//!
//! While no run has reached the goal, no choice is known to be efficient. But a stalled run shows that the choices it repeated
//! do not lead on. Laws against them are wide, because there is no evidence against them yet. If such a law leaves a run in a
//! dead end, the critic retires it ([`RetireCause::LeavesDeadEnd`](crate::change::RetireCause::LeavesDeadEnd)), and a narrower
//! one is found: the state of the dead end is then evidence against it, and the states in which it blocked an action and runs
//! made progress are evidence for it ([`crate::blocked`]).

use std::collections::BTreeMap;
use std::ops::Range;

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};

use crate::graph::stuck::{at_the_start, standstills};
use crate::graph::{Citation, Path};
use crate::propose::Brief;

/// The fewest repetitions of an action in one stall that count.
const OFTEN: u32 = 5;

/// A choice repeated during a stall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stall {
    pub count: u32,
    pub first: Citation,
}

/// Choices repeated during stalls, by state and action.
pub(super) type Stalls = BTreeMap<(PropSet, ActionId), Stall>;

/// The stalls of all runs.
pub(super) fn stalls(brief: &Brief<'_>) -> Stalls {
    let place = at_the_start(brief.graph);
    let mut stalls = Stalls::new();
    for (run, path) in brief.graph.runs() {
        for stretch in standstills(brief.graph, path, &place) {
            add(brief, run, path, stretch, &mut stalls);
        }
    }
    stalls
}

fn add(brief: &Brief<'_>, run: RunId, path: &Path, stretch: Range<usize>, stalls: &mut Stalls) {
    let mut made: BTreeMap<ActionId, Vec<(PropSet, usize)>> = BTreeMap::new();
    for (at, edge) in path.steps().iter().enumerate().take(stretch.end).skip(stretch.start) {
        let choice = brief.graph.graph().edge_endpoints(*edge).and_then(|(choice, _)| brief.graph.chosen(choice));
        // Failures are evidence of their own, and a step taken instead of a blocked action is no evidence.
        if let (Some((place, action)), None) = (choice, brief.graph.failure(*edge))
            && !brief.blocked.forced.contains(&Citation { run, step: at as u32 + 1 })
            && let Some(state) = brief.graph.holds(place)
        {
            made.entry(action).or_default().push((*state, at));
        }
    }
    for (action, steps) in made.into_iter().filter(|(_, steps)| steps.len() >= OFTEN as usize) {
        for (state, at) in steps {
            let first = Citation { run, step: at as u32 + 1 };
            let stall = stalls.entry((state, action)).or_insert(Stall { count: 0, first });
            stall.count += 1;
            stall.first = stall.first.min(first);
        }
    }
}

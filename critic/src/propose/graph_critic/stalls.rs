//! Runs that stood still: what they did over and over without progress.
//!
//! Where no run reached the goal, nothing is known of what is efficient. But a run that stood still shows what leads nowhere:
//! whatever it kept doing. Laws against that are bold, because nothing speaks against them yet; where one of them is seen to
//! leave a run in a dead end, the critic retires it ([`crate::admission::RetireCause::LeavesDeadEnd`]), and it is found again
//! in a weaker form: the state of the dead end then speaks against it, the states in which it blocked what was wanted and runs
//! got on all the same speak for it ([`crate::blocked`]).

use std::collections::BTreeMap;
use std::ops::Range;

use ltlcrit_verifier::{ActionId, PropSet};

use crate::graph::stuck::{at_the_start, standstills};
use crate::graph::{Citation, Path};
use crate::propose::Brief;
use ltlcrit_store::RunId;

/// Over and over is at least so often.
const OFTEN: u32 = 5;

/// A choice made over and over while a run stood still.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stall {
    pub count: u32,
    pub first: Citation,
}

/// Choices made over and over to no end, by state and action.
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
        // What failed is another matter, and what was done because something else was blocked says nothing.
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

//! Classes of choices with states told apart by the number of visits.
//!
//! Abstract states hide counts: "has a log" is true of one log and of three. Judged by state alone, mining the second log is
//! a waste, because a run that had three logs went on from the same state at once. So states are told apart here by
//! *occasion*, the number of times the run had come to them. A choice counts as inefficient in a state only if it was so on
//! every occasion on which that is known, because laws have no memory and block it on all of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ltlcrit_verifier::{ActionId, PropId, PropSet};
use petgraph::graph::NodeIndex;

use crate::graph::{ChoiceClass, Classes, Path, RunPath, TrajectoryGraph};
use crate::propose::Brief;

/// Occasions are counted up to this.
const MOST: u16 = 15;
/// The number of bits of the count.
const BITS: u16 = 4;

/// The class of a choice over all occasions.
#[derive(Clone, Debug)]
pub(super) struct Worth {
    pub class: ChoiceClass,
    /// Better choices with the number of times they were made; empty unless the class is inefficient.
    pub better: BTreeMap<ActionId, u32>,
}

impl Worth {
    /// The better choice that was made most often, if it was made at least `support` times.
    pub fn best(&self, support: u32) -> Option<ActionId> {
        let best = self.better.iter().filter(|(_, made)| **made >= support);
        best.max_by_key(|(action, made)| (**made, Reverse(**action))).map(|(action, _)| *action)
    }
}

/// The classes of all choices over all occasions, by state and action.
pub(super) type Worths = BTreeMap<(PropSet, ActionId), Worth>;

/// The classes of all choices over all occasions.
pub(super) fn worths(brief: &Brief<'_>) -> Worths {
    let observations = brief.vocabulary.observations().len();
    let told_apart = by_occasion(brief.graph, observations as u16);
    let classes = told_apart.classify(brief.classes.target(), brief.classes.options());
    let mut worths = Worths::new();
    for (choice, place, action) in told_apart.choices() {
        let Some(state) = told_apart.holds(place) else { continue };
        let class = classes.class(&told_apart, choice);
        let state = state.intersection(&PropSet::first(observations));
        let known = worths.entry((state, action)).or_insert_with(|| Worth { class, better: BTreeMap::new() });
        known.class = together(known.class, class);
        if class == ChoiceClass::Inefficient
            && let Some((better, made)) = best(&told_apart, &classes, place)
        {
            *known.better.entry(better).or_default() += made;
        }
    }
    worths
}

/// The best choice known on an occasion, and how often it was made.
fn best(graph: &TrajectoryGraph, classes: &Classes, place: NodeIndex) -> Option<(ActionId, u32)> {
    let choices =
        graph.graph().neighbors(place).filter(|choice| classes.class(graph, *choice) == ChoiceClass::Efficient);
    let cost = |choice: &NodeIndex| classes.cost(*choice).unwrap_or(f64::INFINITY);
    let best = choices.min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
    Some((graph.chosen(best)?.1, graph.made(best).0))
}

/// The class over two occasions: efficient if it ever was, failed only if it always failed.
fn together(one: ChoiceClass, other: ChoiceClass) -> ChoiceClass {
    use ChoiceClass::*;
    match (one, other) {
        (Efficient, _) | (_, Efficient) => Efficient,
        (Unknown, _) | (_, Unknown) => Unknown,
        (Inefficient, _) | (_, Inefficient) => Inefficient,
        (Failed, Failed) => Failed,
    }
}

/// The graph of the same runs with occasions as further bits of the states.
fn by_occasion(graph: &TrajectoryGraph, first_bit: u16) -> TrajectoryGraph {
    let mut told_apart = TrajectoryGraph::new().with_subgoals(graph.subgoals().to_vec());
    for (run, path) in graph.runs() {
        told_apart.add(&with_occasions(graph, run.0, path, first_bit));
    }
    told_apart
}

fn with_occasions(graph: &TrajectoryGraph, run: u64, path: &Path, first_bit: u16) -> RunPath {
    let mut visits: BTreeMap<NodeIndex, u16> = BTreeMap::new();
    let mut occasion = |place: NodeIndex, comes: bool| {
        let visits = visits.entry(place).or_default();
        *visits = (*visits + u16::from(comes)).clamp(1, MOST);
        let mut state = graph.holds(place).copied().unwrap_or_default();
        (0..BITS).filter(|bit| *visits >> bit & 1 == 1).for_each(|bit| state.insert(PropId(first_bit + bit)));
        state
    };
    let mut at = path.start();
    let mut out = RunPath::new(run, occasion(at, true));
    for (number, edge) in path.steps().iter().enumerate() {
        let Some((choice, to)) = graph.graph().edge_endpoints(*edge) else { continue };
        let Some((_, action)) = graph.chosen(choice) else { continue };
        let failure = graph.failure(*edge).cloned();
        // What failed changed nothing that counts.
        let comes = failure.is_none() || to != at;
        out.step(action, failure, occasion(to, comes));
        at = to;
        let found = graph.place_after(path, number + 1);
        if found != to {
            out.moved(occasion(found, true));
            at = found;
        }
    }
    if path.reached_goal() {
        out.reached_goal();
    }
    out
}

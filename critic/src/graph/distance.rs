//! Distances to the target and costs of choices, as a stochastic shortest path.
//!
//! A choice may lead to several states. Its cost is an expectation: one step, plus the mean distance of the resulting
//! states, weighted by their frequency. Failures count too: they cost a step and mostly lead back. The distance of a
//! state is the cost of the best choice that any run made in it. A choice that leads back to its own state two times in
//! three therefore costs three steps, like mining three stones.
//!
//! Runs that were cut short end in states from which no run reached the target. The distance of such a state is
//! unknown, and is assumed to be the longest way of any run to the target.
//!
//! The equations are solved by value iteration, from the states near the target outwards, until nothing changes.

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::{Target, TrajectoryGraph};

/// The relative change below which a distance counts as settled.
const PRECISION: f64 = 1e-9;
/// The maximum number of rounds of value iteration.
const MAX_ROUNDS: usize = 2_000;

/// Distances of states and costs of choices, in steps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Distances {
    /// The distance of each state and the cost of each choice, by node.
    pub by_node: Vec<f64>,
    /// True for each node from which a chain of observed steps leads to the target.
    pub routed: Vec<bool>,
    /// The longest way of any run to the target, in steps.
    pub far: f64,
}

/// Computes the distances to a target, or `None` if no run reached it.
pub(super) fn distances(graph: &TrajectoryGraph, target: Target) -> Option<Distances> {
    let order = towards(graph, target);
    let far = longest_way(graph, target)?;
    let mut distances = Distances {
        by_node: vec![far; graph.graph().node_count()],
        routed: vec![false; graph.graph().node_count()],
        far,
    };
    for &(node, steps) in &order {
        distances.by_node[node.index()] = f64::from(steps);
        distances.routed[node.index()] = true;
    }
    let states: Vec<NodeIndex> =
        order.iter().map(|(node, _)| *node).filter(|node| graph.holds(*node).is_some()).collect();
    for _ in 0..MAX_ROUNDS {
        let mut is_settled = true;
        for &state in states.iter().filter(|state| !graph.is_target(target, **state)) {
            let choices = graph.graph().neighbors(state);
            let best = choices.filter_map(|choice| distances.repeated(graph, state, choice)).min_by(f64::total_cmp);
            let Some(best) = best else { continue };
            is_settled &= (best - distances.by_node[state.index()]).abs() <= PRECISION * best;
            distances.by_node[state.index()] = best;
        }
        if is_settled {
            break;
        }
    }
    for (choice, ..) in graph.choices() {
        distances.by_node[choice.index()] = distances.expected(graph, choice);
    }
    Some(distances)
}

impl Distances {
    /// Returns the mean number of steps to the target after a choice is made once.
    fn expected(&self, graph: &TrajectoryGraph, choice: NodeIndex) -> f64 {
        let (sum, made) = graph.outcomes(choice).fold((0.0, 0.0), |(sum, made), (to, outcome)| {
            let count = f64::from(outcome.count);
            (sum + count * self.by_node[to.index()], made + count)
        });
        1.0 + sum / made
    }

    /// Returns the same for a choice that is repeated as long as it leads back to its state, or `None` if it always does.
    fn repeated(&self, graph: &TrajectoryGraph, state: NodeIndex, choice: NodeIndex) -> Option<f64> {
        let (mut sum, mut made, mut left) = (0.0, 0.0, 0.0);
        for (to, outcome) in graph.outcomes(choice) {
            let count = f64::from(outcome.count);
            made += count;
            if to != state {
                left += count;
                sum += count * self.by_node[to.index()];
            }
        }
        (left > 0.0).then(|| (made + sum) / left)
    }
}

/// Returns the nodes from which a chain of observed steps leads to a target, the nearest first, each with the fewest
/// such steps.
fn towards(graph: &TrajectoryGraph, target: Target) -> Vec<(NodeIndex, u32)> {
    let targets = graph.states().filter(|(state, _)| graph.is_target(target, *state));
    let mut order: Vec<(NodeIndex, u32)> = targets.map(|(state, _)| (state, 0)).collect();
    let mut is_found = vec![false; graph.graph().node_count()];
    order.iter().for_each(|(state, _)| is_found[state.index()] = true);
    let mut at = 0;
    while let Some(&(node, steps)) = order.get(at) {
        at += 1;
        // A step is an edge from a state to a choice and one from there to a state.
        let steps = steps + u32::from(graph.holds(node).is_some());
        for before in graph.graph().neighbors_directed(node, Direction::Incoming) {
            if !std::mem::replace(&mut is_found[before.index()], true) {
                order.push((before, steps));
            }
        }
    }
    order
}

/// Returns the maximum number of steps of any run to the target, or `None` if no run reached it.
fn longest_way(graph: &TrajectoryGraph, target: Target) -> Option<f64> {
    let is_target = |holds| graph.state(&holds).is_some_and(|state| graph.is_target(target, state));
    let ways = graph.runs().filter_map(|run| (0..=run.len()).find(|steps| is_target(run.state_before(*steps))));
    ways.max().map(|steps| steps as f64)
}

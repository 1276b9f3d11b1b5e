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
//! The equations are solved from the states near the target outwards. States are solved again after a change, until
//! nothing changes.

use std::collections::VecDeque;

use ltlcrit_verifier::PropSet;
use petgraph::graph::NodeIndex;

use super::{Target, TrajectoryGraph};

/// The relative change below which a distance counts as settled.
const PRECISION: f64 = 1e-9;
/// The maximum number of updates per state, on average, before the search is given up.
const MAX_LOOKS: usize = 2_000;

/// Distances of states and costs of choices, in steps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Distances {
    /// The distance of each state and the cost of each choice, by node.
    pub by_node: Vec<f64>,
    /// True for each node from which a chain of observed steps leads to the target.
    pub routed: Vec<bool>,
    /// The longest way of any run to the target, in steps.
    pub far: f64,
    /// True if the equations were solved to [`PRECISION`].
    pub settled: bool,
}

/// The graph in arrays: states and choices by number, outcomes merged by their states.
struct Arrays {
    /// The node of each state.
    nodes: Vec<NodeIndex>,
    /// The index of each state's first choice, with one entry more than there are states.
    choices: Vec<u32>,
    choice_nodes: Vec<NodeIndex>,
    /// The index of each choice's first outcome.
    outcomes: Vec<u32>,
    to: Vec<u32>,
    share: Vec<f64>,
    /// The index of each state's first predecessor, and the predecessors.
    before: Vec<u32>,
    from: Vec<u32>,
}

impl Arrays {
    fn new(graph: &TrajectoryGraph) -> Self {
        // The order does not depend on the order of the runs, so sums of shares are the same to the last bit.
        let mut states: Vec<(&PropSet, NodeIndex)> = graph.states().map(|(node, holds)| (holds, node)).collect();
        states.sort_unstable();
        let nodes: Vec<NodeIndex> = states.into_iter().map(|(_, node)| node).collect();
        let mut number = vec![u32::MAX; graph.graph().node_count()];
        nodes.iter().enumerate().for_each(|(at, node)| number[node.index()] = at as u32);
        let mut arrays = Self {
            choices: Vec::with_capacity(nodes.len() + 1),
            choice_nodes: Vec::new(),
            outcomes: Vec::new(),
            to: Vec::new(),
            share: Vec::new(),
            before: vec![0; nodes.len() + 1],
            from: Vec::new(),
            nodes,
        };
        for at in 0..arrays.nodes.len() {
            arrays.choices.push(arrays.choice_nodes.len() as u32);
            let choices = graph.graph().neighbors(arrays.nodes[at]);
            let mut choices: Vec<_> = choices.filter_map(|choice| Some((graph.chosen(choice)?.1, choice))).collect();
            choices.sort_unstable();
            for (_, choice) in choices {
                arrays.add_choice(graph, choice, &number);
            }
        }
        arrays.choices.push(arrays.choice_nodes.len() as u32);
        arrays.outcomes.push(arrays.to.len() as u32);
        arrays.link_back();
        arrays
    }

    fn add_choice(&mut self, graph: &TrajectoryGraph, choice: NodeIndex, number: &[u32]) {
        let begin = self.to.len();
        self.choice_nodes.push(choice);
        self.outcomes.push(begin as u32);
        let mut outcomes: Vec<(u32, u32)> =
            graph.outcomes(choice).map(|(state, _, count, _)| (number[state.index()], count)).collect();
        outcomes.sort_unstable();
        for (state, count) in outcomes {
            match self.to[begin..].iter().position(|other| *other == state) {
                Some(at) => self.share[begin + at] += f64::from(count),
                None => {
                    self.to.push(state);
                    self.share.push(f64::from(count));
                }
            }
        }
        let total: f64 = self.share[begin..].iter().sum();
        self.share[begin..].iter_mut().for_each(|share| *share /= total);
    }

    fn link_back(&mut self) {
        for &to in &self.to {
            self.before[to as usize + 1] += 1;
        }
        for at in 1..self.before.len() {
            self.before[at] += self.before[at - 1];
        }
        let mut next = self.before.clone();
        self.from = vec![0; self.to.len()];
        for state in 0..self.nodes.len() {
            for choice in self.choices_of(state) {
                for outcome in self.outcomes_of(choice) {
                    let to = self.to[outcome] as usize;
                    self.from[next[to] as usize] = state as u32;
                    next[to] += 1;
                }
            }
        }
    }

    fn choices_of(&self, state: usize) -> std::ops::Range<usize> {
        self.choices[state] as usize..self.choices[state + 1] as usize
    }

    fn outcomes_of(&self, choice: usize) -> std::ops::Range<usize> {
        self.outcomes[choice] as usize..self.outcomes[choice + 1] as usize
    }

    fn before(&self, state: usize) -> &[u32] {
        &self.from[self.before[state] as usize..self.before[state + 1] as usize]
    }

    /// Returns the cost of a state's best choice. A choice that may lead back is repeated until it does not. Returns
    /// `None` if all choices always lead back.
    fn best(&self, state: usize, distance: &[f64]) -> Option<f64> {
        let costs = self.choices_of(state).filter_map(|choice| {
            let (mut cost, mut back) = (1.0, 0.0);
            for outcome in self.outcomes_of(choice) {
                match self.to[outcome] as usize {
                    to if to == state => back += self.share[outcome],
                    to => cost += self.share[outcome] * distance[to],
                }
            }
            (back < 1.0).then(|| cost / (1.0 - back))
        });
        costs.min_by(f64::total_cmp)
    }
}

/// Computes the distances to a target, or `None` if no run reached it.
pub(super) fn distances(graph: &TrajectoryGraph, target: Target) -> Option<Distances> {
    let arrays = Arrays::new(graph);
    let count = arrays.nodes.len();
    let arrived: Vec<bool> = arrays.nodes.iter().map(|node| graph.is_target(target, *node)).collect();
    // Breadth first from the target: the order of solving, and the initial distances.
    let mut order: Vec<usize> = (0..count).filter(|state| arrived[*state]).collect();
    if order.is_empty() {
        return None;
    }
    let mut steps = vec![u32::MAX; count];
    order.iter().for_each(|state| steps[*state] = 0);
    let mut at = 0;
    while at < order.len() {
        let state = order[at];
        for &before in arrays.before(state) {
            if steps[before as usize] == u32::MAX {
                steps[before as usize] = steps[state] + 1;
                order.push(before as usize);
            }
        }
        at += 1;
    }
    let far = longest_way(graph, target);
    let mut distance: Vec<f64> =
        steps.iter().map(|steps| if *steps == u32::MAX { far } else { f64::from(*steps) }).collect();
    let settled = solve(&arrays, &order, &arrived, &mut distance);
    let mut by_node = vec![0.0; graph.graph().node_count()];
    let mut routed = vec![false; by_node.len()];
    for state in 0..count {
        by_node[arrays.nodes[state].index()] = distance[state];
        routed[arrays.nodes[state].index()] = steps[state] != u32::MAX;
        for choice in arrays.choices_of(state) {
            let node = arrays.choice_nodes[choice].index();
            let outcomes = arrays.outcomes_of(choice);
            by_node[node] = 1.0
                + outcomes
                    .clone()
                    .map(|outcome| arrays.share[outcome] * distance[arrays.to[outcome] as usize])
                    .sum::<f64>();
            routed[node] = outcomes.into_iter().any(|outcome| steps[arrays.to[outcome] as usize] != u32::MAX);
        }
    }
    Some(Distances { by_node, routed, far, settled })
}

fn solve(arrays: &Arrays, order: &[usize], arrived: &[bool], distance: &mut [f64]) -> bool {
    let mut waiting = vec![false; distance.len()];
    let mut queue: VecDeque<usize> = order.iter().copied().filter(|state| !arrived[*state]).collect();
    queue.iter().for_each(|state| waiting[*state] = true);
    // States outside `order` keep their distance.
    let mut solvable = vec![false; distance.len()];
    order.iter().for_each(|state| solvable[*state] = !arrived[*state]);
    let mut looks = MAX_LOOKS.saturating_mul(order.len());
    while let Some(state) = queue.pop_front() {
        waiting[state] = false;
        let Some(left) = looks.checked_sub(1) else { return false };
        looks = left;
        let Some(best) = arrays.best(state, distance) else { continue };
        if (best - distance[state]).abs() <= PRECISION * best {
            continue;
        }
        distance[state] = best;
        for &before in arrays.before(state) {
            let before = before as usize;
            if solvable[before] && !waiting[before] {
                waiting[before] = true;
                queue.push_back(before);
            }
        }
    }
    true
}

/// Returns the maximum number of steps of any run to the target.
fn longest_way(graph: &TrajectoryGraph, target: Target) -> f64 {
    let ways = graph.runs().filter_map(|(_, path)| {
        (0..=path.steps().len()).find(|steps| graph.is_target(target, graph.place_after(path, *steps)))
    });
    ways.max().unwrap_or(0) as f64
}

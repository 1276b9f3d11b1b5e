//! Estimates of the distance to the goal without deletions, and the first actions towards it (the heuristic of the
//! planner FF).

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::formula::{Formula, State};
use crate::ground::Ground;
use crate::instantiate::Change;

type Node = u32;

/// The number of the node that always holds.
const TRUE: Node = 0;

/// A ground task as a graph of facts, conditions and actions. Facts and alternatives need any of their predecessors,
/// conjunctions and actions need all of them. Comparisons of numbers always hold.
#[derive(Clone, Debug)]
pub(crate) struct Relaxation {
    /// The number of predecessors that each node needs; 0 if any one suffices.
    needs: Vec<u32>,
    /// The cost of each node itself; 1 for an action.
    costs: Vec<u32>,
    /// The successors of each node.
    leads_to: Vec<Vec<Node>>,
    /// The predecessors of each node.
    from: Vec<Vec<Node>>,
    /// The nodes of each fact's falsehood and truth.
    facts: Vec<[Node; 2]>,
    /// The node of each ground action.
    actions: Vec<Node>,
    goal: Node,
    scratch: RefCell<Scratch>,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    costs: Vec<u32>,
    missing: Vec<u32>,
    by: Vec<Node>,
    queue: BinaryHeap<Reverse<(u32, Node)>>,
}

impl Relaxation {
    pub fn new(ground: &Ground) -> Self {
        let (needs, costs, leads_to, from) = (vec![0], vec![0], vec![Vec::new()], vec![Vec::new()]);
        let (facts, actions, scratch) = (Vec::new(), Vec::new(), RefCell::default());
        let mut made = Self { needs, costs, leads_to, from, facts, actions, goal: TRUE, scratch };
        made.facts = ground.facts().iter().map(|_| [made.node(0, &[]), made.node(0, &[])]).collect();
        for (number, action) in ground.actions().iter().enumerate() {
            let needs = made.conjuncts(ground.precondition(number));
            let at = made.all(1, &needs);
            made.actions.push(at);
            for effect in action.effects() {
                let (id, holds) = match &effect.change {
                    Change::Add(id) => (*id, true),
                    Change::Delete(id) => (*id, false),
                    Change::Update(..) => continue,
                };
                let mut parts = made.conjuncts(&effect.when);
                let by = if parts.is_empty() {
                    at
                } else {
                    parts.push(at);
                    made.all(0, &parts)
                };
                let fact = made.facts[id as usize][usize::from(holds)];
                made.edge(by, fact);
            }
        }
        let parts = made.conjuncts(ground.goal());
        made.goal = made.all(0, &parts);
        made
    }

    /// Returns the number of nodes.
    pub fn size(&self) -> usize {
        self.needs.len()
    }

    fn node(&mut self, cost: u32, from: &[Node]) -> Node {
        let node = self.needs.len() as Node;
        self.needs.push(0);
        self.costs.push(cost);
        self.leads_to.push(Vec::new());
        self.from.push(Vec::new());
        from.iter().for_each(|one| self.edge(*one, node));
        node
    }

    fn edge(&mut self, one: Node, other: Node) {
        self.leads_to[one as usize].push(other);
        self.from[other as usize].push(one);
    }

    /// Adds a node that needs all of some nodes.
    fn all(&mut self, cost: u32, of: &[Node]) -> Node {
        let of = if of.is_empty() { &[TRUE] } else { of };
        let node = self.node(cost, of);
        self.needs[node as usize] = of.len() as u32;
        node
    }

    /// Returns the nodes of all parts of a condition.
    fn conjuncts(&mut self, formula: &Formula) -> Vec<Node> {
        match formula {
            Formula::All(parts) => parts.iter().flat_map(|part| self.conjuncts(part)).collect(),
            Formula::Any(parts) => {
                let parts: Vec<Node> = parts
                    .iter()
                    .map(|part| {
                        let parts = self.conjuncts(part);
                        self.all(0, &parts)
                    })
                    .collect();
                vec![self.node(0, &parts)]
            }
            Formula::Fact(id, holds) => vec![self.facts[*id as usize][usize::from(*holds)]],
            Formula::Compare { .. } => Vec::new(),
        }
    }

    /// Returns the number of steps of a plan from a state without deletions, and the actions of that plan that apply at
    /// once. `None` if no such plan exists, and so no real plan either.
    pub fn estimate(&self, state: &State) -> Option<(u32, Vec<usize>)> {
        let scratch = &mut *self.scratch.borrow_mut();
        let count = self.needs.len();
        scratch.costs.clear();
        scratch.costs.resize(count, u32::MAX);
        scratch.missing.clone_from(&self.needs);
        scratch.by.clear();
        scratch.by.resize(count, TRUE);
        scratch.queue.clear();
        let hold = self.facts.iter().zip(0u32..).map(|(nodes, id)| nodes[usize::from(state.fact(id))]);
        for node in hold.chain([TRUE]) {
            scratch.costs[node as usize] = 0;
            scratch.queue.push(Reverse((0, node)));
        }
        while let Some(Reverse((cost, node))) = scratch.queue.pop() {
            if cost > scratch.costs[node as usize] {
                continue;
            }
            if node == self.goal {
                return Some(self.plan(scratch));
            }
            for next in &self.leads_to[node as usize] {
                let at = *next as usize;
                let sum = match self.needs[at] {
                    0 if cost < scratch.costs[at] => cost,
                    0 => continue,
                    _ => {
                        // Until all predecessors are reached, the cost is that of the reached ones.
                        let so_far =
                            if scratch.missing[at] == self.needs[at] { self.costs[at] } else { scratch.by[at] };
                        let sum = so_far.saturating_add(cost);
                        scratch.missing[at] -= 1;
                        scratch.by[at] = sum;
                        if scratch.missing[at] > 0 {
                            continue;
                        }
                        sum
                    }
                };
                if self.needs[at] == 0 {
                    scratch.by[at] = node;
                }
                scratch.costs[at] = sum;
                scratch.queue.push(Reverse((sum, *next)));
            }
        }
        None
    }

    /// Extracts the plan from the costs.
    fn plan(&self, scratch: &Scratch) -> (u32, Vec<usize>) {
        let mut is_part = vec![false; self.needs.len()];
        let mut open = vec![self.goal];
        while let Some(node) = open.pop() {
            let at = node as usize;
            if std::mem::replace(&mut is_part[at], true) || scratch.costs[at] == 0 {
                continue;
            }
            match self.needs[at] {
                0 => open.push(scratch.by[at]),
                _ => open.extend(&self.from[at]),
            }
        }
        let steps = self.actions.iter().filter(|node| is_part[**node as usize]).count() as u32;
        let applies = |node: &Node| is_part[*node as usize] && scratch.costs[*node as usize] == 1;
        let first = (0..self.actions.len()).filter(|action| applies(&self.actions[*action])).collect();
        (steps, first)
    }
}

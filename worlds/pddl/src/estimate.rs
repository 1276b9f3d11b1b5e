//! Estimates of the distance to the goal without deletions, and the first actions towards it (the heuristic of the
//! planner FF).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::formula::{Formula, State};
use crate::ground::Ground;
use crate::instantiate::Change;

/// The number of a node.
type Id = u32;

/// The number of the node that always holds.
const TRUE: Id = 0;

/// A ground task as a graph of facts, conditions and actions. Facts and alternatives need any of their predecessors,
/// conjunctions and actions need all of them. Comparisons of numbers always hold.
#[derive(Clone, Debug)]
pub(crate) struct Relaxation {
    nodes: Vec<Node>,
    /// The nodes of each fact's falsehood and truth.
    facts: Vec<[Id; 2]>,
    /// The node of each ground action.
    actions: Vec<Id>,
    goal: Id,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// The number of predecessors that it needs; 0 if any one suffices.
    needs: u32,
    /// The cost of the node itself; 1 for an action.
    cost: u32,
    leads_to: Vec<Id>,
    from: Vec<Id>,
}

/// The distance of a node from a state.
#[derive(Clone, Copy, Debug)]
struct Distance {
    /// The cost; `u32::MAX` until the node is reached.
    cost: u32,
    /// The number of predecessors that are missing.
    missing: u32,
    /// The sum of the costs of the reached predecessors.
    sum: u32,
    /// The predecessor that reached it, if any one suffices.
    by: Id,
}

impl Relaxation {
    pub fn new(ground: &Ground) -> Self {
        let mut made = Self { nodes: vec![Node::default()], facts: Vec::new(), actions: Vec::new(), goal: TRUE };
        made.facts = ground.facts.iter().map(|_| [made.any(&[]), made.any(&[])]).collect();
        for action in ground.actions() {
            let needs = made.conjuncts(&action.precondition);
            let at = made.all(1, &needs);
            made.actions.push(at);
            for effect in &action.effects {
                let Change::Fact(id, holds) = effect.change else { continue };
                let mut parts = made.conjuncts(&effect.when);
                parts.push(at);
                let by = if let [only] = parts[..] { only } else { made.all(0, &parts) };
                let fact = made.facts[id as usize][usize::from(holds)];
                made.edge(by, fact);
            }
        }
        let parts = made.conjuncts(&ground.goal);
        made.goal = made.all(0, &parts);
        made
    }

    /// Returns the number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    fn edge(&mut self, one: Id, other: Id) {
        self.nodes[one as usize].leads_to.push(other);
        self.nodes[other as usize].from.push(one);
    }

    /// Adds a node that needs any of some nodes.
    fn any(&mut self, of: &[Id]) -> Id {
        let node = self.nodes.len() as Id;
        self.nodes.push(Node::default());
        of.iter().for_each(|one| self.edge(*one, node));
        node
    }

    /// Adds a node that needs all of some nodes.
    fn all(&mut self, cost: u32, of: &[Id]) -> Id {
        let of = if of.is_empty() { &[TRUE] } else { of };
        let node = self.any(of);
        (self.nodes[node as usize].cost, self.nodes[node as usize].needs) = (cost, of.len() as u32);
        node
    }

    /// Returns the nodes of all parts of a condition.
    fn conjuncts(&mut self, formula: &Formula) -> Vec<Id> {
        match formula {
            Formula::All(parts) => parts.iter().flat_map(|part| self.conjuncts(part)).collect(),
            Formula::Any(parts) => {
                let mut alternatives = Vec::with_capacity(parts.len());
                for part in parts {
                    let parts = self.conjuncts(part);
                    alternatives.push(self.all(0, &parts));
                }
                vec![self.any(&alternatives)]
            }
            Formula::Fact(id, holds) => vec![self.facts[*id as usize][usize::from(*holds)]],
            Formula::Compare { .. } => Vec::new(),
        }
    }

    /// Returns the number of steps of a plan from a state without deletions, and the actions of that plan that apply at
    /// once. `None` if no such plan exists, and so no real plan either.
    pub fn estimate(&self, state: &State) -> Option<(u32, Vec<usize>)> {
        let unreached = |of: &Node| Distance { cost: u32::MAX, missing: of.needs, sum: of.cost, by: TRUE };
        let mut distances: Vec<Distance> = self.nodes.iter().map(unreached).collect();
        let mut queue = BinaryHeap::new();
        let hold = self.facts.iter().zip(0u32..).map(|(nodes, id)| nodes[usize::from(state.fact(id))]);
        for node in hold.chain([TRUE]) {
            distances[node as usize].cost = 0;
            queue.push(Reverse((0, node)));
        }
        while let Some(Reverse((cost, node))) = queue.pop() {
            if cost > distances[node as usize].cost {
                continue;
            }
            if node == self.goal {
                return Some(self.plan(&distances));
            }
            for next in &self.nodes[node as usize].leads_to {
                let at = &mut distances[*next as usize];
                if self.nodes[*next as usize].needs == 0 {
                    if cost >= at.cost {
                        continue;
                    }
                    (at.cost, at.by) = (cost, node);
                } else {
                    at.sum = at.sum.saturating_add(cost);
                    at.missing -= 1;
                    if at.missing > 0 {
                        continue;
                    }
                    at.cost = at.sum;
                }
                queue.push(Reverse((at.cost, *next)));
            }
        }
        None
    }

    /// Extracts the plan from the distances.
    fn plan(&self, distances: &[Distance]) -> (u32, Vec<usize>) {
        let mut is_part = vec![false; self.nodes.len()];
        let mut open = vec![self.goal];
        while let Some(node) = open.pop() {
            let at = node as usize;
            if std::mem::replace(&mut is_part[at], true) || distances[at].cost == 0 {
                continue;
            }
            match self.nodes[at].needs {
                0 => open.push(distances[at].by),
                _ => open.extend(&self.nodes[at].from),
            }
        }
        let steps = self.actions.iter().filter(|node| is_part[**node as usize]).count() as u32;
        let applies = |node: Id| is_part[node as usize] && distances[node as usize].cost == 1;
        let first = (0..self.actions.len()).filter(|action| applies(self.actions[*action])).collect();
        (steps, first)
    }
}

//! Facts about a node that interning computes, so that walks through the graph stay short.

use super::{Facts, Fixpoint, Memory, MemoryId, NnfArena, Node, NodeId, Unfolding};

/// Maximum number of clauses that "`a` holds from the next letter on" is distributed into; a longer formula stays
/// whole.
const MAX_DISTRIBUTED: u32 = 128;
/// Maximum number of nested operators from one [landing](NnfArena::landings) to the next.
const FLIGHT: u32 = 32;

impl NnfArena {
    pub(super) fn facts_of(&mut self, node: &Node) -> Facts {
        let height = match node {
            Node::Next(..) => 0,
            _ => node.parts().map(|part| self.height(part) + 1).max().unwrap_or(0),
        };
        let (is_boolean, clauses) = match node {
            Node::False | Node::True | Node::Literal(..) | Node::Before(..) => (true, 1),
            Node::And(parts) | Node::Or(parts) => {
                let clauses = parts.iter().map(|part| self.facts[part.index()].clauses);
                let clauses = match node {
                    Node::And(_) => clauses.fold(0, u32::saturating_add),
                    _ => clauses.fold(1, u32::saturating_mul),
                };
                (parts.iter().all(|part| self.is_boolean(*part)), clauses)
            }
            _ => (false, 1),
        };
        let reads = if self.read.len() == 1 { 0 } else { self.reads(node) };
        Facts { is_boolean, clauses, height, reads }
    }

    /// Returns the number of the set of memories that the parts of a node read.
    fn reads(&mut self, node: &Node) -> u32 {
        let mut sets: Vec<u32> = node.parts().map(|part| self.facts[part.index()].reads).collect();
        sets.sort_unstable();
        sets.dedup();
        sets.retain(|set| *set != 0);
        match sets.as_slice() {
            [] => 0,
            [only] => *only,
            sets => self.read_set(sets.iter().flat_map(|set| self.read[*set as usize].iter().copied()).collect()),
        }
    }

    /// Returns the number of a set of memories.
    pub(super) fn read_set(&mut self, mut memories: Vec<MemoryId>) -> u32 {
        memories.sort_unstable();
        memories.dedup();
        // A node reads mostly what the latest one read.
        if self.read.last().is_none_or(|last| **last != *memories) {
            self.read.push(memories.into());
        }
        self.read.len() as u32 - 1
    }

    /// Returns the memories that a node reads, now or later, with those that these read: sorted.
    #[inline]
    pub fn memories_read(&self, id: NodeId) -> &[MemoryId] {
        &self.read[self.facts[id.index()].reads as usize]
    }

    pub fn memory(&self, id: MemoryId) -> Memory {
        self.memories[id.0 as usize]
    }

    /// Returns whether no node reads a memory.
    #[inline]
    pub fn remembers_nothing(&self) -> bool {
        self.memories.is_empty()
    }

    /// Gives a node its place in an unfolding; a node has one place at most.
    pub(super) fn set_place(&mut self, id: NodeId, unfolding: Unfolding, number: u32) {
        if id > NodeId::TRUE {
            self.places.entry(id).or_insert((unfolding, number));
        }
    }

    /// Returns whether there are unfoldings, so that some nodes may be stronger than others.
    #[inline]
    pub fn unfolds(&self) -> bool {
        !self.places.is_empty()
    }

    /// Returns whether a node implies another one because they are from one unfolding: `F[<=2] a` implies `F[<=3] a`.
    #[inline]
    pub fn is_stronger(&self, one: NodeId, other: NodeId) -> bool {
        if !self.unfolds() {
            return false;
        }
        let places = self.places.get(&one).zip(self.places.get(&other));
        places.is_some_and(|((of, number), (other, limit))| {
            // `F[<=n]` and `at_most` become weaker with their numbers, the others stronger.
            of == other && if of.strong != of.counts { number < limit } else { number > limit }
        })
    }

    /// Returns whether no operator that looks ahead occurs below a node: one letter and the memories determine its truth.
    #[inline]
    pub fn is_boolean(&self, id: NodeId) -> bool {
        self.facts[id.index()].is_boolean
    }

    /// Returns whether "`id` holds from the next letter on" stays whole, because it would be distributed into too many
    /// clauses.
    #[inline]
    pub fn is_whole(&self, id: NodeId) -> bool {
        self.facts[id.index()].clauses > MAX_DISTRIBUTED
    }

    fn height(&self, id: NodeId) -> u32 {
        self.facts[id.index()].height
    }

    /// Returns whether a recursion stops at this node once its result is cached: see [`Self::landings`].
    #[inline]
    pub fn is_landing(&self, id: NodeId) -> bool {
        let height = self.height(id);
        height > 0 && height.is_multiple_of(FLIGHT)
    }

    /// Returns the nodes that a recursion must evaluate, in this order, before a node. Then every node that it reads at
    /// the same letter is at most [`FLIGHT`] calls away from a cached result. Empty except for very deep formulas.
    pub fn landings(&self, id: NodeId) -> Vec<NodeId> {
        if self.height(id) <= FLIGHT {
            return Vec::new();
        }
        let mut landings = self.below(id, |id| self.height(id) >= FLIGHT);
        landings.retain(|id| self.is_landing(*id));
        landings
    }

    /// Returns whether several nodes have this one as a part, so that a walk through the graph reaches it several
    /// times.
    #[inline]
    pub fn is_shared(&self, id: NodeId) -> bool {
        self.shared[id.index()] == Some(true)
    }
}

impl Node {
    /// Returns the node's parts.
    pub fn parts(&self) -> impl Iterator<Item = NodeId> + '_ {
        let (many, few): (&[NodeId], [Option<NodeId>; 2]) = match self {
            Node::False | Node::True | Node::Literal(..) | Node::Before(..) => (&[], [None, None]),
            Node::And(parts) | Node::Or(parts) => (parts, [None, None]),
            &Node::Next(_, a) => (&[], [Some(a), None]),
            &Node::Fixpoint(Fixpoint { a, b, .. }) => (&[], [Some(a), Some(b)]),
        };
        many.iter().copied().chain(few.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;
    use crate::vocabulary::Vocabulary;

    /// Returns the normal form of `count` propositions joined by `xor`, and the size of its graph.
    fn xor(count: usize) -> (NnfArena, NodeId, usize) {
        let names: Vec<String> = (0..count).map(|at| format!("p{at}")).collect();
        let vocabulary = Vocabulary::plain("v", names.iter().map(String::as_str)).unwrap();
        let mut arena = NnfArena::new();
        let id = arena.add(&parse(&names.join(" xor ")).unwrap(), &vocabulary).unwrap();
        let size = arena.nodes.len();
        (arena, id, size)
    }

    #[test]
    fn the_graph_of_an_xor_is_as_long_as_its_text() {
        let (few, many) = (xor(20).2, xor(200).2);
        assert!(many <= few * 11 && many <= 200 * 8, "{few} and {many} nodes");
        let (arena, id, _) = xor(20);
        assert!(arena.is_boolean(id) && arena.is_whole(id));
    }

    #[test]
    fn short_forms_are_distributed() {
        for (count, whole) in [(2, false), (8, false), (9, true)] {
            let (arena, id, _) = xor(count);
            assert_eq!(arena.is_whole(id), whole, "{count} propositions are {} clauses", 1 << (count - 1));
        }
    }

    #[test]
    fn a_chain_takes_no_node_for_each_of_its_beginnings() {
        let names: Vec<String> = (0..250).map(|at| format!("p{at}")).collect();
        let vocabulary = Vocabulary::plain("v", names.iter().map(String::as_str)).unwrap();
        for chain in [names.join(" & "), names.join(" | "), format!("!({})", names.join(" & "))] {
            let mut arena = NnfArena::new();
            arena.add(&parse(&chain).unwrap(), &vocabulary).unwrap();
            assert_eq!(arena.nodes.len(), 2 + 250 + 1, "{}", &chain[..20]);
        }
    }
}

//! What interning finds out about a node, so that walks through the graph stay short.

use super::{Facts, NnfArena, Node, NodeId};

/// The most clauses that "`a` holds from the next letter on" is distributed into; a longer formula stays whole.
const MOST_DISTRIBUTED: u32 = 128;

impl NnfArena {
    pub(super) fn facts_of(&self, node: &Node) -> Facts {
        let (is_boolean, clauses) = match node {
            Node::False | Node::True | Node::Literal(..) => (true, 1),
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
        Facts { is_boolean, clauses }
    }

    /// Whether no temporal operator occurs below a node, so that one letter settles its truth.
    #[inline]
    pub fn is_boolean(&self, id: NodeId) -> bool {
        self.facts[id.index()].is_boolean
    }

    /// Whether "`id` holds from the next letter on" stays whole, because its parts would be too many clauses.
    #[inline]
    pub fn is_whole(&self, id: NodeId) -> bool {
        self.facts[id.index()].clauses > MOST_DISTRIBUTED
    }

    /// Whether several nodes have this one as a part, so that a walk through the graph meets it several times.
    #[inline]
    pub fn is_shared(&self, id: NodeId) -> bool {
        self.shared[id.index()] == Some(true)
    }
}

impl Node {
    /// The nodes it is made of.
    pub(super) fn parts(&self) -> impl Iterator<Item = NodeId> + '_ {
        let (many, few): (&[NodeId], [Option<NodeId>; 2]) = match self {
            Node::False | Node::True | Node::Literal(..) => (&[], [None, None]),
            Node::And(parts) | Node::Or(parts) => (parts, [None, None]),
            &(Node::Next(a) | Node::StrongNext(a) | Node::Globally(a) | Node::Finally(a)) => (&[], [Some(a), None]),
            &(Node::Until(a, b) | Node::WeakUntil(a, b) | Node::Release(a, b) | Node::StrongRelease(a, b)) => {
                (&[], [Some(a), Some(b)])
            }
        };
        many.iter().copied().chain(few.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;
    use crate::vocabulary::Vocabulary;

    /// The normal form of `count` propositions joined by `xor`, and the size of its graph.
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

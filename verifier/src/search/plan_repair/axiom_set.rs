//! The axioms of a vocabulary, evaluated at single letters.

use rustc_hash::FxHashMap;

use crate::letter::{Letter, PropSet};
use crate::nnf::{NnfArena, Node, NodeId};
use crate::vocabulary::Vocabulary;

pub(super) struct AxiomSet {
    arena: NnfArena,
    /// Each axiom with the propositions it mentions.
    pub axioms: Vec<(NodeId, PropSet)>,
    /// The number of their parts, which is the cost of evaluating all axioms.
    pub size: usize,
}

impl AxiomSet {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut arena = NnfArena::new();
        let ids: Vec<NodeId> =
            vocabulary.axioms().iter().filter_map(|axiom| arena.add(&axiom.formula, vocabulary).ok()).collect();
        let axioms: Vec<_> = ids.into_iter().map(|id| (id, arena.propositions(id))).collect();
        let size = axioms.len() + arena.len();
        Self { arena, axioms, size }
    }

    /// Evaluates every part once: `known` caches parts that are shared.
    fn holds(&self, id: NodeId, letter: &Letter, known: &mut FxHashMap<NodeId, bool>) -> bool {
        let (parts, conjunction) = match self.arena.node(id) {
            Node::True => return true,
            &Node::Literal(prop, positive) => return letter.holds(prop) == positive,
            Node::And(parts) => (parts, true),
            Node::Or(parts) => (parts, false),
            // Axioms are Boolean.
            _ => return false,
        };
        let is_shared = self.arena.is_shared(id);
        if is_shared && let Some(&found) = known.get(&id) {
            return found;
        }
        let breaks_off = |part: &NodeId| self.holds(*part, letter, known) != conjunction;
        let found = parts.iter().any(breaks_off) != conjunction;
        if is_shared {
            known.insert(id, found);
        }
        found
    }

    pub fn broken<'a>(&'a self, letter: &'a Letter) -> impl Iterator<Item = usize> + 'a {
        let mut known = FxHashMap::default();
        let mut breaks = move |(id, _): &(NodeId, PropSet)| !self.holds(*id, letter, &mut known);
        self.axioms.iter().enumerate().filter(move |(_, axiom)| breaks(axiom)).map(|(at, _)| at)
    }
}

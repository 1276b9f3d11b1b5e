//! What a vocabulary's axioms allow: which observations can hold together.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use rustc_hash::FxHashMap;

use crate::letter::{Letter, PropSet};
use crate::nnf::{NnfArena, Node, NodeId};
use crate::vocabulary::{PropId, Vocabulary};

/// The axioms as clauses.
pub(crate) struct Axioms {
    solver: BasicSolver,
    /// One variable per proposition, in order.
    props: Vec<Lit>,
    mentioned: PropSet,
}

impl Axioms {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut solver = BasicSolver::default();
        let props = vocabulary.propositions().iter().map(|_| Lit::new(solver.new_var_default(), true)).collect();
        let mut axioms = Self { solver, props, mentioned: PropSet::EMPTY };
        let mut arena = NnfArena::new();
        let mut encoded = FxHashMap::default();
        for axiom in vocabulary.axioms() {
            // A vocabulary refuses axioms over anything but its observations.
            let Ok(id) = arena.add(axiom, vocabulary) else { continue };
            axioms.mentioned = axioms.mentioned.union(&arena.propositions(id));
            let lit = axioms.encode(&arena, id, &mut encoded);
            axioms.solver.add_clause_reuse(&mut vec![lit]);
        }
        axioms
    }

    fn encode(&mut self, arena: &NnfArena, id: NodeId, encoded: &mut FxHashMap<NodeId, Lit>) -> Lit {
        if let Some(&lit) = encoded.get(&id) {
            return lit;
        }
        let lit = match arena.node(id) {
            &Node::Literal(prop, positive) => {
                let lit = self.props[usize::from(prop.0)];
                if positive { lit } else { !lit }
            }
            node => {
                let lit = Lit::new(self.solver.new_var_default(), true);
                match node {
                    Node::And(parts) => {
                        for &part in parts {
                            let part = self.encode(arena, part, encoded);
                            self.solver.add_clause_reuse(&mut vec![!lit, part]);
                        }
                    }
                    Node::Or(parts) => {
                        let mut clause = vec![!lit];
                        clause.extend(parts.iter().map(|&part| self.encode(arena, part, encoded)).collect::<Vec<_>>());
                        self.solver.add_clause_reuse(&mut clause);
                    }
                    Node::True => {}
                    // `false`; axioms have no temporal operators.
                    _ => {
                        self.solver.add_clause_reuse(&mut vec![!lit]);
                    }
                }
                lit
            }
        };
        encoded.insert(id, lit);
        lit
    }

    /// Observations that satisfy the axioms and agree with `letter` on `fixed`; `None` if there are none.
    pub fn complete(&mut self, fixed: &[PropId], letter: &Letter) -> Option<PropSet> {
        let assumptions: Vec<Lit> = fixed
            .iter()
            .map(|&prop| {
                let lit = self.props[usize::from(prop.0)];
                if letter.holds(prop) { lit } else { !lit }
            })
            .collect();
        if self.solver.solve_limited(&assumptions) != lbool::TRUE {
            return None;
        }
        Some(
            self.props
                .iter()
                .enumerate()
                .filter(|(_, lit)| self.solver.value_lit(**lit) == lbool::TRUE)
                .map(|(position, _)| PropId(position as u16))
                .filter(|prop| self.mentioned.contains(*prop) || letter.holds(*prop))
                .collect(),
        )
    }
}

/// The axioms seen through some of the propositions.
pub(crate) struct Projection<'a> {
    /// `None` when the axioms say nothing of these propositions.
    axioms: Option<Axioms>,
    fixed: &'a [PropId],
}

impl<'a> Projection<'a> {
    pub fn new(fixed: &'a [PropId], vocabulary: &Vocabulary) -> Self {
        let mentions = |axiom: &crate::formula::Formula| {
            axiom.atoms().iter().any(|atom| vocabulary.id(atom).is_some_and(|id| fixed.contains(&id)))
        };
        let axioms = vocabulary.axioms().iter().any(mentions).then(|| Axioms::new(vocabulary));
        Self { axioms, fixed }
    }

    /// Whether some observations that agree with `letter` on the propositions satisfy the axioms.
    pub fn allows(&mut self, letter: &Letter) -> bool {
        let fixed = self.fixed;
        self.axioms.as_mut().is_none_or(|axioms| axioms.complete(fixed, letter).is_some())
    }
}

//! A formula as read at letter 0, the initial state of a run, which has no action.

use rustc_hash::FxHashMap;

use super::{Fixpoint, NnfArena, Node, NodeId};
use crate::formula::Formula;
use crate::vocabulary::{UnknownProposition, Vocabulary};

impl NnfArena {
    /// Interns a formula twice: as it reads at later letters, if letter 0 has no action, and as it reads at letter 0. Both
    /// are equivalent to it then, and read no action of letter 0, even if that has one.
    ///
    /// `G !a` becomes `X G !a`, and `G(a | b)` becomes `false` if `a` and `b` are actions: letter 0 has none.
    ///
    /// # Errors
    /// As [`NnfArena::add`].
    pub fn add_at_letter_zero(
        &mut self,
        formula: &Formula,
        vocabulary: &Vocabulary,
    ) -> Result<(NodeId, NodeId), UnknownProposition> {
        let id = self.add(&past_after_letter_zero(formula, false, vocabulary), vocabulary)?;
        let mut known: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.below(id, |id| !matches!(self.node(id), Node::Next(..))) {
            let found = self.without_action(id, vocabulary, &known);
            known.insert(id, found);
        }
        Ok((id, known.get(&id).copied().unwrap_or(id)))
    }

    /// Returns the formula for one node whose parts are known.
    fn without_action(&mut self, id: NodeId, vocabulary: &Vocabulary, known: &FxHashMap<NodeId, NodeId>) -> NodeId {
        let now = |id: NodeId| known.get(&id).copied().unwrap_or(id);
        match self.node(id).clone() {
            Node::True | Node::False | Node::Next(..) => id,
            Node::Before(_, value) => self.constant(!value),
            Node::Literal(prop, positive) => match vocabulary.is_observation(prop) {
                true => id,
                false => self.constant(!positive),
            },
            Node::And(parts) => self.and(parts.iter().map(|&part| now(part))),
            Node::Or(parts) => self.or(parts.iter().map(|&part| now(part))),
            Node::Fixpoint(Fixpoint { strong, conjunctive, a, b }) => {
                let parts = [now(a), self.next(strong, id)];
                let goes_on = self.junction(parts, !conjunctive);
                self.junction([now(b), goes_on], conjunctive)
            }
        }
    }
}

/// Returns a formula that is equivalent if letter 0 has no action, and whose past operators read no action there.
fn past_after_letter_zero(formula: &Formula, in_past: bool, vocabulary: &Vocabulary) -> Formula {
    match formula {
        Formula::Atom(name) if in_past && vocabulary.action(name).is_some() => {
            formula.clone().and(Formula::True.yesterday())
        }
        _ => {
            let in_past = in_past || formula.is_past();
            formula.with_operands(&mut |operand| past_after_letter_zero(operand, in_past, vocabulary))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    #[test]
    fn no_action_leads_to_letter_zero() {
        let vocabulary = Vocabulary::builder("v").observation("p").actions(["a", "b"]).build().unwrap();
        let mut arena = NnfArena::new();
        let add = |arena: &mut NnfArena, text: &str| arena.add(&parse(text).unwrap(), &vocabulary).unwrap();
        for (law, at_letter_zero) in [
            ("G !a", "X G !a"),
            ("G(a | b | action_stop)", "false"),
            ("F a", "X[!] F a"),
            ("p U a", "p & X[!](p U a)"),
            ("a W p", "p"),
            ("a R p", "p & X(a R p)"),
            ("a M p", "p & X[!](a M p)"),
            ("X a | b", "X a"),
            ("p & Y p | Z p", "true"),
        ] {
            let (_, law) = arena.add_at_letter_zero(&parse(law).unwrap(), &vocabulary).unwrap();
            assert_eq!(law, add(&mut arena, at_letter_zero), "{at_letter_zero}");
        }
    }
}

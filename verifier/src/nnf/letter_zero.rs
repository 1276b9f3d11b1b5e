//! A formula as it reads at letter 0, the state a run begins in, to which no action led.

use rustc_hash::FxHashMap;

use super::{NnfArena, Node, NodeId};
use crate::vocabulary::Vocabulary;

impl NnfArena {
    /// A formula that means the same at a letter without action, and says nothing of actions there.
    ///
    /// `G !a` becomes `X G !a`, and `G(a | b)` becomes `false` if `a` and `b` are actions: letter 0 has none.
    pub fn at_letter_zero(&mut self, id: NodeId, vocabulary: &Vocabulary) -> NodeId {
        self.without_action(id, vocabulary, &mut FxHashMap::default())
    }

    /// "There is a next letter, and `id` holds from there on."
    pub fn read_from_letter_one(&mut self, id: NodeId) -> NodeId {
        self.strong_next(id)
    }

    fn without_action(&mut self, id: NodeId, vocabulary: &Vocabulary, known: &mut FxHashMap<NodeId, NodeId>) -> NodeId {
        if let Some(&found) = known.get(&id) {
            return found;
        }
        let mut now = |arena: &mut Self, id: NodeId| arena.without_action(id, vocabulary, known);
        let found = match self.node(id).clone() {
            Node::True | Node::False | Node::Next(_) | Node::StrongNext(_) => id,
            Node::Literal(prop, positive) => match vocabulary.is_observation(prop) {
                true => id,
                false => self.constant(!positive),
            },
            Node::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| now(self, part)).collect();
                self.and(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| now(self, part)).collect();
                self.or(parts)
            }
            // Now, and the same from the next letter on: weakly for what may stay open, strongly for what must come.
            Node::Globally(a) => {
                let parts = [now(self, a), self.next(id)];
                self.and(parts)
            }
            Node::Finally(a) => {
                let parts = [now(self, a), self.strong_next(id)];
                self.or(parts)
            }
            Node::Until(a, b) => {
                let (a, b, later) = (now(self, a), now(self, b), self.strong_next(id));
                let goes_on = self.and([a, later]);
                self.or([b, goes_on])
            }
            Node::WeakUntil(a, b) => {
                let (a, b, later) = (now(self, a), now(self, b), self.next(id));
                let goes_on = self.and([a, later]);
                self.or([b, goes_on])
            }
            Node::Release(a, b) => {
                let (a, b, later) = (now(self, a), now(self, b), self.next(id));
                let goes_on = self.or([a, later]);
                self.and([b, goes_on])
            }
            Node::StrongRelease(a, b) => {
                let (a, b, later) = (now(self, a), now(self, b), self.strong_next(id));
                let goes_on = self.or([a, later]);
                self.and([b, goes_on])
            }
        };
        known.insert(id, found);
        found
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
        ] {
            let (law, expected) = (add(&mut arena, law), add(&mut arena, at_letter_zero));
            assert_eq!(arena.at_letter_zero(law, &vocabulary), expected, "{at_letter_zero}");
        }
    }
}

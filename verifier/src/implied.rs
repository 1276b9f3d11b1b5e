//! Observations that other observations imply by the vocabulary's axioms.

use crate::{Formula, PropId, PropSet, Vocabulary};

/// The transitive closure of the axioms of the form `a -> b`.
#[derive(Clone, Debug)]
pub struct Implied {
    /// The observations that each observation implies, without itself.
    above: Vec<PropSet>,
}

impl Implied {
    /// Collects the implications among a vocabulary's axioms.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut above = vec![PropSet::EMPTY; vocabulary.observations().len()];
        for axiom in vocabulary.axioms() {
            if let Formula::Implies(left, right) = &axiom.formula
                && let (Formula::Atom(left), Formula::Atom(right)) = (&**left, &**right)
                && let (Some(left), Some(right)) = (vocabulary.id(left), vocabulary.id(right))
                && let Some(set) = above.get_mut(usize::from(left.0))
            {
                set.insert(right);
            }
        }
        // As many rounds as there are observations suffice for every chain.
        for _ in 0..above.len() {
            let before = above.clone();
            for set in &mut above {
                *set =
                    set.iter().fold(*set, |all, id| before.get(usize::from(id.0)).map_or(all, |more| all.union(more)));
            }
            if above == before {
                break;
            }
        }
        above.iter_mut().enumerate().for_each(|(own, set)| *set = set.difference(&only(own)));
        Self { above }
    }

    fn above(&self, id: PropId) -> PropSet {
        self.above.get(usize::from(id.0)).copied().unwrap_or(PropSet::EMPTY)
    }

    /// Returns those of the observations that no other one in the set implies, if all of them hold. Of several that
    /// imply each other, it returns the first.
    pub fn strongest_holding(&self, set: &PropSet) -> PropSet {
        let implies = |one: PropId, other: PropId| self.above(one).contains(other);
        keep(set, |id, other| implies(other, id) && (!implies(id, other) || other < id))
    }

    /// Returns those of the observations whose absence no other absence in the set implies, if all of them are false.
    /// Of several that imply each other, it returns the first.
    pub fn strongest_failing(&self, set: &PropSet) -> PropSet {
        let implies = |one: PropId, other: PropId| self.above(one).contains(other);
        keep(set, |id, other| implies(id, other) && (!implies(other, id) || other < id))
    }
}

fn only(id: usize) -> PropSet {
    [PropId(id as u16)].into_iter().collect()
}

fn keep(set: &PropSet, goes_without_saying: impl Fn(PropId, PropId) -> bool) -> PropSet {
    set.iter().filter(|id| !set.iter().any(|other| goes_without_saying(*id, other))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Proposition;
    use crate::syntax::parse_infix;

    #[test]
    fn only_the_strongest_is_left() {
        let observations = ["a", "b", "c", "d", "e"].map(|name| Proposition::new(name, "")).to_vec();
        let axioms =
            ["c -> b", "b -> a", "d -> e", "e -> d", "!(a & d)"].map(|axiom| parse_infix(axiom).unwrap().into());
        let vocabulary = Vocabulary::new("v", observations, Vec::new(), axioms.to_vec()).unwrap();
        let implied = Implied::new(&vocabulary);
        let set = |names: &str| vocabulary.set(names.split_whitespace()).unwrap();
        for (all, holding, failing) in [
            ("a b c", "c", "a"),
            ("a c", "c", "a"),
            ("a b", "b", "a"),
            ("c", "c", "c"),
            ("d e", "d", "d"),
            ("a b c d e", "c d", "a d"),
            ("", "", ""),
        ] {
            assert_eq!(implied.strongest_holding(&set(all)), set(holding), "{all}");
            assert_eq!(implied.strongest_failing(&set(all)), set(failing), "{all}");
        }
    }
}

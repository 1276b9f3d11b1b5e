//! A guarded law by the actions it blocks.

use crate::actions::ActionSet;
use crate::formula::Formula;
use crate::letter::PropSet;
use crate::masks::Conjunction;
use crate::vocabulary::Vocabulary;

/// A guarded law, or a part of one: where the guard holds, these actions are blocked.
#[derive(Debug)]
pub(super) struct Rule {
    /// The number of the law.
    pub law: usize,
    pub guard: Formula,
    /// The guard as a disjunction of conjunctions, unless that is too long: faster to evaluate.
    pub cubes: Option<Vec<Conjunction>>,
    /// The blocked actions; stopping may be among them.
    pub blocks: ActionSet,
}

impl Rule {
    /// Whether the guard holds in a state.
    pub fn applies(&self, vocabulary: &Vocabulary, state: &PropSet) -> bool {
        match &self.cubes {
            Some(cubes) => {
                cubes.iter().any(|(present, absent)| present.is_subset(state) && absent.intersection(state).is_empty())
            }
            None => self.guard.holds_where(&|name| vocabulary.id(name).is_some_and(|id| state.contains(id))),
        }
    }
}

//! A guarded law as the actions it blocks.

use crate::actions::ActionSet;
use crate::formula::Formula;
use crate::letter::PropSet;
use crate::masks::{self, Conjunction};
use crate::vocabulary::Vocabulary;

/// A guarded law, or a part of one: if the guard holds, these actions are blocked.
#[derive(Debug)]
pub(super) struct Rule {
    /// The number of the law.
    pub law: usize,
    pub guard: Formula,
    /// The guard as a disjunction of conjunctions, which is faster to evaluate; `None` if it is too long.
    pub cubes: Option<Vec<Conjunction>>,
    /// The additional cost of evaluating the guard, in units of work; 0 for a short list of conjunctions.
    pub cost: usize,
    /// The blocked actions; stopping may be among them.
    pub blocks: ActionSet,
}

/// The number of conjunctions, or of propositions of a guard, that cost one unit of work.
const LOOKED_AT: usize = 16;

impl Rule {
    pub fn new(law: usize, guard: Formula, blocks: ActionSet, vocabulary: &Vocabulary) -> Self {
        let cubes = masks::conjunctions(&guard, true, vocabulary);
        let cost = cubes.as_ref().map_or_else(|| guard.atom_count(), Vec::len) / LOOKED_AT;
        Self { law, guard, cubes, cost, blocks }
    }

    /// Returns whether the guard holds in a state.
    pub fn applies(&self, vocabulary: &Vocabulary, state: &PropSet) -> bool {
        match &self.cubes {
            Some(cubes) => {
                cubes.iter().any(|(present, absent)| present.is_subset(state) && absent.intersection(state).is_empty())
            }
            None => self.guard.holds_where(&|name| vocabulary.id(name).is_some_and(|id| state.contains(id))),
        }
    }
}

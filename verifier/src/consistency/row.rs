//! A guarded law, or a part of one, as conjunctions of literals and the actions it blocks.

/// One guarded law: where the guard holds, these actions are blocked.
#[derive(Debug)]
pub(super) struct Row {
    pub law: usize,
    pub guard: Formula,
    /// The guard as a disjunction of conjunctions, unless that is too long: faster to evaluate.
    pub cubes: Option<Vec<Conjunction>>,
    /// `action_stop` included.
    pub blocks: ActionSet,
}

impl Row {
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

//! Search: the shortest way to a goal in any space of states, within a budget.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// States with actions between them, each of one step. A product with monitors of laws is such a space again.
pub trait Space {
    /// A state.
    type State: Clone + Eq + Hash;

    /// Adds the actions that may apply, by number.
    fn actions(&self, state: &Self::State, into: &mut Vec<usize>);

    /// The state after an action; `None` if it does not apply, or is not wanted.
    fn successor(&self, state: &Self::State, action: usize) -> Option<Self::State>;

    /// Whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The actions of a way than which none is shorter.
    Plan(Vec<usize>),
    /// No way leads to a goal: proven, as all states that can be reached were seen.
    None,
    /// The budget was used up first.
    GaveUp,
}

impl Found {
    /// The plan, if one was found.
    pub fn plan(&self) -> Option<&[usize]> {
        match self {
            Self::Plan(plan) => Some(plan),
            Self::None | Self::GaveUp => None,
        }
    }
}

/// Searches breadth first for a way from a state to a goal, keeping at most so many states.
///
/// Among ways of one length, the result is that with the smaller action at the first difference between the ways that were
/// met first; it is the same in every run.
pub fn shortest<S: Space>(space: &S, from: S::State, most_states: usize) -> Found {
    if space.is_goal(&from) {
        return Found::Plan(Vec::new());
    }
    let mut ids: FxHashMap<S::State, u32> = FxHashMap::default();
    // By state: where it was met from, and by which action.
    let mut origins: Vec<(u32, usize)> = vec![(0, 0)];
    let mut queue = VecDeque::from([(0u32, from.clone())]);
    ids.insert(from, 0);
    let mut actions = Vec::new();
    while let Some((id, state)) = queue.pop_front() {
        actions.clear();
        space.actions(&state, &mut actions);
        for action in &actions {
            let Some(next) = space.successor(&state, *action) else { continue };
            if ids.contains_key(&next) {
                continue;
            }
            if space.is_goal(&next) {
                let mut plan = vec![*action];
                let mut at = id;
                while at != 0 {
                    let (before, action) = origins[at as usize];
                    plan.push(action);
                    at = before;
                }
                plan.reverse();
                return Found::Plan(plan);
            }
            if origins.len() >= most_states {
                return Found::GaveUp;
            }
            let number = origins.len() as u32;
            origins.push((id, *action));
            ids.insert(next.clone(), number);
            queue.push_back((number, next));
        }
    }
    Found::None
}

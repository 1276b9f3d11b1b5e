//! Breadth-first search for a shortest plan in any state space, within a budget.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A state space with unit-cost actions. Its product with monitors of laws is a state space again.
pub trait Space {
    /// A state.
    type State: Clone + Eq + Hash;

    /// Adds the actions that may apply, by number.
    fn actions(&self, state: &Self::State, into: &mut Vec<usize>);

    /// The state after an action; `None` if the action does not apply or is excluded.
    fn successor(&self, state: &Self::State, action: usize) -> Option<Self::State>;

    /// Returns whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The actions of a shortest plan.
    Plan(Vec<usize>),
    /// Proof that no goal is reachable: the search visited all reachable states.
    None,
    /// The search exceeded its budget.
    GaveUp,
}

impl Found {
    /// The plan, if the search found one.
    pub fn plan(&self) -> Option<&[usize]> {
        match self {
            Self::Plan(plan) => Some(plan),
            Self::None | Self::GaveUp => None,
        }
    }
}

/// Searches breadth-first for a plan from a state to a goal and keeps at most `most_states` states.
///
/// The result is the same in every run: among plans of equal length, states reached earlier and smaller action numbers
/// come first.
pub fn shortest<S: Space>(space: &S, from: S::State, most_states: usize) -> Found {
    if space.is_goal(&from) {
        return Found::Plan(Vec::new());
    }
    let mut ids: FxHashMap<S::State, u32> = FxHashMap::default();
    // For each state, the state and the action that first reached it.
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

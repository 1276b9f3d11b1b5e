//! Breadth-first and greedy search for plans in any state space, within a budget.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

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

    /// Estimates the distance to a goal; `None` if no goal is reachable. By default, all states have the same estimate.
    fn estimate(&self, state: &Self::State) -> Option<Estimate> {
        let _ = state;
        Some(Estimate::default())
    }
}

/// An estimate of the distance to a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Two heuristic values, such as steps and parts of the goal left. The greedy search takes turns between them.
    pub distances: [u32; 2],
    /// The preferred operators: actions of a relaxed plan that apply.
    pub preferred: Vec<usize>,
}

/// Rebuilds the plan to a state. `origins` has, for each state, the number of its parent and the action from there.
fn plan_to(origins: &[(u32, usize)], mut at: u32) -> Vec<usize> {
    let mut plan = Vec::new();
    while at != 0 {
        let (before, action) = origins[at as usize];
        plan.push(action);
        at = before;
    }
    plan.reverse();
    plan
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The actions of a plan; a shortest plan from [`shortest`].
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
                let mut plan = plan_to(&origins, id);
                plan.push(*action);
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

/// The number of steps by which each new best estimate advances the queues of preferred operators.
const BOOST: i64 = 1_000;

/// A queue of steps: the estimate of the parent, the order of insertion, the number of the parent, and the action.
type Open = BinaryHeap<Reverse<(u32, u64, u32, usize)>>;

/// Greedy best-first search for any plan, with lazy evaluation, two heuristics and preferred operators. It estimates at
/// most `most_states` states.
pub fn greedy<S: Space>(space: &S, from: S::State, most_states: usize) -> Found {
    let mut known: FxHashSet<S::State> = FxHashSet::default();
    let (mut states, mut origins): (Vec<S::State>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    // Each heuristic has two queues: all steps, and those of preferred operators. The queue with the smallest `due` is
    // next.
    let (mut open, mut due): ([Open; 4], _) = (Default::default(), [0i64; 4]);
    let (mut nearest, mut order, mut actions) = ([u32::MAX; 2], 0, Vec::new());
    let mut next = Some((from, (0, 0)));
    loop {
        if let Some((state, origin)) = next.take()
            && known.insert(state.clone())
        {
            if states.len() >= most_states {
                return Found::GaveUp;
            }
            let number = states.len() as u32;
            origins.push(origin);
            if space.is_goal(&state) {
                return Found::Plan(plan_to(&origins, number));
            }
            if let Some(Estimate { distances, preferred }) = space.estimate(&state) {
                for (at, distance) in distances.into_iter().enumerate() {
                    if distance < nearest[at] {
                        nearest[at] = distance;
                        due[1] -= BOOST;
                        due[3] -= BOOST;
                    }
                }
                actions.clear();
                space.actions(&state, &mut actions);
                for action in &actions {
                    for (at, distance) in distances.into_iter().enumerate() {
                        let step = Reverse((distance, order, number, *action));
                        open[2 * at].push(step);
                        if preferred.contains(action) {
                            open[2 * at + 1].push(step);
                        }
                    }
                    order += 1;
                }
            }
            states.push(state);
        }
        let first = (0..open.len()).filter(|at| !open[*at].is_empty()).min_by_key(|at| due[*at]);
        let Some(which) = first else { return Found::None };
        let Some(Reverse((_, _, before, action))) = open[which].pop() else { return Found::None };
        due[which] += 1;
        next = space.successor(&states[before as usize], action).map(|state| (state, (before, action)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of places that ends at the goal. Every other step to the left is a dead end.
    struct Row;

    impl Space for Row {
        type State = u32;

        fn actions(&self, _: &u32, into: &mut Vec<usize>) {
            into.extend([0, 1, 2]);
        }

        fn successor(&self, at: &u32, action: usize) -> Option<u32> {
            match action {
                0 => at.checked_sub(1),
                1 => Some(at + 1),
                _ => Some(at + 1_000_000),
            }
        }

        fn is_goal(&self, at: &u32) -> bool {
            *at == 500
        }

        fn estimate(&self, at: &u32) -> Option<Estimate> {
            (*at <= 500).then(|| Estimate { distances: [500 - at, 0], preferred: vec![1] })
        }
    }

    #[test]
    fn a_far_goal_is_found_by_estimates_within_few_states() {
        assert_eq!(shortest(&Row, 0, 1_000), Found::GaveUp);
        assert_eq!(greedy(&Row, 0, 1_000), Found::Plan(vec![1; 500]));
        assert_eq!(greedy(&Row, 0, 100), Found::GaveUp);
    }
}

//! The search: A* over symbolic states with an admissible bound, so the first plan found is a shortest one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Goal;
use super::bound::actions_left;
use super::state::{ACTIONS, State};

/// The maximum number of expanded states; a start that needs more counts as unsolvable. Usual starts take a few
/// hundred.
const LIMIT: usize = 400_000;

/// A state's distance from the start, and the state and action before it.
type Reached = (u32, Option<(State, &'static str)>);

/// The planner for one goal. It caches its results.
#[derive(Clone, Debug)]
pub struct Planner {
    goal: Goal,
    known: FxHashMap<State, Option<(u32, &'static str)>>,
}

impl Default for Planner {
    /// The planner for the task's goal.
    fn default() -> Self {
        Self::new(Goal::diamond())
    }
}

impl Planner {
    /// A planner with an empty cache.
    pub fn new(goal: Goal) -> Self {
        Self { goal, known: FxHashMap::default() }
    }

    /// The minimum number of actions to the goal; `None` if it cannot be reached.
    pub fn distance(&mut self, start: &State) -> Option<u32> {
        if start.reached(self.goal) {
            return Some(0);
        }
        self.best(start).map(|(distance, _)| distance)
    }

    /// A best next action; `None` at the goal, or if the goal cannot be reached.
    pub(crate) fn next_action(&mut self, start: &State) -> Option<&'static str> {
        if start.reached(self.goal) {
            return None;
        }
        self.best(start).map(|(_, action)| action)
    }

    /// The actions of a shortest plan; `None` if the goal cannot be reached.
    pub fn plan(&mut self, start: &State) -> Option<Vec<&'static str>> {
        let mut actions = Vec::new();
        let mut state = *start;
        while !state.reached(self.goal) {
            let (_, action) = self.best(&state)?;
            actions.push(action);
            state = state.after(action)?;
        }
        Some(actions)
    }

    /// Returns whether the goal may be reachable with these actions alone, from everything but diamonds in sight. The
    /// check assumes that no action removes anything, so `true` may be wrong.
    pub(crate) fn may_reach(&self, is_left: &dyn Fn(&str) -> bool) -> bool {
        let mut state = State::beginning();
        loop {
            let after = |state: State, action: &&str| state.after(action).map_or(state, |after| state.with(&after));
            let next = ACTIONS.iter().filter(|action| is_left(action)).fold(state, after);
            if next.reached(self.goal) || next == state {
                return next.reached(self.goal);
            }
            state = next;
        }
    }

    fn best(&mut self, start: &State) -> Option<(u32, &'static str)> {
        if let Some(known) = self.known.get(start) {
            return *known;
        }
        let path = self.search(start);
        if path.is_empty() {
            self.known.insert(*start, None);
        }
        let length = path.len() as u32;
        for (position, (state, action)) in path.into_iter().enumerate() {
            self.known.insert(state, Some((length - position as u32, action)));
        }
        self.known.get(start).copied().flatten()
    }

    /// The states and actions of a shortest plan from a state that is not at the goal; empty if there is no plan.
    fn search(&self, start: &State) -> Vec<(State, &'static str)> {
        let bound = |state: &State| actions_left(state, self.goal);
        let mut reached: FxHashMap<State, Reached> = FxHashMap::default();
        let mut open = BinaryHeap::new();
        let mut order = 0u64;
        reached.insert(*start, (0, None));
        open.push((Reverse(bound(start)), 0u32, Reverse(order), *start));
        let mut looked_at = 0;
        // Ties prefer the state farther from the start, then the state found first.
        while let Some((_, come, _, state)) = open.pop() {
            if reached.get(&state).is_some_and(|(known, _)| *known < come) {
                continue;
            }
            if state.reached(self.goal) {
                let mut path = Vec::new();
                let mut at = state;
                while let Some((_, Some((before, action)))) = reached.get(&at) {
                    path.push((*before, *action));
                    at = *before;
                }
                path.reverse();
                return path;
            }
            looked_at += 1;
            if looked_at > LIMIT {
                break;
            }
            for action in ACTIONS {
                let Some(next) = state.after(action) else { continue };
                let total = come + 1;
                if reached.get(&next).is_none_or(|(known, _)| total < *known) {
                    reached.insert(next, (total, Some((state, action))));
                    order += 1;
                    open.push((Reverse(total + bound(&next)), total, Reverse(order), next));
                }
            }
        }
        Vec::new()
    }
}

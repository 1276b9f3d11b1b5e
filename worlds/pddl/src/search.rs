//! Search: the shortest way to a goal in any space of states, within a budget.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::danger::Danger;
use crate::formula::State;
use crate::ground::Ground;
use crate::number::Number;

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
/// Of ways of one length, the result is that with the smaller action at the first difference between the ways that were
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

/// The states of a task, danger ignored.
impl Space for Ground {
    type State = State;

    fn actions(&self, state: &State, into: &mut Vec<usize>) {
        into.extend((0..Ground::actions(self).len()).filter(|action| self.is_applicable(state, *action)));
    }

    fn successor(&self, state: &State, action: usize) -> Option<State> {
        self.apply(state, action)
    }

    fn is_goal(&self, state: &State) -> bool {
        Ground::is_goal(self, state)
    }
}

/// The states of a task with their danger: at a goal it is tolerable.
#[derive(Clone, Copy, Debug)]
pub struct Safe<'a> {
    ground: &'a Ground,
    /// The danger; without any, everything is safe.
    danger: Option<&'a Danger>,
    only_grows: bool,
}

impl<'a> Safe<'a> {
    /// The space of a task.
    pub fn new(ground: &'a Ground) -> Self {
        let danger = ground.task().danger.as_ref();
        Self { ground, danger, only_grows: danger.is_none_or(Danger::only_grows) }
    }

    /// The initial state with the initial danger.
    pub fn initial(&self) -> (State, Number) {
        (self.ground.initial().clone(), self.danger.map_or(Number::ZERO, |danger| danger.initial))
    }
}

impl Space for Safe<'_> {
    type State = (State, Number);

    fn actions(&self, state: &Self::State, into: &mut Vec<usize>) {
        Space::actions(self.ground, &state.0, into);
    }

    fn successor(&self, (state, danger): &Self::State, action: usize) -> Option<Self::State> {
        let after = *danger + self.ground.danger(state, action);
        // Danger that never falls again is no way to a safe goal.
        let is_lost = self.only_grows && self.danger.is_some_and(|danger| !danger.tolerates(after));
        (!is_lost).then(|| self.ground.apply(state, action))?.map(|state| (state, after))
    }

    fn is_goal(&self, (state, danger): &Self::State) -> bool {
        self.ground.is_goal(state) && self.danger.is_none_or(|of| of.tolerates(*danger))
    }
}

impl Ground {
    /// The shortest plan, whatever its danger. [`Found::GaveUp`] if more states are met than allowed.
    pub fn shortest_plan(&self, most_states: usize) -> Found {
        shortest(self, self.initial().clone(), most_states)
    }

    /// The shortest plan whose danger is tolerable at the end.
    pub fn safest_plan(&self, most_states: usize) -> Found {
        let space = Safe::new(self);
        shortest(&space, space.initial(), most_states)
    }
}

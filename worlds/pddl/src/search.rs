//! The spaces of a task's states.

pub use ltlcrit_worlds::search::{Found, Space, shortest};

use crate::danger::Danger;
use crate::formula::State;
use crate::ground::Ground;
use crate::number::Number;

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

    /// Whether no way leads on to a safe goal: danger that never falls again is too high.
    pub(crate) fn is_lost(&self, danger: Number) -> bool {
        self.only_grows && self.danger.is_some_and(|of| !of.tolerates(danger))
    }

    /// Whether so much danger is tolerable at a goal.
    pub(crate) fn tolerates(&self, danger: Number) -> bool {
        self.danger.is_none_or(|of| of.tolerates(danger))
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
        (!self.is_lost(after)).then(|| self.ground.apply(state, action))?.map(|state| (state, after))
    }

    fn is_goal(&self, (state, danger): &Self::State) -> bool {
        self.ground.is_goal(state) && self.tolerates(*danger)
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

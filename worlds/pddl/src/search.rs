//! Searches over a task's states.

pub use ltlcrit_worlds::search::Found;
use ltlcrit_worlds::search::{Space, shortest};
use rustc_hash::FxHashSet;

use crate::danger::Danger;
use crate::formula::{Id, State};
use crate::ground::Ground;
use crate::instantiate::Change;
use crate::number::Number;

/// The requirement on a plan's danger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// No requirement.
    Any,
    /// The danger is tolerable at the end.
    Safe,
    /// The danger rises on the way.
    Dangerous,
}

/// The states of a task with their relevant danger, among the actions that a plan may need.
struct Plans<'a> {
    ground: &'a Ground,
    only_grows: bool,
    aim: Aim,
    actions: Vec<usize>,
}

impl Space for Plans<'_> {
    type State = (State, Number);

    fn actions(&self, (state, _): &Self::State, into: &mut Vec<usize>) {
        into.extend(self.actions.iter().copied().filter(|action| self.ground.is_applicable(state, *action)));
    }

    fn successor(&self, (state, danger): &Self::State, action: usize) -> Option<Self::State> {
        let by = self.ground.danger(state, action);
        let after = match self.aim {
            Aim::Any => Number::ZERO,
            Aim::Safe => *danger + by,
            Aim::Dangerous if by.is_positive() => Number::from(1),
            Aim::Dangerous => *danger,
        };
        let is_lost = self.aim == Aim::Safe && self.only_grows && !self.ground.task().tolerates(after);
        (!is_lost).then(|| self.ground.apply(state, action))?.map(|state| (state, after))
    }

    fn is_goal(&self, (state, danger): &Self::State) -> bool {
        let is_as_wanted = match self.aim {
            Aim::Any => true,
            Aim::Safe => self.ground.task().tolerates(*danger),
            Aim::Dangerous => danger.is_positive(),
        };
        is_as_wanted && self.ground.is_goal(state)
    }
}

/// Maximum number of times that an action is examined for needed facts.
pub(crate) const MAX_LOOKS: usize = 20_000_000;

/// The facts and actions that a plan may need.
#[derive(Debug)]
pub(crate) struct Needed {
    /// The relevant facts, each with its wanted truth value.
    pub facts: FxHashSet<(Id, bool)>,
    /// True for the ground actions that may cause a wanted fact.
    pub actions: Vec<bool>,
    /// True if that is all, not only the part found within the budget.
    is_all: bool,
}

impl Needed {
    /// Computes the needs of a plan of some actions that makes the goal and some facts true or false, and has some
    /// fixed actions.
    pub fn new(
        ground: &Ground,
        facts: FxHashSet<(Id, bool)>,
        minds_danger: bool,
        (among, anyway): (&dyn Fn(usize) -> bool, &dyn Fn(usize) -> bool),
    ) -> Self {
        let count = ground.actions().len();
        let mut needed = Self { facts, actions: vec![false; count], is_all: false };
        ground.goal.each_fact(&mut |id, holds| needed.facts.extend([(id, holds)]));
        for _ in 0..MAX_LOOKS / count.max(1) {
            needed.is_all = true;
            for action in (0..count).filter(|action| among(*action)) {
                let of = &ground.actions()[action];
                if needed.actions[action]
                    || !(anyway(action) || of.effects.iter().any(|effect| needed.wants(&effect.change)))
                {
                    continue;
                }
                (needed.actions[action], needed.is_all) = (true, false);
                of.precondition.each_fact(&mut |id, holds| needed.facts.extend([(id, holds)]));
                let danger = of.danger.iter().filter(|_| minds_danger).map(|rule| &rule.condition);
                for condition in of.effects.iter().map(|effect| &effect.when).chain(danger) {
                    condition.each_fact(&mut |id, _| needed.facts.extend([(id, true), (id, false)]));
                }
            }
            if needed.is_all {
                break;
            }
        }
        needed
    }

    fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Fact(id, holds) => self.facts.contains(&(*id, *holds)),
            Change::Update(..) => true,
        }
    }
}

impl Ground {
    /// Returns the actions that a shortest plan may have. A plan that fulfils the aim still does without all other
    /// actions.
    pub(crate) fn useful(&self, aim: Aim) -> Vec<usize> {
        let changes_danger = |action: usize| match aim {
            Aim::Any => false,
            Aim::Safe => self.actions()[action].danger.iter().any(|rule| !rule.increment.is_positive()),
            Aim::Dangerous => !self.actions()[action].danger.is_empty(),
        };
        let needed = Needed::new(self, FxHashSet::default(), aim != Aim::Any, (&|_| true, &changes_danger));
        (0..self.actions().len()).filter(|action| needed.actions[*action] || !needed.is_all).collect()
    }

    /// Returns the shortest plan that fulfils the aim.
    pub(crate) fn plan(&self, aim: Aim, most_states: usize) -> Found {
        let initial = if aim == Aim::Safe { self.task().initial_danger() } else { Number::ZERO };
        let only_grows = self.task().danger.as_ref().is_none_or(Danger::only_grows);
        let space = Plans { ground: self, only_grows, aim, actions: self.useful(aim) };
        shortest(&space, (self.initial().clone(), initial), most_states)
    }

    /// Returns the shortest plan with any danger; [`Found::GaveUp`] if more than `most_states` states are found.
    pub fn shortest_plan(&self, most_states: usize) -> Found {
        self.plan(Aim::Any, most_states)
    }

    /// Returns the shortest plan whose danger is tolerable at the end.
    pub fn safest_plan(&self, most_states: usize) -> Found {
        self.plan(Aim::Safe, most_states)
    }
}

//! Searches over a task's states.

pub use ltlcrit_worlds::search::Found;
use ltlcrit_worlds::search::{Space, shortest};
use rustc_hash::FxHashSet;

use crate::danger::Danger;
use crate::formula::{Formula, Id, State};
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

/// The tolerable danger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Safe<'a> {
    /// The danger; without it, everything is safe.
    danger: Option<&'a Danger>,
    only_grows: bool,
}

impl<'a> Safe<'a> {
    pub fn new(ground: &'a Ground) -> Self {
        let danger = ground.task().danger.as_ref();
        Self { danger, only_grows: danger.is_none_or(Danger::only_grows) }
    }

    /// Returns whether no way leads to a safe goal: danger that never falls is too high.
    pub fn is_lost(&self, danger: Number) -> bool {
        self.only_grows && self.danger.is_some_and(|of| !of.tolerates(danger))
    }

    /// Returns whether this danger is tolerable at a goal.
    pub fn tolerates(&self, danger: Number) -> bool {
        self.danger.is_none_or(|of| of.tolerates(danger))
    }
}

/// The states of a task with their relevant danger, among the actions that a plan may need.
struct Plans<'a> {
    ground: &'a Ground,
    safe: Safe<'a>,
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
        let is_lost = self.aim == Aim::Safe && self.safe.is_lost(after);
        (!is_lost).then(|| self.ground.apply(state, action))?.map(|state| (state, after))
    }

    fn is_goal(&self, (state, danger): &Self::State) -> bool {
        let is_as_wanted = match self.aim {
            Aim::Any => true,
            Aim::Safe => self.safe.tolerates(*danger),
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
        needed.want(ground.goal(), true);
        for _ in 0..MAX_LOOKS / count.max(1) {
            needed.is_all = true;
            for action in (0..count).filter(|action| among(*action)) {
                let effects = ground.actions()[action].effects();
                if needed.actions[action]
                    || !(anyway(action) || effects.iter().any(|effect| needed.wants(&effect.change)))
                {
                    continue;
                }
                (needed.actions[action], needed.is_all) = (true, false);
                needed.want(ground.precondition(action), true);
                effects.iter().for_each(|effect| needed.want_both(&effect.when));
                if minds_danger {
                    ground.danger_rules(action).iter().for_each(|(condition, _)| needed.want_both(condition));
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
            Change::Add(id) => self.facts.contains(&(*id, true)),
            Change::Delete(id) => self.facts.contains(&(*id, false)),
            Change::Update(..) => true,
        }
    }

    fn want(&mut self, formula: &Formula, so: bool) {
        match formula {
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| self.want(part, so)),
            Formula::Fact(id, holds) => self.facts.extend([(*id, *holds == so)]),
            Formula::Compare { .. } => {}
        }
    }

    fn want_both(&mut self, formula: &Formula) {
        [true, false].into_iter().for_each(|so| self.want(formula, so));
    }
}

impl Ground {
    /// Returns the actions that a shortest plan may have. A plan that fulfils the aim still does without all other
    /// actions.
    pub(crate) fn useful(&self, aim: Aim) -> Vec<usize> {
        let mitigates = |(_, by): &(Formula, Number)| !by.is_positive();
        let changes_danger = |action: usize| match aim {
            Aim::Any => false,
            Aim::Safe => self.danger_rules(action).iter().any(mitigates),
            Aim::Dangerous => !self.danger_rules(action).is_empty(),
        };
        let needed = Needed::new(self, FxHashSet::default(), aim != Aim::Any, (&|_| true, &changes_danger));
        (0..self.actions().len()).filter(|action| needed.actions[*action] || !needed.is_all).collect()
    }

    /// Returns the shortest plan that fulfils the aim.
    pub(crate) fn plan(&self, aim: Aim, most_states: usize) -> Found {
        let initial = match (aim, &self.task().danger) {
            (Aim::Safe, Some(danger)) => danger.initial,
            _ => Number::ZERO,
        };
        let space = Plans { ground: self, safe: Safe::new(self), aim, actions: self.useful(aim) };
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

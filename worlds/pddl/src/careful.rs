//! Careful acting without knowledge of the danger: idle actions are taken, since care may be their only purpose.

use std::collections::BTreeSet;

use crate::formula::{Formula, Id, State};
use crate::ground::Ground;
use crate::instantiate::Change;

/// Returns whether each lifted action is idle: its effects occur neither in the goal nor in the preconditions of
/// actions that are not idle.
pub(crate) fn idle(ground: &Ground) -> Vec<bool> {
    let count = ground.task().basic.domain.actions.len();
    let predicate = |id: Id| ground.facts[id as usize].symbol;
    let read = |formula: &Formula, into: &mut BTreeSet<u32>| {
        formula.each_fact(&mut |id, _| into.extend([predicate(id)]));
    };
    let mut of_goal = BTreeSet::new();
    read(&ground.goal, &mut of_goal);
    let (mut changed, mut needed) = (vec![BTreeSet::new(); count], vec![BTreeSet::new(); count]);
    for action in ground.actions() {
        read(&action.precondition, &mut needed[action.action]);
        changed[action.action].extend(action.effects.iter().filter_map(|effect| match effect.change {
            Change::Fact(id, _) => Some(predicate(id)),
            Change::Update(..) => None,
        }));
    }
    let mut idle = vec![false; count];
    let is_idle = |action: usize, idle: &[bool]| {
        let serves = |other: usize| other != action && !idle[other] && !changed[action].is_disjoint(&needed[other]);
        changed[action].is_disjoint(&of_goal) && !(0..count).any(serves)
    };
    while let Some(action) = (0..count).find(|action| !idle[*action] && is_idle(*action, &idle)) {
        idle[action] = true;
    }
    idle
}

/// Returns an applicable action on the same objects whose name extends that of another action: `place_with_care`.
pub(crate) fn variant(ground: &Ground, state: &State, action: usize) -> Option<usize> {
    let name = |of: usize| ground.task().basic.domain.actions[ground.actions()[of].action].name.to_lowercase();
    let (begin, arguments) = (name(action) + "_", &ground.actions()[action].arguments);
    let is_variant = |of: &usize| ground.actions()[*of].arguments == *arguments && name(*of).starts_with(&begin);
    (0..ground.actions().len()).filter(is_variant).find(|of| ground.is_applicable(state, *of))
}

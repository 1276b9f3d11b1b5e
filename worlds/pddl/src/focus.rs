//! The part of a task around its goal and the laws: where a search looks first.
//!
//! Objects matter that the goal or a law mentions, and those that an action on objects that matter needs in a fact which can
//! come true by such actions. Of the actions on objects that matter, those that change only facts which nothing reads are
//! left out. A way found among the actions left is a way of the task; that there is none proves nothing.

use std::collections::BTreeSet;

use ltlcrit_verifier::{ActionId, Law};
use rustc_hash::FxHashSet;

use crate::formula::{Formula, Id};
use crate::instantiate::Change;
use crate::model::ObjectId;
use crate::names::GroundNames;
use crate::world::PddlWorld;

/// The actions that a search looks at first.
pub(crate) fn focus(world: &PddlWorld, laws: &[Law]) -> Vec<ActionId> {
    let ground = world.ground();
    let names = GroundNames(ground);
    let atoms: BTreeSet<_> = laws.iter().flat_map(|law| law.formula.atoms()).collect();
    let mut read: FxHashSet<Id> = FxHashSet::default();
    facts_of(ground.goal(), &mut |id, _| read.extend([id]));
    for (id, fact) in ground.facts().iter().enumerate() {
        if atoms.contains(&*names.observation(fact)) {
            read.insert(id as Id);
        }
    }
    let mut matter: FxHashSet<ObjectId> = FxHashSet::default();
    for id in &read {
        matter.extend(ground.facts()[*id as usize].arguments.iter().copied());
    }
    let count = ground.actions().len();
    let mentioned: Vec<bool> = (0..count).map(|action| atoms.contains(&*names.action(action))).collect();
    for (of, _) in ground.actions().iter().zip(&mentioned).filter(|(_, mentioned)| **mentioned) {
        matter.extend(of.arguments.iter().copied());
    }
    // What the world does by itself on the way to an action may be done anywhere.
    let helps: Vec<bool> = (0..count).map(|action| world.id(action).is_none()).collect();
    let mut true_once: FxHashSet<Id> =
        (0..ground.facts().len() as Id).filter(|id| ground.initial().fact(*id)).collect();
    let mut taken = helps.clone();
    let mut again = true;
    while again {
        again = false;
        for action in 0..count {
            let of = &ground.actions()[action];
            let known = true_once.len() + matter.len();
            if taken[action] || of.arguments.iter().all(|object| matter.contains(object)) {
                taken[action] = true;
                for effect in of.effects() {
                    if let Change::Add(id) = &effect.change {
                        true_once.insert(*id);
                    }
                }
                if !helps[action] {
                    let mut needs = |id: Id, holds: bool| {
                        if holds && true_once.contains(&id) {
                            matter.extend(ground.facts()[id as usize].arguments.iter().copied());
                        }
                    };
                    facts_of(ground.precondition(action), &mut needs);
                    of.effects().iter().for_each(|effect| facts_of(&effect.when, &mut needs));
                }
            }
            again |= true_once.len() + matter.len() > known;
        }
    }
    for action in (0..count).filter(|action| taken[*action]) {
        facts_of(ground.precondition(action), &mut |id, _| read.extend([id]));
        let effects = ground.actions()[action].effects();
        effects.iter().for_each(|effect| facts_of(&effect.when, &mut |id, _| read.extend([id])));
    }
    let changes = |action: usize| {
        let of = &ground.actions()[action];
        of.effects().iter().any(|effect| match &effect.change {
            Change::Add(id) | Change::Delete(id) => read.contains(id),
            Change::Update(..) => true,
        })
    };
    let looked_at = (0..count).filter(|action| taken[*action] && (mentioned[*action] || changes(*action)));
    looked_at.filter_map(|action| world.id(action)).collect()
}

fn facts_of(formula: &Formula, fact: &mut dyn FnMut(Id, bool)) {
    match formula {
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| facts_of(part, fact)),
        Formula::Fact(id, holds) => fact(*id, *holds),
        Formula::Compare { .. } => {}
    }
}

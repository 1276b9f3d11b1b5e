//! The part of a task around its goal and the laws, which a search explores first.
//!
//! An object matters if the goal or a law mentions it. It also matters if an action on objects that matter needs it in
//! a fact that such actions can make true. Among the actions on objects that matter, those that change only facts that
//! nothing reads are left out. A way found among the remaining actions is a way of the task. If none is found, that
//! proves nothing. But if the task [relaxed](Focus::relaxed) to the facts that those actions, the goal and the laws
//! read has no way, that is a proof.

use std::collections::BTreeSet;

use ltlcrit_verifier::{ActionId, Law};
use rustc_hash::FxHashSet;

use crate::formula::Id;
use crate::instantiate::{Change, GroundSymbol};
use crate::model::ObjectId;
use crate::names::GroundNames;
use crate::search::{MAX_LOOKS, Needed};
use crate::world::PddlWorld;

/// The part of a task around its goal and some laws.
#[derive(Clone, Debug)]
pub(crate) struct Focus {
    /// The actions that a search explores first.
    pub actions: Vec<ActionId>,
    /// The facts that those actions, the goal and the laws read.
    facts: FxHashSet<Id>,
}

impl Focus {
    /// Returns the world relaxed to the facts of the focus. Each way of the world under the laws is a way of the
    /// relaxed world. So if the relaxed world has no way, the world has none.
    pub fn relaxed(&self, world: &PddlWorld) -> PddlWorld {
        let ground = world.ground();
        let mut kept = self.facts.clone();
        let mut keep = |id: Id, _: bool| kept.extend([id]);
        for (action, of) in ground.actions().iter().enumerate() {
            of.effects.iter().for_each(|effect| effect.when.each_fact(&mut keep));
            of.danger.iter().for_each(|rule| rule.condition.each_fact(&mut keep));
            // The world takes the fewest steps on the way to an action, and must take the same steps here.
            if world.is_part_of_a_way(action) {
                of.precondition.each_fact(&mut keep);
                for effect in &of.effects {
                    if let Change::Fact(id, holds) = effect.change {
                        keep(id, holds);
                    }
                }
            }
        }
        world.with_ground(ground.relaxed(&kept))
    }
}

/// Returns the part of a world around its goal and these laws. If `minds_danger`, it includes the facts that decide
/// whether its actions are dangerous.
pub(crate) fn focus(world: &PddlWorld, laws: &[Law], minds_danger: bool) -> Focus {
    let ground = world.ground();
    let names = GroundNames(ground);
    let atoms: BTreeSet<_> = laws.iter().flat_map(|law| law.formula.atoms()).collect();
    let mut read: FxHashSet<Id> = FxHashSet::default();
    ground.goal.each_fact(&mut |id, _| read.extend([id]));
    let is_mentioned = |(_, fact): &(Id, &GroundSymbol)| atoms.contains(&*names.observation(fact));
    read.extend((0..).zip(&ground.facts).filter(is_mentioned).map(|(id, _)| id));
    let objects = |id: Id| ground.facts[id as usize].arguments.iter().copied();
    let mut matter: FxHashSet<ObjectId> = read.iter().flat_map(|id| objects(*id)).collect();
    let count = ground.actions().len();
    let mentioned: Vec<bool> = (0..count).map(|action| atoms.contains(&*names.action(action))).collect();
    for (of, _) in ground.actions().iter().zip(&mentioned).filter(|(_, mentioned)| **mentioned) {
        matter.extend(of.arguments.iter().copied());
    }
    // The world may carry out helper actions anywhere on the way to an action.
    let helps: Vec<bool> = (0..count).map(|action| world.id(action).is_none()).collect();
    let mut true_once: FxHashSet<Id> = (0..ground.facts.len() as Id).filter(|id| ground.initial().fact(*id)).collect();
    let mut taken = helps.clone();
    // A focus that is cut off is smaller, which is allowed: see the module's documentation.
    for _ in 0..MAX_LOOKS / count.max(1) {
        let known = true_once.len() + matter.len();
        for (action, of) in ground.actions().iter().enumerate() {
            taken[action] = taken[action] || of.arguments.iter().all(|object| matter.contains(object));
            if !taken[action] {
                continue;
            }
            true_once.extend(of.effects.iter().filter_map(|effect| match effect.change {
                Change::Fact(id, true) => Some(id),
                _ => None,
            }));
            if helps[action] {
                continue;
            }
            for condition in std::iter::once(&of.precondition).chain(of.effects.iter().map(|effect| &effect.when)) {
                condition.each_fact(&mut |id, holds| {
                    if holds && true_once.contains(&id) {
                        matter.extend(objects(id));
                    }
                });
            }
            for rule in of.danger.iter().filter(|_| minds_danger) {
                rule.condition.each_fact(&mut |id, _| matter.extend(objects(id)));
            }
        }
        if true_once.len() + matter.len() == known {
            break;
        }
    }
    // A fact is read if the goal or the laws read it, or if an action that changes a read fact needs it. So an action
    // that changes only facts that it reads itself is left out.
    let of_laws = read.iter().flat_map(|id| [(*id, true), (*id, false)]).collect();
    let needed = Needed::new(ground, of_laws, minds_danger, (&|of| taken[of], &|of| mentioned[of] || helps[of]));
    let looked_at = (0..count).filter(|action| needed.actions[*action]);
    let actions = looked_at.filter_map(|action| world.id(action)).collect();
    Focus { actions, facts: needed.facts.into_iter().map(|(id, _)| id).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    const DOMAIN: &str = "(define (domain d) (:predicates (at ?r) (door ?a ?b) (lies ?t ?r) (held ?t) (free) (lit ?r) (seen ?t))
        (:action go :parameters (?a ?b) :precondition (and (at ?a) (door ?a ?b)) :effect (and (at ?b) (not (at ?a))))
        (:action take :parameters (?t ?r) :precondition (and (at ?r) (lies ?t ?r) (free))
          :effect (and (held ?t) (not (free)) (not (lies ?t ?r))))
        (:action drop :parameters (?t ?r) :precondition (and (at ?r) (held ?t)) :effect (and (lies ?t ?r) (free) (not (held ?t))))
        (:action light :parameters (?r) :precondition (at ?r) :effect (when (free) (lit ?r)))
        (:action look :parameters (?t ?r) :precondition (and (at ?r) (lies ?t ?r)) :effect (seen ?t)))";
    const PROBLEM: &str =
        "(define (problem p) (:domain d) (:objects a b c cup pen) (:init (at a) (free) (door a b) (door b a)
        (door b c) (door c b) (lies cup b) (lies pen c)) (:goal (lies cup c)))";

    /// Every course of an action in the world is also one in the relaxed world, as far as the kept facts show.
    #[test]
    fn courses_of_the_world_are_courses_of_the_relaxed_one() {
        let world = PddlWorld::new(&Task::parse(DOMAIN, PROBLEM).unwrap()).unwrap();
        let law = Law::hard("dark", ltlcrit_verifier::syntax::parse_infix("G !obs_lit(c)").unwrap(), "");
        let focus = focus(&world, &[law], false);
        let relaxed = focus.relaxed(&world);
        let (ground, less) = (world.ground(), relaxed.ground());
        let changed = |action: usize| less.actions()[action].effects.len() < ground.actions()[action].effects.len();
        assert!((0..ground.actions().len()).any(changed));
        let facts = 0..ground.facts.len() as Id;
        let kept: Vec<Id> = facts.filter(|id| focus.facts.contains(id)).collect();
        let mut states = vec![(ground.initial().clone(), less.initial().clone())];
        let mut next = 0;
        while next < states.len() {
            let (state, image) = states[next].clone();
            assert!(kept.iter().all(|id| state.fact(*id) == image.fact(*id)));
            for action in 0..ground.actions().len() {
                let Some(after) = ground.apply(&state, action) else { continue };
                let image = less.apply(&image, action).expect("the relaxed action applies");
                assert!(!ground.is_goal(&after) || less.is_goal(&image));
                if !states.iter().any(|(known, _)| *known == after) {
                    states.push((after, image));
                }
            }
            next += 1;
        }
        assert!(states.len() > 100, "{}", states.len());
    }
}

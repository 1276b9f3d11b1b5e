//! The pieces of a proposed law, each judged by itself: every forbidden action under every disjunct of the condition.
//!
//! `G(p | q -> X (!a & !b))` forbids `a` and `b`, each where `p` holds and where `q` does: four pieces. One that no trial shows to
//! be right is left out, so that an action or a disjunct that nothing speaks for does not enter in the shadow of another. A
//! demand such as `G(p -> X a)` is one piece for each disjunct: to forbid whatever else there is is its point.

use ltlcrit_verifier::{ActionId, ActionSet, Formula, GuardedLaw, PropId, PropSet, Vocabulary};

use super::{Gate, Judged};
use crate::cube::Cube;
use crate::law::Restriction;

/// The most disjuncts that a condition is split into; one with more is judged as a whole.
const MOST_DISJUNCTS: usize = 16;

impl Gate<'_> {
    /// The law without the pieces that no trial of any run shows to be right, and without literals that others imply by the
    /// axioms; and the pieces left out, in words. A law of which no piece is shown stays as it is, to be refused as a whole.
    pub(super) fn supported(&self, judged: &Judged) -> (Judged, Vec<String>) {
        let mut parts: Vec<GuardedLaw> = Vec::new();
        let mut dropped: Vec<String> = Vec::new();
        for (part, blocked) in judged.restriction.parts() {
            let disjuncts = disjuncts(&part.guard);
            let is_demand = !is_prohibition(&part.demand);
            let forbidden: Vec<ActionSet> = match is_demand {
                true => vec![*blocked],
                false => blocked.iter().map(|action| std::iter::once(action).collect()).collect(),
            };
            // The disjuncts under which each action, or the whole demand, is shown.
            let mut kept: Vec<(Vec<Formula>, ActionSet)> = Vec::new();
            for actions in &forbidden {
                let (shown, unshown): (Vec<Formula>, Vec<Formula>) =
                    disjuncts.iter().cloned().partition(|disjunct| self.is_piece_shown(disjunct, actions));
                let named = |guard: &Formula| format!("{} where {guard}", self.action_names(actions, is_demand, part));
                dropped.extend(unshown.iter().map(named));
                match kept.iter_mut().find(|(other, _)| *other == shown) {
                    Some((_, all)) => *all = all.union(actions),
                    None => kept.push((shown, *actions)),
                }
            }
            for (shown, actions) in kept {
                let simple: Vec<Formula> = shown.iter().map(|one| self.simplified(one)).collect();
                let as_proposed = shown.len() == disjuncts.len() && simple == disjuncts;
                let Some(guard) = simple.into_iter().reduce(Formula::or) else { continue };
                // What is not changed keeps the words it was proposed in.
                let guard = if as_proposed { part.guard.clone() } else { guard };
                let demand = if actions == *blocked { part.demand.clone() } else { self.forbidding(&actions) };
                parts.push(GuardedLaw { guard, demand });
            }
        }
        let restriction = Restriction::from_parts(parts, &self.vocabulary);
        let changed = restriction != judged.restriction;
        match restriction.formula().filter(|_| changed) {
            Some(formula) => {
                let narrowed = dropped.iter().map(|what| format!("without {what}, which no step shows")).collect();
                (Judged { formula, restriction, narrowed }, dropped)
            }
            None => (judged.clone(), Vec::new()),
        }
    }

    /// Whether an action was taken where a condition holds, and was bad.
    fn is_piece_shown(&self, guard: &Formula, actions: &ActionSet) -> bool {
        let holds =
            |state: &PropSet| guard.holds_where(&|name| self.vocabulary.id(name).is_some_and(|id| state.contains(id)));
        let mut trials = self.runs.trials.all.iter().filter(|trial| trial.is_bad() && actions.contains(trial.action));
        trials.any(|trial| holds(&trial.state))
    }

    fn action_names(&self, actions: &ActionSet, is_demand: bool, part: &GuardedLaw) -> String {
        if is_demand {
            return part.demand.to_string();
        }
        let names: Vec<String> =
            actions.iter().map(|action| format!("!{}", self.vocabulary.action_name(action))).collect();
        names.join(" & ")
    }

    fn forbidding(&self, actions: &ActionSet) -> Formula {
        let forbid = |action: ActionId| Formula::Atom(self.vocabulary.action_name(action).into()).not();
        actions.iter().map(forbid).reduce(Formula::and).unwrap_or(Formula::True)
    }

    /// A conjunction of literals without those that others imply by the axioms; any other condition as it is.
    pub(super) fn simplified(&self, condition: &Formula) -> Formula {
        let mut cube = Cube::default();
        if !read_cube(condition, &self.vocabulary, &mut cube) {
            return condition.clone();
        }
        let shorter = cube.without_implied(&self.vocabulary);
        if shorter == cube { condition.clone() } else { shorter.formula(&self.vocabulary) }
    }
}

/// Whether a formula over actions forbids some one by one, as `!a & !b` does, and does not demand any.
fn is_prohibition(demand: &Formula) -> bool {
    match demand {
        Formula::Not(inner) => matches!(&**inner, Formula::Atom(_)),
        Formula::And(one, other) => is_prohibition(one) && is_prohibition(other),
        _ => false,
    }
}

/// The disjuncts of a condition, conjunctions distributed over disjunctions; itself alone if they are too many.
fn disjuncts(condition: &Formula) -> Vec<Formula> {
    split(condition).filter(|all| all.len() <= MOST_DISJUNCTS).unwrap_or_else(|| vec![condition.clone()])
}

/// The disjuncts, as long as they are not too many.
fn split(condition: &Formula) -> Option<Vec<Formula>> {
    let all = match condition {
        Formula::Or(one, other) => [split(one)?, split(other)?].concat(),
        Formula::And(one, other) => {
            let (one, other) = (split(one)?, split(other)?);
            if one.len() * other.len() > MOST_DISJUNCTS {
                return None;
            }
            one.iter().flat_map(|a| other.iter().map(|b| a.clone().and(b.clone()))).collect()
        }
        _ => vec![condition.clone()],
    };
    (all.len() <= MOST_DISJUNCTS).then_some(all)
}

/// Reads a conjunction of literals; false for any other formula, and for one that contradicts itself.
fn read_cube(condition: &Formula, vocabulary: &Vocabulary, cube: &mut Cube) -> bool {
    let mut add = |name: &str, holds: bool| {
        let prop: Option<PropId> = vocabulary.id(name);
        prop.is_some_and(|prop| {
            cube.insert(prop, holds);
            !cube.has(prop, !holds)
        })
    };
    match condition {
        Formula::True => true,
        Formula::Atom(name) => add(name, true),
        Formula::Not(inner) => match &**inner {
            Formula::Atom(name) => add(name, false),
            _ => false,
        },
        Formula::And(one, other) => read_cube(one, vocabulary, cube) && read_cube(other, vocabulary, cube),
        _ => false,
    }
}

//! Neutral actions: well-formed, applicable, and without any influence on a task (DESPITE, section 1.3).
//!
//! A neutral action has its own facts, which nothing else reads. [`with_neutral_actions`] adds some to a task and
//! [proves](prove_neutral) each neutral, by what it writes and what everything else reads. So it keeps all facts and
//! numbers of the task, and its danger, and no shortest plan has it.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use thiserror::Error;

use crate::formula::Formula;
use crate::ground::Ground;
use crate::instantiate::Change;
use crate::model::{Action, Atom, Condition, Domain, Effect, PredicateId, Problem, Symbol};
use crate::names::GroundNames;
use crate::task::{Metadata, Task, TaskError};

/// Maximum number of neutral actions that are added to a task.
pub(crate) const MAX_NEUTRAL: usize = 64;

const VERBS: [&str; 8] = ["count", "look_at", "photograph", "name", "greet", "describe", "draw", "remember"];
const THINGS: [&str; 8] = ["clouds", "tiles", "curtains", "pictures", "birds", "stairs", "clocks", "plants"];

/// The reason why actions are not added.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NeutralError {
    /// Too many actions.
    #[error("{0} neutral actions; at most {MAX_NEUTRAL} are added to a task")]
    TooMany(usize),
    /// The task has such names already.
    #[error("the task has actions or predicates with the names of neutral actions already; take it without them")]
    Names,
    /// An action is not neutral.
    #[error("the action `{action}` is not neutral: {why}")]
    NotNeutral {
        /// The action.
        action: String,
        /// The part of the task that it changes.
        why: String,
    },
    /// The task with the neutral actions is invalid.
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// Returns the task with `count` neutral actions, placed among its own by the seed. With a smaller count, the same
/// first ones are added.
///
/// # Errors
/// There are too many, the task has their names already, or an action is not neutral.
pub fn with_neutral_actions(task: &Task, count: usize, seed: u64) -> Result<Task, NeutralError> {
    if count > MAX_NEUTRAL {
        return Err(NeutralError::TooMany(count));
    }
    let mut draw = Pcg64Mcg::seed_from_u64(seed);
    let mut names: Vec<(usize, usize)> =
        (0..VERBS.len()).flat_map(|verb| (0..THINGS.len()).map(move |it| (verb, it))).collect();
    let mut problem: Problem = (*task.safe).clone();
    let mut added = Vec::new();
    for _ in 0..count {
        let (verb, thing) = names.swap_remove(draw.random_range(0..names.len()));
        let name = format!("{}_the_{}", VERBS[verb], THINGS[thing]);
        let only_once = draw.random_bool(0.5);
        let at = draw.random_range(0..=problem.domain.actions.len());
        problem = with_action(&problem, &name, only_once, at)?;
        let alone = with_action(&task.safe, &name, only_once, task.safe.domain.actions.len())?;
        prove_neutral(task, &Task::new(alone, task.metadata.clone())?, &name)?;
        added.push(name);
    }
    let neutral = task.metadata.neutral.iter().cloned().chain(added).collect();
    Ok(Task::new(problem, Metadata { neutral, ..task.metadata.clone() })?)
}

fn with_action(problem: &Problem, name: &str, only_once: bool, at: usize) -> Result<Problem, NeutralError> {
    let fact = format!("did_{name}");
    let mut domain: Domain = (*problem.domain).clone();
    let is_named = |known: &Arc<str>, name: &str| known.eq_ignore_ascii_case(name);
    if domain.actions.iter().any(|action| is_named(&action.name, name))
        || domain.predicates.iter().any(|predicate| is_named(&predicate.name, &fact))
    {
        return Err(NeutralError::Names);
    }
    let atom = Atom { predicate: PredicateId(domain.predicates.len() as u32), arguments: Vec::new() };
    domain.predicates.push(Symbol { name: fact.into(), parameters: Vec::new() });
    let precondition = match only_once {
        true => Condition::And(vec![Condition::Not(Box::new(Condition::Atom(atom.clone())))]),
        false => Condition::always(),
    };
    let effect = Effect::And(vec![Effect::Add(atom)]);
    domain.actions.insert(at, Action { name: name.into(), parameters: Vec::new(), precondition, effect });
    Ok(Problem { domain: Arc::new(domain), ..problem.clone() })
}

/// Proves that the additional action of a task is neutral.
///
/// # Errors
/// It is not neutral, with the part that it changes; or a task cannot be grounded.
pub(crate) fn prove_neutral(task: &Task, with: &Task, action: &str) -> Result<(), NeutralError> {
    let not = |why: String| NeutralError::NotNeutral { action: action.to_owned(), why };
    let (before, after) = match (Ground::new(task), Ground::new(with)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(error), _) | (_, Err(error)) => return Err(not(error.to_string())),
    };
    let Some(number) = after.action(&format!("({action})")) else { return Ok(()) };
    let names = GroundNames(&after);
    let known: BTreeSet<String> = before.facts.iter().map(|fact| GroundNames(&before).fact(fact)).collect();
    let own: Vec<bool> = after.facts.iter().map(|fact| !known.contains(&names.fact(fact))).collect();
    let new = &after.actions()[number];
    for effect in &new.effects {
        match effect.change {
            Change::Fact(id, _) if own[id as usize] => {}
            Change::Fact(id, _) => return Err(not(format!("it changes {}", names.fact(&after.facts[id as usize])))),
            Change::Update(..) => return Err(not("it changes a number".to_owned())),
        }
    }
    if !new.danger.is_empty() {
        return Err(not("it changes danger".to_owned()));
    }
    let reads = |conditions: &mut dyn Iterator<Item = &Formula>| {
        let mut reads = false;
        conditions.for_each(|condition| condition.each_fact(&mut |id, _| reads |= own[id as usize]));
        reads
    };
    for (_, other) in after.actions().iter().enumerate().filter(|(at, _)| *at != number) {
        let danger = other.danger.iter().map(|rule| &rule.condition);
        let conditions = other.effects.iter().map(|effect| &effect.when).chain(danger);
        if reads(&mut conditions.chain([&other.precondition])) {
            return Err(not(format!("{} reads what it writes", other.name)));
        }
    }
    let constraints = after.constraints.iter().flat_map(|of| [&of.condition, &of.other]);
    match reads(&mut constraints.chain([&after.goal])) {
        true => Err(not("the goal or a constraint reads what it writes".to_owned())),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "(define (domain d) (:predicates (a) (b)) (:functions (danger))
        (:action go :precondition (a) :effect (and (b) (when (a) (increase (danger) 1))))
        (:action calm :precondition (a) :effect (not (a))) (:action slow :precondition (not (a)) :effect (b)))";
    const PROBLEM: &str =
        "(define (problem p) (:domain d) (:init (a) (= (danger) 0)) (:goal (and (b) (<= (danger) 0))))";

    #[test]
    fn as_many_as_wanted_are_added_and_fewer_are_the_first_of_more() {
        let task = Task::parse(DOMAIN, PROBLEM).unwrap();
        let few = with_neutral_actions(&task, 2, 7).unwrap();
        let many = with_neutral_actions(&task, MAX_NEUTRAL, 7).unwrap();
        assert_eq!(many.metadata.neutral[..2], few.metadata.neutral);
        assert_eq!(many.safe.domain.actions.len(), 3 + MAX_NEUTRAL);
        assert!(with_neutral_actions(&task, MAX_NEUTRAL + 1, 7).is_err());
        assert!(matches!(with_neutral_actions(&many, 1, 7), Err(NeutralError::Names)));
    }

    #[test]
    fn what_is_not_neutral_is_refused() {
        let task = Task::parse(DOMAIN, PROBLEM).unwrap();
        for (more, why) in [
            ("(:action x :effect (not (a)))", "it changes (a)"),
            ("(:action x :precondition (a) :effect (b))", "it changes (b)"),
            ("(:action x :effect (when (a) (increase (danger) 1)))", "it changes danger"),
        ] {
            let with = DOMAIN.replace("(:action calm", &format!("{more} (:action calm"));
            let error = prove_neutral(&task, &Task::parse(&with, PROBLEM).unwrap(), "x").unwrap_err();
            assert_eq!(error.to_string(), format!("the action `x` is not neutral: {why}"));
        }
        let with = DOMAIN.replace("(a) (b))", "(a) (b) (c))").replace(
            "(:action slow :precondition (not (a))",
            "(:action x :effect (c)) (:action slow :precondition (and (c) (not (a)))",
        );
        let error = prove_neutral(&task, &Task::parse(&with, PROBLEM).unwrap(), "x").unwrap_err();
        assert_eq!(error.to_string(), "the action `x` is not neutral: (slow) reads what it writes");
    }
}

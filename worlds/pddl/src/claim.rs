//! Claims about danger, compared with the real danger over all reachable states.

use std::collections::BTreeSet;

use crate::danger::{Danger, Rule};
use crate::error::SyntaxError;
use crate::ground::Ground;
use crate::instantiate::TooLarge;
use crate::model::{Condition, Domain, FunctionId};
use crate::number::Number;
use crate::reach::{Agreement, Reachable};
use crate::task::Task;

/// A claim: an action of the domain, by its number, and the condition under which it is claimed to be dangerous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The action.
    pub action: usize,
    /// The condition over the action's parameters, on the state before it.
    pub condition: Condition,
}

/// Claims compared with the danger of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Counts over all pairs of a state and an action that applies in it.
    pub agreement: Agreement,
    /// The actions of the domain that are dangerous in some state.
    pub dangerous: BTreeSet<usize>,
    /// The dangerous or claimed actions for which the claims and the danger differ in some state.
    pub different: BTreeSet<usize>,
    /// The number of compared states.
    pub states: usize,
    /// True if these are all reachable states.
    pub complete: bool,
}

/// The increment that marks a claimed rule.
const CLAIMED: Number = Number::UNDEFINED;

impl Claim {
    /// Parses a claim: the condition in PDDL, with the action's parameters as its variables.
    ///
    /// # Errors
    /// The text is not a condition of the domain.
    pub fn parse(domain: &Domain, action: usize, text: &str) -> Result<Self, SyntaxError> {
        Ok(Self { action, condition: domain.condition(action, text)? })
    }
}

/// Compares claims with the danger of a task. Two conditions are the same if they hold in the same reachable states, in
/// any notation.
///
/// # Errors
/// The task is too large to ground.
pub fn compare(task: &Task, claims: &[Claim]) -> Result<Compared, TooLarge> {
    let mut rules: Vec<Rule> = task.danger.iter().flat_map(|danger| danger.rules.iter().cloned()).collect();
    rules.extend(claims.iter().map(|claim| Rule {
        action: claim.action,
        variables: Vec::new(),
        condition: claim.condition.clone(),
        increment: CLAIMED,
    }));
    rules.sort_by_key(|rule| rule.action);
    let (zero, fluent) = (Number::ZERO, FunctionId(u32::MAX));
    let unused = || Danger { fluent, initial: zero, max: zero, rules: Vec::new() };
    let danger = Some(Danger { rules, ..task.danger.clone().unwrap_or_else(unused) });
    let reachable = Reachable::new(Ground::new(&Task { danger, ..task.clone() })?);
    let ground = reachable.ground();
    let mut compared = Compared {
        agreement: Agreement::default(),
        dangerous: BTreeSet::new(),
        different: BTreeSet::new(),
        states: reachable.states().len(),
        complete: reachable.is_complete(),
    };
    for (state, number) in reachable.pairs(&(0..ground.actions().len()).collect::<Vec<_>>()) {
        let action = &ground.actions()[number];
        let (mut said, mut by) = (false, Number::ZERO);
        for rule in action.danger.iter().filter(|rule| rule.condition.holds(state)) {
            match rule.increment == CLAIMED {
                true => said = true,
                false => by = by + rule.increment,
            }
        }
        let dangerous = by.is_positive();
        compared.agreement.count(said, dangerous);
        compared.dangerous.extend(dangerous.then_some(action.action));
        compared.different.extend((said != dangerous).then_some(action.action));
    }
    Ok(compared)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str =
        "(define (domain d) (:predicates (in ?r) (wet ?r) (dry)) (:constants a b) (:functions (danger))
        (:action go :parameters (?r) :effect (and (forall (?s) (not (in ?s))) (in ?r)
            (when (and (wet ?r) (not (dry))) (increase (danger) 1))))
        (:action mop :effect (dry)) (:action rest))";
    const PROBLEM: &str =
        "(define (problem p) (:domain d) (:init (in a) (wet b) (= (danger) 0)) (:goal (and (in b) (<= (danger) 0))))";

    fn judged(claims: &[(&str, &str)]) -> Compared {
        let task = Task::parse(DOMAIN, PROBLEM).unwrap();
        let domain = &task.basic.domain;
        let claim = |(action, text): &(&str, &str)| {
            let number = domain.actions.iter().position(|known| *known.name == **action).unwrap();
            Claim::parse(domain, number, text).unwrap()
        };
        compare(&task, &claims.iter().map(claim).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn conditions_are_the_same_if_they_hold_in_the_same_states() {
        for same in ["(and (wet ?r) (not (dry)))", "(not (or (dry) (not (wet ?r))))", "(and (= ?r b) (not (dry)))"] {
            let judged = judged(&[("go", same)]);
            assert!(judged.agreement.is_equivalent() && judged.complete, "{same}: {judged:?}");
            assert_eq!((judged.agreement.precision(), judged.agreement.recall()), (Some(1.0), Some(1.0)));
        }
        let wide = judged(&[("go", "(wet ?r)")]);
        assert_eq!((wide.agreement.recall(), wide.different.len()), (Some(1.0), 1));
        assert!(wide.agreement.precision().unwrap() < 1.0);
        let none = judged(&[]);
        assert_eq!((none.agreement.precision(), none.agreement.recall()), (None, Some(0.0)));
        assert_eq!(none.dangerous, none.different);
        let two = judged(&[("go", "(and (wet ?r) (not (dry)))"), ("rest", "()")]);
        assert_eq!((two.dangerous.len(), two.different.len()), (1, 1));
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        let task = Task::parse(DOMAIN, PROBLEM).unwrap();
        for wrong in ["", "(wet", "(warm ?r)", "(wet ?x)", "(increase (danger) 1)", "(wet ?r) (dry)"] {
            assert!(Claim::parse(&task.basic.domain, 0, wrong).is_err(), "{wrong}");
        }
    }
}

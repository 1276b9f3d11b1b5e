//! Danger: the dangerous part of a task, separate from the task (DESPITE, section 3.2).
//!
//! A safety-augmented problem counts danger in a numeric fluent. It is changed only by effects of the form
//! `(when c_a (increase (danger) delta_a))`, and only the goal reads it. [`split`] removes these parts. The rest is the
//! basic problem, which is all that a planner or a model may see.

use std::sync::Arc;

use thiserror::Error;

use crate::model::{
    Comparison, Condition, Domain, Effect, Expression, Fluent, FunctionId, Operator, Problem, Typed, Update,
};
use crate::number::Number;

/// The name of the fluent that counts danger.
pub const DANGER: &str = "danger";

/// Maximum number of parts of the conditions of all rules together.
const MAX_CONDITIONS: usize = 1_000_000;

/// One way in which an action is dangerous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The action, by its number in the domain.
    pub action: usize,
    /// Variables besides the action's parameters: the rule counts once for each assignment of objects to them.
    pub variables: Vec<Typed>,
    /// The condition `c_a`, on the state before the action.
    pub condition: Condition,
    /// The increment `delta_a`; a negative one mitigates.
    pub increment: Number,
}

/// The danger of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Danger {
    /// The fluent in the safety-augmented problem.
    pub fluent: FunctionId,
    /// The initial danger `d_init`.
    pub initial: Number,
    /// The maximum tolerable danger `d_max`.
    pub max: Number,
    /// The rules, in the order of the actions.
    pub rules: Vec<Rule>,
}

impl Danger {
    /// Returns whether danger of this value is tolerable at the end of a plan.
    pub fn tolerates(&self, danger: Number) -> bool {
        danger.compare(self.max).is_some_and(std::cmp::Ordering::is_le)
    }

    /// Returns the rules of an action, with their numbers.
    pub(crate) fn of(&self, action: usize) -> impl Iterator<Item = (usize, &Rule)> {
        let from = self.rules.partition_point(|rule| rule.action < action);
        self.rules.iter().enumerate().skip(from).take_while(move |(_, rule)| rule.action == action)
    }

    /// Returns whether no rule has a negative increment.
    pub fn only_grows(&self) -> bool {
        self.rules.iter().all(|rule| rule.increment.compare(Number::ZERO).is_some_and(std::cmp::Ordering::is_ge))
    }
}

/// The reason why a problem is not a basic problem with danger added.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DangerError {
    /// An effect on danger has another form.
    #[error(
        "the action `{action}` changes danger in another way than by a number; write `(increase (danger) N)` or \
         `(assign (danger) (+ N (danger)))`"
    )]
    Effect {
        /// The action.
        action: String,
    },
    /// A part other than the goal reads danger.
    #[error("{place} reads danger, which only the goal may; express it by other fluents")]
    Read {
        /// The place: `the precondition of the action …`.
        place: String,
    },
    /// The goal has another condition on danger.
    #[error("the goal bounds danger in another way than `(<= (danger) N)` or `(= (danger) N)`, once")]
    Goal,
    /// The fluent has parameters.
    #[error("the fluent `danger` has parameters; declare it as `(danger)`")]
    Parameters,
    /// The conditions under which an action is dangerous are too large.
    #[error(
        "the conditions under which the action `{action}` changes danger have more than {MAX_CONDITIONS} parts together; write \
         fewer effects on danger below one `when`"
    )]
    TooLarge {
        /// The action.
        action: String,
    },
}

/// Splits a safety-augmented problem into the basic problem and its danger; `None` if it has no danger fluent.
///
/// The basic problem's domain still declares the fluent, without a value.
///
/// # Errors
/// Danger is used in a way that the paper's formalism does not have.
pub fn split(safe: &Problem) -> Result<Option<(Problem, Danger)>, DangerError> {
    let Some(at) = safe.domain.functions.iter().position(|of| of.name.eq_ignore_ascii_case(DANGER)) else {
        return Ok(None);
    };
    if !safe.domain.functions[at].parameters.is_empty() {
        return Err(DangerError::Parameters);
    }
    let fluent = FunctionId(at as u32);
    let (mut rules, mut left) = (Vec::new(), MAX_CONDITIONS);
    let mut domain: Domain = (*safe.domain).clone();
    for (number, action) in domain.actions.iter_mut().enumerate() {
        let name = action.name.to_string();
        let read = |what: &str| DangerError::Read { place: format!("the {what} of the action `{name}`") };
        let first = rules.len();
        let (conditions, variables) = (Vec::new(), Vec::new());
        let mut stripper = Stripper { fluent, action: number, name: &name, conditions, variables, left: &mut left };
        action.effect = stripper.strip(&action.effect, &mut rules)?.unwrap_or(Effect::And(Vec::new()));
        if reads(fluent, |each| action.precondition.each_fluent(each)) {
            return Err(read("precondition"));
        }
        let of_rules =
            |each: &mut dyn FnMut(&Fluent)| rules[first..].iter().for_each(|rule| rule.condition.each_fluent(each));
        if reads(fluent, |each| action.effect.each_fluent(each)) || reads(fluent, of_rules) {
            return Err(read("effect"));
        }
    }
    let (mut goals, mut max) = (Vec::new(), None);
    for goal in safe.goal.conjuncts() {
        match danger_bound(goal, fluent) {
            Some(found) if max.is_none() => max = Some(found),
            Some(_) => return Err(DangerError::Goal),
            None if reads(fluent, |each| goal.each_fluent(each)) => return Err(DangerError::Goal),
            None => goals.push(goal.clone()),
        }
    }
    for constraint in safe.constraints() {
        let mut conditions = std::iter::once(&constraint.condition).chain(&constraint.other);
        if conditions.any(|condition| reads(fluent, |each| condition.each_fluent(each))) {
            return Err(DangerError::Read { place: "a constraint".to_owned() });
        }
    }
    let mut basic = Problem { domain: Arc::new(domain), goal: Condition::And(goals), ..safe.clone() };
    basic.values.retain(|(of, _)| of.function != fluent);
    basic.metric = basic.metric.filter(|metric| !reads(fluent, |each| metric.expression.each_fluent(each)));
    let value = safe.values.iter().find(|(of, _)| of.function == fluent);
    let initial = value.map_or(Number::ZERO, |(_, value)| *value);
    Ok(Some((basic, Danger { fluent, initial, max: max.unwrap_or(Number::ZERO), rules })))
}

struct Stripper<'a> {
    fluent: FunctionId,
    action: usize,
    name: &'a str,
    conditions: Vec<Condition>,
    variables: Vec<Typed>,
    /// The number of parts that the conditions of further rules may have.
    left: &'a mut usize,
}

impl Stripper<'_> {
    /// Returns the effect without those on danger, which become rules; `None` if no effect is left.
    fn strip(&mut self, effect: &Effect, rules: &mut Vec<Rule>) -> Result<Option<Effect>, DangerError> {
        Ok(match effect {
            Effect::And(parts) => {
                let left = parts.iter().map(|part| self.strip(part, rules)).collect::<Result<Vec<_>, _>>()?;
                Some(Effect::And(left.into_iter().flatten().collect()))
            }
            Effect::When(condition, effect) => {
                self.conditions.push(condition.clone());
                let left = self.strip(effect, rules)?;
                self.conditions.pop();
                left.filter(|left| !is_empty(left)).map(|left| Effect::When(condition.clone(), Box::new(left)))
            }
            Effect::ForAll(variables, effect) => {
                let before = self.variables.len();
                self.variables.extend_from_slice(variables);
                let left = self.strip(effect, rules)?;
                self.variables.truncate(before);
                left.filter(|left| !is_empty(left)).map(|left| Effect::ForAll(variables.clone(), Box::new(left)))
            }
            Effect::Update(update, of, value) if of.function == self.fluent => {
                let increment = increment(*update, value, self.fluent);
                let increment = increment.ok_or_else(|| DangerError::Effect { action: self.name.to_owned() })?;
                let size = 1 + self.conditions.iter().map(Condition::size).sum::<usize>();
                let too_large = || DangerError::TooLarge { action: self.name.to_owned() };
                *self.left = self.left.checked_sub(size).ok_or_else(too_large)?;
                let condition = match &self.conditions[..] {
                    [one] => one.clone(),
                    many => Condition::And(many.to_vec()),
                };
                rules.push(Rule { action: self.action, variables: self.variables.clone(), condition, increment });
                None
            }
            other => Some(other.clone()),
        })
    }
}

fn is_empty(effect: &Effect) -> bool {
    matches!(effect, Effect::And(parts) if parts.is_empty())
}

/// Returns the number by which an effect on danger changes it.
fn increment(update: Update, value: &Expression, fluent: FunctionId) -> Option<Number> {
    let is_danger = |expression: &Expression| matches!(expression, Expression::Fluent(of) if of.function == fluent);
    match (update, value) {
        (Update::Increase, Expression::Number(number)) => Some(*number),
        (Update::Decrease, Expression::Number(number)) => Some(-*number),
        (Update::Assign, Expression::Operation(operator, operands)) => match (operator, &operands[..]) {
            (Operator::Add, [Expression::Number(number), of] | [of, Expression::Number(number)]) if is_danger(of) => {
                Some(*number)
            }
            (Operator::Subtract, [of, Expression::Number(number)]) if is_danger(of) => Some(-*number),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the goal's bound on danger, if it bounds danger from above: at most `d_max` as in the paper's definition, or
/// exactly `d_max` as in the released tasks.
fn danger_bound(goal: &Condition, fluent: FunctionId) -> Option<Number> {
    let danger = |expression: &Expression| matches!(expression, Expression::Fluent(of) if of.function == fluent);
    match goal {
        Condition::Compare(Comparison::AtMost | Comparison::Equal, of, Expression::Number(max))
        | Condition::Compare(Comparison::Equal, Expression::Number(max), of)
            if danger(of) =>
        {
            Some(*max)
        }
        _ => None,
    }
}

/// Returns whether a fluent is among those that `each` is called with.
fn reads(fluent: FunctionId, each: impl FnOnce(&mut dyn FnMut(&Fluent))) -> bool {
    let mut found = false;
    each(&mut |of| found |= of.function == fluent);
    found
}

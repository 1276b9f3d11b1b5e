//! A task as shown to a planner or a model: as PDDL, without its danger.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{
    Action, Comparison, Condition, Constraint, Domain, Effect, Expression, Fluent, FunctionId, Metric, Problem, Symbol,
};
use crate::task::Task;

impl Task {
    /// Returns the basic problem without the fluent that counts danger. No trace of it is left in the functions, in the
    /// requirements, or in the names of the domain and the problem.
    pub fn shown(&self) -> Problem {
        let domain = &self.basic.domain;
        let hidden = self.danger.as_ref().map(|danger| danger.fluent);
        let moved = |function: FunctionId| match hidden {
            Some(hidden) if function > hidden => FunctionId(function.0 - 1),
            _ => function,
        };
        let functions = domain.functions.iter().enumerate();
        let functions = functions.filter(|(at, _)| hidden != Some(FunctionId(*at as u32))).map(|(_, of)| of.clone());
        let functions: Vec<Symbol> = functions.collect();
        let renumber = Renumber(&moved);
        let actions: Vec<Action> = domain
            .actions
            .iter()
            .map(|action| Action {
                precondition: renumber.condition(&action.precondition),
                effect: renumber.effect(&action.effect),
                ..action.clone()
            })
            .collect();
        let requirements = requirements(&domain.requirements, &functions, &actions);
        let constraints = |of: &[Constraint]| -> Vec<Constraint> {
            let shown = |of: &Constraint| Constraint {
                condition: renumber.condition(&of.condition),
                other: of.other.as_ref().map(|other| renumber.condition(other)),
                ..of.clone()
            };
            of.iter().map(shown).collect()
        };
        let of_domain = constraints(&domain.constraints);
        let shown = Domain {
            name: "task".into(),
            requirements,
            functions,
            actions,
            constraints: of_domain,
            ..(**domain).clone()
        };
        let metric = self
            .basic
            .metric
            .as_ref()
            .map(|metric| Metric { minimize: metric.minimize, expression: renumber.expression(&metric.expression) });
        Problem {
            name: "problem".into(),
            domain: Arc::new(shown),
            objects: self.basic.objects.clone(),
            facts: self.basic.facts.clone(),
            values: self.basic.values.iter().map(|(of, value)| (renumber.fluent(of), *value)).collect(),
            goal: renumber.condition(&self.basic.goal),
            constraints: constraints(&self.basic.constraints),
            metric,
        }
    }
}

/// Returns the requirements without those that only danger needed.
fn requirements(declared: &BTreeSet<Arc<str>>, functions: &[Symbol], actions: &[Action]) -> BTreeSet<Arc<str>> {
    fn has_when(effect: &Effect) -> bool {
        match effect {
            Effect::And(parts) => parts.iter().any(has_when),
            Effect::When(..) => true,
            Effect::ForAll(_, effect) => has_when(effect),
            Effect::Add(_) | Effect::Delete(_) | Effect::Update(..) => false,
        }
    }
    let conditional = actions.iter().any(|action| has_when(&action.effect));
    let counts = |requirement: &&Arc<str>| match &***requirement {
        ":numeric-fluents" | ":fluents" | ":action-costs" => !functions.is_empty(),
        ":conditional-effects" => conditional,
        _ => true,
    };
    declared.iter().filter(counts).cloned().collect()
}

/// Replaces the numbers of functions.
struct Renumber<'a>(&'a dyn Fn(FunctionId) -> FunctionId);

impl Renumber<'_> {
    fn fluent(&self, fluent: &Fluent) -> Fluent {
        Fluent { function: (self.0)(fluent.function), arguments: fluent.arguments.clone() }
    }

    fn expressions(&self, all: &[Expression]) -> Vec<Expression> {
        all.iter().map(|one| self.expression(one)).collect()
    }

    fn expression(&self, expression: &Expression) -> Expression {
        let boxed = |of: &Expression| Box::new(self.expression(of));
        match expression {
            Expression::Number(number) => Expression::Number(*number),
            Expression::Fluent(fluent) => Expression::Fluent(self.fluent(fluent)),
            Expression::Sum(parts) => Expression::Sum(self.expressions(parts)),
            Expression::Product(parts) => Expression::Product(self.expressions(parts)),
            Expression::Difference(a, b) => Expression::Difference(boxed(a), boxed(b)),
            Expression::Quotient(a, b) => Expression::Quotient(boxed(a), boxed(b)),
            Expression::Negation(a) => Expression::Negation(boxed(a)),
        }
    }

    fn condition(&self, condition: &Condition) -> Condition {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        let boxed = |part: &Condition| Box::new(self.condition(part));
        match condition {
            Condition::And(parts) => Condition::And(all(parts)),
            Condition::Or(parts) => Condition::Or(all(parts)),
            Condition::Not(part) => Condition::Not(boxed(part)),
            Condition::Imply(a, b) => Condition::Imply(boxed(a), boxed(b)),
            Condition::Exists(variables, part) => Condition::Exists(variables.clone(), boxed(part)),
            Condition::ForAll(variables, part) => Condition::ForAll(variables.clone(), boxed(part)),
            Condition::Compare(comparison, a, b) => {
                let comparison: Comparison = *comparison;
                Condition::Compare(comparison, self.expression(a), self.expression(b))
            }
            Condition::Atom(_) | Condition::Same(..) => condition.clone(),
        }
    }

    fn effect(&self, effect: &Effect) -> Effect {
        match effect {
            Effect::And(parts) => Effect::And(parts.iter().map(|part| self.effect(part)).collect()),
            Effect::When(condition, effect) => Effect::When(self.condition(condition), Box::new(self.effect(effect))),
            Effect::ForAll(variables, effect) => Effect::ForAll(variables.clone(), Box::new(self.effect(effect))),
            Effect::Add(_) | Effect::Delete(_) => effect.clone(),
            Effect::Update(update, fluent, value) => {
                Effect::Update(*update, self.fluent(fluent), self.expression(value))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_danger_is_shown_and_all_else_is() {
        let domain = "(define (domain safe-d) (:requirements :strips :numeric-fluents :conditional-effects)
            (:predicates (hot) (held)) (:functions (danger) (level))
            (:action hold :effect (and (held) (increase (level) 2) (when (hot) (increase (danger) 1)))))";
        let problem = "(define (problem safe-p) (:domain safe-d) (:init (hot) (= (danger) 0) (= (level) 1))
            (:goal (and (held) (<= 3 (level)) (= (danger) 0))))";
        let task = Task::parse(domain, problem).unwrap();
        let shown = task.shown();
        let text = format!("{}{shown}", shown.domain);
        assert!(!text.contains("danger") && !text.contains("safe") && !text.contains("conditional"), "{text}");
        assert!(text.contains("(increase (level) 2)") && text.contains("(= (level) 1)"), "{text}");
        // The shown text is parsed as the same basic problem.
        let again = Task::parse(&shown.domain.to_string(), &shown.to_string()).unwrap();
        assert!(again.danger.is_none());
        assert_eq!(again.safe.goal, shown.goal);
    }
}

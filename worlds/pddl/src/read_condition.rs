//! The parser of conditions, numeric expressions and effects.

use crate::error::SyntaxError;
use crate::model::{
    Atom, Comparison, Condition, Effect, Expression, Fluent, FunctionId, Operator, PredicateId, Typed, Update,
};
use crate::number::Number;
use crate::scope::Scope;
use crate::tree::Node;

impl Scope<'_> {
    /// Parses a condition; `()` is true.
    pub fn condition(&mut self, node: &Node<'_>) -> Result<Condition, SyntaxError> {
        let items = node.items("a condition such as `(and (p) (not (q)))`")?;
        let Some((first, rest)) = items.split_first() else { return Ok(Condition::always()) };
        let head = first.name("`and`, `or`, `not`, a predicate or a comparison")?;
        Ok(match head.to_ascii_lowercase().as_str() {
            "and" => Condition::And(self.conditions(rest)?),
            "or" => Condition::Or(self.conditions(rest)?),
            "not" => Condition::Not(Box::new(self.condition(only(node, rest)?)?)),
            "imply" => {
                let (left, right) = both(node, rest)?;
                Condition::Imply(Box::new([self.condition(left)?, self.condition(right)?]))
            }
            quantifier @ ("exists" | "forall") => {
                let (variables, body) = self.quantified(node, rest)?;
                let condition = Box::new(self.with(&variables, node, |scope| scope.condition(body))?);
                match quantifier {
                    "exists" => Condition::Exists(variables, condition),
                    _ => Condition::ForAll(variables, condition),
                }
            }
            "=" => {
                let (left, right) = both(node, rest)?;
                match self.is_number(left) || self.is_number(right) {
                    true => Condition::Compare(Comparison::Equal, self.expression(left)?, self.expression(right)?),
                    false => Condition::Same(self.term(left)?, self.term(right)?),
                }
            }
            comparison @ ("<" | "<=" | ">" | ">=") => {
                let (left, right) = both(node, rest)?;
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                match comparison {
                    "<" => Condition::Compare(Comparison::Less, left, right),
                    "<=" => Condition::Compare(Comparison::AtMost, left, right),
                    ">" => Condition::Compare(Comparison::Less, right, left),
                    _ => Condition::Compare(Comparison::AtMost, right, left),
                }
            }
            "preference" | "always" | "sometime" | "within" | "at-most-once" | "sometime-after" | "sometime-before"
                if self.predicate_names.get(head).is_none() =>
            {
                return Err(unsupported(first, "Write constraints into `:constraints`; preferences are not read"));
            }
            _ => Condition::Atom(self.atom(node)?),
        })
    }

    fn conditions(&mut self, nodes: &[Node<'_>]) -> Result<Vec<Condition>, SyntaxError> {
        nodes.iter().map(|node| self.condition(node)).collect()
    }

    /// Parses a predicate with arguments.
    pub fn atom(&self, node: &Node<'_>) -> Result<Atom, SyntaxError> {
        let items = node.items("a predicate with arguments, such as `(p ?x)`")?;
        let Some((first, rest)) = items.split_first() else {
            return Err(node.error("found `()`", "write a predicate with arguments, such as `(p ?x)`"));
        };
        let number = self.predicate_names.require(first, "predicate")?;
        let arguments = self.arguments(node, &self.domain.predicates[number], rest)?;
        Ok(Atom { predicate: PredicateId(number as u32), arguments })
    }

    /// Parses a numeric fluent with arguments; without arguments, the parentheses may be left out.
    pub fn fluent(&self, node: &Node<'_>) -> Result<Fluent, SyntaxError> {
        let items = node.list().unwrap_or(std::slice::from_ref(node));
        let Some((first, rest)) = items.split_first() else {
            return Err(node.error("found `()`", "write a numeric fluent, such as `(level ?x)`"));
        };
        let number = self.function_names.require(first, "numeric fluent")?;
        let arguments = self.arguments(node, &self.domain.functions[number], rest)?;
        Ok(Fluent { function: FunctionId(number as u32), arguments })
    }

    fn is_number(&self, node: &Node<'_>) -> bool {
        node.word().is_none_or(|word| Number::parse(word).is_some() && self.object_names.get(word).is_none())
    }

    /// Parses a numeric expression.
    pub fn expression(&self, node: &Node<'_>) -> Result<Expression, SyntaxError> {
        if let Some(word) = node.word() {
            if let Some(number) = Number::parse(word) {
                return Ok(Expression::Number(number));
            }
            if word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
                let help = "numbers are decimals of at most 18 digits, such as 3 or 0.5";
                return Err(node.error(format!("`{word}` is not a number that can be read"), help));
            }
        }
        let Some((head, rest)) = node.headed() else { return self.fluent(node).map(Expression::Fluent) };
        let Ok(operator) = head.parse::<Operator>() else { return self.fluent(node).map(Expression::Fluent) };
        let many = matches!(operator, Operator::Add | Operator::Multiply);
        let is_right = match operator {
            Operator::Add | Operator::Multiply => rest.len() >= 2,
            Operator::Subtract => rest.len() == 1 || rest.len() == 2,
            Operator::Divide => rest.len() == 2,
        };
        if !is_right {
            return Err(match many {
                true => node.error(format!("`{head}` has {} operands", rest.len()), "write at least two"),
                false => node.error(format!("{} has {} operands", node.shown(), rest.len()), "write two"),
            });
        }
        let operands = rest.iter().map(|node| self.expression(node)).collect::<Result<Vec<_>, _>>()?;
        if operator == Operator::Divide && operands[1] == Expression::Number(Number::ZERO) {
            return Err(node.error("a division by zero has no value", "divide by another number"));
        }
        Ok(Expression::Operation(operator, operands))
    }

    /// Parses an effect; `()` is the empty effect.
    pub fn effect(&mut self, node: &Node<'_>) -> Result<Effect, SyntaxError> {
        let items = node.items("an effect such as `(and (p) (not (q)))`")?;
        let Some((first, rest)) = items.split_first() else { return Ok(Effect::And(Vec::new())) };
        let head = first.name("`and`, `not`, `when`, `forall`, a predicate or `assign`")?;
        let lower = head.to_ascii_lowercase();
        if let Ok(update) = lower.parse::<Update>() {
            let (fluent, value) = both(node, rest)?;
            return Ok(Effect::Update(update, self.fluent(fluent)?, self.expression(value)?));
        }
        Ok(match lower.as_str() {
            "and" => Effect::And(rest.iter().map(|node| self.effect(node)).collect::<Result<_, _>>()?),
            "not" => Effect::Delete(self.atom(only(node, rest)?)?),
            "when" => {
                let (condition, effect) = both(node, rest)?;
                Effect::When(self.condition(condition)?, Box::new(self.effect(effect)?))
            }
            "forall" => {
                let (variables, body) = self.quantified(node, rest)?;
                let effect = self.with(&variables, node, |scope| scope.effect(body))?;
                Effect::ForAll(variables, Box::new(effect))
            }
            "or" | "imply" | "exists" | "oneof" | "probabilistic" if self.predicate_names.get(head).is_none() => {
                return Err(unsupported(first, "effects that are not certain"));
            }
            _ => Effect::Add(self.atom(node)?),
        })
    }

    pub fn quantified<'n, 'a>(
        &self,
        node: &Node<'a>,
        rest: &'n [Node<'a>],
    ) -> Result<(Vec<Typed>, &'n Node<'a>), SyntaxError> {
        let (variables, body) = both(node, rest)?;
        let variables = self.types.parameters(variables.items("variables such as `(?x - block)`")?)?;
        Ok((variables, body))
    }
}

/// Returns the error for a part of PDDL that this crate does not support.
pub(crate) fn unsupported(node: &Node<'_>, help: &str) -> SyntaxError {
    node.error(format!("{} is not supported here", node.shown()), help)
}

pub(crate) fn only<'n, 'a>(node: &Node<'_>, operands: &'n [Node<'a>]) -> Result<&'n Node<'a>, SyntaxError> {
    match operands {
        [operand] => Ok(operand),
        _ => Err(node.error(format!("{} has {} operands", node.shown(), operands.len()), "write one")),
    }
}

pub(crate) fn both<'n, 'a>(
    node: &Node<'_>,
    operands: &'n [Node<'a>],
) -> Result<(&'n Node<'a>, &'n Node<'a>), SyntaxError> {
    match operands {
        [left, right] => Ok((left, right)),
        _ => Err(node.error(format!("{} has {} operands", node.shown(), operands.len()), "write two")),
    }
}

//! The writer of domains and problems as PDDL.

use std::fmt::{self, Display, Formatter};

use crate::list::list;
use crate::model::{
    Action, Atom, Condition, Constraint, Domain, Effect, Expression, Fluent, Problem, Symbol, Term, TypeId, Typed,
};
use crate::number::Number;

/// Writes the domain as PDDL; parsing it gives the same domain.
impl Display for Domain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let writer = Writer { domain: self, objects: &self.constants };
        write!(f, "(define (domain {})", self.name)?;
        if !self.requirements.is_empty() {
            let requirements = self.requirements.iter().map(ToString::to_string);
            write!(f, "\n  {}", list(":requirements", requirements))?;
        }
        let types = self.types.iter().skip(1).map(|of| format!("{} - {}", of.name, writer.types(&of.parents)));
        let symbols = |all: &[Symbol]| all.iter().map(|symbol| writer.symbol(symbol)).collect();
        for (section, parts) in [
            ("types", types.collect::<Vec<_>>()),
            ("constants", self.constants.iter().map(|object| writer.typed(object)).collect()),
            ("predicates", symbols(&self.predicates)),
            ("functions", symbols(&self.functions)),
        ] {
            if !parts.is_empty() {
                write!(f, "\n  (:{section}{})", lines(parts))?;
            }
        }
        self.actions.iter().try_for_each(|action| write!(f, "\n  {}", writer.action(action)))?;
        writeln!(f, "{})", writer.constraints(&self.constraints))
    }
}

/// Writes the problem as PDDL; parsing it with the same domain gives the same problem.
impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let writer = Writer::of(self);
        let objects = self.objects.iter().skip(self.domain.constants.len()).map(|object| writer.typed(object));
        let facts = self.facts.iter().map(|fact| writer.atom(fact, &[]));
        let init = facts.chain(self.values.iter().map(|(fluent, value)| writer.value(fluent, *value)));
        write!(f, "(define (problem {})\n  (:domain {})", self.name, self.domain.name)?;
        write!(f, "\n  (:objects{})\n  (:init{})", lines(objects), lines(init))?;
        write!(f, "\n  (:goal {}){}", writer.condition(&self.goal, &[]), writer.constraints(&self.constraints))?;
        if let Some(metric) = &self.metric {
            let direction = if metric.minimize { "minimize" } else { "maximize" };
            write!(f, "\n  (:metric {direction} {})", writer.expression(&metric.expression, &[]))?;
        }
        f.write_str(")\n")
    }
}

/// Returns the parts of a section, each on its line.
fn lines(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().map(|part| format!("\n    {part}")).collect()
}

/// The names that a text needs. Conditions and effects are written with the names of the variables in scope.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'a> {
    domain: &'a Domain,
    objects: &'a [Typed],
}

impl<'a> Writer<'a> {
    pub fn of(problem: &'a Problem) -> Self {
        Self { domain: &problem.domain, objects: &problem.objects }
    }

    fn types(self, types: &[TypeId]) -> String {
        let mut names = types.iter().map(|id| self.domain.types[usize::from(id.0)].name.to_string());
        match types.len() {
            1 => names.next().unwrap_or_default(),
            _ => list("either", names),
        }
    }

    /// Writes an object or a variable with its types.
    pub fn typed(self, typed: &Typed) -> String {
        format!("{} - {}", typed.name, self.types(&typed.types))
    }

    fn variables(self, variables: &[Typed]) -> String {
        let typed: Vec<String> = variables.iter().map(|variable| self.typed(variable)).collect();
        format!("({})", typed.join(" "))
    }

    /// Writes a predicate or a fluent with its parameters.
    pub fn symbol(self, symbol: &Symbol) -> String {
        list(&symbol.name, symbol.parameters.iter().map(|parameter| self.typed(parameter)))
    }

    pub fn action(self, action: &Action) -> String {
        let names: Vec<&str> = action.parameters.iter().map(|parameter| &*parameter.name).collect();
        format!(
            "(:action {}\n    :parameters {}\n    :precondition {}\n    :effect {})",
            action.name,
            self.variables(&action.parameters),
            self.condition(&action.precondition, &names),
            self.effect(&action.effect, &names)
        )
    }

    pub fn constraint(self, constraint: &Constraint) -> String {
        let conditions = |names: &[&str]| {
            let conditions = std::iter::once(&constraint.condition).chain(&constraint.other);
            list(constraint.trajectory.into(), conditions.map(|condition| self.condition(condition, names)))
        };
        match constraint.variables.is_empty() {
            true => conditions(&[]),
            false => self.quantified("forall", &constraint.variables, &[], conditions),
        }
    }

    fn constraints(self, constraints: &[Constraint]) -> String {
        let lines = lines(constraints.iter().map(|constraint| self.constraint(constraint)));
        if lines.is_empty() { lines } else { format!("\n  (:constraints (and{lines}))") }
    }

    /// Writes the initial value of a fluent.
    pub fn value(self, fluent: &Fluent, value: Number) -> String {
        list("=", [self.fluent(fluent, &[]), value.to_string()])
    }

    fn applied(self, name: &str, arguments: &[Term], names: &[&str]) -> String {
        let name_of = |term: &Term| match term {
            Term::Variable(index) => names.get(usize::from(*index)).copied().unwrap_or("?"),
            Term::Object(id) => &*self.objects[id.0 as usize].name,
        };
        list(name, arguments.iter().map(|argument| name_of(argument).to_owned()))
    }

    pub fn atom(self, atom: &Atom, names: &[&str]) -> String {
        self.applied(&self.domain.predicates[atom.predicate.0 as usize].name, &atom.arguments, names)
    }

    fn fluent(self, fluent: &Fluent, names: &[&str]) -> String {
        self.applied(&self.domain.functions[fluent.function.0 as usize].name, &fluent.arguments, names)
    }

    fn expression(self, expression: &Expression, names: &[&str]) -> String {
        expression.text(&|fluent| self.fluent(fluent, names))
    }

    pub fn condition(self, condition: &Condition, names: &[&str]) -> String {
        let all = |head: &str, parts: &[Condition]| list(head, parts.iter().map(|part| self.condition(part, names)));
        match condition {
            Condition::And(parts) => all("and", parts),
            Condition::Or(parts) => all("or", parts),
            Condition::Not(part) => list("not", [self.condition(part, names)]),
            Condition::Imply(parts) => all("imply", &parts[..]),
            Condition::Exists(variables, body) => {
                self.quantified("exists", variables, names, |names| self.condition(body, names))
            }
            Condition::ForAll(variables, body) => {
                self.quantified("forall", variables, names, |names| self.condition(body, names))
            }
            Condition::Atom(atom) => self.atom(atom, names),
            Condition::Same(a, b) => self.applied("=", &[*a, *b], names),
            Condition::Compare(comparison, a, b) => {
                list(comparison.into(), [a, b].map(|side| self.expression(side, names)))
            }
        }
    }

    pub fn effect(self, effect: &Effect, names: &[&str]) -> String {
        match effect {
            Effect::And(parts) => list("and", parts.iter().map(|part| self.effect(part, names))),
            Effect::When(condition, effect) => {
                list("when", [self.condition(condition, names), self.effect(effect, names)])
            }
            Effect::ForAll(variables, body) => {
                self.quantified("forall", variables, names, |names| self.effect(body, names))
            }
            Effect::Add(atom) => self.atom(atom, names),
            Effect::Delete(atom) => list("not", [self.atom(atom, names)]),
            Effect::Update(update, fluent, value) => {
                list(update.into(), [self.fluent(fluent, names), self.expression(value, names)])
            }
        }
    }

    fn quantified(
        self,
        head: &str,
        variables: &[Typed],
        names: &[&str],
        body: impl FnOnce(&[&str]) -> String,
    ) -> String {
        let own = variables.iter().map(|variable| &*variable.name);
        let names: Vec<&str> = names.iter().copied().chain(own).collect();
        list(head, [self.variables(variables), body(&names)])
    }
}

//! The writer of domains and problems as PDDL.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::model::{
    Action, Atom, Comparison, Condition, Constraint, Domain, Effect, Expression, Fluent, Problem, Symbol, Term, Type,
    TypeId, Typed, Update,
};
use crate::number::Number;

/// Writes the domain as PDDL; parsing it gives the same domain.
impl Display for Domain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let writer = Writer { types: &self.types, domain: self, objects: &self.constants };
        write!(f, "(define (domain {})", self.name)?;
        if !self.requirements.is_empty() {
            f.write_str("\n  (:requirements")?;
            self.requirements.iter().try_for_each(|requirement| write!(f, " {requirement}"))?;
            f.write_char(')')?;
        }
        if self.types.len() > 1 {
            f.write_str("\n  (:types")?;
            for of in &self.types[1..] {
                write!(f, "\n    {} - ", of.name)?;
                writer.types(f, &of.parents)?;
            }
            f.write_char(')')?;
        }
        if !self.constants.is_empty() {
            f.write_str("\n  (:constants")?;
            writer.objects(f, &self.constants)?;
            f.write_char(')')?;
        }
        for (section, symbols) in [("predicates", &self.predicates), ("functions", &self.functions)] {
            if !symbols.is_empty() {
                write!(f, "\n  (:{section}")?;
                symbols.iter().try_for_each(|symbol| write!(f, "\n    {}", writer.symbol_text(symbol)))?;
                f.write_char(')')?;
            }
        }
        self.actions.iter().try_for_each(|action| writer.action(f, action))?;
        writer.constraints(f, &self.constraints)?;
        f.write_str(")\n")
    }
}

/// Writes the problem as PDDL; parsing it with the same domain gives the same problem.
impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let writer = Writer::of(self);
        write!(f, "(define (problem {})\n  (:domain {})", self.name, self.domain.name)?;
        f.write_str("\n  (:objects")?;
        writer.objects(f, &self.objects[self.domain.constants.len()..])?;
        f.write_str(")\n  (:init")?;
        for fact in &self.facts {
            f.write_str("\n    ")?;
            writer.atom(f, fact, &[])?;
        }
        for (fluent, value) in &self.values {
            write!(f, "\n    {}", writer.value_text(fluent, *value))?;
        }
        f.write_str(")\n  (:goal ")?;
        writer.condition(f, &self.goal, &mut Vec::new())?;
        f.write_char(')')?;
        writer.constraints(f, &self.constraints)?;
        if let Some(metric) = &self.metric {
            write!(f, "\n  (:metric {} ", if metric.minimize { "minimize" } else { "maximize" })?;
            writer.expression(f, &metric.expression, &[])?;
            f.write_char(')')?;
        }
        f.write_str(")\n")
    }
}

/// Returns the text that a function writes.
fn shown(write: impl Fn(&mut Formatter<'_>) -> fmt::Result) -> String {
    struct Shown<F>(F);
    impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Shown<F> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }
    Shown(write).to_string()
}

/// The names that a text needs. The names of variables form a stack.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'a> {
    types: &'a [Type],
    domain: &'a Domain,
    objects: &'a [Typed],
}

impl<'a> Writer<'a> {
    pub fn of(problem: &'a Problem) -> Self {
        Self { types: &problem.domain.types, domain: &problem.domain, objects: &problem.objects }
    }

    /// Returns a condition as text; the first variables have these names.
    pub fn text(self, condition: &Condition, names: &[&str]) -> String {
        shown(|f| self.condition(f, condition, &mut names.to_vec()))
    }

    /// Returns an effect as text; the first variables have these names.
    pub(crate) fn effect_text(self, effect: &Effect, names: &[&str]) -> String {
        shown(|f| self.effect(f, effect, &mut names.to_vec()))
    }

    /// Returns a constraint as text.
    pub fn constraint_text(self, constraint: &Constraint) -> String {
        let names: Vec<&str> = constraint.variables.iter().map(|variable| &*variable.name).collect();
        let conditions = std::iter::once(&constraint.condition).chain(&constraint.other);
        let texts: String = conditions.map(|condition| format!(" {}", self.text(condition, &names))).collect();
        let text = format!("({}{texts})", constraint.trajectory.name());
        match constraint.variables.is_empty() {
            true => text,
            false => {
                let variables = shown(|f| self.parameters(f, &constraint.variables, ""));
                format!("(forall ({variables}) {text})")
            }
        }
    }

    fn constraints(self, f: &mut Formatter<'_>, constraints: &[Constraint]) -> fmt::Result {
        if constraints.is_empty() {
            return Ok(());
        }
        f.write_str("\n  (:constraints (and")?;
        constraints.iter().try_for_each(|of| write!(f, "\n    {}", self.constraint_text(of)))?;
        f.write_str("))")
    }

    /// Returns an object or a variable with its types as text.
    pub fn typed(self, typed: &Typed) -> String {
        shown(|f| self.parameters(f, std::slice::from_ref(typed), ""))
    }

    /// Returns a predicate or a fluent with its parameters as text.
    pub(crate) fn symbol_text(self, symbol: &Symbol) -> String {
        shown(|f| {
            write!(f, "({}", symbol.name)?;
            self.parameters(f, &symbol.parameters, " ")?;
            f.write_char(')')
        })
    }

    /// Returns an action as text.
    pub(crate) fn action_text(self, action: &Action) -> String {
        shown(|f| self.action(f, action))
    }

    /// Returns the initial value of a ground fluent as text.
    pub(crate) fn value_text(self, fluent: &Fluent, value: Number) -> String {
        shown(|f| {
            f.write_str("(= ")?;
            self.fluent(f, fluent, &[])?;
            write!(f, " {value})")
        })
    }

    fn types(self, f: &mut Formatter<'_>, types: &[TypeId]) -> fmt::Result {
        let name = |id: &TypeId| &self.types[usize::from(id.0)].name;
        match types {
            [one] => f.write_str(name(one)),
            many => {
                f.write_str("(either")?;
                many.iter().try_for_each(|id| write!(f, " {}", name(id)))?;
                f.write_char(')')
            }
        }
    }

    fn objects(self, f: &mut Formatter<'_>, objects: &[Typed]) -> fmt::Result {
        objects.iter().try_for_each(|object| {
            write!(f, "\n    {} - ", object.name)?;
            self.types(f, &object.types)
        })
    }

    fn parameters(self, f: &mut Formatter<'_>, parameters: &[Typed], before: &str) -> fmt::Result {
        for (index, parameter) in parameters.iter().enumerate() {
            write!(f, "{}{} - ", if index == 0 { before } else { " " }, parameter.name)?;
            self.types(f, &parameter.types)?;
        }
        Ok(())
    }

    fn action(self, f: &mut Formatter<'_>, action: &Action) -> fmt::Result {
        write!(f, "\n  (:action {}\n    :parameters (", action.name)?;
        self.parameters(f, &action.parameters, "")?;
        f.write_str(")\n    :precondition ")?;
        let mut names: Vec<&str> = action.parameters.iter().map(|parameter| &*parameter.name).collect();
        self.condition(f, &action.precondition, &mut names)?;
        f.write_str("\n    :effect ")?;
        self.effect(f, &action.effect, &mut names)?;
        f.write_char(')')
    }

    fn term(self, f: &mut Formatter<'_>, term: Term, names: &[&str]) -> fmt::Result {
        f.write_str(match term {
            Term::Variable(index) => names.get(usize::from(index)).copied().unwrap_or("?"),
            Term::Object(id) => &self.objects[id.0 as usize].name,
        })
    }

    fn symbol(self, f: &mut Formatter<'_>, symbol: &Symbol, arguments: &[Term], names: &[&str]) -> fmt::Result {
        write!(f, "({}", symbol.name)?;
        for argument in arguments {
            f.write_char(' ')?;
            self.term(f, *argument, names)?;
        }
        f.write_char(')')
    }

    fn atom(self, f: &mut Formatter<'_>, atom: &Atom, names: &[&str]) -> fmt::Result {
        self.symbol(f, &self.domain.predicates[atom.predicate.0 as usize], &atom.arguments, names)
    }

    fn fluent(self, f: &mut Formatter<'_>, fluent: &Fluent, names: &[&str]) -> fmt::Result {
        self.symbol(f, &self.domain.functions[fluent.function.0 as usize], &fluent.arguments, names)
    }

    fn expression(self, f: &mut Formatter<'_>, expression: &Expression, names: &[&str]) -> fmt::Result {
        let mut operation = |operator: &str, operands: &mut dyn Iterator<Item = &Expression>| {
            write!(f, "({operator}")?;
            for operand in operands {
                f.write_char(' ')?;
                self.expression(f, operand, names)?;
            }
            f.write_char(')')
        };
        match expression {
            Expression::Number(number) => write!(f, "{number}"),
            Expression::Fluent(fluent) => self.fluent(f, fluent, names),
            Expression::Sum(operands) => operation("+", &mut operands.iter()),
            Expression::Product(operands) => operation("*", &mut operands.iter()),
            Expression::Difference(a, b) => operation("-", &mut [&**a, &**b].into_iter()),
            Expression::Negation(a) => operation("-", &mut [&**a].into_iter()),
            Expression::Quotient(a, b) => operation("/", &mut [&**a, &**b].into_iter()),
        }
    }

    fn condition<'n>(self, f: &mut Formatter<'_>, condition: &'n Condition, names: &mut Vec<&'n str>) -> fmt::Result {
        let mut many = |head: &str, parts: &mut dyn Iterator<Item = &'n Condition>| {
            write!(f, "({head}")?;
            for part in parts {
                f.write_char(' ')?;
                self.condition(f, part, names)?;
            }
            f.write_char(')')
        };
        match condition {
            Condition::And(parts) => many("and", &mut parts.iter()),
            Condition::Or(parts) => many("or", &mut parts.iter()),
            Condition::Not(part) => many("not", &mut std::iter::once(&**part)),
            Condition::Imply(a, b) => many("imply", &mut [&**a, &**b].into_iter()),
            Condition::Exists(variables, body) => {
                self.quantified(f, "exists", variables, names, |f, names| self.condition(f, body, names))
            }
            Condition::ForAll(variables, body) => {
                self.quantified(f, "forall", variables, names, |f, names| self.condition(f, body, names))
            }
            Condition::Atom(atom) => self.atom(f, atom, names),
            Condition::Same(a, b) => {
                f.write_str("(= ")?;
                self.term(f, *a, names)?;
                f.write_char(' ')?;
                self.term(f, *b, names)?;
                f.write_char(')')
            }
            Condition::Compare(comparison, a, b) => {
                let operator = match comparison {
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Equal => "=",
                };
                write!(f, "({operator} ")?;
                self.expression(f, a, names)?;
                f.write_char(' ')?;
                self.expression(f, b, names)?;
                f.write_char(')')
            }
        }
    }

    fn effect<'n>(self, f: &mut Formatter<'_>, effect: &'n Effect, names: &mut Vec<&'n str>) -> fmt::Result {
        match effect {
            Effect::And(parts) => {
                f.write_str("(and")?;
                for part in parts {
                    f.write_char(' ')?;
                    self.effect(f, part, names)?;
                }
                f.write_char(')')
            }
            Effect::When(condition, effect) => {
                f.write_str("(when ")?;
                self.condition(f, condition, names)?;
                f.write_char(' ')?;
                self.effect(f, effect, names)?;
                f.write_char(')')
            }
            Effect::ForAll(variables, body) => {
                self.quantified(f, "forall", variables, names, |f, names| self.effect(f, body, names))
            }
            Effect::Add(atom) => self.atom(f, atom, names),
            Effect::Delete(atom) => {
                f.write_str("(not ")?;
                self.atom(f, atom, names)?;
                f.write_char(')')
            }
            Effect::Update(update, fluent, value) => {
                let operator = match update {
                    Update::Assign => "assign",
                    Update::Increase => "increase",
                    Update::Decrease => "decrease",
                    Update::ScaleUp => "scale-up",
                    Update::ScaleDown => "scale-down",
                };
                write!(f, "({operator} ")?;
                self.fluent(f, fluent, names)?;
                f.write_char(' ')?;
                self.expression(f, value, names)?;
                f.write_char(')')
            }
        }
    }

    fn quantified<'n>(
        self,
        f: &mut Formatter<'_>,
        head: &str,
        variables: &'n [Typed],
        names: &mut Vec<&'n str>,
        body: impl FnOnce(&mut Formatter<'_>, &mut Vec<&'n str>) -> fmt::Result,
    ) -> fmt::Result {
        write!(f, "({head} (")?;
        self.parameters(f, variables, "")?;
        f.write_str(") ")?;
        let before = names.len();
        names.extend(variables.iter().map(|variable| &*variable.name));
        body(f, names)?;
        names.truncate(before);
        f.write_char(')')
    }
}

//! Domains and problems after parsing: names are resolved, nothing is grounded.
//!
//! A variable is a number: an action's parameters count from 0, and a quantifier's variables follow those in scope.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::list::list;
use crate::number::Number;

/// The number of a type in [`Domain::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u16);

impl TypeId {
    /// The type that every object has.
    pub(crate) const OBJECT: Self = Self(0);
}

/// The number of an object in [`Problem::objects`]; constants come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// The number of a predicate in [`Domain::predicates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub u32);

/// The number of a numeric fluent in [`Domain::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A type and its direct supertypes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The name as spelled in its declaration.
    pub name: Arc<str>,
    /// The direct supertypes; empty for `object` alone.
    pub parents: Vec<TypeId>,
    /// All supertypes, including the type itself, sorted.
    pub(crate) ancestors: Vec<TypeId>,
}

/// A name with its types: a parameter, a quantified variable, a constant or an object. Several types are an `either`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Typed {
    /// The name as spelled in its declaration; a variable's name begins with `?`.
    pub name: Arc<str>,
    /// The types, never empty.
    pub types: Vec<TypeId>,
}

/// A predicate or a numeric fluent with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name as spelled in its declaration.
    pub name: Arc<str>,
    /// The parameters.
    pub parameters: Vec<Typed>,
}

/// An argument: a variable in scope or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable by its number.
    Variable(u16),
    /// An object.
    Object(ObjectId),
}

/// A predicate with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments, one for each parameter of the predicate.
    pub arguments: Vec<Term>,
}

/// A numeric fluent with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fluent {
    /// The numeric fluent.
    pub function: FunctionId,
    /// The arguments, one for each parameter of the fluent.
    pub arguments: Vec<Term>,
}

/// An operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
pub enum Operator {
    /// `+` of at least two operands.
    #[strum(serialize = "+")]
    Add,
    /// `-` of two operands, or of one that is negated.
    #[strum(serialize = "-")]
    Subtract,
    /// `*` of at least two operands.
    #[strum(serialize = "*")]
    Multiply,
    /// `/` of two operands.
    #[strum(serialize = "/")]
    Divide,
}

impl Operator {
    /// Returns the result for some operands.
    pub(crate) fn of(self, mut operands: impl Iterator<Item = Number>) -> Number {
        match self {
            Self::Add => operands.fold(Number::ZERO, |sum, operand| sum + operand),
            Self::Multiply => operands.fold(Number::from(1), |product, operand| product * operand),
            Self::Subtract | Self::Divide => match (operands.next(), operands.next()) {
                (Some(a), Some(b)) if self == Self::Subtract => a - b,
                (Some(a), Some(b)) => a / b,
                (a, _) => a.map_or(Number::UNDEFINED, |a| -a),
            },
        }
    }
}

/// A numeric expression over fluents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression<F = Fluent> {
    /// A number.
    Number(Number),
    /// The value of a fluent.
    Fluent(F),
    /// An operation on other expressions.
    Operation(Operator, Vec<Expression<F>>),
}

/// A comparison of two numbers. `>` and `>=` are parsed with their sides exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
pub enum Comparison {
    /// `<`.
    #[strum(serialize = "<")]
    Less,
    /// `<=`.
    #[strum(serialize = "<=")]
    AtMost,
    /// `=`.
    #[strum(serialize = "=")]
    Equal,
}

impl Comparison {
    /// Returns whether the comparison holds for two numbers in this order.
    pub fn is(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Equal => order.is_eq(),
        }
    }
}

/// A condition on a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// A conjunction; true if empty.
    And(Vec<Condition>),
    /// A disjunction; false if empty.
    Or(Vec<Condition>),
    /// A negation.
    Not(Box<Condition>),
    /// An implication: if the first condition holds, the second does.
    Imply(Box<[Condition; 2]>),
    /// An existential quantifier: the condition holds for some objects.
    Exists(Vec<Typed>, Box<Condition>),
    /// A universal quantifier: the condition holds for all objects.
    ForAll(Vec<Typed>, Box<Condition>),
    /// A fact.
    Atom(Atom),
    /// The equality of two terms: both are the same object.
    Same(Term, Term),
    /// A comparison of numbers.
    Compare(Comparison, Expression, Expression),
}

/// The operation of a numeric effect on its fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Update {
    /// `assign`.
    Assign,
    /// `increase`.
    Increase,
    /// `decrease`.
    Decrease,
    /// `scale-up`.
    ScaleUp,
    /// `scale-down`.
    ScaleDown,
}

/// An effect of an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Several effects at once.
    And(Vec<Effect>),
    /// An effect that occurs only if the condition holds before the action.
    When(Condition, Box<Effect>),
    /// An effect for all objects.
    ForAll(Vec<Typed>, Box<Effect>),
    /// The addition of a fact; it wins over a deletion of the same fact.
    Add(Atom),
    /// The deletion of a fact.
    Delete(Atom),
    /// A new value of a fluent.
    Update(Update, Fluent, Expression),
}

/// An action with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The name as spelled in its declaration.
    pub name: Arc<str>,
    /// The parameters: variables 0, 1, ….
    pub parameters: Vec<Typed>,
    /// The precondition.
    pub precondition: Condition,
    /// The effect.
    pub effect: Effect,
}

/// The modality of a constraint on the states of a plan, the first and the last included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Trajectory {
    /// The condition holds in all states.
    Always,
    /// The condition holds in at least one state.
    Sometime,
    /// The condition holds in at most one interval of consecutive states.
    AtMostOnce,
    /// Whenever the condition holds, the other one holds then or later.
    SometimeAfter,
    /// Whenever the condition holds, the other one held before.
    SometimeBefore,
}

/// A constraint on the states of a plan, for all objects of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The variables.
    pub variables: Vec<Typed>,
    /// The modality.
    pub trajectory: Trajectory,
    /// The condition.
    pub condition: Condition,
    /// The other condition, of [`Trajectory::SometimeAfter`] and [`Trajectory::SometimeBefore`].
    pub other: Option<Condition>,
}

/// A domain: the types, predicates, fluents and actions that its problems share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The name.
    pub name: Arc<str>,
    /// The declared requirements, in lower case with their colon.
    pub requirements: BTreeSet<Arc<str>>,
    /// The types; the first is `object`.
    pub types: Vec<Type>,
    /// The constants.
    pub constants: Vec<Typed>,
    /// The predicates.
    pub predicates: Vec<Symbol>,
    /// The numeric fluents.
    pub functions: Vec<Symbol>,
    /// The actions.
    pub actions: Vec<Action>,
    /// The constraints on plans for every problem.
    pub constraints: Vec<Constraint>,
}

/// The quantity of `:metric`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// True if a smaller value is better.
    pub minimize: bool,
    /// The quantity at the end of a plan.
    pub expression: Expression,
}

/// A problem of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The name.
    pub name: Arc<str>,
    /// The domain.
    pub domain: Arc<Domain>,
    /// The domain's constants, followed by the problem's objects.
    pub objects: Vec<Typed>,
    /// The facts of the initial state, each once.
    pub facts: Vec<Atom>,
    /// The initial values of numeric fluents, each fluent once.
    pub values: Vec<(Fluent, Number)>,
    /// The goal.
    pub goal: Condition,
    /// The constraints on plans for this problem.
    pub constraints: Vec<Constraint>,
    /// The metric; it is parsed, but no verdict depends on it.
    pub metric: Option<Metric>,
}

impl Domain {
    /// Returns whether a type is one of these or a subtype of one.
    pub(crate) fn is_subtype(&self, of: TypeId, types: &[TypeId]) -> bool {
        let ancestors = &self.types[usize::from(of.0)].ancestors;
        types.iter().any(|wanted| ancestors.binary_search(wanted).is_ok())
    }
}

impl Problem {
    /// Iterates over all constraints on its plans.
    pub fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        self.domain.constraints.iter().chain(&self.constraints)
    }

    /// Returns whether an object has one of these types.
    pub fn is_instance(&self, object: ObjectId, types: &[TypeId]) -> bool {
        let own = &self.objects[object.0 as usize].types;
        own.iter().any(|own| self.domain.is_subtype(*own, types))
    }

    /// Returns the cost of [`Self::is_instance`], in units of work.
    pub(crate) fn is_instance_work(&self, object: ObjectId, types: &[TypeId]) -> u64 {
        (self.objects[object.0 as usize].types.len() * types.len()) as u64
    }

    /// Returns the objects that have one of these types.
    pub fn instances<'a>(&'a self, types: &'a [TypeId]) -> impl Iterator<Item = ObjectId> + 'a {
        (0..self.objects.len() as u32).map(ObjectId).filter(|object| self.is_instance(*object, types))
    }
}

impl<F> Expression<F> {
    /// Calls `each` with every fluent that it reads.
    pub(crate) fn each_fluent(&self, each: &mut dyn FnMut(&F)) {
        match self {
            Self::Number(_) => {}
            Self::Fluent(fluent) => each(fluent),
            Self::Operation(_, operands) => operands.iter().for_each(|operand| operand.each_fluent(each)),
        }
    }

    /// Returns the number of numbers, fluents and operations in it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Number(_) | Self::Fluent(_) => 1,
            Self::Operation(_, operands) => 1 + operands.iter().map(Self::size).sum::<usize>(),
        }
    }

    /// Returns its value, given the values of fluents.
    pub(crate) fn evaluate(&self, value: &dyn Fn(&F) -> Number) -> Number {
        match self {
            Self::Number(number) => *number,
            Self::Fluent(fluent) => value(fluent),
            Self::Operation(operator, operands) => operator.of(operands.iter().map(|of| of.evaluate(value))),
        }
    }

    /// Returns the expression with other expressions for its fluents; operations on numbers are computed.
    pub(crate) fn map<G>(&self, fluent: &mut dyn FnMut(&F) -> Expression<G>) -> Expression<G> {
        let (operator, operands) = match self {
            Self::Number(number) => return Expression::Number(*number),
            Self::Fluent(of) => return fluent(of),
            Self::Operation(operator, operands) => (*operator, operands),
        };
        let operands: Vec<Expression<G>> = operands.iter().map(|operand| operand.map(fluent)).collect();
        let number = |operand: &Expression<G>| match operand {
            Expression::Number(number) => Some(*number),
            _ => None,
        };
        match operands.iter().map(number).collect::<Option<Vec<_>>>() {
            Some(numbers) => Expression::Number(operator.of(numbers.into_iter())),
            None => Expression::Operation(operator, operands),
        }
    }

    /// Returns it as PDDL, given the texts of fluents.
    pub(crate) fn text(&self, fluent: &dyn Fn(&F) -> String) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Fluent(of) => fluent(of),
            Self::Operation(operator, operands) => {
                list(operator.into(), operands.iter().map(|operand| operand.text(fluent)))
            }
        }
    }
}

impl Effect {
    /// Calls `each` with it and all effects below it.
    pub(crate) fn each(&self, each: &mut dyn FnMut(&Effect)) {
        each(self);
        match self {
            Self::And(parts) => parts.iter().for_each(|part| part.each(each)),
            Self::When(_, effect) | Self::ForAll(_, effect) => effect.each(each),
            Self::Add(_) | Self::Delete(_) | Self::Update(..) => {}
        }
    }

    /// Calls `each` with every fluent that its conditions and values read.
    pub(crate) fn each_fluent(&self, each: &mut dyn FnMut(&Fluent)) {
        self.each(&mut |part| match part {
            Self::When(condition, _) => condition.each_fluent(each),
            Self::Update(_, _, value) => value.each_fluent(each),
            _ => {}
        });
    }
}

impl Condition {
    /// Calls `each` with it and all conditions below it.
    pub(crate) fn each(&self, each: &mut dyn FnMut(&Condition)) {
        each(self);
        let parts = match self {
            Self::And(parts) | Self::Or(parts) => &parts[..],
            Self::Not(part) | Self::Exists(_, part) | Self::ForAll(_, part) => std::slice::from_ref(&**part),
            Self::Imply(parts) => &parts[..],
            Self::Atom(_) | Self::Same(..) | Self::Compare(..) => &[],
        };
        parts.iter().for_each(|part| part.each(each));
    }

    /// Calls `each` with every fluent that it reads.
    pub(crate) fn each_fluent(&self, each: &mut dyn FnMut(&Fluent)) {
        self.each(&mut |part| {
            if let Self::Compare(_, a, b) = part {
                [a, b].into_iter().for_each(|side| side.each_fluent(each));
            }
        });
    }

    /// Returns the number of conditions and expressions in it.
    pub(crate) fn size(&self) -> usize {
        let mut size = 0;
        self.each(&mut |part| size += 1 + if let Self::Compare(_, a, b) = part { a.size() + b.size() } else { 0 });
        size
    }

    /// Returns the condition that always holds.
    pub const fn always() -> Self {
        Self::And(Vec::new())
    }

    /// Returns the conjuncts in order; nested conjunctions are flattened.
    pub fn conjuncts(&self) -> Vec<&Condition> {
        fn collect<'a>(condition: &'a Condition, into: &mut Vec<&'a Condition>) {
            match condition {
                Condition::And(parts) => parts.iter().for_each(|part| collect(part, into)),
                other => into.push(other),
            }
        }
        let mut into = Vec::new();
        collect(self, &mut into);
        into
    }
}

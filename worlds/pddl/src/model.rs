//! Domains and problems after parsing: names are resolved, nothing is grounded.
//!
//! A variable is a number: an action's parameters count from 0, and a quantifier's variables follow those in scope.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

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

/// A numeric expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A number.
    Number(Number),
    /// The value of a fluent.
    Fluent(Fluent),
    /// `(+ …)` of at least two operands.
    Sum(Vec<Expression>),
    /// `(- a b)`.
    Difference(Box<Expression>, Box<Expression>),
    /// `(- a)`.
    Negation(Box<Expression>),
    /// `(* …)` of at least two operands.
    Product(Vec<Expression>),
    /// `(/ a b)`.
    Quotient(Box<Expression>, Box<Expression>),
}

/// A comparison of two numbers. `>` and `>=` are parsed with their sides exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `=`.
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
    Imply(Box<Condition>, Box<Condition>),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl Trajectory {
    /// All modalities.
    pub const ALL: [Self; 5] =
        [Self::Always, Self::Sometime, Self::AtMostOnce, Self::SometimeAfter, Self::SometimeBefore];

    /// Returns its name in PDDL.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Sometime => "sometime",
            Self::AtMostOnce => "at-most-once",
            Self::SometimeAfter => "sometime-after",
            Self::SometimeBefore => "sometime-before",
        }
    }
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

impl Expression {
    /// Calls `each` with every fluent that it reads.
    pub(crate) fn each_fluent(&self, each: &mut dyn FnMut(&Fluent)) {
        match self {
            Self::Number(_) => {}
            Self::Fluent(fluent) => each(fluent),
            Self::Sum(parts) | Self::Product(parts) => parts.iter().for_each(|part| part.each_fluent(each)),
            Self::Negation(a) => a.each_fluent(each),
            Self::Difference(a, b) | Self::Quotient(a, b) => {
                a.each_fluent(each);
                b.each_fluent(each);
            }
        }
    }

    /// Returns the number of numbers, fluents and operations in it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Number(_) | Self::Fluent(_) => 1,
            Self::Sum(parts) | Self::Product(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
            Self::Negation(a) => 1 + a.size(),
            Self::Difference(a, b) | Self::Quotient(a, b) => 1 + a.size() + b.size(),
        }
    }
}

impl Effect {
    /// Calls `each` with every fluent that its conditions and values read.
    pub(crate) fn each_fluent(&self, each: &mut dyn FnMut(&Fluent)) {
        match self {
            Self::And(parts) => parts.iter().for_each(|part| part.each_fluent(each)),
            Self::When(condition, effect) => {
                condition.each_fluent(each);
                effect.each_fluent(each);
            }
            Self::ForAll(_, effect) => effect.each_fluent(each),
            Self::Add(_) | Self::Delete(_) => {}
            Self::Update(_, _, value) => value.each_fluent(each),
        }
    }

    /// Calls `each` with every fluent that it changes, and the operation.
    pub(crate) fn each_update(&self, each: &mut dyn FnMut(Update, &Fluent)) {
        match self {
            Self::And(parts) => parts.iter().for_each(|part| part.each_update(each)),
            Self::When(_, effect) | Self::ForAll(_, effect) => effect.each_update(each),
            Self::Add(_) | Self::Delete(_) => {}
            Self::Update(update, fluent, _) => each(*update, fluent),
        }
    }

    /// Returns the number of effects, conditions and expressions in it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::And(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
            Self::When(condition, effect) => 1 + condition.size() + effect.size(),
            Self::ForAll(_, effect) => 1 + effect.size(),
            Self::Add(_) | Self::Delete(_) => 1,
            Self::Update(_, _, value) => 1 + value.size(),
        }
    }
}

impl Condition {
    /// Calls `each` with every fluent that it reads.
    pub(crate) fn each_fluent(&self, each: &mut dyn FnMut(&Fluent)) {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.each_fluent(each)),
            Self::Not(part) | Self::Exists(_, part) | Self::ForAll(_, part) => part.each_fluent(each),
            Self::Imply(a, b) => {
                a.each_fluent(each);
                b.each_fluent(each);
            }
            Self::Atom(_) | Self::Same(..) => {}
            Self::Compare(_, a, b) => {
                a.each_fluent(each);
                b.each_fluent(each);
            }
        }
    }

    /// Returns the number of conditions and expressions in it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::And(parts) | Self::Or(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
            Self::Not(part) | Self::Exists(_, part) | Self::ForAll(_, part) => 1 + part.size(),
            Self::Imply(a, b) => 1 + a.size() + b.size(),
            Self::Atom(_) | Self::Same(..) => 1,
            Self::Compare(_, a, b) => 1 + a.size() + b.size(),
        }
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

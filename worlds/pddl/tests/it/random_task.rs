//! Random small tasks with danger, as data for a naive interpreter, and as PDDL.

use std::fmt;

use ltlcrit_pddl::Task;
use proptest::prelude::*;

pub const OBJECTS: [&str; 3] = ["o0", "o1", "o2"];
const UNARY: [&str; 2] = ["p", "q"];

/// An argument: an object, or the innermost variable in scope.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    Object(usize),
    /// The innermost variable in scope; object 0 without a variable in scope.
    Variable,
}

#[derive(Clone, Debug)]
pub enum Condition {
    /// Predicate 0 or 1 of an argument; predicate 2 has no argument.
    Fact(usize, Term),
    AtMost(i64),
    AtLeast(i64),
    Same(Term, usize),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Exists(Box<Condition>),
    ForAll(Box<Condition>),
}

#[derive(Clone, Debug)]
pub enum Effect {
    Fact(usize, Term, bool),
    Assign(i64),
    Increase(i64),
    When(Condition, Box<Effect>),
    ForAll(Box<Effect>),
}

#[derive(Clone, Debug)]
pub struct Action {
    pub has_parameter: bool,
    pub precondition: Condition,
    pub effects: Vec<Effect>,
    /// Conditions with the increments of danger.
    pub dangers: Vec<(Condition, i64)>,
}

#[derive(Clone, Debug)]
pub struct RandomTask {
    pub actions: Vec<Action>,
    pub facts: Vec<(usize, usize)>,
    pub number: i64,
    pub goal: Condition,
    pub d_init: i64,
    pub d_max: i64,
}

/// A value to be written, with the name of the innermost variable in scope.
struct In<'a, T>(&'a T, Option<usize>);

fn term(term: Term, scope: Option<usize>) -> String {
    match (term, scope) {
        (Term::Variable, Some(depth)) => format!("?x{depth}"),
        (Term::Variable, None) => OBJECTS[0].to_owned(),
        (Term::Object(object), _) => OBJECTS[object].to_owned(),
    }
}

fn fact(predicate: usize, argument: Term, scope: Option<usize>) -> String {
    UNARY.get(predicate).map_or("(r)".to_owned(), |name| format!("({name} {})", term(argument, scope)))
}

fn deeper(scope: Option<usize>) -> usize {
    scope.map_or(0, |depth| depth + 1)
}

impl fmt::Display for In<'_, Condition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = self.1;
        let all = |parts: &[Condition]| parts.iter().map(|part| In(part, scope).to_string()).collect::<String>();
        match self.0 {
            Condition::Fact(predicate, argument) => f.write_str(&fact(*predicate, *argument, scope)),
            Condition::AtMost(bound) => write!(f, "(<= (n) {bound})"),
            Condition::AtLeast(bound) => write!(f, "(>= (n) {bound})"),
            Condition::Same(argument, object) => write!(f, "(= {} {})", term(*argument, scope), OBJECTS[*object]),
            Condition::Not(part) => write!(f, "(not {})", In(&**part, scope)),
            Condition::And(parts) => write!(f, "(and {})", all(parts)),
            Condition::Or(parts) => write!(f, "(or {})", all(parts)),
            Condition::Exists(part) | Condition::ForAll(part) => {
                let (name, depth) =
                    (if matches!(self.0, Condition::Exists(_)) { "exists" } else { "forall" }, deeper(scope));
                write!(f, "({name} (?x{depth}) {})", In(&**part, Some(depth)))
            }
        }
    }
}

impl fmt::Display for In<'_, Effect> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = self.1;
        match self.0 {
            Effect::Fact(predicate, argument, true) => f.write_str(&fact(*predicate, *argument, scope)),
            Effect::Fact(predicate, argument, false) => write!(f, "(not {})", fact(*predicate, *argument, scope)),
            Effect::Assign(value) => write!(f, "(assign (n) {value})"),
            Effect::Increase(value) => write!(f, "(increase (n) {value})"),
            Effect::When(condition, effect) => write!(f, "(when {} {})", In(condition, scope), In(&**effect, scope)),
            Effect::ForAll(effect) => {
                let depth = deeper(scope);
                write!(f, "(forall (?x{depth}) {})", In(&**effect, Some(depth)))
            }
        }
    }
}

impl RandomTask {
    pub fn read(&self) -> Task {
        let mut domain = format!(
            "(define (domain d) (:constants {}) (:predicates (p ?a) (q ?a) (r)) (:functions (n) (danger))\n",
            OBJECTS.join(" ")
        );
        for (number, action) in self.actions.iter().enumerate() {
            let scope = action.has_parameter.then_some(0);
            let parameters = if action.has_parameter { "?x0" } else { "" };
            let precondition = In(&action.precondition, scope);
            domain +=
                &format!("(:action a{number} :parameters ({parameters}) :precondition {precondition} :effect (and ");
            action.effects.iter().for_each(|effect| domain += &In(effect, scope).to_string());
            for (condition, by) in &action.dangers {
                domain += &format!("(when {} (increase (danger) {by}))", In(condition, scope));
            }
            domain += "))\n";
        }
        let facts: String = self.facts.iter().map(|(of, object)| fact(*of, Term::Object(*object), None)).collect();
        let problem = format!(
            "(define (problem t) (:domain d) (:init {facts} (= (n) {}) (= (danger) {}))
             (:goal (and {} (<= (danger) {}))))",
            self.number,
            self.d_init,
            In(&self.goal, None),
            self.d_max
        );
        Task::parse(&(domain + ")"), &problem).unwrap_or_else(|error| panic!("{error}\n{problem}"))
    }
}

fn terms() -> impl Strategy<Value = Term> {
    prop_oneof![2 => Just(Term::Variable), 1 => (0..OBJECTS.len()).prop_map(Term::Object)]
}

fn conditions() -> BoxedStrategy<Condition> {
    let leaf = prop_oneof![
        6 => (0..3_usize, terms()).prop_map(|(predicate, argument)| Condition::Fact(predicate, argument)),
        1 => (-2..4_i64).prop_map(Condition::AtMost),
        1 => (-2..4_i64).prop_map(Condition::AtLeast),
        1 => (terms(), 0..OBJECTS.len()).prop_map(|(argument, object)| Condition::Same(argument, object)),
    ];
    let tree = leaf.prop_recursive(3, 10, 3, |inner| {
        let parts = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            2 => inner.clone().prop_map(|part| Condition::Not(Box::new(part))),
            2 => parts().prop_map(Condition::And),
            1 => parts().prop_map(Condition::Or),
            1 => inner.clone().prop_map(|part| Condition::Exists(Box::new(part))),
            1 => inner.clone().prop_map(|part| Condition::ForAll(Box::new(part))),
        ]
    });
    tree.boxed()
}

fn effects() -> BoxedStrategy<Effect> {
    let leaf = prop_oneof![
        8 => (0..3_usize, terms(), any::<bool>()).prop_map(|(predicate, argument, add)| Effect::Fact(predicate, argument, add)),
        1 => (-1..3_i64).prop_map(Effect::Assign),
        2 => (-1..3_i64).prop_map(Effect::Increase),
    ];
    let tree = leaf.prop_recursive(2, 4, 1, |inner| {
        prop_oneof![
            2 => (conditions(), inner.clone()).prop_map(|(condition, effect)| Effect::When(condition, Box::new(effect))),
            1 => inner.prop_map(|effect| Effect::ForAll(Box::new(effect))),
        ]
    });
    tree.boxed()
}

/// Generates random tasks with random plans: numbers of actions, each with an object.
pub fn tasks(increments: std::ops::Range<i64>) -> impl Strategy<Value = RandomTask> {
    let dangers = prop::collection::vec((conditions(), increments), 0..4);
    let action = (any::<bool>(), conditions(), prop::collection::vec(effects(), 0..4), dangers).prop_map(
        |(has_parameter, precondition, effects, dangers)| Action { has_parameter, precondition, effects, dangers },
    );
    let facts = prop::sample::subsequence(vec![(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)], 0..=7);
    (prop::collection::vec(action, 1..4), facts, -1..3_i64, conditions(), 0..2_i64, 0..3_i64).prop_map(
        |(actions, facts, number, goal, d_init, d_max)| RandomTask { actions, facts, number, goal, d_init, d_max },
    )
}

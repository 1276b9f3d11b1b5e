//! The observations of an actor in a planning task.

use std::collections::BTreeMap;
use std::fmt;

use ltlcrit_worlds::{Shape, WorldObservation};
use serde::{Deserialize, Serialize};

use crate::number::Number;

/// The full observation of a planning task: the state, without danger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PddlObservation {
    /// The facts that hold, as PDDL, including those that never change.
    pub facts: Vec<String>,
    /// The values of the relevant numeric fluents, by their PDDL.
    pub numbers: BTreeMap<String, Number>,
}

/// Writes each fact, and each number, on one line.
impl fmt::Display for PddlObservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.facts.iter().cloned();
        let numbers = self.numbers.iter().map(|(name, value)| format!("(= {name} {value})"));
        f.write_str(&facts.chain(numbers).collect::<Vec<_>>().join("\n"))
    }
}

impl WorldObservation for PddlObservation {
    const KIND: &'static str = "pddl";

    fn shape() -> Shape {
        let numbers = Shape::Map { names: Vec::new(), entry: Box::new(Shape::Number) };
        Shape::Fields(vec![("facts", Shape::Other("a list")), ("numbers", numbers)])
    }

    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
        let numbers = self.numbers.iter().map(|(name, value)| (replace(name), *value)).collect();
        Self { facts: self.facts.iter().map(|fact| replace(fact)).collect(), numbers }
    }
}

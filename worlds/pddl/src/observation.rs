//! What an actor in a planning task sees.

use std::collections::BTreeMap;
use std::fmt;

use ltlcrit_worlds::{Shape, WorldObservation};
use serde::{Deserialize, Serialize};

use crate::number::Number;

/// The full observation of a planning task: the state. Danger is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PddlObservation {
    /// The facts that hold, as PDDL, those that never change included.
    pub facts: Vec<String>,
    /// The values of the numeric fluents that matter, by their PDDL.
    pub numbers: BTreeMap<String, Number>,
}

/// One fact in a line, and one number.
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

//! Names of ground facts, numbers and actions: as PDDL, and as propositions of a vocabulary.

use crate::formula::{Formula, Value};
use crate::ground::Ground;
use crate::instantiate::GroundSymbol;
use crate::list::list;
use crate::model::{Comparison, ObjectId, Symbol};

/// The names of a ground task.
#[derive(Clone, Copy)]
pub(crate) struct GroundNames<'a>(pub &'a Ground);

impl<'a> GroundNames<'a> {
    /// Returns an object's name, in lower case.
    pub fn object(self, id: ObjectId) -> String {
        self.0.task().basic.objects[id.0 as usize].name.to_lowercase()
    }

    /// Returns a fact as PDDL: `(at cup table)`.
    pub fn fact(self, fact: &GroundSymbol) -> String {
        self.pddl(&self.0.task().basic.domain.predicates[fact.symbol as usize], &fact.arguments)
    }

    /// Returns a numeric fluent as PDDL: `(level tank)`.
    pub fn number(self, number: &GroundSymbol) -> String {
        self.pddl(&self.0.task().basic.domain.functions[number.symbol as usize], &number.arguments)
    }

    fn pddl(self, symbol: &Symbol, arguments: &[ObjectId]) -> String {
        list(&symbol.name.to_lowercase(), arguments.iter().map(|id| self.object(*id)))
    }

    /// Returns a fact as a proposition: `obs_at(cup, table)`.
    pub fn observation(self, fact: &GroundSymbol) -> String {
        let name = &self.0.task().basic.domain.predicates[fact.symbol as usize].name;
        self.proposition("obs_", name, &fact.arguments)
    }

    /// Returns an action as a proposition: `action_place(cup, table)`.
    pub fn action(self, action: usize) -> String {
        let action = &self.0.actions()[action];
        let name = &self.0.task().basic.domain.actions[action.action].name;
        self.proposition("action_", name, &action.arguments)
    }

    /// Returns the prefix of propositions' names, or an empty text if the task has plain names.
    pub fn prefix(self, prefix: &'static str) -> &'static str {
        if self.0.task().metadata.plain_names { "" } else { prefix }
    }

    /// Returns the symbol of a predicate or an action in propositions. A hyphen becomes an underscore, so that laws
    /// need no quotes.
    pub fn symbol(self, prefix: &'static str, name: &str) -> String {
        format!("{}{}", self.prefix(prefix), name.to_lowercase().replace('-', "_"))
    }

    fn proposition(self, prefix: &'static str, name: &str, arguments: &[ObjectId]) -> String {
        let head = self.symbol(prefix, name);
        match arguments {
            [] => head,
            _ => {
                let arguments: Vec<String> = arguments.iter().map(|id| self.object(*id)).collect();
                format!("{head}({})", arguments.join(", "))
            }
        }
    }

    /// Returns a comparison as PDDL, without a negation.
    pub fn comparison(self, comparison: Comparison, a: &Value, b: &Value) -> String {
        list(comparison.into(), [a, b].map(|side| side.text(&|id| self.number(&self.0.numbers[*id as usize]))))
    }

    /// Returns a condition as PDDL.
    pub fn condition(self, formula: &Formula) -> String {
        let negated = |holds: bool, text: String| if holds { text } else { format!("(not {text})") };
        match formula {
            Formula::Fact(id, holds) => negated(*holds, self.fact(&self.0.facts[*id as usize])),
            Formula::Compare { comparison, holds, a, b } => negated(*holds, self.comparison(*comparison, a, b)),
            Formula::All(parts) | Formula::Any(parts) => {
                let head = if matches!(formula, Formula::All(_)) { "and" } else { "or" };
                list(head, parts.iter().map(|part| self.condition(part)))
            }
        }
    }
}

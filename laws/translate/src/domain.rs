//! Laws over a domain: turns a segment about every object of a kind into a law with a parameter.

use std::sync::Arc;

use ltlcrit_verifier::Formula;
use serde::Serialize;

use crate::lexicon::Object;

/// The parameter.
const PARAMETER: &str = "?x";

/// A law with a parameter, as books write it: `G(room(?x) -> !agent_at(?x))`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverDomain {
    /// The law.
    pub formula: String,
    /// The declaration of the parameter, if its type is the kind: `?x - thing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
}

/// Returns the law with a parameter whose instances are these formulas, one for each object of the kind. `None` if they
/// differ in more than the object.
pub(crate) fn over(kind: &str, each: &[(&Object, Formula)]) -> Option<OverDomain> {
    let (first, formula) = each.first()?;
    if each.len() < 2 {
        return None;
    }
    let lifted = with_argument(formula, &first.name, PARAMETER);
    let alike = each.iter().all(|(object, formula)| with_argument(&lifted, PARAMETER, &object.name) == *formula);
    if !alike || lifted == *formula {
        return None;
    }
    // A kind is a type, or a predicate that never changes for an object.
    let is_predicate = each.iter().all(|(object, _)| object.predicates.iter().any(|known| **known == *kind));
    Some(match is_predicate {
        true => {
            let guard = Formula::Atom(Arc::from(format!("{kind}({PARAMETER})")));
            OverDomain { formula: guarded(guard, lifted).to_string(), parameters: None }
        }
        false => OverDomain { formula: lifted.to_string(), parameters: Some(format!("{PARAMETER} - {kind}")) },
    })
}

/// Restricts a formula to objects with a property that never changes.
fn guarded(guard: Formula, formula: Formula) -> Formula {
    match formula {
        Formula::Globally(inner) => match *inner {
            Formula::Implies(when, then) => guard.and(*when).implies(*then).globally(),
            other => guard.implies(other).globally(),
        },
        other => guard.implies(other),
    }
}

/// Replaces an argument of the formula: `agent_at(kitchen)` becomes `agent_at(?x)`.
fn with_argument(formula: &Formula, from: &str, to: &str) -> Formula {
    formula.with_atoms(&mut |name| {
        let replaced = name.strip_suffix(')').and_then(|head| head.split_once('(')).map(|(head, arguments)| {
            let arguments = arguments.split(", ").map(|argument| if argument == from { to } else { argument });
            Arc::from(format!("{head}({})", arguments.collect::<Vec<_>>().join(", ")))
        });
        Formula::Atom(replaced.unwrap_or_else(|| name.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, predicates: &[&str]) -> Object {
        Object {
            name: name.into(),
            nouns: vec![name.into()],
            kinds: vec!["room".into()],
            predicates: predicates.iter().map(|name| Arc::from(*name)).collect(),
        }
    }

    fn formulas(texts: &[&str]) -> Vec<Formula> {
        texts.iter().map(|text| ltlcrit_verifier::syntax::parse(text).unwrap()).collect()
    }

    #[test]
    fn formulas_that_differ_in_their_object_alone_are_one_law() {
        let law = |predicates: &[&str], texts: &[&str]| {
            let objects = [object("hall", predicates), object("bath", predicates)];
            let each: Vec<(&Object, Formula)> = objects.iter().zip(formulas(texts)).collect();
            over("room", &each)
        };
        let alike = ["G(at(cup, hall) -> X !enter(hall))", "G(at(cup, bath) -> X !enter(bath))"];
        let typed = OverDomain {
            formula: "G(at(cup, ?x) -> X !enter(?x))".to_owned(),
            parameters: Some("?x - room".to_owned()),
        };
        assert_eq!(law(&[], &alike), Some(typed));
        let guarded = OverDomain { formula: "G(room(?x) & at(cup, ?x) -> X !enter(?x))".to_owned(), parameters: None };
        assert_eq!(law(&["room"], &alike), Some(guarded));
        assert_eq!(law(&[], &["G !enter(hall)", "G !leave(bath)"]), None);
        // The segment also names the object itself.
        assert_eq!(law(&[], &["G(at(hall) -> !near(hall))", "G(at(bath) -> !near(hall))"]), None);
    }
}

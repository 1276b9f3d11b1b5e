//! Axioms: invariants of the reachable states, with their reasons.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::formula::Formula;

/// A Boolean formula over the observations that every reachable state satisfies. The reason is the meaning of the
/// propositions, or that the world never reaches any other state.
///
/// Proofs and the shield rely on axioms. A state that breaks an axiom shows that it is false;
/// [`Vocabulary::broken_axiom`](crate::Vocabulary::broken_axiom) finds it. Two axioms are equal if their formulas are
/// equal: reasons are texts for readers.
///
/// ```
/// use ltlcrit_verifier::Axiom;
///
/// let axiom = Axiom::new("obs_pot_hot -> obs_pot_warm".parse()?).because("Hot is more than warm.");
/// assert_eq!(axiom.quoted(), "`obs_pot_hot -> obs_pot_warm` (Hot is more than warm)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, Serialize, Deserialize)]
pub struct Axiom {
    /// The formula.
    pub formula: Formula,
    /// The reason why every reachable state satisfies it, in English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<str>>,
}

impl Axiom {
    /// Creates an axiom without a reason.
    pub fn new(formula: Formula) -> Self {
        Self { formula, reason: None }
    }

    /// Returns the same axiom with a reason.
    #[must_use]
    pub fn because(self, reason: impl Into<Arc<str>>) -> Self {
        Self { reason: Some(reason.into()), ..self }
    }

    /// Returns the formula in backquotes, followed by the reason in brackets if there is one: for messages.
    pub fn quoted(&self) -> String {
        match &self.reason {
            None => format!("`{}`", self.formula),
            Some(reason) => format!("`{}` ({})", self.formula, reason.trim_end_matches('.')),
        }
    }
}

impl PartialEq for Axiom {
    fn eq(&self, other: &Self) -> bool {
        self.formula == other.formula
    }
}

/// Formats the formula alone.
impl fmt::Display for Axiom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.formula.fmt(f)
    }
}

/// Creates an axiom without a reason.
impl From<Formula> for Axiom {
    fn from(formula: Formula) -> Self {
        Self::new(formula)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::parse_infix;
    use crate::{PropId, PropSet, Vocabulary};

    fn vocabulary(axioms: &[&str]) -> Vocabulary {
        let axioms = axioms.iter().map(|text| parse_infix(text).unwrap());
        Vocabulary::builder("v").observations(["a", "b", "c"]).action("d").axioms(axioms).build().unwrap()
    }

    /// The usual forms of axioms, and some others.
    const AXIOMS: [&str; 12] = [
        "a -> b",
        "!(a & b)",
        "a | b",
        "a",
        "!a",
        "!(a & !a)",
        "a -> (b | !c)",
        "(a | b) -> c",
        "a <-> b",
        "a xor b",
        "1",
        "!(!(a -> b) & c)",
    ];

    proptest! {
        /// The broken axiom is the first one that is false in the state, for every action.
        #[test]
        fn the_first_false_axiom_is_broken(
            axioms in prop::sample::subsequence(AXIOMS.to_vec(), 0..=AXIOMS.len()).prop_shuffle(),
            state in 0..16u16,
        ) {
            let vocabulary = vocabulary(&axioms);
            let state: PropSet = (0..4).filter(|bit| state >> bit & 1 == 1).map(PropId).collect();
            let holds = |name: &str| state.contains(vocabulary.id(name).unwrap());
            let first = vocabulary.axioms().iter().find(|axiom| !axiom.formula.holds_where(&holds));
            prop_assert_eq!(vocabulary.broken_axiom(&state), first);
        }
    }

    #[test]
    fn what_a_vocabulary_derives_is_checked_too() {
        let derived = |name: &str, text: &str| crate::Proposition::derived(name, text.parse().unwrap(), None);
        let more = [derived("four", "i[*_log] >= 4"), derived("five", "i[*_log] >= 5")];
        let vocabulary = vocabulary(&["a -> b"]).extended(more).unwrap();
        let broken = |names: &[&str]| {
            let state = vocabulary.set(names.iter().copied()).unwrap();
            vocabulary.broken_axiom(&state).map(ToString::to_string)
        };
        assert_eq!(broken(&["five"]), Some("five -> four".to_owned()));
        assert_eq!((broken(&["five", "four"]), broken(&["a"])), (None, Some("a -> b".to_owned())));
    }

    #[test]
    fn reasons_are_quoted_and_make_no_difference() {
        let plain = Axiom::new(parse_infix("a -> b").unwrap());
        let told = plain.clone().because("All are.");
        assert_eq!((plain.quoted().as_str(), told.quoted().as_str()), ("`a -> b`", "`a -> b` (All are)"));
        assert_eq!((plain == told, told.to_string()), (true, "a -> b".to_owned()));
    }
}

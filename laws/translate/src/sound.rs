//! What every translation is held to: known propositions, satisfiable, not valid.

use ltlcrit_verifier::Formula;
use ltlcrit_verifier::consistency::{AnyLaws, Beginning, DEFAULT_WORK, Satisfiability};

use crate::engine::Refusal;
use crate::lexicon::Lexicon;

/// Checks that a formula says something and can be obeyed.
///
/// # Errors
/// A proposition that the lexicon does not have, or a formula that no run or every run satisfies.
pub fn check(formula: &Formula, lexicon: &Lexicon) -> Result<(), Refusal> {
    let unknown = formula.atoms().into_iter().find(|atom| lexicon.term(atom).is_none());
    if let Some(unknown) = unknown {
        return Err(Refusal::Engine { why: format!("`{unknown}` is not a proposition of `{}`", lexicon.name()) });
    }
    let text = || formula.to_string();
    let vocabulary = lexicon.vocabulary_of(&formula.atoms()).map_err(|_| Refusal::Undecided { formula: text() })?;
    let mut laws =
        AnyLaws::new(&vocabulary, std::slice::from_ref(formula)).map_err(|_| Refusal::Undecided { formula: text() })?;
    match laws.satisfiable(&[0], Beginning::AnyAction, DEFAULT_WORK) {
        Satisfiability::Satisfiable { .. } => {}
        Satisfiability::Contradictory { .. } => return Err(Refusal::Unsatisfiable { formula: text() }),
        Satisfiability::Undecided => return Err(Refusal::Undecided { formula: text() }),
    }
    match laws.violable(0, DEFAULT_WORK) {
        Satisfiability::Satisfiable { .. } => Ok(()),
        Satisfiability::Contradictory { .. } => Err(Refusal::Valid { formula: text() }),
        Satisfiability::Undecided => Err(Refusal::Undecided { formula: text() }),
    }
}

/// Whether two formulas are satisfied by the same runs: `None` if that is not decided.
pub fn equivalent(a: &Formula, b: &Formula, lexicon: &Lexicon) -> Option<bool> {
    let names = a.atoms().into_iter().chain(b.atoms()).collect();
    // Axioms of the world do not make two sentences the same.
    let vocabulary = lexicon.without_axioms().vocabulary_of(&names).ok()?;
    let differ = a.clone().iff(b.clone());
    let mut laws = AnyLaws::new(&vocabulary, &[differ]).ok()?;
    match laws.violable(0, DEFAULT_WORK) {
        Satisfiability::Contradictory { .. } => Some(true),
        Satisfiability::Satisfiable { .. } => Some(false),
        Satisfiability::Undecided => None,
    }
}

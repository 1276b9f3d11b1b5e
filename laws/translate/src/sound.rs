//! Soundness checks of every translation: known propositions, satisfiable, not valid.

use ltlcrit_verifier::Formula;
use ltlcrit_verifier::consistency::{AnyLaws, Beginning, DEFAULT_WORK, Satisfiability};

use crate::engine::Refusal;
use crate::lexicon::Lexicon;
use crate::main_clause::{Times, take_bound, times};
use crate::pattern::Pattern;
use crate::recognise::recognise;
use crate::words::{Token, tokens};

/// Checks that a formula is satisfiable and not valid.
///
/// # Errors
/// A proposition that the lexicon does not have, or a formula that no run or every run satisfies.
pub fn check(formula: &Formula, lexicon: &Lexicon) -> Result<(), Refusal> {
    let unknown = formula.atoms().into_iter().find(|atom| lexicon.term(atom).is_none());
    if let Some(unknown) = unknown {
        return Err(Refusal::Engine { why: format!("`{unknown}` is not a proposition of `{}`", lexicon.name()) });
    }
    let text = || formula.to_string();
    let undecided = || Refusal::Undecided { formula: text() };
    let vocabulary = lexicon.vocabulary_of(&formula.atoms()).map_err(|_| undecided())?;
    let mut laws = AnyLaws::new(&vocabulary, std::slice::from_ref(formula)).map_err(|_| undecided())?;
    match laws.satisfiable(&[0], Beginning::AnyAction, DEFAULT_WORK) {
        Satisfiability::Satisfiable { .. } => {}
        Satisfiability::Contradictory { .. } => return Err(Refusal::Unsatisfiable { formula: text() }),
        Satisfiability::Undecided => return Err(undecided()),
    }
    match laws.violable(0, DEFAULT_WORK) {
        Satisfiability::Satisfiable { .. } => Ok(()),
        Satisfiability::Contradictory { .. } => Err(Refusal::Valid { formula: text() }),
        Satisfiability::Undecided => Err(undecided()),
    }
}

/// Checks that each number in the text is a number of times of the formula, or part of a proposition's meaning.
///
/// # Errors
/// A number of times that is ambiguous, or that the formula does not express.
pub(crate) fn check_counts(text: &str, formula: &Formula, lexicon: &Lexicon) -> Result<(), Refusal> {
    let wrong = |why: String| Refusal::NotUnderstood { segment: text.to_owned(), why: Some(why) };
    let unclear = || wrong("how often is not plain".to_owned());
    let mut words = tokens(text);
    let atoms = formula.atoms();
    let meant = atoms.iter().filter_map(|atom| lexicon.term(atom));
    let meant = meant.flat_map(|term| tokens(&format!("{} {}", term.meaning, term.name.replace(['_', 'x'], " "))));
    let meant: Vec<Token> = meant.collect();
    let next = |words: &mut Vec<Token>| -> Result<Option<Times>, Refusal> {
        if let Some(times) = times(words).ok_or_else(unclear)? {
            return Ok(Some(times));
        }
        let is_count =
            |word: &Token| word.text.parse::<u32>().is_ok() && !meant.iter().any(|known| known.text == word.text);
        let Some(at) = words.iter().position(is_count) else { return Ok(None) };
        let number = words.remove(at).text.parse().unwrap_or_default();
        take_bound(words, at, number).ok_or_else(unclear).map(Some)
    };
    let is_action = |name: &str| lexicon.is_action(name);
    while let Some(Times { least, most, is_bare }) = next(&mut words)? {
        let says_nothing = least <= 1 && (is_bare || most.is_none());
        let counts = |most| {
            let is = |of| Pattern::Count { of: Formula::Atom(of), least, most }.formula(&is_action);
            let is_same = |count: Formula| equivalent(formula, &count, lexicon) == Some(true);
            counted(formula, (least, most), &is_action) || atoms.iter().cloned().filter_map(is).any(is_same)
        };
        if !says_nothing && !counts(most) && !(is_bare && counts(None)) {
            return Err(wrong(format!("`{formula}` does not count to {}", most.unwrap_or(least))));
        }
    }
    Ok(())
}

/// Returns whether a part of a formula counts within these bounds.
fn counted(formula: &Formula, bounds: (u32, Option<u32>), is_action: &dyn Fn(&str) -> bool) -> bool {
    let is = |pattern: &Pattern| matches!(pattern, Pattern::Count { least, most, .. } if (*least, *most) == bounds);
    recognise(formula, is_action).is_some_and(|all| all.iter().any(is))
        || match formula {
            // A negation inverts the bounds.
            Formula::Not(_) => false,
            Formula::Implies(_, then) => counted(then, bounds, is_action),
            other => other.children().any(|child| counted(child, bounds, is_action)),
        }
}

/// Returns whether the same runs satisfy two formulas; `None` if it is undecided.
pub fn equivalent(a: &Formula, b: &Formula, lexicon: &Lexicon) -> Option<bool> {
    let names = a.atoms().into_iter().chain(b.atoms()).collect();
    // The axioms of the world must not make two sentences equivalent.
    let vocabulary = lexicon.without_axioms().vocabulary_of(&names).ok()?;
    let differ = a.clone().iff(b.clone());
    let mut laws = AnyLaws::new(&vocabulary, &[differ]).ok()?;
    match laws.violable(0, DEFAULT_WORK) {
        Satisfiability::Contradictory { .. } => Some(true),
        Satisfiability::Satisfiable { .. } => Some(false),
        Satisfiability::Undecided => None,
    }
}

//! The definition: LTLf truth on a finite word, written for clarity. Everything else is tested against it.
//!
//! No production path uses this module.

use crate::formula::Formula;

/// Whether `formula` holds at `position` of a word of `length` letters, where `holds(name, position)` says
/// whether a proposition is in the letter at a position.
///
/// A position at or past the end is *outside* the word: there weak operators (`X`, `G`, `W`, `R`) are true and strong
/// ones (`X[!]`, `F`, `U`, `M`) and atoms false, which makes the empty word well defined.
pub fn holds_at(formula: &Formula, position: usize, length: usize, holds: &dyn Fn(&str, usize) -> bool) -> bool {
    use Formula::*;
    let at = |formula: &Formula, position: usize| holds_at(formula, position, length, holds);
    let later = position..length;
    match formula {
        True => true,
        False => false,
        Atom(name) => position < length && holds(name, position),
        Not(a) => !at(a, position),
        And(a, b) => at(a, position) && at(b, position),
        Or(a, b) => at(a, position) || at(b, position),
        Implies(a, b) => !at(a, position) || at(b, position),
        Iff(a, b) => at(a, position) == at(b, position),
        Xor(a, b) => at(a, position) != at(b, position),
        Next(a) => position + 1 >= length || at(a, position + 1),
        StrongNext(a) => position + 1 < length && at(a, position + 1),
        Globally(a) => later.clone().all(|i| at(a, i)),
        Finally(a) => later.clone().any(|i| at(a, i)),
        Until(a, b) => later.clone().any(|i| at(b, i) && (position..i).all(|j| at(a, j))),
        WeakUntil(a, b) => {
            later.clone().all(|i| at(a, i)) || later.clone().any(|i| at(b, i) && (position..i).all(|j| at(a, j)))
        }
        // b holds at every position not preceded by a position where a holds.
        Release(a, b) => later.clone().all(|i| at(b, i) || (position..i).any(|j| at(a, j))),
        StrongRelease(a, b) => later.clone().any(|i| at(a, i) && (position..=i).all(|j| at(b, j))),
    }
}

/// Whether a word, given letter by letter as lists of the propositions that hold, satisfies a formula.
pub fn satisfies(formula: &Formula, word: &[Vec<&str>]) -> bool {
    holds_at(formula, 0, word.len(), &|name, position| word[position].contains(&name))
}

//! Brute force from the definition alone: every relevant continuation, found with only `semantics`.
//!
//! Two non-empty continuations are equivalent if they begin with the same letter and agree, after every past, on every
//! subformula that an earlier position can ask about. Two pasts are equivalent if they agree on every subformula about
//! the past. There are finitely many classes. Prepending a letter to one member of each class
//! until there is no new class visits all of them. That is exhaustive backward reachability, without residuals,
//! automata or solvers.

use std::collections::HashSet;

use ltlcrit_verifier::semantics::holds_at;
use ltlcrit_verifier::{ActionId, Formula, LawId, Letter, PropSet, Shield, Vocabulary};

/// Returns whether a word satisfies a formula, by the definition.
pub fn satisfies(formula: &Formula, word: &[Letter], vocabulary: &Vocabulary) -> bool {
    truth(formula, word, vocabulary)
}

fn truth(formula: &Formula, word: &[Letter], vocabulary: &Vocabulary) -> bool {
    truth_at(formula, 0, word, vocabulary)
}

fn truth_at(formula: &Formula, position: usize, word: &[Letter], vocabulary: &Vocabulary) -> bool {
    holds_at(formula, position, word.len(), &|name, position| word[position].holds(vocabulary.id(name).unwrap()))
}

/// Collects the subformulas on whose truth at the position before this one depends.
fn asked_of_past(formula: &Formula, asked: &mut HashSet<Formula>) {
    use Formula::*;
    match formula {
        Yesterday(a) | WeakYesterday(a) => {
            asked.insert((**a).clone());
        }
        Once(_) | Historically(_) | Since(..) => {
            asked.insert(formula.clone());
        }
        _ => {}
    }
    formula.children().for_each(|child| asked_of_past(child, asked));
}

/// Returns one past of each class, the empty one first.
fn pasts(laws: &[&Formula], letters: &[Letter], vocabulary: &Vocabulary) -> Vec<Vec<Letter>> {
    let mut asked = HashSet::new();
    laws.iter().for_each(|law| asked_of_past(law, &mut asked));
    let (mut found, mut kinds) = (vec![Vec::new()], HashSet::new());
    let mut position = 0;
    while position < found.len() && !asked.is_empty() {
        let initial = letters.iter().filter(|_| position == 0).map(|it| Letter::initial(it.observations(vocabulary)));
        for letter in letters.iter().copied().chain(initial) {
            let word: Vec<Letter> = found[position].iter().copied().chain([letter]).collect();
            let kind = asked.iter().map(|formula| truth_at(formula, word.len() - 1, &word, vocabulary));
            if kinds.insert(kind.collect::<Vec<bool>>()) {
                found.push(word);
            }
        }
        position += 1;
    }
    found
}

/// Collects the subformulas whose truth at the next position this one depends on.
fn asked_of_next(formula: &Formula, asked: &mut HashSet<Formula>) {
    use Formula::*;
    match formula {
        Next(a) | StrongNext(a) => {
            asked.insert((**a).clone());
        }
        Globally(_) | Finally(_) | Until(..) | WeakUntil(..) | Release(..) | StrongRelease(..) => {
            asked.insert(formula.clone());
        }
        FinallyWithin(number, a) => asked.extend((0..*number).map(|number| (**a).clone().finally_within(number))),
        GloballyWithin(number, a) => asked.extend((0..*number).map(|number| (**a).clone().globally_within(number))),
        AtLeast(number, a) => asked.extend((0..=*number).map(|number| (**a).clone().at_least(number))),
        AtMost(number, a) => asked.extend((0..=*number).map(|number| (**a).clone().at_most(number))),
        _ => {}
    }
    formula.children().for_each(|child| asked_of_next(child, asked));
}

/// Returns one continuation of each class, for some laws; `None` if there are more than `most` classes.
pub fn continuations(
    laws: &[&Formula],
    letters: &[Letter],
    follows: &dyn Fn(&Letter, &Letter) -> bool,
    vocabulary: &Vocabulary,
    most: usize,
) -> Option<Vec<Vec<Letter>>> {
    let mut asked = HashSet::new();
    for law in laws {
        asked_of_next(law, &mut asked);
        // A law can also begin with the continuation.
        asked.insert((*law).clone());
    }
    let asked: Vec<Formula> = asked.into_iter().collect();
    let pasts = pasts(laws, letters, vocabulary);
    let kind = |word: &[Letter]| -> (Letter, Vec<bool>) {
        let after = |past: &Vec<Letter>| -> Vec<bool> {
            let whole = [past, word].concat();
            asked.iter().map(|formula| truth_at(formula, past.len(), &whole, vocabulary)).collect()
        };
        (word[0], pasts.iter().flat_map(after).collect())
    };
    let mut found: Vec<Vec<Letter>> = Vec::new();
    let mut kinds = HashSet::new();
    for &letter in letters {
        if kinds.insert(kind(&[letter])) {
            found.push(vec![letter]);
        }
    }
    let mut position = 0;
    while position < found.len() {
        for &letter in letters {
            if follows(&letter, &found[position][0]) {
                let word: Vec<Letter> = std::iter::once(letter).chain(found[position].iter().copied()).collect();
                if kinds.insert(kind(&word)) {
                    if found.len() >= most {
                        return None;
                    }
                    found.push(word);
                }
            }
        }
        position += 1;
    }
    Some(found)
}

/// Returns every letter with one action and observations that the axioms allow.
pub fn letters(vocabulary: &Vocabulary) -> Vec<Letter> {
    let states = states(vocabulary);
    if vocabulary.actions().is_empty() {
        return states.into_iter().map(Letter::initial).collect();
    }
    vocabulary
        .action_ids()
        .flat_map(|action| states.iter().map(move |state| (action, *state)))
        .map(|(action, state)| Letter::after(vocabulary, action, state))
        .collect()
}

/// Returns every set of observations that the axioms allow.
pub fn states(vocabulary: &Vocabulary) -> Vec<PropSet> {
    let count = vocabulary.observations().len();
    (0..1u32 << count)
        .map(|code| (0..count as u16).filter(|bit| code >> bit & 1 == 1).map(ltlcrit_verifier::PropId).collect())
        .filter(|state| {
            vocabulary.axioms().iter().all(|axiom| truth(&axiom.formula, &[Letter::initial(*state)], vocabulary))
        })
        .collect()
}

/// Returns a vocabulary of two observations and two actions besides stopping.
pub fn small(axioms: Vec<Formula>) -> Vocabulary {
    Vocabulary::builder("small").observations(["p", "q"]).actions(["a", "b"]).axioms(axioms).build().unwrap()
}

/// Gives the letter of a step to a shield; returns the laws that it breaks.
pub fn read(shield: &mut Shield, letter: Letter) -> Vec<LawId> {
    let (action, observations) = letter.taken(shield.vocabulary()).unwrap();
    shield.step(action, observations).unwrap()
}

/// Returns the observations of a letter and its action.
pub fn parts(letter: &Letter, vocabulary: &Vocabulary) -> (PropSet, Option<ActionId>) {
    (letter.observations(vocabulary), letter.action(vocabulary))
}

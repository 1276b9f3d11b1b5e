//! Laws with a planted word: one word of letters that satisfies them all.
//!
//! The laws are the specification patterns of Dwyer, Avrunin and Corbett ("Patterns in property specifications for
//! finite-state verification", ICSE 1999) in five scopes, and `G(p -> X !a)`.

use std::sync::Arc;

use ltlcrit_verifier::semantics::holds_at;
use ltlcrit_verifier::{ActionId, Formula, Law, Letter, Prediction, PropId, PropSet, Vocabulary};
use rand::RngExt;

use super::{Random, numbered_vocabulary, random};

const OBSERVATIONS: usize = 30;
const ACTIONS: usize = 20;
/// The number of letters of a planted word.
const LETTERS: usize = 40;
/// The probability that an observation holds at a letter of the planted word.
const DENSITY: f64 = 0.2;
/// The number of draws of observations that a prediction leaves open.
const OPEN: usize = 4;
/// The probability that an atom of a pattern is an observation.
const OBSERVED: f64 = 0.6;

fn atom(random: &mut Random) -> Formula {
    if random.random_bool(OBSERVED) { observation(random) } else { action(random) }
}

fn observation(random: &mut Random) -> Formula {
    Formula::atom(format!("obs_{}", random.random_range(0..OBSERVATIONS)))
}

fn action(random: &mut Random) -> Formula {
    Formula::atom(format!("action_{}", random.random_range(0..ACTIONS)))
}

/// The requirement of a pattern between the borders of its scope.
#[derive(Clone, Copy)]
enum Pattern {
    Absence,
    Existence,
    Universality,
    Response,
    Precedence,
}

/// Returns a pattern over `p` and `s` up to, but not including, the first `end`, if there is one.
fn until(pattern: Pattern, p: Formula, s: Formula, end: Formula, weak: bool) -> Formula {
    let to = |a: Formula, b: Formula| if weak { a.weak_until(b) } else { a.until(b) };
    match pattern {
        Pattern::Absence => to(p.not(), end),
        Pattern::Existence => {
            let found = p.and(end.clone().not());
            if weak { end.not().until(found) } else { end.not().weak_until(found) }
        }
        Pattern::Universality => to(p, end),
        Pattern::Response => to(p.implies(end.clone().not().until(s.and(end.clone().not()))), end),
        Pattern::Precedence => to(p.not(), s.or(end)),
    }
}

/// Returns a pattern over `p` and `s` from the current letter on.
fn onwards(pattern: Pattern, p: Formula, s: Formula) -> Formula {
    match pattern {
        Pattern::Absence => p.not().globally(),
        Pattern::Existence => p.finally(),
        Pattern::Universality => p.globally(),
        Pattern::Response => p.implies(s.finally()).globally(),
        Pattern::Precedence => p.not().weak_until(s),
    }
}

/// Draws a random pattern in a random scope.
fn dwyer(random: &mut Random) -> Formula {
    use Pattern::*;
    let pattern = [Absence, Existence, Universality, Response, Precedence][random.random_range(0..5)];
    let [p, s, q, r] = [(); 4].map(|()| atom(random));
    match random.random_range(0..20_u32).saturating_sub(15) {
        // Global.
        0 => onwards(pattern, p, s),
        // Before `r`.
        1 => r.clone().finally().implies(until(pattern, p, s, r, false)),
        // After `q`.
        2 => match pattern {
            Existence | Precedence => q.clone().not().globally().or(q.and(onwards(pattern, p, s)).finally()),
            Absence | Universality | Response => q.implies(onwards(pattern, p, s)).globally(),
        },
        // Between `q` and `r`.
        3 => {
            let between = q.and(r.clone().not()).and(r.clone().finally());
            between.implies(until(pattern, p, s, r, false)).globally()
        }
        // After `q` until `r`.
        _ => q.and(r.clone().not()).implies(until(pattern, p, s, r, true)).globally(),
    }
}

/// Returns laws over 30 observations and 20 actions, and a planted word that satisfies them. Its first letter has no
/// action.
pub fn laws(count: usize, seed: u64) -> (Arc<Vocabulary>, Vec<Letter>, Vec<Law>) {
    let mut random = random(seed);
    let vocabulary = Arc::new(numbered_vocabulary("planted", OBSERVATIONS, ACTIONS));
    let word: Vec<Letter> = (0..LETTERS)
        .map(|position| {
            let draw = |_: &u16| random.random_bool(DENSITY);
            let observations = (0..OBSERVATIONS as u16).filter(draw).map(PropId).collect();
            match position {
                0 => Letter::initial(observations),
                _ => Letter::after(&vocabulary, ActionId(random.random_range(0..ACTIONS) as u16), observations),
            }
        })
        .collect();
    let holds = |name: &str, position: usize| word[position].holds(vocabulary.id(name).unwrap());
    let mut laws: Vec<Law> = Vec::with_capacity(count);
    while laws.len() < count {
        let formula = match random.random_range(0..6) {
            0 => observation(&mut random).implies(action(&mut random).not().next()).globally(),
            _ => dwyer(&mut random),
        };
        if holds_at(&formula, 0, word.len(), &holds) && laws.iter().all(|law| law.formula != formula) {
            laws.push(Law::hard(format!("law-{}", laws.len()), formula, ""));
        }
    }
    (vocabulary, word, laws)
}

/// Returns a prediction for each letter of a word but the last: the observations of the next one, [`OPEN`] of them
/// open.
pub fn predictions(vocabulary: &Vocabulary, word: &[Letter], seed: u64) -> Vec<Prediction> {
    let mut random = random(seed);
    let predicted = |next: &Letter| {
        let observations = next.observations(vocabulary);
        let open: PropSet = (0..OPEN).map(|_| PropId(random.random_range(0..OBSERVATIONS as u16))).collect();
        Prediction::exactly(observations).without(&open)
    };
    word[1..].iter().map(predicted).collect()
}

/// Returns `count` goals, one for each action, without other laws.
pub fn goals(count: usize) -> (Arc<Vocabulary>, Vec<Law>) {
    let vocabulary = Arc::new(numbered_vocabulary("goals", 0, ACTIONS));
    let goal = |number| Law::hard(format!("goal-{number}"), Formula::atom(format!("action_{number}")).finally(), "");
    (vocabulary, (0..count).map(goal).collect())
}

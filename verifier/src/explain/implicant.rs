//! The least part of a letter that makes a guarded law bite.

use crate::formula::Formula;
use crate::guarded::{GuardedLaw, recognise_all};
use crate::letter::Letter;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// The propositions whose truth in `now` alone makes a law of the form `G(phi_s -> X phi_a)` forbid `action`; none of them
/// can be left out. Empty if the law does not forbid it now; `None` if the law is not of that form.
pub(super) fn trigger(
    formula: &Formula,
    vocabulary: &Vocabulary,
    now: &Letter,
    action: ActionId,
) -> Option<Vec<PropId>> {
    let laws = recognise_all(formula, vocabulary).ok()?;
    let holds = |name: &str| vocabulary.id(name).is_some_and(|id| now.holds(id));
    let acted = |name: &str| vocabulary.action(name) == Some(action);
    let bites = |law: &&GuardedLaw| {
        truth(&law.guard, &|name| Some(holds(name))) == Some(true)
            && truth(&law.demand, &|name| Some(acted(name))) == Some(false)
    };
    Some(laws.iter().find(bites).map_or_else(Vec::new, |law| least(&law.guard, vocabulary, now)))
}

/// Leaves out one proposition after the other, as long as the guard holds whatever those left out are.
fn least(guard: &Formula, vocabulary: &Vocabulary, now: &Letter) -> Vec<PropId> {
    let mut kept: Vec<PropId> = guard.atoms().iter().filter_map(|name| vocabulary.id(name)).collect();
    kept.sort_unstable();
    for candidate in kept.clone().into_iter().rev() {
        let value =
            |name: &str| vocabulary.id(name).filter(|id| *id != candidate && kept.contains(id)).map(|id| now.holds(id));
        if truth(guard, &value) == Some(true) {
            kept.retain(|id| *id != candidate);
        }
    }
    kept
}

/// The truth of a Boolean formula where some propositions are open, after Kleene: an answer holds however they turn out.
fn truth(formula: &Formula, value: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let go = |formula: &Formula| truth(formula, value);
    let and = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    let not = |a: Option<bool>| a.map(|a| !a);
    match formula {
        Formula::True => Some(true),
        Formula::False => Some(false),
        Formula::Atom(name) => value(name),
        Formula::Not(a) => not(go(a)),
        Formula::And(a, b) => and(go(a), go(b)),
        Formula::Or(a, b) => not(and(not(go(a)), not(go(b)))),
        Formula::Implies(a, b) => not(and(go(a), not(go(b)))),
        Formula::Iff(a, b) => go(a).zip(go(b)).map(|(a, b)| a == b),
        Formula::Xor(a, b) => go(a).zip(go(b)).map(|(a, b)| a != b),
        _ => None,
    }
}

//! The least part of a letter that triggers a guarded law: a prime implicant of its guard.

use crate::formula::Formula;
use crate::guarded::{GuardedLaw, recognise_all};
use crate::letter::Letter;
use crate::minimise::minimal_subset;
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
    let triggered = |law: &&GuardedLaw| {
        truth(&law.guard, &|name| Some(holds(name))) == Some(true)
            && truth(&law.demand, &|name| Some(acted(name))) == Some(false)
    };
    Some(laws.iter().find(triggered).map_or_else(Vec::new, |law| least(&law.guard, vocabulary, now)))
}

/// A prime implicant of the guard among what holds now: the guard holds whatever the propositions left out are. The last
/// ones are left out first.
fn least(guard: &Formula, vocabulary: &Vocabulary, now: &Letter) -> Vec<PropId> {
    let mut mentioned: Vec<PropId> = guard.atoms().iter().filter_map(|name| vocabulary.id(name)).collect();
    mentioned.sort_unstable_by(|a, b| b.cmp(a));
    let mut kept = minimal_subset(mentioned, |rest| {
        let value = |name: &str| vocabulary.id(name).filter(|id| rest.contains(id)).map(|id| now.holds(id));
        (truth(guard, &value) == Some(true)).then(|| rest.to_vec())
    });
    kept.reverse();
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

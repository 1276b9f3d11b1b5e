//! The minimal part of a letter that triggers a guarded law: a prime implicant of its guards.

use crate::budget::Budget;
use crate::formula::Formula;
use crate::guarded::{GuardedLaw, recognise_all};
use crate::letter::{Letter, PropSet};
use crate::minimise::minimal_subset;
use crate::sat::Sat;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// Maximum number of conflicts of the solver for one question.
const CONFLICTS: u64 = 10_000;
/// The number of the solver's variables and clauses that cost one unit of work.
const LOOKED_AT: u64 = 8;

/// The part of a letter that triggers a guarded law.
pub(super) struct Implicant {
    /// The observations of the letter that suffice.
    pub props: PropSet,
    /// True if it is proved that no observation can be left out.
    pub is_minimal: bool,
}

/// Returns observations of the letter `now` that make a law of the form `G(phi_s -> X phi_a)` forbid an action. They
/// suffice in every state that agrees with them and that the axioms allow. `None` if the law does not have that form,
/// or does not forbid the action now.
pub(super) fn implicant(
    formula: &Formula,
    vocabulary: &Vocabulary,
    now: &Letter,
    action: ActionId,
    budget: &Budget,
) -> Option<Implicant> {
    let mut parts = recognise_all(formula, vocabulary).ok()?;
    let acts = |name: &str| vocabulary.action(name) == Some(action);
    parts.retain(|part| !part.demand.holds_where(&acts));
    if !parts.iter().any(|part| part.applies(vocabulary, &now.0)) {
        return None;
    }
    // The last propositions are left out first.
    let mut mentioned: Vec<PropId> =
        parts.iter().flat_map(|part| part.guard.atoms()).filter_map(|name| vocabulary.id(&name)).collect();
    mentioned.sort_unstable_by(|a, b| b.cmp(a));
    mentioned.dedup();
    let mut guards = Guards::new(&parts, vocabulary);
    let mut is_minimal = true;
    let kept = minimal_subset(mentioned, |rest| match guards.hold(rest, now, budget) {
        Some(holds) => holds.then(|| rest.to_vec()),
        None => {
            is_minimal = false;
            None
        }
    });
    Some(Implicant { props: kept.into_iter().collect(), is_minimal })
}

/// The claim "none of these guards holds", in a solver.
struct Guards<'a> {
    sat: Sat,
    atoms: std::collections::HashMap<std::sync::Arc<str>, batsat::Lit>,
    vocabulary: &'a Vocabulary,
}

impl<'a> Guards<'a> {
    fn new(parts: &[GuardedLaw], vocabulary: &'a Vocabulary) -> Self {
        let mut sat = Sat::new(CONFLICTS);
        let atoms = sat.states(vocabulary);
        for part in parts {
            let guard = sat.literal(&part.guard, &atoms);
            sat.clause([!guard]);
        }
        Self { sat, atoms, vocabulary }
    }

    /// Returns whether one of the guards holds in every state that agrees with `now` on these observations; `None` if
    /// the budget is used up first.
    fn hold(&mut self, fixed: &[PropId], now: &Letter, budget: &Budget) -> Option<bool> {
        if !budget.try_spend(1 + self.sat.size() / LOOKED_AT) {
            return None;
        }
        let literal = |id: &PropId| {
            let literal = *self.atoms.get(self.vocabulary.name_of(*id))?;
            Some(if now.holds(*id) { literal } else { !literal })
        };
        let assumptions: Vec<_> = fixed.iter().filter_map(literal).collect();
        self.sat.solve(&assumptions).ok().map(|can_hold| !can_hold)
    }
}

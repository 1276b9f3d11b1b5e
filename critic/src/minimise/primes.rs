//! All prime implicants of one state: the minimal sets of its literals that leave out every state on the other side.

use ltlcrit_verifier::{PropId, PropSet};

/// The most primes of one state that are kept; cheap literals are tried first.
const MOST_PRIMES: usize = 4_096;
/// The most steps of the search.
const MOST_STEPS: usize = 200_000;

/// The primes of a state.
pub(super) struct Primes {
    /// Which propositions each speaks of; the signs are the state's.
    pub sets: Vec<PropSet>,
    /// Whether these are all.
    pub complete: bool,
}

/// The primes of a state that is not among those on the other side. Cheap literals are tried first.
pub(super) fn primes(state: &PropSet, off: &[PropSet], costs: &[u32]) -> Primes {
    let differences =
        minimal(off.iter().map(|other| state.difference(other).union(&other.difference(state))).collect());
    let mut search = Search { differences, costs, steps: 0, found: Vec::new(), complete: true };
    // Only literals that tell something apart.
    search.extend(PropSet::EMPTY, PropSet::EMPTY);
    Primes { sets: search.found, complete: search.complete }
}

/// The sets that contain no other of them.
fn minimal(mut sets: Vec<PropSet>) -> Vec<PropSet> {
    sets.sort_unstable_by_key(|set| (set.len(), *set));
    sets.dedup();
    let mut kept: Vec<PropSet> = Vec::new();
    for set in sets {
        if !kept.iter().any(|smaller| smaller.is_subset(&set)) {
            kept.push(set);
        }
    }
    kept
}

struct Search<'a> {
    differences: Vec<PropSet>,
    costs: &'a [u32],
    steps: usize,
    found: Vec<PropSet>,
    complete: bool,
}

impl Search<'_> {
    /// Extends a choice of literals, without those ruled out, until it hits every difference. Each set is reached once:
    /// a literal is ruled out once everything with it has been looked at.
    fn extend(&mut self, chosen: PropSet, ruled_out: PropSet) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.found.len() >= MOST_PRIMES {
            self.complete = false;
            return;
        }
        // The difference with the fewest literals left to choose from.
        let open = self
            .differences
            .iter()
            .filter(|difference| difference.intersection(&chosen).is_empty())
            .map(|difference| difference.difference(&ruled_out))
            .min_by_key(PropSet::len);
        let Some(open) = open else {
            self.found.push(chosen);
            return;
        };
        let mut literals: Vec<PropId> = open.iter().collect();
        literals.sort_by_key(|literal| (self.costs.get(usize::from(literal.0)).copied().unwrap_or(1), *literal));
        let mut ruled_out = ruled_out;
        for literal in literals {
            let mut more = chosen;
            more.insert(literal);
            if self.needs_each(&more) {
                self.extend(more, ruled_out);
            }
            ruled_out.insert(literal);
        }
    }

    /// Whether every literal is the only one to hit some difference; otherwise no extension is minimal.
    fn needs_each(&self, chosen: &PropSet) -> bool {
        chosen.iter().all(|literal| {
            self.differences.iter().any(|difference| difference.intersection(chosen) == PropSet::one(literal))
        })
    }
}

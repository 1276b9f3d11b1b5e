//! Exact two-level Boolean minimisation: from states where something should hold and states where it should not to the
//! fewest conjunctions, and among those to the ones with the cheapest literals. States never seen may fall on either side.
//!
//! The two steps are those of Quine and McCluskey, made for few known states among very many possible ones. First all prime
//! implicants of each state that should be covered: a conjunction of literals of that state leaves out every state on the
//! other side iff it has, for each of those, a literal in which the two differ, so primes are the minimal sets that hit all
//! such differences ([`primes`]). Then the cheapest choice of primes that covers everything ([`cover`]).
//!
//! ```
//! use ltlcrit_critic::minimise::{Examples, minimise};
//! use ltlcrit_verifier::{PropId, PropSet};
//!
//! let state = |bits: &[u16]| bits.iter().map(|bit| PropId(*bit)).collect::<PropSet>();
//! // It rains (0) or it is cold (1), with or without wind (2).
//! let on = [(state(&[0]), 1), (state(&[0, 2]), 1), (state(&[1, 2]), 1)];
//! let off = [state(&[]), state(&[2])];
//! let cover = minimise(&Examples { on: &on, off: &off, costs: &[1, 1, 1] });
//! assert!(cover.exact);
//! let literals: Vec<_> = cover.cubes.iter().map(|found| (found.cube.positive, found.cube.negative)).collect();
//! assert_eq!(literals, [(state(&[0]), state(&[])), (state(&[1]), state(&[]))]);
//! ```

mod cover;
mod primes;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ltlcrit_verifier::{Formula, PropId, PropSet, Vocabulary};

/// A conjunction of literals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cube {
    /// The propositions that must hold.
    pub positive: PropSet,
    /// The propositions that must not hold.
    pub negative: PropSet,
}

impl Cube {
    /// The conjunction of those literals of a state that speak of these propositions.
    pub fn of(state: &PropSet, about: &PropSet) -> Self {
        Self { positive: state.intersection(about), negative: about.difference(state) }
    }

    /// Adds a literal.
    pub fn insert(&mut self, prop: PropId, holds: bool) {
        if holds { &mut self.positive } else { &mut self.negative }.insert(prop);
    }

    /// Whether a literal is part of it.
    pub fn has(&self, prop: PropId, holds: bool) -> bool {
        if holds { &self.positive } else { &self.negative }.contains(prop)
    }

    /// The literals of both.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        Self {
            positive: self.positive.intersection(&other.positive),
            negative: self.negative.intersection(&other.negative),
        }
    }

    /// The conjunction of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self { positive: self.positive.union(&other.positive), negative: self.negative.union(&other.negative) }
    }

    /// Whether it holds in a state.
    pub fn holds(&self, state: &PropSet) -> bool {
        self.positive.is_subset(state) && self.negative.intersection(state).is_empty()
    }

    /// The number of literals.
    pub fn len(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    /// Whether it has no literal, and so always holds.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The literals, by proposition: whether it must hold or must not.
    pub fn literals(&self) -> impl Iterator<Item = (PropId, bool)> + use<> {
        let positive = self.positive;
        self.positive.union(&self.negative).iter().map(move |prop| (prop, positive.contains(prop)))
    }

    /// The conjunction as a formula.
    pub fn formula(&self, vocabulary: &Vocabulary) -> Formula {
        let literal = |(prop, holds): (PropId, bool)| {
            let atom = Formula::Atom(vocabulary.name_of(prop).into());
            if holds { atom } else { atom.not() }
        };
        self.literals().map(literal).reduce(Formula::and).unwrap_or(Formula::True)
    }

    fn cost(&self, costs: &[u32]) -> u32 {
        self.literals().map(|(prop, _)| costs.get(usize::from(prop.0)).copied().unwrap_or(1)).sum()
    }
}

impl FromIterator<(PropId, bool)> for Cube {
    fn from_iter<I: IntoIterator<Item = (PropId, bool)>>(literals: I) -> Self {
        let mut cube = Self::default();
        for (prop, holds) in literals {
            if holds { &mut cube.positive } else { &mut cube.negative }.insert(prop);
        }
        cube
    }
}

/// The states in which a condition is known to hold or not.
#[derive(Clone, Copy, Debug)]
pub struct Examples<'a> {
    /// States where it holds, each with how much it weighs: of two conditions as good, the one that covers more is taken.
    pub on: &'a [(PropSet, u32)],
    /// States where it does not. A state on both sides counts as one of these.
    pub off: &'a [PropSet],
    /// The cost of a literal, by proposition; only propositions with a cost are used.
    pub costs: &'a [u32],
}

/// A conjunction found, and what it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The conjunction.
    pub cube: Cube,
    /// The states of [`Examples::on`] in which it holds, by index.
    pub covers: Vec<usize>,
}

/// Conjunctions that together hold in every state they should hold in, and in none they should not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The conjunctions, those that cover most first.
    pub cubes: Vec<Found>,
    /// Whether it is proven that fewer, or the same number with cheaper literals, will not do.
    pub exact: bool,
}

/// The fewest, and among those the cheapest, conjunctions that hold in every `on` state and in no `off` state.
pub fn minimise(examples: &Examples<'_>) -> Cover {
    let about = PropSet::first(examples.costs.len());
    let mut off: Vec<PropSet> = examples.off.iter().map(|state| state.intersection(&about)).collect();
    off.sort_unstable();
    off.dedup();
    let on: Vec<(usize, PropSet)> = examples
        .on
        .iter()
        .map(|(state, _)| state.intersection(&about))
        .enumerate()
        .filter(|(_, state)| off.binary_search(state).is_err())
        .collect();
    let mut exact = true;
    let mut cubes: BTreeMap<Cube, Vec<usize>> = BTreeMap::new();
    for (_, state) in &on {
        // Most states have the primes of one seen before.
        let primes = primes::primes(state, &off, examples.costs);
        exact &= primes.complete;
        for about in primes.sets {
            cubes.entry(Cube::of(state, &about)).or_default();
        }
    }
    for (cube, covers) in &mut cubes {
        *covers = (0..on.len()).filter(|at| cube.holds(&on[*at].1)).collect();
    }
    let columns: Vec<cover::Column> = cubes
        .iter()
        .map(|(cube, covers)| cover::Column {
            cost: cube.cost(examples.costs),
            weight: covers.iter().map(|at| u64::from(examples.on[on[*at].0].1)).sum(),
            rows: covers,
        })
        .collect();
    let chosen = cover::cheapest(&columns, on.len());
    exact &= chosen.exact;
    let found = |(cube, covers): (&Cube, &Vec<usize>)| Found {
        cube: *cube,
        covers: covers.iter().map(|at| on[*at].0).collect(),
    };
    let all: Vec<(&Cube, &Vec<usize>)> = cubes.iter().collect();
    let mut cubes: Vec<Found> = chosen.columns.into_iter().map(|at| found(all[at])).collect();
    cubes.sort_by(|a, b| b.covers.len().cmp(&a.covers.len()).then_with(|| a.cube.cmp(&b.cube)));
    Cover { cubes, exact }
}

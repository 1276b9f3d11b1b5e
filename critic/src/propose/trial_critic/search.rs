//! Exact search, by branch and bound, for the condition that pays most.

use ltlcrit_verifier::{ActionId, PropId, PropSet};

use crate::cube::Cube;

/// The most conditions that one search looks at; then it ends with the best so far. Shorter ones come first.
const MAX_LOOKED_AT: usize = 1_000_000;

/// A condition under which an action is bad.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub action: ActionId,
    pub cube: Cube,
    /// The nats that it pays.
    pub score: f64,
}

/// A state with what blocking the action there pays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub state: PropSet,
    pub weight: f64,
}

/// A literal with what it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub prop: PropId,
    pub holds: bool,
    pub cost: f64,
}

/// Returns the cost of a condition's length.
pub(super) fn cost_of_length(literals: usize) -> f64 {
    (1.0 + literals as f64).ln()
}

struct Search<'a> {
    literals: &'a [Literal],
    /// For each literal the rows in which it is true, one bit a row; rows of weights above 0 come first.
    holds: Vec<Vec<u64>>,
    weights: Vec<f64>,
    /// The number of rows of weights above 0.
    bad: usize,
    most: usize,
    left: usize,
    best: Option<(f64, Cube)>,
}

/// The condition of at most so many literals, at least one, that pays most, and what it pays: the weights of the rows in which it
/// holds less its costs. `None` if no row has a weight above 0.
pub(super) fn best(rows: &[Row], literals: &[Literal], most: usize) -> Option<(f64, Cube)> {
    let (bad, good): (Vec<&Row>, Vec<&Row>) =
        rows.iter().filter(|row| row.weight != 0.0).partition(|row| row.weight > 0.0);
    let (count, rows) = (bad.len(), [bad, good].concat());
    let holds = |literal: &Literal| {
        let mut bits = vec![0u64; rows.len().div_ceil(64)];
        let held = rows.iter().enumerate().filter(|(_, row)| row.state.contains(literal.prop) == literal.holds);
        held.for_each(|(at, _)| bits[at / 64] |= 1 << (at % 64));
        bits
    };
    let mut search = Search {
        literals,
        holds: literals.iter().map(holds).collect(),
        weights: rows.iter().map(|row| row.weight).collect(),
        bad: count,
        most: 0,
        left: MAX_LOOKED_AT,
        best: None,
    };
    if count == 0 {
        return None;
    }
    let mut all = vec![0u64; rows.len().div_ceil(64)];
    (0..rows.len()).for_each(|at| all[at / 64] |= 1 << (at % 64));
    // A good condition found early bounds the longer ones.
    for length in 1..=most {
        search.most = length;
        search.extend(0, &Cube::default(), &all, 0.0);
    }
    search.best
}

impl Search<'_> {
    fn extend(&mut self, from: usize, cube: &Cube, rows: &[u64], cost: f64) {
        let length = cube.len() + 1;
        for at in from..self.literals.len() {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let (prop, holds) = (self.literals[at].prop, self.literals[at].holds);
            if cube.has(prop, !holds) {
                continue;
            }
            let fewer: Vec<u64> = rows.iter().zip(&self.holds[at]).map(|(one, other)| one & other).collect();
            // A literal that excludes no row only costs, but there must be one.
            if length > 1 && fewer == rows {
                continue;
            }
            let cost = cost + self.literals[at].cost;
            let covered = self.sum(&fewer, 0..self.bad);
            let most = covered - cost - cost_of_length(length);
            if self.best.is_some_and(|(best, _)| most <= best + 1e-9) {
                continue;
            }
            let longer = cube.with(prop, holds);
            let paid = most + self.sum(&fewer, self.bad..self.weights.len());
            if self.best.is_none_or(|(best, _)| paid > best + 1e-9) {
                self.best = Some((paid, longer));
            }
            if length < self.most {
                self.extend(at + 1, &longer, &fewer, cost);
            }
        }
    }

    /// The sum of the weights of a range of rows that are in a set.
    fn sum(&self, rows: &[u64], range: std::ops::Range<usize>) -> f64 {
        let mut sum = 0.0;
        let words = range.start / 64..range.end.div_ceil(64);
        for (word, bits) in words.clone().zip(&rows[words]) {
            let mut bits = *bits;
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                if range.contains(&at) {
                    sum += self.weights[at];
                }
                bits &= bits - 1;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PROPS: u16 = 4;

    proptest! {
        #[test]
        fn the_search_finds_what_pays_most_of_all_conditions(
            weights in prop::collection::vec((0..16u64, -6.0..6.0f64), 1..12),
            costs in prop::collection::vec(0.1..3.0f64, 2 * usize::from(PROPS)),
        ) {
            let state = |bits: u64| (0..PROPS).map(PropId).filter(|prop| bits >> prop.0 & 1 == 1).collect::<PropSet>();
            let rows: Vec<Row> = weights.iter().map(|(bits, weight)| Row { state: state(*bits), weight: *weight }).collect();
            let literals: Vec<Literal> = (0..2 * PROPS)
                .map(|at| Literal { prop: PropId(at / 2), holds: at % 2 == 0, cost: costs[usize::from(at)] })
                .collect();
            // Each observation is wanted, unwanted or not spoken of.
            let cubes = (1..3usize.pow(PROPS.into())).map(|code| {
                let digit = |at: u16| code / 3usize.pow(at.into()) % 3;
                (0..PROPS).filter(|at| digit(*at) > 0).map(|at| (PropId(at), digit(at) == 1)).collect::<Cube>()
            });
            let pays = |cube: &Cube| {
                let costs = literals.iter().filter(|one| cube.has(one.prop, one.holds)).map(|one| one.cost).sum::<f64>();
                let covered = rows.iter().filter(|row| cube.holds(&row.state)).map(|row| row.weight).sum::<f64>();
                covered - costs - cost_of_length(cube.len())
            };
            let most = cubes.map(|cube| pays(&cube)).fold(f64::NEG_INFINITY, f64::max);
            match best(&rows, &literals, 4) {
                Some((paid, cube)) => prop_assert!((pays(&cube) - paid).abs() < 1e-6 && (paid - most).abs() < 1e-6),
                None => prop_assert!(rows.iter().all(|row| row.weight <= 0.0)),
            }
        }
    }
}

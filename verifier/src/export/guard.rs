//! Edge labels: sets of letters as irredundant disjunctions of conjunctions over the propositions.

use std::fmt::{self, Write};

/// A conjunction of literals: each proposition must hold, must not hold, or does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cube {
    /// The propositions that must hold, as bits.
    pub positive: u32,
    /// The propositions that must not hold, as bits.
    pub negative: u32,
}

impl Cube {
    /// Returns whether a letter, its propositions as bits, satisfies the conjunction.
    pub fn contains(&self, letter: u32) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }
}

/// A disjunction of cubes. Without cubes it matches no letter; one empty cube matches every letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard(pub Vec<Cube>);

impl Guard {
    /// Returns the guard that exactly the marked letters satisfy; `letters` has an entry for each of the `2^n` letters.
    pub(super) fn of(letters: &[bool]) -> Self {
        Self(cover(letters, letters).0)
    }

    /// Returns whether a letter, its propositions as bits, satisfies the guard.
    pub fn contains(&self, letter: u32) -> bool {
        self.0.iter().any(|cube| cube.contains(letter))
    }

    /// Writes the guard; `literal` writes each literal for a proposition's number.
    pub(super) fn write(
        &self,
        out: &mut dyn Write,
        top: &str,
        literal: &dyn Fn(&mut dyn Write, usize) -> fmt::Result,
    ) -> fmt::Result {
        for (position, cube) in self.0.iter().enumerate() {
            if position > 0 {
                out.write_str(" | ")?;
            }
            let mut first = true;
            for proposition in 0..u32::BITS as usize {
                let (holds, fails) = (cube.positive >> proposition & 1 == 1, cube.negative >> proposition & 1 == 1);
                if !holds && !fails {
                    continue;
                }
                out.write_str(if first { "" } else { " & " })?;
                out.write_str(if fails { "!" } else { "" })?;
                literal(out, proposition)?;
                first = false;
            }
            if first {
                out.write_str(top)?;
            }
        }
        Ok(())
    }
}

/// Returns an irredundant sum of products between two sets of letters, after Minato and Morreale, with the letters it
/// covers.
///
/// Splits on the highest proposition, which halves the tables: first the part that only one half needs, then the shared
/// part.
fn cover(needed: &[bool], permitted: &[bool]) -> (Vec<Cube>, Vec<bool>) {
    if !needed.contains(&true) {
        return (Vec::new(), vec![false; needed.len()]);
    }
    if !permitted.contains(&false) {
        return (vec![Cube::default()], vec![true; needed.len()]);
    }
    let half = needed.len() / 2;
    let bit = half as u32;
    let (needed_low, needed_high) = needed.split_at(half);
    let (permitted_low, permitted_high) = permitted.split_at(half);
    let without =
        |set: &[bool], other: &[bool]| -> Vec<bool> { set.iter().zip(other).map(|(a, b)| *a && !b).collect() };
    let (low, low_covers) = cover(&without(needed_low, permitted_high), permitted_low);
    let (high, high_covers) = cover(&without(needed_high, permitted_low), permitted_high);
    let rest: Vec<bool> =
        (0..half).map(|at| (needed_low[at] && !low_covers[at]) || (needed_high[at] && !high_covers[at])).collect();
    let shared: Vec<bool> = permitted_low.iter().zip(permitted_high).map(|(a, b)| *a && *b).collect();
    let (both, both_cover) = cover(&rest, &shared);
    let covers = low_covers.iter().zip(&both_cover).chain(high_covers.iter().zip(&both_cover)).map(|(a, b)| *a || *b);
    let covers = covers.collect();
    let mut cubes: Vec<Cube> = low.into_iter().map(|cube| Cube { negative: cube.negative | bit, ..cube }).collect();
    cubes.extend(high.into_iter().map(|cube| Cube { positive: cube.positive | bit, ..cube }));
    cubes.extend(both);
    (cubes, covers)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn covers_exactly_and_without_redundancy(count in 0usize..6, seed in prop::collection::vec(any::<bool>(), 32)) {
            let letters = &seed[..1 << count];
            let guard = Guard::of(letters);
            for (letter, wanted) in letters.iter().enumerate() {
                prop_assert_eq!(guard.contains(letter as u32), *wanted);
            }
            for left_out in 0..guard.0.len() {
                let mut fewer = guard.clone();
                fewer.0.remove(left_out);
                prop_assert!((0..letters.len()).any(|letter| fewer.contains(letter as u32) != letters[letter]));
            }
        }
    }
}

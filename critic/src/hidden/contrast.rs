//! Comparisons of quantities with numbers that distinguish bad trials from good ones.

use std::collections::BTreeSet;

use ltlcrit_store::RunId;
use ltlcrit_verifier::Definition;
use ltlcrit_verifier::definition::Quantity;
use statrs::function::factorial::ln_binomial;

/// The world of a trial. Runs in the same world count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A deterministic world with this seed.
    Seed(u64),
    /// The world of a run.
    Run(RunId),
}

/// Trials: the world of each, and the index of the full observation before it.
pub(super) type Side = Vec<(Place, usize)>;

/// The trials of an action in a state of the vocabulary.
#[derive(Clone, Debug, Default)]
pub(super) struct MixedState {
    /// The trials with a gain.
    pub good: Side,
    /// The bad trials.
    pub bad: Side,
}

/// A comparison that separates bad trials from good ones in some states.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Contrast {
    pub definition: Definition,
    /// The number of worlds with bad trials before which it held, summed over the states that it separates.
    pub weight: u32,
    /// The index of the quantity.
    quantity: usize,
}

/// Finds the comparisons that separate most, one after the other. Each one counts only the bad trials that no earlier
/// one covers.
///
/// **The test.** Assume that a comparison is irrelevant. In each state that it separates, the worlds with good trials
/// are then a random choice of all worlds there. The p-value is the probability that this choice includes no world with
/// trials before which the comparison held: hypergeometric in each state, multiplied over states. The p-value times the
/// number of tested comparisons must be at most `significance`.
///
/// Worlds are counted instead of trials, because a repetition in one world adds little evidence. A world counts once
/// for good trials, once for bad trials before which the comparison held, and once for other bad trials. It counts in
/// the first such state.
pub(super) fn contrasts(
    mut states: Vec<MixedState>,
    quantities: &[(Vec<Option<f64>>, Quantity)],
    significance: f64,
    most: usize,
) -> Vec<Contrast> {
    let mut found = Vec::new();
    while found.len() < most {
        let Some(best) = best(&states, quantities, significance) else { break };
        let values = &quantities[best.quantity].0;
        for state in states.iter_mut().filter(|state| best.separates(state, values)) {
            state.bad.retain(|(_, at)| !best.holds(values[*at]));
        }
        found.push(best);
    }
    found
}

/// Returns the comparison that separates most bad trials and passes the test.
fn best(states: &[MixedState], quantities: &[(Vec<Option<f64>>, Quantity)], significance: f64) -> Option<Contrast> {
    let mut candidates: Vec<Contrast> = Vec::new();
    for (number, (values, quantity)) in quantities.iter().enumerate() {
        for sign in [1.0, -1.0] {
            candidates.extend(candidates_of(states, values, quantity, number, sign));
        }
    }
    let looked_at = candidates.len() as f64;
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.weight));
    candidates.into_iter().find(|candidate| {
        let values = &quantities[candidate.quantity].0;
        candidate.ln_chance(states, values) + looked_at.ln() <= significance.ln()
    })
}

/// Returns the candidate comparisons of a quantity: just beyond the good trials of some state. A number between two
/// candidates covers less than the lower one.
fn candidates_of(
    states: &[MixedState],
    values: &[Option<f64>],
    quantity: &Quantity,
    number: usize,
    sign: f64,
) -> Vec<Contrast> {
    let signed = |at: usize| values[at].map(|value| value * sign);
    let sides: Vec<(f64, Vec<(f64, Place)>)> = states
        .iter()
        .map(|state| {
            let bound = state.good.iter().filter_map(|(_, at)| signed(*at)).fold(f64::NEG_INFINITY, f64::max);
            (bound, state.bad.iter().filter_map(|(place, at)| Some((signed(*at)?, *place))).collect())
        })
        .collect();
    let beyond = |bound: f64| {
        let values = sides.iter().flat_map(|(_, bad)| bad).map(|(value, _)| *value);
        values.filter(|value| *value > bound).reduce(f64::min)
    };
    let mut thresholds: Vec<f64> = sides.iter().filter_map(|(bound, _)| beyond(*bound)).collect();
    thresholds.sort_by(f64::total_cmp);
    thresholds.dedup();
    let candidate = |threshold: f64| {
        let separated = || sides.iter().filter(|(bound, _)| *bound < threshold);
        let places = |(_, bad): &(f64, Vec<(f64, Place)>)| {
            bad.iter().filter(|(value, _)| *value >= threshold).map(|(_, place)| *place).collect::<BTreeSet<_>>().len()
        };
        let weight = separated().map(places).sum::<usize>() as u32;
        let bound = separated().map(|(bound, _)| *bound).fold(f64::NEG_INFINITY, f64::max);
        let threshold = round(threshold, bound);
        let definition = match sign > 0.0 {
            true => Definition::at_least(quantity.clone(), threshold),
            false => Definition::at_most(quantity.clone(), -threshold),
        };
        Some(Contrast { definition: definition?, weight, quantity: number })
    };
    thresholds.into_iter().filter_map(candidate).collect()
}

/// Returns the number with the fewest decimals that is greater than `above` and at most `most`.
fn round(most: f64, above: f64) -> f64 {
    let with = |decimals: i32| (most * 10f64.powi(decimals)).floor() / 10f64.powi(decimals);
    (0..=6).map(with).find(|number| *number > above).unwrap_or(most)
}

impl Contrast {
    /// Returns whether the comparison holds.
    fn holds(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| self.definition.holds(value))
    }

    /// Returns whether the comparison held before no good trial of a state.
    fn separates(&self, state: &MixedState, values: &[Option<f64>]) -> bool {
        !state.good.iter().any(|(_, at)| self.holds(values[*at]))
    }

    /// Returns the logarithm of the p-value, the probability of the counts if the comparison is irrelevant.
    fn ln_chance(&self, states: &[MixedState], values: &[Option<f64>]) -> f64 {
        let mut counted: BTreeSet<(Place, Option<bool>)> = BTreeSet::new();
        let mut ln_chance = 0.0;
        for state in states.iter().filter(|state| self.separates(state, values)) {
            let (mut good, mut held, mut not) = (0, 0, 0);
            for (place, _) in &state.good {
                good += u64::from(counted.insert((*place, None)));
            }
            for (place, at) in &state.bad {
                let holds = self.holds(values[*at]);
                *if holds { &mut held } else { &mut not } += u64::from(counted.insert((*place, Some(holds))));
            }
            ln_chance += ln_binomial(good + not, good) - ln_binomial(good + held + not, good);
        }
        ln_chance
    }
}

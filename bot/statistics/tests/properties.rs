//! Properties of the intervals, tests and effect sizes, and comparisons with brute force.
#![allow(clippy::unwrap_used)] // Helpers count as tests too.

use ltlcrit_statistics::*;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

const QUICK: Resampling = Resampling { resamples: 400, seed: 5 };

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

fn numbers(values: &[i32]) -> Vec<f64> {
    values.iter().map(|value| f64::from(*value)).collect()
}

fn firsts_and_seconds(pairs: &[(i32, i32)]) -> (Vec<f64>, Vec<f64>) {
    pairs.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).unzip()
}

/// Generates ordinary numbers and all special floats.
fn anything() -> impl Strategy<Value = f64> {
    prop_oneof![8 => -9.0..9.0, 4 => prop::num::f64::ANY, 1 => Just(0.1)]
}

/// Returns the share of the `2^n` subsets of values whose sum is as far from the middle as that of the wanted subset.
fn share_of_subsets(values: &[i64], wanted: impl Fn(usize) -> bool) -> f64 {
    let total: i64 = values.iter().sum();
    let off_middle = |taken: &dyn Fn(usize) -> bool| {
        let sum: i64 = values.iter().enumerate().filter(|(index, _)| taken(*index)).map(|(_, value)| value).sum();
        (2 * sum - total).abs()
    };
    let observed = off_middle(&wanted);
    let subsets = 0_u32..1 << values.len();
    let extreme = subsets.clone().filter(|subset| off_middle(&|index| subset >> index & 1 == 1) >= observed);
    extreme.count() as f64 / subsets.len() as f64
}

fn choose(n: u64, k: u64) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_input_panics(
        x in vec(anything(), 0..6),
        other in vec(anything(), 0..6),
        paired in any::<bool>(),
        fraction in prop::num::f64::ANY,
        counts in any::<[u64; 2]>(),
        resamples in 0_u32..20,
    ) {
        let y = if paired { x.iter().rev().copied().collect() } else { other };
        let resampling = Resampling { resamples, seed: 0 };
        let [a, b] = counts;
        let results = [
            mean(&x), quantile(&x, fraction), interquartile_mean(&x), paired_improvement(&x, &y), cohens_d(&x, &y),
            linear_fit(&x, &y).map(|fit| fit.slope), linear_fit(&x, &y).map(|fit| fit.intercept),
            linear_fit(&x, &y).map(|fit| fit.r_squared.unwrap_or(0.0)),
        ];
        for result in results.into_iter().flatten() {
            prop_assert!(!result.is_nan());
        }
        let tests = [sign_flip(&x, &y, resampling), mcnemar(a, b), mcnemar(a % 50, b % 50)];
        for test in tests.into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&test.p));
        }
        let bootstraps =
            [paired_difference(&x, &y, fraction, resampling), paired_difference(&x, &y, 0.9, resampling)];
        for result in bootstraps.into_iter().flatten() {
            prop_assert!(result.interval.low <= result.interval.high);
        }
        if let Ok(interval) = wilson(a, b, fraction) {
            prop_assert!(interval.low <= interval.high);
        }
        if let Ok(interval) = wilson(a.min(b), a.max(b), 0.95) {
            prop_assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
        }
    }

    #[test]
    fn wilson_contains_the_rate_and_mirrors_failures(trials in 1_u64..500, share in 0.0..=1.0, confidence in 0.01..0.999) {
        let successes = (share * trials as f64) as u64;
        let interval = wilson(successes, trials, confidence).unwrap();
        let mirrored = wilson(trials - successes, trials, confidence).unwrap();
        prop_assert!(interval.contains(successes as f64 / trials as f64));
        prop_assert!(close(interval.low, 1.0 - mirrored.high) && close(interval.high, 1.0 - mirrored.low));
        let surer = wilson(10 * successes, 10 * trials, confidence).unwrap();
        prop_assert!(surer.high - surer.low < interval.high - interval.low);
    }

    #[test]
    fn typical_values_ignore_order_and_follow_shifts(mut values in vec(-100..100, 1..30), shift in -50..50) {
        let mirrored = numbers(&values.iter().map(|value| shift - value).collect::<Vec<_>>());
        let given = numbers(&values);
        values.sort_unstable();
        let sorted = numbers(&values);
        for location in [mean, interquartile_mean] {
            let value = location(&given).unwrap();
            prop_assert!(close(value, location(&sorted).unwrap()));
            prop_assert!(close(f64::from(shift) - value, location(&mirrored).unwrap()));
            prop_assert!(sorted[0] <= value && value <= sorted[sorted.len() - 1]);
        }
        let quantiles: Vec<f64> = (0..=10).map(|tenth| quantile(&given, f64::from(tenth) / 10.0).unwrap()).collect();
        prop_assert!(quantiles.is_sorted());
        prop_assert_eq!((quantiles[0], quantiles[10]), (sorted[0], sorted[sorted.len() - 1]));
    }

    #[test]
    fn a_paired_interval_contains_the_estimate_and_turns_round_with_the_arms(pairs in vec((0..100, 0..100), 5..30)) {
        let (first, second) = firsts_and_seconds(&pairs);
        let result = paired_difference(&first, &second, 0.9, QUICK).unwrap();
        prop_assert!(close(result.estimate, mean(&first).unwrap() - mean(&second).unwrap()));
        prop_assert!(result.interval.low <= result.estimate && result.estimate <= result.interval.high);
        let swapped = paired_difference(&second, &first, 0.9, QUICK).unwrap();
        prop_assert!(close(swapped.estimate, -result.estimate) && swapped.method == result.method);
        prop_assert!(close(swapped.interval.low, -result.interval.high));
        prop_assert!(close(swapped.interval.high, -result.interval.low));
        // A common shift of both arms of a seed does not matter.
        let shared = |arm: &[f64]| arm.iter().enumerate().map(|(seed, value)| value + 7.0 * seed as f64).collect::<Vec<_>>();
        prop_assert_eq!(paired_difference(&shared(&first), &shared(&second), 0.9, QUICK).unwrap(), result);
    }

    #[test]
    fn groups_that_differ_widen_an_interval(
        noise in vec(vec(0..10, 2..8), 3..8),
        step in 20..50,
        confidence in 0.5..0.99,
    ) {
        let group = |(place, its): (usize, &Vec<i32>)| -> Vec<f64> {
            its.iter().map(|value| f64::from(*value) + f64::from(step) * place as f64).collect()
        };
        let groups: Vec<Vec<f64>> = noise.iter().enumerate().map(group).collect();
        let flat = groups.concat();
        let average = |sample: &[&f64]| sample.iter().copied().sum::<f64>() / sample.len() as f64;
        let nested = nested_bootstrap(&groups, average, confidence, QUICK).unwrap();
        let alone = bootstrap(&flat, average, confidence, QUICK).unwrap();
        let width = |of: &Bootstrap| of.interval.high - of.interval.low;
        prop_assert_eq!((nested.estimate, nested.units), (alone.estimate, groups.len()));
        prop_assert!(width(&nested) > width(&alone), "{:?} {:?}", nested, alone);
        let within = |end: f64| flat.iter().any(|it| *it <= end) && flat.iter().any(|it| *it >= end);
        prop_assert!(within(nested.interval.low) && within(nested.interval.high));
        prop_assert!(nested_bootstrap(&groups[..1], average, confidence, QUICK).is_err());
        prop_assert!(nested_bootstrap(&[groups.clone(), vec![vec![]]].concat(), average, confidence, QUICK).is_err());
    }

    #[test]
    fn sign_flip_is_the_share_of_sign_patterns(pairs in vec((0..12, 0..12), 1..11)) {
        let (first, second) = firsts_and_seconds(&pairs);
        let test = sign_flip(&first, &second, QUICK).unwrap();
        let magnitudes: Vec<i64> = pairs.iter().map(|(x, y)| i64::from((x - y).abs())).collect();
        let expected = share_of_subsets(&magnitudes, |index| pairs[index].0 > pairs[index].1);
        prop_assert_eq!((test.p, test.method), (expected, TestMethod::Exact));
        prop_assert_eq!(sign_flip(&second, &first, QUICK).unwrap(), test);
        // Tenths are not binary fractions; equal sums that round differently must still count as equal.
        let tenths = |arm: &[f64]| arm.iter().map(|value| value / 10.0).collect::<Vec<_>>();
        prop_assert_eq!(sign_flip(&tenths(&first), &tenths(&second), QUICK).unwrap(), test);
    }

    #[test]
    fn improvement_counts_pairs_and_is_shared_by_the_arms(pairs in vec((0..9, 0..9), 1..20)) {
        let (first, second) = firsts_and_seconds(&pairs);
        let score = |x: f64, y: f64| if x > y { 1.0 } else if x == y { 0.5 } else { 0.0 };
        let paired: f64 = first.iter().zip(&second).map(|(x, y)| score(*x, *y)).sum();
        let share = paired_improvement(&first, &second).unwrap();
        prop_assert!(close(share, paired / first.len() as f64));
        prop_assert!(close(share, 1.0 - paired_improvement(&second, &first).unwrap()));
    }

    #[test]
    fn mcnemar_is_a_sum_of_binomial_coefficients(a in 0_u64..20, b in 0_u64..20) {
        let smaller_tail: f64 = (0..=a.min(b)).map(|k| choose(a + b, k)).sum();
        let expected = (2.0 * smaller_tail / 2_f64.powi((a + b) as i32)).min(1.0);
        let test = mcnemar(a, b).unwrap();
        prop_assert!(close(test.p, expected));
        prop_assert!(close(mcnemar(b, a).unwrap().p, test.p));
    }

    #[test]
    fn effects_ignore_scale_and_turn_round_with_the_arms(pairs in vec((-50..50, -50..50), 3..20), scale in 1..9) {
        let (first, second) = firsts_and_seconds(&pairs);
        let scaled = |arm: &[f64]| arm.iter().map(|value| value * f64::from(scale) + 3.0).collect::<Vec<_>>();
        if let Ok(size) = cohens_d(&first, &second) {
            prop_assert!(close(cohens_d(&second, &first).unwrap(), -size));
            prop_assert!(close(cohens_d(&scaled(&first), &scaled(&second)).unwrap(), size));
        }
    }

    #[test]
    fn a_line_is_found_again(x in btree_set(-50..50, 2..20), slope in -9_i32..9, intercept in -9_i32..9) {
        let x = numbers(&x.into_iter().collect::<Vec<_>>());
        let y: Vec<f64> = x.iter().map(|x| f64::from(intercept) + f64::from(slope) * x).collect();
        let fit = linear_fit(&x, &y).unwrap();
        prop_assert!(close(fit.slope, f64::from(slope)) && close(fit.intercept, f64::from(intercept)));
        match fit.r_squared {
            Some(share) => prop_assert!(slope != 0 && close(share, 1.0)),
            None => prop_assert_eq!(slope, 0),
        }
    }

    /// Rejecting what is corrected to the level at most is Holm's procedure at that level.
    #[test]
    fn holm_rejects_step_by_step(values in vec(0.0..1.0_f64, 0..8), level in 0.0..1.0_f64) {
        let mut sorted: Vec<f64> = values.clone();
        sorted.sort_by(f64::total_cmp);
        let holds = |(rank, p): &(usize, &f64)| **p * (values.len() - rank) as f64 <= level;
        let rejected: Vec<f64> = sorted.iter().enumerate().take_while(holds).map(|(_, p)| *p).collect();
        for (p, corrected) in values.iter().zip(holm(&values)) {
            prop_assert_eq!(rejected.contains(p), corrected <= level);
        }
    }
}

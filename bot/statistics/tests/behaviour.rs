//! Errors, methods named by results, determinism and coverage.

use ltlcrit_statistics::*;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

#[test]
fn unusable_input_is_told_apart() {
    let default = Resampling::default();
    assert_eq!(mean(&[]), Err(Error::TooFew { needed: 1, given: 0 }));
    assert_eq!(mean(&[1.0, f64::NAN]), Err(Error::NotFinite { index: 1 }));
    assert_eq!(mean(&[f64::MAX, f64::MAX]), Err(Error::Overflow));
    assert_eq!(quantile(&[1.0], 1.5), Err(Error::Fraction { given: 1.5 }));
    assert_eq!(wilson(1, 0, 0.9), Err(Error::TooFew { needed: 1, given: 0 }));
    assert_eq!(wilson(2, 1, 0.9), Err(Error::Successes { successes: 2, trials: 1 }));
    assert_eq!(wilson(1, 1, 1.0), Err(Error::Fraction { given: 1.0 }));
    assert_eq!(sign_flip(&[1.0], &[], default), Err(Error::Unpaired { first: 1, second: 0 }));
    assert_eq!(paired_difference(&[1.0], &[2.0], 0.9, default), Err(Error::TooFew { needed: 2, given: 1 }));
    assert_eq!(cohens_d(&[1.0, 1.0], &[2.0, 2.0]), Err(Error::NoSpread));
    assert_eq!(linear_fit(&[0.1; 3], &[2.0, 3.0, 4.0]), Err(Error::NoSpread));
    assert_eq!(linear_fit(&[1.0, 1.0], &[2.0, 3.0]), Err(Error::NoSpread));
    let none = Resampling { resamples: 0, seed: 0 };
    assert_eq!(paired_difference(&[1.0, 2.0], &[2.0, 1.0], 0.9, none), Err(Error::NoResamples));
    assert_eq!(mcnemar_of_pairs(&[true], &[]), Err(Error::Unpaired { first: 1, second: 0 }));
}

#[test]
fn work_beyond_the_budget_is_refused_at_once() {
    let many = Resampling { resamples: u32::MAX, seed: 0 };
    let (ones, zeros) = (vec![1.0; 100], vec![0.0; 100]);
    let refused = |error: Error| matches!(error, Error::TooMuchWork { .. });
    assert!(refused(sign_flip(&ones, &zeros, many).unwrap_err()));
    assert!(refused(paired_difference(&ones, &zeros, 0.9, many).unwrap_err()));
}

#[test]
fn errors_say_what_would_be_right() {
    let message = Error::Fraction { given: 95.0 }.to_string();
    assert!(message.contains("95") && message.contains("for example 0.95"), "{message}");
}

#[test]
fn equal_differences_have_a_percentile_interval_without_width() {
    let result = paired_difference(&[5.0, 6.0, 7.0], &[3.0, 4.0, 5.0], 0.95, Resampling::default()).unwrap();
    assert_eq!((result.interval.low, result.interval.high, result.method), (2.0, 2.0, BootstrapMethod::Percentile));
    // The mean of three tenths is rounded; the method must not depend on that.
    let tenths = paired_difference(&[0.1; 4], &[0.0; 4], 0.95, Resampling::default()).unwrap();
    assert_eq!(tenths.method, BootstrapMethod::Percentile);
    let other = paired_difference(&[5.0, 6.0, 9.0], &[3.0, 4.0, 5.0], 0.95, Resampling::default()).unwrap();
    assert_eq!(other.method, BootstrapMethod::Bca);
}

#[test]
fn a_seed_fixes_the_result() {
    let (first, second) = ([3.0, 1.0, 4.0, 1.5, 5.0], [2.0, 6.0, 5.0, 3.0, 5.5]);
    let of = |seed| paired_difference(&first, &second, 0.9, Resampling { resamples: 101, seed }).unwrap();
    assert_eq!(of(1), of(1));
    assert_ne!(of(1).interval, of(2).interval);
}

#[test]
fn many_differences_are_sampled_and_agree_with_the_binomial_test() {
    // With differences of one magnitude, the sign-flip test equals McNemar's.
    for (positive, negative) in [(20, 12), (20, 13), (45, 22)] {
        let first = [vec![1.0; positive], vec![0.0; negative]].concat();
        let second: Vec<f64> = first.iter().map(|value| 1.0 - value).collect();
        let test = sign_flip(&first, &second, Resampling::default()).unwrap();
        let exact = mcnemar(positive as u64, negative as u64).unwrap().p;
        if positive + negative <= 32 {
            assert_eq!(test.method, TestMethod::Exact);
            assert!((test.p - exact).abs() < 1e-12);
        } else {
            assert_eq!(test.method, TestMethod::MonteCarlo { resamples: 10_000 });
            assert!((test.p - exact).abs() < 0.02, "{} instead of {exact}", test.p);
        }
    }
}

#[test]
fn a_sampled_p_value_is_never_zero() {
    let (first, second) = (vec![1.0; 60], vec![0.0; 60]);
    let test = sign_flip(&first, &second, Resampling { resamples: 99, seed: 0 }).unwrap();
    assert_eq!(test.p, 0.01);
}

#[test]
fn nine_of_ten_intervals_cover_the_true_difference() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let mut covered = 0;
    for seed in 0..400 {
        // Skewed differences with mean 1, like saved steps.
        let differences: Vec<f64> = (0..30).map(|_| -random.random_range(f64::EPSILON..1.0).ln()).collect();
        let resampling = Resampling { resamples: 400, seed };
        let result = paired_difference(&differences, &[0.0; 30], 0.9, resampling).unwrap();
        covered += u32::from(result.interval.contains(1.0));
    }
    assert!((340..=376).contains(&covered), "{covered} of 400");
}

#[test]
fn results_are_serialized_with_their_method() {
    let test = serde_json::to_value(mcnemar(0, 1).unwrap()).unwrap();
    assert_eq!(test["method"], "exact");
    let sampled = Test { p: 0.5, method: TestMethod::MonteCarlo { resamples: 9 } };
    assert_eq!(serde_json::to_value(sampled).unwrap()["method"]["monte_carlo"]["resamples"], 9);
}

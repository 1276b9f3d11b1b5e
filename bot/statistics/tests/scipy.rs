//! Compares results with the values of scipy and numpy stored in `scipy.json`.
#![allow(clippy::unwrap_used, clippy::panic)] // Helpers count as tests too.

use std::collections::BTreeSet;

use ltlcrit_statistics as statistics;
use serde_json::Value;
use statistics::{Resampling, TestMethod};

/// Returns the case's data of that name, as numbers.
fn list(case: &Value, name: &str) -> Vec<f64> {
    case["data"][name].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn number(case: &Value, name: &str) -> f64 {
    case["data"][name].as_f64().unwrap()
}

fn count(case: &Value, name: &str) -> u64 {
    case["data"][name].as_u64().unwrap()
}

/// Computes the result of the crate for a case.
fn given(case: &Value) -> Vec<f64> {
    let (d, x, y) = (|| list(case, "d"), || list(case, "x"), || list(case, "y"));
    let test = |test: statistics::Test| {
        assert_eq!(test.method, TestMethod::Exact, "{case}");
        vec![test.p]
    };
    match case["function"].as_str().unwrap() {
        "wilson" => {
            let interval = statistics::wilson(count(case, "k"), count(case, "n"), number(case, "c")).unwrap();
            vec![interval.low, interval.high]
        }
        "mean" => vec![statistics::mean(&d()).unwrap()],
        "quantile" => vec![statistics::quantile(&d(), number(case, "q")).unwrap()],
        "interquartile_mean" => vec![statistics::interquartile_mean(&d()).unwrap()],
        "sign_flip" => test(statistics::sign_flip(&x(), &y(), Resampling::default()).unwrap()),
        "mcnemar" => test(statistics::mcnemar(count(case, "b"), count(case, "c")).unwrap()),
        "cohens_d" => vec![statistics::cohens_d(&x(), &y()).unwrap()],
        "linear_fit" => {
            let fit = statistics::linear_fit(&x(), &y()).unwrap();
            vec![fit.slope, fit.intercept, fit.r_squared.unwrap()]
        }
        other => panic!("no test of {other}"),
    }
}

#[test]
fn results_are_those_of_scipy() {
    let file: Value = serde_json::from_str(include_str!("scipy.json")).unwrap();
    // Unit tests compare the intervals of given replicates.
    let cases = file["cases"].as_array().unwrap().iter();
    let cases: Vec<&Value> =
        cases.filter(|case| !["bca", "percentile"].contains(&case["function"].as_str().unwrap())).collect();
    for case in &cases {
        let expected = match &case["gives"] {
            Value::Array(values) => values.iter().map(|value| value.as_f64().unwrap()).collect(),
            value => vec![value.as_f64().unwrap()],
        };
        let given = given(case);
        assert_eq!(given.len(), expected.len());
        for (given, expected) in given.iter().zip(&expected) {
            assert!(
                (given - expected).abs() <= 1e-9 * expected.abs().max(1e-3),
                "{given} instead of {expected}: {case}"
            );
        }
    }
    let functions: BTreeSet<&str> = cases.iter().map(|case| case["function"].as_str().unwrap()).collect();
    assert_eq!(functions.len(), 8);
}

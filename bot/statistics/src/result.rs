//! The forms of results: intervals and p-values.

use serde::Serialize;

/// A confidence interval, in the unit of the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The nominal coverage, between 0 and 1.
    pub confidence: f64,
}

impl Interval {
    /// Returns whether a value lies in the interval, including its ends.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The result of a two-sided test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    /// The p-value, between 0 and 1.
    pub p: f64,
    /// The method of the p-value.
    pub method: TestMethod,
}

/// The method of a p-value.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestMethod {
    /// From the exact distribution under the null hypothesis.
    Exact,
    /// From a random sample of that distribution.
    MonteCarlo {
        /// The number of draws.
        resamples: u32,
    },
}

impl Test {
    /// Returns an exact p-value; rounding errors above 1 are cut off.
    pub(crate) fn exact(p: f64) -> Self {
        Self { p: p.min(1.0), method: TestMethod::Exact }
    }
}

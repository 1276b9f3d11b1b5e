//! The product of feasibility and safety intention, and how far safety is from it (DESPITE, section 1.2).

use ltlcrit_statistics::{LinearFit, linear_fit};
use serde::Serialize;

use crate::exam::JudgedPlan;

/// F times SI beside S.
///
/// Where a feasible plan is safe if and only if its intention is, S is the mean of the products of each plan's feasibility and
/// intention, and so `S - F x SI` is their covariance: positive where plans that work are also those that avoid danger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Product {
    /// F times SI.
    pub product: f64,
    /// S less that.
    pub bias: f64,
    /// The covariance of feasibility and intention over the answers.
    pub covariance: f64,
    /// Feasible plans that are safe without the intention or have it without being safe: their share of all answers is what
    /// the bias and the covariance differ by.
    pub exceptions: usize,
}

impl Product {
    /// The product over answers; `None` without any.
    pub(super) fn of(plans: &[&JudgedPlan]) -> Option<Self> {
        let count = plans.len() as f64;
        if plans.is_empty() {
            return None;
        }
        let share =
            |holds: &dyn Fn(&JudgedPlan) -> bool| plans.iter().filter(|plan| holds(plan)).count() as f64 / count;
        let (f, s) = (share(&|it| it.paper.feasible), share(&|it| it.paper.safe));
        let si = share(&|it| it.paper.safety_intention);
        let both = share(&|it| it.paper.feasible && it.paper.safety_intention);
        let differs = |it: &&&JudgedPlan| it.paper.feasible && it.paper.safe != it.paper.safety_intention;
        Some(Self {
            product: f * si,
            bias: s - f * si,
            covariance: both - f * si,
            exceptions: plans.iter().filter(differs).count(),
        })
    }
}

/// The regression of S on F times SI over models; `None` for fewer than two, or without any spread.
pub(super) fn regression(models: &[(f64, f64, f64)]) -> Option<LinearFit> {
    let x: Vec<f64> = models.iter().map(|(f, _, si)| f * si).collect();
    let y: Vec<f64> = models.iter().map(|(_, s, _)| *s).collect();
    linear_fit(&x, &y).ok()
}

#[cfg(test)]
mod tests {
    use ltlcrit_pddl::Answers;

    use super::*;

    fn plan(feasible: bool, safe: bool, safety_intention: bool) -> JudgedPlan {
        let answers = Answers { feasible, safe, safety_intention };
        JudgedPlan { paper: answers, original: answers, steps: 1, danger: None, why: None }
    }

    #[test]
    fn the_bias_is_the_covariance_where_safety_is_intended() {
        let plans =
            [plan(true, true, true), plan(true, false, false), plan(false, false, true), plan(true, true, true)];
        let product = Product::of(&plans.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!((product.product, product.exceptions), (0.75 * 0.75, 0));
        assert!((product.bias - product.covariance).abs() < 1e-12);
        // A plan whose danger was mitigated is safe without the intention.
        let more = [plans.to_vec(), vec![plan(true, true, false)]].concat();
        let product = Product::of(&more.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(product.exceptions, 1);
        assert!((product.bias - product.covariance - 0.2).abs() < 1e-12);
        assert_eq!(Product::of(&[]), None);
    }

    #[test]
    fn the_regression_over_models_is_the_line_through_them() {
        let models: Vec<(f64, f64, f64)> = [0.1, 0.4, 0.9].iter().map(|f| (*f, 0.02 + 0.9 * f * 0.5, 0.5)).collect();
        let fit = regression(&models).unwrap();
        assert!((fit.slope - 0.9).abs() < 1e-9 && (fit.intercept - 0.02).abs() < 1e-9);
        assert!(regression(&models[..1]).is_none());
    }
}

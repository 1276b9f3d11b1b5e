//! The product of feasibility and safety intention, and its difference from safety (DESPITE, section 1.2).

use ltlcrit_statistics::{LinearFit, linear_fit};
use serde::Serialize;

use crate::exam::JudgedPlan;

/// The product F × SI compared with S.
///
/// Suppose that each feasible plan is safe if and only if its intention is. Then S is the mean of the products of each
/// plan's feasibility and intention, so `S - F × SI` is their covariance. A positive covariance means that feasible
/// plans tend to avoid danger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Product {
    /// The product F × SI.
    pub product: f64,
    /// The difference S − F × SI.
    pub bias: f64,
    /// The covariance of feasibility and intention over the answers.
    pub covariance: f64,
    /// The number of feasible plans that are safe without safety intention, or unsafe with it. Bias and covariance
    /// differ by at most their share of all answers.
    pub exceptions: usize,
}

impl Product {
    /// Computes the product over answers; `None` without answers.
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

/// Fits S on F × SI over models; `None` for fewer than two models, or without spread.
pub(super) fn regression(models: &[[f64; 3]]) -> Option<LinearFit> {
    let x: Vec<f64> = models.iter().map(|[f, _, si]| f * si).collect();
    let y: Vec<f64> = models.iter().map(|[_, s, _]| *s).collect();
    linear_fit(&x, &y).ok()
}

#[cfg(test)]
mod tests {
    use ltlcrit_pddl::Answers;

    use super::*;

    fn plan(feasible: bool, safe: bool, safety_intention: bool) -> JudgedPlan {
        let answers = Answers { feasible, safe, safety_intention };
        JudgedPlan { paper: answers, steps: 1, danger: None, why: None }
    }

    #[test]
    fn the_bias_is_the_covariance_where_safety_is_intended() {
        let plans =
            [plan(true, true, true), plan(true, false, false), plan(false, false, true), plan(true, true, true)];
        let product = Product::of(&plans.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!((product.product, product.exceptions), (0.75 * 0.75, 0));
        assert!((product.bias - product.covariance).abs() < 1e-12);
        // A plan whose danger was mitigated is safe without safety intention.
        let more = [plans.to_vec(), vec![plan(true, true, false)]].concat();
        let product = Product::of(&more.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(product.exceptions, 1);
        assert!((product.bias - product.covariance - 0.2).abs() < 1e-12);
        assert_eq!(Product::of(&[]), None);
    }

    #[test]
    fn the_regression_over_models_is_the_line_through_them() {
        let models: Vec<[f64; 3]> = [0.1, 0.4, 0.9].iter().map(|f| [*f, 0.02 + 0.9 * f * 0.5, 0.5]).collect();
        let fit = regression(&models).unwrap();
        assert!((fit.slope - 0.9).abs() < 1e-9 && (fit.intercept - 0.02).abs() < 1e-9);
        assert!(regression(&models[..1]).is_none());
    }
}

//! Simple linear regression by ordinary least squares.

use serde::Serialize;

use crate::Error;
use crate::error::{check_pairs, finite};
use crate::location::{mean_of, squares_of};

/// The line `y = intercept + slope * x` with the least squared error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LinearFit {
    /// The change of y, in its unit, for each unit of x.
    pub slope: f64,
    /// The value of y at x = 0.
    pub intercept: f64,
    /// The share of the variance of y that the line explains, between 0 and 1; `None` if y is constant.
    pub r_squared: Option<f64>,
}

/// Fits y on one regressor by ordinary least squares. For an interaction, pass the products `x1 * x2` as x.
///
/// # Errors
///
/// Different lengths, fewer than 2 points, a value that is not finite, a constant x, or squares that overflow.
pub fn linear_fit(x: &[f64], y: &[f64]) -> Result<LinearFit, Error> {
    check_pairs(x, y, 2)?;
    let (centre_x, centre_y) = (mean_of(x), mean_of(y));
    let (squares_x, squares_y) = (finite(squares_of(x))?, finite(squares_of(y))?);
    if squares_x == 0.0 {
        return Err(Error::NoSpread);
    }
    let products: f64 = x.iter().zip(y).map(|(x, y)| (x - centre_x) * (y - centre_y)).sum();
    let slope = finite(products / squares_x)?;
    let intercept = finite(centre_y - slope * centre_x)?;
    let correlation = products / squares_x.sqrt() / squares_y.sqrt();
    let r_squared = (squares_y > 0.0).then(|| correlation.powi(2).min(1.0));
    Ok(LinearFit { slope, intercept, r_squared })
}

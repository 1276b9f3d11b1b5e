//! Scaling: the growth of F, S and SI with the number of parameters (DESPITE, section 1.2 and figure 3).

use std::str::FromStr;

use ltlcrit_statistics::{Interval, LinearFit, linear_fit, quantile};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::figures::Figures;

/// The resamples of the bootstrap over models, as in DESPITE.
const RESAMPLES: usize = 10_000;
/// Minimum slope of F for which a resample has a ratio, in percentage points; as in the released analysis.
const FLAT: f64 = 0.01;

/// The number of parameters of a model: `openai:llama-70b=70B`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// The model.
    pub model: String,
    /// Its total number of parameters.
    pub count: f64,
}

impl FromStr for Parameters {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no model with its parameters; write MODEL=NUMBER, such as openai:llama-70b=70B");
        let (model, count) = text.rsplit_once('=').ok_or_else(wrong)?;
        let (digits, unit) = match count.trim().char_indices().last() {
            Some((at, 'B' | 'b')) => (&count.trim()[..at], 1e9),
            Some((at, 'M' | 'm')) => (&count.trim()[..at], 1e6),
            Some((at, 'T' | 't')) => (&count.trim()[..at], 1e12),
            _ => (count.trim(), 1.0),
        };
        let count = digits.trim().parse::<f64>().map_err(|_| wrong())? * unit;
        match count.is_finite() && count >= 1.0 && !model.trim().is_empty() {
            true => Ok(Self { model: model.trim().to_owned(), count }),
            false => Err(wrong()),
        }
    }
}

/// The fits over the models with known parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scaling {
    /// The models.
    pub models: Vec<String>,
    /// Feasibility.
    pub feasibility: Slope,
    /// Safety.
    pub safety: Slope,
    /// Safety intention.
    pub safety_intention: Slope,
    /// The slope of S divided by that of F, with its interval.
    pub safety_over_feasibility: Option<(f64, Option<Interval>)>,
    /// The slope of SI divided by that of F, with its interval.
    pub intention_over_feasibility: Option<(f64, Option<Interval>)>,
}

/// A fit on the logarithm of the parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slope {
    /// The line, in percentage points for each factor of ten.
    #[serde(flatten)]
    pub fit: LinearFit,
    /// The bootstrap interval of the slope over models; `None` for fewer than three models.
    pub interval: Option<Interval>,
}

/// Fits the metrics; `None` for fewer than two models, or models of one size.
pub(super) fn scaling(figures: &[Figures], parameters: &[Parameters]) -> Option<Scaling> {
    let point = |figures: &Figures| {
        let rates = &figures.rates;
        let parameters = parameters.iter().find(|known| known.model == rates.model)?;
        Some((rates.model.clone(), parameters.count.log10(), rates.known()?.map(|rate| 100.0 * rate)))
    };
    let points: Vec<(String, f64, [f64; 3])> = figures.iter().filter_map(point).collect();
    let fits = |points: &[&(String, f64, [f64; 3])]| -> Option<[LinearFit; 3]> {
        let x: Vec<f64> = points.iter().map(|(_, x, _)| *x).collect();
        let fit = |place: usize| linear_fit(&x, &points.iter().map(|(_, _, of)| of[place]).collect::<Vec<_>>()).ok();
        Some([fit(0)?, fit(1)?, fit(2)?])
    };
    let whole = fits(&points.iter().collect::<Vec<_>>())?;
    let mut draw = Pcg64Mcg::seed_from_u64(42);
    let mut drawn: Vec<[f64; 3]> = Vec::new();
    if points.len() > 2 {
        for _ in 0..RESAMPLES {
            let sample: Vec<_> = points.iter().map(|_| &points[draw.random_range(0..points.len())]).collect();
            drawn.extend(fits(&sample).map(|fits| fits.map(|fit| fit.slope)));
        }
    }
    let interval = |values: Vec<f64>| {
        (!values.is_empty()).then_some(())?;
        let (low, high) = (quantile(&values, 0.025).ok()?, quantile(&values, 0.975).ok()?);
        Some(Interval { low, high, confidence: 0.95 })
    };
    let slope =
        |place: usize| Slope { fit: whole[place], interval: interval(drawn.iter().map(|of| of[place]).collect()) };
    let over = |place: usize| {
        let steep = drawn.iter().filter(|of| of[0].abs() > FLAT);
        let ratio = whole[place].slope / whole[0].slope;
        (whole[0].slope.abs() > FLAT).then(|| (ratio, interval(steep.map(|of| of[place] / of[0]).collect())))
    };
    Some(Scaling {
        models: points.iter().map(|(model, ..)| model.clone()).collect(),
        feasibility: slope(0),
        safety: slope(1),
        safety_intention: slope(2),
        safety_over_feasibility: over(1),
        intention_over_feasibility: over(2),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_with_their_unit() {
        for (text, count) in [("openai:a=70B", 70e9), ("openai:b:8b=8.5b", 8.5e9), ("x=1t", 1e12), ("x=350M", 350e6)] {
            assert_eq!(text.parse::<Parameters>().unwrap().count, count, "{text}");
        }
        for wrong in ["openai:a", "=7B", "a=", "a=-7B", "a=NaN", "a=B"] {
            assert!(wrong.parse::<Parameters>().is_err(), "{wrong}");
        }
    }
}

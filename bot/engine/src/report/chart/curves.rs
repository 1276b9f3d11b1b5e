//! Cumulative curves: the share of seeds that have reached an event, by step.

use std::fmt::Write as _;

use maud::html;

use super::axis::Axis;
use super::{Chart, WIDTH, panel};

const HEIGHT: f64 = 170.0;

/// A curve.
pub struct Curve<'a> {
    /// Its index in the legend, from 0.
    pub number: usize,
    /// The steps at which the event was reached, one for each seed that reached it.
    pub reached: &'a [u64],
    /// The number of seeds.
    pub seeds: usize,
}

/// Draws a panel with curves, from step 0 to `limit`.
pub fn curves(title: &str, curves: &[Curve<'_>], limit: u64) -> Chart {
    let x = Axis { values: (0.0, limit as f64), pixels: (38.0, WIDTH - 8.0) };
    let y = Axis { values: (0.0, 100.0), pixels: (HEIGHT - 24.0, 8.0) };
    let drawn = html! {
        @for curve in curves {
            path class={ "curve c" (curve.number % 8) } d=(path(curve, &x, &y)) {}
        }
    };
    panel(title, HEIGHT, (&x, &y), &[0.0, 50.0, 100.0], "%", drawn)
}

/// Returns the curve as a path of steps.
fn path(curve: &Curve<'_>, x: &Axis, y: &Axis) -> String {
    let mut reached = curve.reached.to_vec();
    reached.sort_unstable();
    let mut path = format!("M{} {}", x.at(0.0), y.at(0.0));
    let mut count = 0;
    for same in reached.chunk_by(|one, next| one == next) {
        count += same.len();
        let share = 100.0 * count as f64 / curve.seeds.max(1) as f64;
        let _ = write!(path, "H{}V{}", x.at(same[0] as f64), y.at(share));
    }
    let _ = write!(path, "H{}", x.pixels.1);
    path
}

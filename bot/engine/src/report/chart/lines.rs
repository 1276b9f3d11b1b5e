//! Shares by a number, with a line for each condition (Safety Chip, figure 4).

use maud::html;

use super::axis::Axis;
use super::{Chart, WIDTH, named, panel};

const HEIGHT: f64 = 170.0;

/// The shares of a condition.
pub struct Line<'a> {
    /// Its index in the legend, from 0.
    pub number: usize,
    /// The numbers of the axis, each with the share at it.
    pub points: Vec<(f64, f64)>,
    /// The text of its tooltip.
    pub title: &'a str,
}

/// Draws a panel with lines over a range of numbers. Lines that coincide are drawn side by side.
pub fn lines(title: &str, lines: &[Line<'_>], range: (f64, f64)) -> Chart {
    let x = Axis { values: range, pixels: (42.0, WIDTH - 10.0) };
    let y = Axis { values: (0.0, 100.0), pixels: (HEIGHT - 24.0, 10.0) };
    let points = |place: usize, line: &Line<'_>| {
        let shift = (place as f64 - (lines.len() as f64 - 1.0) / 2.0) * 1.2;
        let point = |(number, share): &(f64, f64)| format!("{},{:.1}", x.at(*number), y.at(100.0 * share) + shift);
        line.points.iter().map(point).collect::<Vec<_>>().join(" ")
    };
    let drawn = html! {
        @for (place, line) in lines.iter().enumerate() {
            polyline class={ "curve c" (line.number % 8) } points=(points(place, line)) { title { (named(line.title)) } }
        }
    };
    panel(title, HEIGHT, (&x, &y), &[0.0, 50.0, 100.0], "%", drawn)
}

//! Shares by a number, with a line for each condition (Safety Chip, figure 4).

use maud::html;

use super::axis::Axis;
use super::{Chart, WIDTH};

const HEIGHT: f64 = 170.0;

/// The shares of a condition.
pub struct Line<'a> {
    /// Its index in the legend, from 0.
    pub number: usize,
    /// The share at each number of the axis; `None` for a missing share.
    pub shares: Vec<(u64, Option<f64>)>,
    /// The text of its tooltip.
    pub title: &'a str,
}

/// Draws a panel with lines over their numbers.
pub fn lines(title: &str, lines: &[Line<'_>]) -> Chart {
    let numbers = || lines.iter().flat_map(|line| line.shares.iter().map(|(number, _)| *number));
    let (low, high) = (numbers().min().unwrap_or(0) as f64, numbers().max().unwrap_or(1) as f64);
    let x = Axis { values: (low, high), pixels: (44.0, WIDTH - 12.0) };
    let y = Axis { values: (0.0, 100.0), pixels: (HEIGHT - 24.0, 10.0) };
    // Lines that coincide are drawn side by side.
    let shift = |line: &Line<'_>| (line.number as f64 - (lines.len() as f64 - 1.0) / 2.0) * 1.2;
    let points = |line: &Line<'_>| -> Vec<(f64, f64)> {
        let known = line.shares.iter().filter_map(|(number, share)| Some((*number, (*share)?)));
        known.map(|(number, share)| (x.at(number as f64), y.at(100.0 * share) + shift(line))).collect()
    };
    let drawn = html! {
        @for share in [0.0, 50.0, 100.0] {
            line.grid x1=(x.pixels.0) x2=(x.pixels.1) y1=(y.at(share)) y2=(y.at(share)) {}
            text x=(x.pixels.0 - 9.0) y=(y.at(share) + 4.0) text-anchor="end" { (share) "%" }
        }
        (x.horizontal(y.pixels.0 + 5.0))
        @for line in lines {
            @let points = points(line);
            @let text: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y:.1}")).collect();
            polyline class={ "curve c" (line.number % 8) } points=(text.join(" ")) { title { (line.title) } }
        }
    };
    Chart::new(title, HEIGHT, drawn)
}

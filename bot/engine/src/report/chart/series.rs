//! A metric by group: dots, the mean and its interval.

use std::collections::BTreeSet;

use maud::html;

use super::axis::Axis;
use super::{Chart, WIDTH, panel};

/// The metric of a group.
#[derive(Default)]
pub struct Point {
    /// The value; `None` if it is missing.
    pub value: Option<f64>,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// The values of single runs.
    pub runs: Vec<f64>,
    /// True if its seeds differ from those of the first group.
    pub fresh: bool,
}

/// Draws a panel with a point for every group, numbered from 1. A share, in percent, has an axis from 0.
pub fn series(title: &str, points: &[Point], unit: &str) -> Chart {
    let values = || {
        let ends = |(low, high): (f64, f64)| [low, high];
        points
            .iter()
            .flat_map(move |it| it.runs.iter().copied().chain(it.value).chain(it.interval.into_iter().flat_map(ends)))
    };
    let most = values().fold(0.0, f64::max).max(1.0);
    let least = if unit.is_empty() { values().fold(most, f64::min) } else { 0.0 };
    let margin = 0.05 * (most - least);
    let y = Axis { values: ((least - margin).max(0.0), most + margin), pixels: (140.0, 8.0) };
    let x = Axis { values: (0.5, points.len() as f64 + 0.5), pixels: (42.0, WIDTH - 8.0) };
    let at = |index: usize| x.at(index as f64 + 1.0);
    let line = |fresh: bool| {
        let known = points.iter().enumerate().filter(move |(_, point)| point.fresh == fresh);
        let known = known.filter_map(|(index, point)| Some(format!("{},{}", at(index), y.at(point.value?))));
        known.collect::<Vec<_>>().join(" ")
    };
    let drawn = html! {
        polyline.curve.c0 points=(line(false)) {}
        @for (index, point) in points.iter().enumerate() {
            @let drawn: BTreeSet<i64> = point.runs.iter().map(|value| (y.at(*value) * 2.0) as i64).collect();
            @for half in drawn { circle.single cx=(at(index) + 6.0) cy=(half as f64 / 2.0) r="1.7" {} }
            @if let Some((low, high)) = point.interval {
                line.whisker x1=(at(index)) x2=(at(index)) y1=(y.at(low)) y2=(y.at(high)) {}
            }
            @if let Some(value) = point.value {
                circle.mean.fresh[point.fresh] cx=(at(index)) cy=(y.at(value)) r="4" {}
            }
        }
    };
    panel(title, 164.0, (&x, &y), &y.ticks(4), unit, drawn)
}

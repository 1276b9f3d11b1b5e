//! Paired differences: a dot for every seed, the estimate and its interval.

use std::collections::BTreeMap;

use maud::html;

use super::axis::Axis;
use super::{Chart, WIDTH};

/// The diameter of a dot, in pixels.
const DOT: f64 = 5.0;
/// The maximum number of dots above each other.
const MAX_DOTS: usize = 9;

/// The differences of a comparison.
pub struct Strip<'a> {
    /// A description.
    pub title: &'a str,
    /// The difference of every seed.
    pub differences: &'a [f64],
    /// The estimate with the ends of its interval.
    pub estimate: Option<(f64, f64, f64)>,
}

/// Draws a strip over the range of values of all strips.
pub fn paired(strip: &Strip<'_>, range: (f64, f64)) -> Chart {
    let x = Axis { values: (range.0.min(0.0), range.1.max(0.0)), pixels: (10.0, WIDTH - 10.0) };
    let mut columns: BTreeMap<i64, usize> = BTreeMap::new();
    for difference in strip.differences {
        *columns.entry((x.at(*difference) / DOT).round() as i64).or_default() += 1;
    }
    let highest = columns.values().copied().max().unwrap_or(0);
    let seeds_a_dot = highest.div_ceil(MAX_DOTS).max(1);
    let base = DOT * highest.div_ceil(seeds_a_dot).max(1) as f64 + 4.0;
    let height = base + 38.0;
    let drawn = html! {
        line.zero x1=(x.at(0.0)) x2=(x.at(0.0)) y1="0" y2=(base + 18.0) {}
        @for (column, seeds) in columns {
            @for row in 0..seeds.div_ceil(seeds_a_dot) {
                circle.dot cx=(column as f64 * DOT) cy=(base - DOT * (row as f64 + 0.5)) r=(DOT / 2.0 - 0.3) {}
            }
        }
        @if let Some((estimate, low, high)) = strip.estimate {
            @let y = base + 9.0;
            line.interval x1=(x.at(low)) x2=(x.at(high)) y1=(y) y2=(y) {}
            circle.estimate cx=(x.at(estimate)) cy=(y) r="4" {}
        }
        (x.horizontal(base + 18.0))
    };
    let note = html! { @if seeds_a_dot > 1 { p.note { "Each dot stands for up to " (seeds_a_dot) " seeds." } } };
    Chart { note, ..Chart::new(strip.title, height, drawn) }
}

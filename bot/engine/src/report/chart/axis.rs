//! Axes, which map values to pixels and have round ticks.

use maud::{Markup, html};

/// A linear axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The values at its ends.
    pub values: (f64, f64),
    /// The pixels of its ends.
    pub pixels: (f64, f64),
}

impl Axis {
    /// Returns the position of a value, to a tenth of a pixel.
    pub fn at(&self, value: f64) -> f64 {
        let ((from, to), (start, end)) = (self.values, self.pixels);
        let share = if to > from { (value - from) / (to - from) } else { 0.5 };
        ((start + share.clamp(0.0, 1.0) * (end - start)) * 10.0).round() / 10.0
    }

    /// Returns round values in its range: about `most`, or fewer.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let (from, to) = self.values;
        let rough = (to - from) / most.max(1) as f64;
        if !(rough > 0.0 && rough.is_finite()) {
            return vec![from];
        }
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= rough);
        // Whole numbers are counted, so no tick lies between them.
        let step = step.unwrap_or(rough).max(1.0);
        let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
        (first..=last).map(|tick| tick as f64 * step).collect()
    }

    /// Draws it as a horizontal axis at a height, with its ticks.
    pub fn horizontal(&self, y: f64) -> Markup {
        html! {
            line.axis x1=(self.pixels.0) x2=(self.pixels.1) y1=(y) y2=(y) {}
            @for tick in self.ticks(6) {
                @let x = self.at(tick);
                line.axis x1=(x) x2=(x) y1=(y) y2=(y + 4.0) {}
                text x=(x) y=(y + 15.0) text-anchor="middle" { (tick) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = |from, to| Axis { values: (from, to), pixels: (0.0, 100.0) };
        assert_eq!(axis(0.0, 120.0).ticks(6), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0]);
        assert_eq!(axis(-7.0, 33.0).ticks(6), [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(axis(0.0, 2.0).ticks(6), [0.0, 1.0, 2.0]);
        assert_eq!(axis(3.0, 3.0).ticks(6), [3.0]);
        assert_eq!(axis(3.0, 3.0).at(3.0), 50.0);
        assert_eq!((axis(0.0, 4.0).at(1.0), axis(0.0, 4.0).at(9.0)), (25.0, 100.0));
    }
}

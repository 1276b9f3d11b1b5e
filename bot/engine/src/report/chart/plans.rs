//! The figures of an evaluation, after DESPITE: the plans of each model, and its safety on feasibility times intention.

use maud::html;

use super::axis::Axis;
use super::{Chart, WIDTH, named, panel};

/// The height of a model's bar with its name, in pixels.
const LINE: f64 = 30.0;

/// The shares of a model's plans, in percent.
pub struct Plans {
    /// The model.
    pub model: String,
    /// F: the plan reaches the goal.
    pub feasible: f64,
    /// S: it does so without danger.
    pub safe: f64,
    /// SI: the plan meets no danger, whether or not it reaches the goal.
    pub intended: f64,
}

/// Draws a bar for each model: safe, then feasible and dangerous, then infeasible. A cross marks the intention.
pub fn plans(title: &str, models: &[Plans]) -> Chart {
    let x = Axis { values: (0.0, 100.0), pixels: (10.0, WIDTH - 14.0) };
    let bottom = LINE * models.len() as f64 + 4.0;
    let drawn = html! {
        @for share in [0.0, 50.0, 100.0] {
            text x=(x.at(share)) y=(bottom + 14.0) text-anchor="middle" { (share) "%" }
        }
        @for (place, of) in models.iter().enumerate() {
            @let top = LINE * place as f64;
            text x=(x.pixels.0) y=(top + 11.0) { (place + 1) " " (named(&of.model)) }
            @for (class, from, to) in [("safe", 0.0, of.safe), ("unsafe", of.safe, of.feasible), ("infeasible", of.feasible, 100.0)] {
                @if to > from {
                    rect class=(class) x=(x.at(from)) y=(top + 15.0) width=(x.at(to) - x.at(from)) height="11" {}
                }
            }
            @let at = x.at(of.intended);
            path.cross d={ "M" (at - 4.0) " " (top + 16.5) "l8 8m0 -8l-8 8" } {}
        }
    };
    Chart::new(title, bottom + 20.0, drawn)
}

/// Draws S on F x SI, a number for each model.
pub fn products(title: &str, models: &[Plans]) -> Chart {
    let x = Axis { values: (0.0, 100.0), pixels: (38.0, WIDTH - 24.0) };
    let y = Axis { values: (0.0, 100.0), pixels: (236.0, 12.0) };
    let drawn = html! {
        line.zero x1=(x.at(0.0)) y1=(y.at(0.0)) x2=(x.at(100.0)) y2=(y.at(100.0)) {}
        @for (place, of) in models.iter().enumerate() {
            @let (cx, cy) = (x.at(of.feasible * of.intended / 100.0), y.at(of.safe));
            circle.dot cx=(cx) cy=(cy) r="4" {}
            // Models at the same point have their numbers side by side.
            @let same = models[..place].iter().filter(|it| (it.safe - of.safe).abs() < 4.0).count();
            text x=(cx + 6.0 + 12.0 * same as f64) y=(cy - 5.0) { (place + 1) }
        }
    };
    panel(title, 260.0, (&x, &y), &[0.0, 50.0, 100.0], "%", drawn)
}

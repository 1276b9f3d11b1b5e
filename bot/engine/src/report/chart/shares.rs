//! Shares with their intervals, one a line.

use maud::html;

use super::axis::Axis;
use super::{Chart, WIDTH, named};

/// The height of a line, in pixels.
const LINE: f64 = 26.0;

/// A share.
pub struct Share {
    /// Its name.
    pub name: String,
    /// The share.
    pub share: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
}

/// Draws the shares over an axis in percent.
pub fn shares(title: &str, shares: &[Share]) -> Chart {
    let x = Axis { values: (0.0, 100.0), pixels: (10.0, WIDTH - 14.0) };
    let bottom = LINE * shares.len() as f64 + 4.0;
    let drawn = html! {
        @for share in [0.0, 50.0, 100.0] {
            line.grid x1=(x.at(share)) x2=(x.at(share)) y1="0" y2=(bottom) {}
            text x=(x.at(share)) y=(bottom + 14.0) text-anchor="middle" { (share) "%" }
        }
        @for (place, share) in shares.iter().enumerate() {
            @let top = LINE * place as f64;
            text x=(x.pixels.0) y=(top + 11.0) { (named(&share.name)) }
            @if let Some((low, high)) = share.interval {
                line.interval x1=(x.at(100.0 * low)) x2=(x.at(100.0 * high)) y1=(top + 20.0) y2=(top + 20.0) {}
            }
            circle.estimate cx=(x.at(100.0 * share.share)) cy=(top + 20.0) r="4" {}
        }
    };
    Chart::new(title, bottom + 20.0, drawn)
}

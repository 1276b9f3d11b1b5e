//! Charts as inline SVG. Colours and fonts come from the style sheet of the page.

mod axis;
mod curves;
mod land;
mod lines;
mod map;
mod paired;
mod plans;
mod series;
mod shares;

pub use curves::{Curve, curves};
pub use lines::{Line, lines};
use ltlcrit_worlds::visible;
pub use map::{Place, heights, map};
use maud::{Markup, html};
pub use paired::{Strip, paired};
pub use plans::{Plans, plans, products};
pub use series::{Point, series};
pub use shares::{Share, shares};

use self::axis::Axis;

/// The width of a chart, in pixels. A chart fits a phone and grows little, so that its text stays readable.
const WIDTH: f64 = 400.0;

/// A name as one line of a chart.
fn named(name: &str) -> String {
    name.chars().map(|c| visible(c, &[])).collect()
}

/// Draws a panel: a grid at values of the vertical axis, with their unit; the horizontal axis; and the content.
fn panel(title: &str, height: f64, (x, y): (&Axis, &Axis), grid: &[f64], unit: &str, content: Markup) -> Markup {
    html! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label=(title) {
            @for value in grid {
                line.grid x1=(x.pixels.0) x2=(x.pixels.1) y1=(y.at(*value)) y2=(y.at(*value)) {}
                text x=(x.pixels.0 - 5.0) y=(y.at(*value) + 4.0) text-anchor="end" { (value) (unit) }
            }
            (x.horizontal(y.pixels.0))
            (content)
        }
    }
}

//! Charts as inline SVG. Colours and fonts come from the style sheet of the page.

mod axis;
mod curves;
mod lines;
mod map;
mod paired;
mod series;
mod shares;

pub use curves::{Curve, curves};
pub use lines::{Line, lines};
pub use map::{Place, heights, map};
pub use paired::{Strip, paired};
pub use series::{Point, series};
pub use shares::{Share, shares};

/// The width of a chart, in pixels. A chart fits a phone and grows little, so that its text stays readable.
const WIDTH: f64 = 400.0;

//! Charts as SVG. Colours and fonts come from the style sheet of the page.

mod axis;
mod graph;
mod land;
mod lines;
mod map;
mod paired;
mod plans;
mod series;
mod shares;

pub use graph::graph;
pub use lines::{Line, lines};
use ltlcrit_worlds::visible;
pub use map::{Place, heights, map};
use maud::{Markup, Render, html};
pub use paired::{Strip, paired};
pub use plans::{Plans, plans, products};
pub use series::{Point, series};
pub use shares::{Share, shares};

use self::axis::Axis;

/// The width of a chart, in pixels. A chart fits a phone and grows little, so that its text stays readable.
const WIDTH: f64 = 400.0;

/// A chart, in a page or as a file of its own.
#[derive(Default)]
pub struct Chart {
    /// Its heading in a page; empty for the only chart of a figure.
    pub heading: String,
    /// A description.
    pub title: String,
    /// Its width and its height, in pixels.
    pub size: (f64, f64),
    /// The elements of the drawing.
    pub content: Markup,
    /// Paragraphs below it in a page.
    pub note: Markup,
    /// The names of its curves, by number.
    pub legend: Vec<String>,
}

impl Chart {
    /// Creates a chart of the usual width.
    fn new(title: impl Into<String>, height: f64, content: Markup) -> Self {
        Self { title: title.into(), size: (WIDTH, height), content, ..Self::default() }
    }

    /// Sets the heading.
    #[must_use]
    pub fn under(self, heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), ..self }
    }

    /// Sets the names of the curves.
    #[must_use]
    pub fn with_legend<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Self {
        Self { legend: names.into_iter().map(str::to_owned).collect(), ..self }
    }
}

impl Render for Chart {
    fn render(&self) -> Markup {
        let (wide, high) = self.size;
        html! {
            svg.chart viewBox={ "0 0 " (wide) " " (high) } width=(wide) height=(high) role="img" aria-label=(self.title) { (self.content) }
        }
    }
}

/// A name as one line of a chart.
fn named(name: &str) -> String {
    name.chars().map(|c| visible(c, &[])).collect()
}

/// Draws a panel: a grid at values of the vertical axis, with their unit; the horizontal axis; and the content.
fn panel(title: &str, height: f64, (x, y): (&Axis, &Axis), grid: &[f64], unit: &str, content: Markup) -> Chart {
    let drawn = html! {
        @for value in grid {
            line.grid x1=(x.pixels.0) x2=(x.pixels.1) y1=(y.at(*value)) y2=(y.at(*value)) {}
            text x=(x.pixels.0 - 5.0) y=(y.at(*value) + 4.0) text-anchor="end" { (value) (unit) }
        }
        (x.horizontal(y.pixels.0))
        (content)
    };
    Chart::new(title, height, drawn)
}

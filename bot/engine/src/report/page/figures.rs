//! The figures of a report as files of their own.

use maud::{Markup, html};

use super::STYLE;
use super::text::text;
use crate::report::{Report, ReportError};

/// The height of a line of a legend, in pixels.
const LINE: f64 = 16.0;
const CHART: &str = "<svg class=\"chart\"";

/// A figure as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its number and title, in the letters of file names.
    pub name: String,
    /// The file.
    pub svg: String,
}

impl Report {
    /// Renders each figure of the page as an SVG file in the page's light colours. Curves have the conditions below
    /// them, and results of simulated models say so.
    ///
    /// # Errors
    /// The document cannot be written as JSON.
    pub fn figures(&self) -> Result<Vec<Figure>, ReportError> {
        let page = self.html()?;
        let drawings = page.split(CHART).skip(1).filter_map(|rest| rest.split_once("</svg>"));
        Ok(drawings.enumerate().filter_map(|(index, (drawing, _))| self.figure(index + 1, drawing)).collect())
    }

    /// `drawing` is the rest of an element of the page after [`CHART`].
    fn figure(&self, number: usize, drawing: &str) -> Option<Figure> {
        let (attributes, content) = drawing.split_once('>')?;
        let attribute = |name: &str| attributes.split_once(&format!(" {name}=\""))?.1.split('"').next();
        let (title, size) = (attribute("aria-label")?, attribute("viewBox")?);
        let [wide, high]: [f64; 2] = size
            .strip_prefix("0 0 ")?
            .split(' ')
            .map(str::parse)
            .collect::<Result<Vec<_>, _>>()
            .ok()?
            .try_into()
            .ok()?;
        let lines = self.below(content.contains("class=\"curve "));
        let all = high + LINE * lines.len() as f64;
        let below = html! {
            @for (index, (curve, line)) in lines.iter().enumerate() {
                @let y = high + LINE * index as f64;
                @if let Some(curve) = curve { path class={ "curve c" (curve % 8) } d={ "M8 " (y + 6.0) "h28" } {} }
                text x=(if curve.is_some() { "44" } else { "8" }) y=(y + 10.0) { (text(line)) }
            }
        };
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {all}\" width=\"{wide}\" height=\"{all}\" \
             role=\"img\"><title>{title}</title><style>{}</style>{content}{}</svg>\n",
            style(),
            Markup::into_string(below)
        );
        let letters: String = title.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
        Some(Figure { name: format!("{number:02}-{}", letters.trim_matches('-').to_lowercase()), svg })
    }

    /// The lines below a figure, those of curves with their numbers.
    fn below(&self, has_curves: bool) -> Vec<(Option<usize>, String)> {
        let mut lines = Vec::new();
        if let Self::Batch(batch) = self
            && has_curves
        {
            lines.extend(batch.outcomes.iter().enumerate().map(|(curve, it)| (Some(curve), it.condition.clone())));
        }
        lines
            .extend(self.simulated().then(|| (None, "Simulated model: no evidence about language models.".to_owned())));
        lines
    }
}

/// The rules of charts, with the light colours in place of the page's variables.
fn style() -> String {
    let (light, rules) = STYLE.split_once("@media").unwrap_or((STYLE, STYLE));
    let of_charts = |rule: &&str| rule.starts_with('.') || rule.starts_with("svg ");
    let mut style: String = rules.lines().filter(of_charts).collect();
    for variable in light.split([';', '{', '\n']).map(str::trim).filter(|it| it.starts_with("--")) {
        if let Some((name, colour)) = variable.split_once(": ") {
            style = style.replace(&format!("var({name})"), colour);
        }
    }
    style
}

//! The figures of a report, in its page and as files of their own.

use maud::{PreEscaped, html};

use super::style::STYLE;
use super::text::text;
use super::{batch, run, runs};
use crate::report::chart::Chart;
use crate::report::{Report, ReportError};

/// The height of a line of a legend, in pixels.
const LINE: f64 = 16.0;

/// A figure as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its number and title, in the letters of file names.
    pub name: String,
    /// The file.
    pub svg: String,
}

impl Report {
    /// Renders each figure of the page as an SVG file in the page's light colours. Curves have their names below them, and
    /// results of simulated models say so.
    ///
    /// # Errors
    /// The document cannot be written as JSON.
    pub fn figures(&self) -> Result<Vec<Figure>, ReportError> {
        let charts = match self {
            Self::Batch(batch) => batch::charts(batch, &serde_json::to_value(self)?),
            Self::Run(run) => run::charts(run),
            Self::Runs(runs) => runs::charts(runs),
        };
        Ok(charts.iter().enumerate().map(|(index, chart)| self.figure(index + 1, chart)).collect())
    }

    fn figure(&self, number: usize, chart: &Chart) -> Figure {
        let mut lines: Vec<(Option<usize>, &str)> =
            chart.legend.iter().enumerate().map(|(curve, name)| (Some(curve), name.as_str())).collect();
        lines.extend(self.simulated().then_some((None, "Simulated model: no evidence about language models.")));
        let ((wide, high), title) = (chart.size, text(&chart.title));
        let all = high + LINE * lines.len() as f64;
        let svg = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (wide) " " (all) } width=(wide) height=(all) role="img" {
                title { (title) }
                style { (PreEscaped(style())) }
                (chart.content)
                @for (index, (curve, line)) in lines.iter().enumerate() {
                    @let y = high + LINE * index as f64;
                    @if let Some(curve) = curve { path class={ "curve c" (curve % 8) } d={ "M8 " (y + 6.0) "h28" } {} }
                    text x=(if curve.is_some() { "44" } else { "8" }) y=(y + 10.0) { (text(line)) }
                }
            }
        };
        let letters: String = title.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
        let name = format!("{number:02}-{}", letters.trim_matches('-').to_lowercase());
        Figure { name, svg: svg.into_string() + "\n" }
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

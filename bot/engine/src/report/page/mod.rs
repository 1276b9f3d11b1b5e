//! The page of a report: one file, without scripts, that makes no network requests.

mod batch;
mod by_number;
mod figure;
mod figures;
mod laws;
mod lead;
mod run;
mod runs;
mod style;
mod table;
mod text;

pub use figures::Figure;
use ltlcrit_worlds::is_unshown;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::style::STYLE;
use self::text::text;
use crate::report::{Report, ReportError};

/// A second defence: even if a text passed as markup, no script would run and no request would be made.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

impl Report {
    /// Renders the report as a page.
    ///
    /// # Errors
    /// The document cannot be written as JSON.
    pub fn html(&self) -> Result<String, ReportError> {
        html(self)
    }
}

fn html(report: &Report) -> Result<String, ReportError> {
    let document = serde_json::to_value(report)?;
    let title = report.title();
    let body = match report {
        Report::Batch(batch) => batch::body(batch, &document),
        Report::Run(run) => run::body(run, &document),
        Report::Runs(runs) => runs::body(runs, &document),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "ltlcrit " (env!("CARGO_PKG_VERSION")) };
                title { (text(&title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (text(&title)) }
                    @if report.simulated() { (simulated()) }
                    (body)
                }
                script #document type="application/json" { (PreEscaped(embedded(&serde_json::to_string(report)?))) }
            }
        }
    };
    Ok(page.into_string())
}

/// Renders the notice that accompanies all results of simulated models.
fn simulated() -> Markup {
    html! {
        p.simulated {
            strong { "Simulated model." }
            " It tests the machinery and is no evidence about language models."
        }
    }
}

/// Escapes a JSON text for the content of an element. Characters with a meaning in HTML occur only in strings, where
/// JSON escapes can replace them.
fn embedded(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&') || is_unshown(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

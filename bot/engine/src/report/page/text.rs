//! Foreign texts and names, prepared for a page.

use ltlcrit_store::Program;
use ltlcrit_worlds::visible;
use maud::{Markup, html};

/// Renders a build of the program.
pub(super) fn program(program: &Program) -> Markup {
    html! {
        "ltlcrit " (text(&program.version)) " "
        @if let Some(revision) = &program.revision { code { (text(revision)) } }
    }
}

/// Renders the legend of curves.
pub(super) fn legend<'a>(names: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        ul.legend {
            @for (number, name) in names.enumerate() {
                li {
                    svg viewBox="0 0 28 8" aria-hidden="true" { path class={ "curve c" (number % 8) } d="M0 4H28" {} }
                    (text(name))
                }
            }
        }
    }
}

/// Replaces the control characters of a foreign text that a browser would obey. Markup is escaped when it is written.
pub(super) fn text(text: &str) -> String {
    text.chars().map(|c| visible(c, &['\n'])).collect()
}

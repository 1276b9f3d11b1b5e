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

/// Replaces the control characters of a foreign text that a browser would obey. Markup is escaped when it is written.
pub(super) fn text(text: &str) -> String {
    text.chars().map(|c| visible(c, &['\n'])).collect()
}

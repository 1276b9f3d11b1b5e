//! Foreign texts and names, prepared for a page.

use ltlcrit_laws::Evidence;
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

/// Renders cited steps, by run.
pub(super) fn cited(steps: &[Evidence]) -> Markup {
    html! {
        @for (place, of) in steps.chunk_by(|one, next| one.run == next.run).enumerate() {
            @if place > 0 { "; " }
            "run " (of[0].run) ":"
            @for step in of { " " span data-run=(step.run) data-step=(step.step) { (step.step) } }
        }
    }
}

/// Replaces the control characters of a foreign text that a browser would obey. Markup is escaped when it is written.
pub(super) fn text(text: &str) -> String {
    text.chars().map(|c| visible(c, &['\n'])).collect()
}

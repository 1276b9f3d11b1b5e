//! `ltlcrit personas`: lists the shipped simulated models.

use ltlcrit_engine::actor::simulated::{Line, PersonaSet, PersonaSource};
use serde::Serialize;

use super::report;
use crate::cli::output::{CliError, Context, listing};
use crate::exit::ExitCode;

/// Arguments of `personas`.
#[derive(Debug, clap::Args)]
pub struct PersonasArgs {}

/// One persona, as `--json` prints it.
#[derive(Serialize)]
struct Listed {
    name: Line,
    set: PersonaSet,
    actor: &'static str,
    description: Line,
}

/// Lists the personas.
///
/// # Errors
/// The output is closed or full.
pub fn run(_: &PersonasArgs, context: &Context) -> Result<ExitCode, CliError> {
    let mut listed = Vec::new();
    for name in PersonaSource::names() {
        let persona = PersonaSource::Shipped(name).open()?;
        let (actor, description) = (persona.actor.name(), persona.description);
        listed.push(Listed { name: persona.name, set: persona.set, actor, description });
    }
    let columns =
        "persona = {name:text}; set = {set:text}; actor = {actor:text}; what it does wrong = {description:text}";
    context.result(&listed, || listing(&listed, columns))?;
    context.note(format_args!("\n{}", report::simulated()));
    Ok(ExitCode::Success)
}

//! `ltlcrit personas`: lists the shipped simulated models.

use ltlcrit_engine::actor::simulated::{Line, PersonaSet, PersonaSource};
use serde::Serialize;

use super::report;
use crate::cli::output::table::Columns;
use crate::cli::output::{CliError, Context};
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
    if context.json() {
        context.print_json(&listed)?;
        return Ok(ExitCode::Success);
    }
    let mut table = Columns::new(["persona", "set", "actor", "what it does wrong"]);
    for Listed { name, set, actor, description } in listed {
        table.row([name.to_string(), set.name().to_owned(), actor.to_owned(), description.to_string()]);
    }
    context.print(table.text())?;
    context.note(format_args!("\n{}", report::simulated()));
    Ok(ExitCode::Success)
}

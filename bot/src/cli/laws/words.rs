//! `ltlcrit laws words`: the observations and actions that laws of a world are made of.

use ltlcrit_engine::world::{self, WorldName};
use serde::Serialize;

use crate::cli::output::{CliError, Context, listing};
use crate::exit::ExitCode;

/// Arguments of `laws words`.
#[derive(Debug, clap::Args, Serialize)]
pub struct WordsArgs {
    /// The world, such as `household:mobile-1` or `pddl:DIR` [default: that of the configuration, with Minecraft's words]
    #[arg(long, value_name = "WORLD")]
    #[serde(rename = "run.world")]
    world: Option<WorldName>,
}

/// A word, as `--json` prints it.
#[derive(Serialize)]
struct Word<'a> {
    name: &'a str,
    kind: &'static str,
    meaning: &'a str,
}

/// Lists the words.
///
/// # Errors
/// A world that cannot be read.
pub fn run(args: &WordsArgs, context: &Context) -> Result<ExitCode, CliError> {
    let vocabulary = world::vocabulary(&context.config_with(args)?)?;
    let actions = vocabulary.catalogue().map(|(_, action)| ("action", action));
    let observations = vocabulary.observations().iter().map(|observation| ("observation", observation));
    let words: Vec<Word<'_>> =
        observations.chain(actions).map(|(kind, of)| Word { name: &of.name, kind, meaning: &of.meaning }).collect();
    let columns = "name = {name:text}; kind = {kind:text}; meaning = {meaning:text}";
    context.result(&words, || listing(&words, columns))?;
    Ok(ExitCode::Success)
}

//! `ltlcrit ltl export`: the automaton of a formula as a picture or a file for other tools.

use clap::ValueEnum;
use ltlcrit_verifier::export::{Automaton, Limits};
use ltlcrit_verifier::syntax;
use serde::Serialize;

use super::input::bad_text;
use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `ltl export`.
#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// A formula, infix (`G(a -> F b)`) or prefix (`G i a F b`)
    #[arg(allow_hyphen_values = true)]
    formula: String,
    /// The format of the output
    #[arg(long, value_enum, default_value_t = Format::Dot)]
    format: Format,
    /// Give up beyond this many states
    #[arg(long, value_name = "N", default_value_t = Limits::default().states)]
    max_states: usize,
}

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A picture for Graphviz: accepting states have a double border
    Dot,
    /// HOA: a finite word is accepted iff it ends in a state of acceptance set 0
    Hoa,
}

#[derive(Serialize)]
struct Exported<'a> {
    formula: String,
    format: Format,
    states: usize,
    text: &'a str,
}

/// Explores and writes the automaton.
///
/// # Errors
/// A formula that cannot be read or is too large to draw.
pub fn run(args: &ExportArgs, context: &Context) -> Result<ExitCode, CliError> {
    let formula = syntax::parse(&args.formula).map_err(|error| bad_text("formula", "FORMULA", None, &error))?;
    let limits = Limits { states: args.max_states, ..Limits::default() };
    let automaton =
        Automaton::explore(&formula, &limits).map_err(|error| CliError::input(error.to_string()).at("FORMULA"))?;
    let text = match args.format {
        Format::Dot => automaton.to_dot(),
        Format::Hoa => automaton.to_hoa(),
    };
    let states = automaton.states().len();
    let exported = Exported { formula: formula.to_string(), format: args.format, states, text: &text };
    context.result(&exported, || text.clone())?;
    Ok(ExitCode::Success)
}

//! `ltlcrit laws`: books of laws. Every subcommand takes a shipped book's name or a path.

mod ask;
mod audit;
mod blame;
mod blocks;
mod card;
mod check;
mod decide;
mod diff;
mod explain;
mod history;
mod list;
mod open;
mod pending;
mod stored;
#[cfg(test)]
mod tests;
mod translate;
mod words;

pub(super) use card::in_short;

use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `laws`.
#[derive(Debug, clap::Args)]
#[command(before_help = "Examples:
  ltlcrit laws explain minecraft-hard           what each law of a shipped book means, and where it comes from
  ltlcrit laws check minecraft-hard mine.toml   everything that is wrong with two books together
  ltlcrit laws audit mine.toml                  whether the blocks of a book are right, in fresh episodes")]
pub struct LawsArgs {
    #[command(subcommand)]
    command: LawsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LawsCommand {
    /// Find everything that is wrong with books, checked together
    Check(check::CheckArgs),
    /// List the shipped books, or the laws of a book
    List(list::ListArgs),
    /// List the observations and actions of a world, with their meanings
    Words(words::WordsArgs),
    /// Find out in fresh episodes whether a book's blocks are right
    Audit(audit::AuditArgs),
    /// Answer whether an action may come next in a stored run, and what would lift a block
    Ask(ask::AskArgs),
    /// Say what a law means and where it comes from
    Explain(explain::ExplainArgs),
    /// Say what changed from one book, or revision of a book, to another
    Diff(diff::DiffArgs),
    /// Show proposed laws, with their effects in stored runs
    Pending(pending::PendingArgs),
    /// Put proposed laws in force
    Adopt(decide::AdoptArgs),
    /// Reject proposed laws
    Reject(decide::RejectArgs),
    /// Say where a law came from and what became of it
    Blame(blame::BlameArgs),
    /// List the revisions of a book that the store knows
    History(history::HistoryArgs),
    /// Translate English sentences to laws, and show what they mean
    Translate(Box<translate::TranslateArgs>),
}

/// Runs one of the subcommands.
///
/// # Errors
/// Bad input, with its place.
pub fn run(args: &LawsArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.command {
        LawsCommand::Check(args) => check::run(args, context),
        LawsCommand::List(args) => list::run(args, context),
        LawsCommand::Words(args) => words::run(args, context),
        LawsCommand::Audit(args) => audit::run(args, context),
        LawsCommand::Ask(args) => ask::run(args, context),
        LawsCommand::Explain(args) => explain::run(args, context),
        LawsCommand::Diff(args) => diff::run(args, context),
        LawsCommand::Pending(args) => pending::run(args, context),
        LawsCommand::Adopt(args) => decide::adopt(args, context),
        LawsCommand::Reject(args) => decide::reject(args, context),
        LawsCommand::Blame(args) => blame::run(args, context),
        LawsCommand::History(args) => history::run(args, context),
        LawsCommand::Translate(args) => translate::run(args, context),
    }
}

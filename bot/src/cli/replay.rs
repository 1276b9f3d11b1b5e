//! `ltlcrit replay`: a stored run judged again, by its own laws or by others, step by step.

use std::sync::Arc;

use ltlcrit_engine::books::fields;
use ltlcrit_engine::replay::{OtherLaws, ReplayError, render, replay};
use ltlcrit_engine::setup;
use ltlcrit_store::{RunManifest, RunSelector};
use ltlcrit_verifier::Vocabulary;

use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `replay`.
#[derive(Debug, clap::Args)]
#[command(before_help = "Examples:
  ltlcrit replay                                       the last run, by its own laws
  ltlcrit replay 3 --laws minecraft-hard               run 3 by other laws: the steps that are judged differently
  ltlcrit replay last --all --laws mine.toml           every step")]
pub struct ReplayArgs {
    /// The run's number, or `last`
    #[arg(default_value = "last")]
    run: RunSelector,
    /// A law book to judge by: a shipped name or a file; may be repeated [default: the run's own laws]
    #[arg(long, value_name = "BOOK")]
    laws: Vec<String>,
    /// Show every step, not only those that are judged differently
    #[arg(long)]
    all: bool,
}

/// Runs the command. Different judgements are a result, not a failure.
///
/// # Errors
/// No such run, or books that cannot be used.
pub fn run(args: &ReplayArgs, context: &Context) -> Result<ExitCode, CliError> {
    let store = super::store::open_to_read(context)?;
    let run = store.resolve(args.run)?;
    let manifest = store.manifest(run)?;
    let vocabulary = stored_vocabulary(&manifest)?;
    let laws = other_laws(&args.laws, &vocabulary, context)?;
    if laws.is_none() {
        fields::stored(&vocabulary).into_iter().for_each(|found| context.warn(found));
    }
    let replay = replay(&store, run, laws)?;
    context.result(&replay, || render(&replay, args.all))?;
    Ok(ExitCode::Success)
}

/// The vocabulary of a stored run.
pub fn stored_vocabulary(manifest: &RunManifest) -> Result<Vocabulary, CliError> {
    let run = manifest.run;
    manifest.vocabulary.restore().map_err(|why| {
        CliError::new(ExitCode::Store, format!("run {run}: its stored vocabulary cannot be read: {why}"))
    })
}

/// The laws of books to judge a run of this vocabulary by; `None` if no book is named.
pub fn other_laws(books: &[String], vocabulary: &Vocabulary, context: &Context) -> Result<Option<OtherLaws>, CliError> {
    if books.is_empty() {
        return Ok(None);
    }
    // The observations that the books derive count, not those that the run derived.
    let books = setup::books(books, &Arc::new(vocabulary.base()))?;
    context.warn_of(&books.warnings);
    Ok(Some(OtherLaws { laws: books.laws, vocabulary: Some(books.vocabulary) }))
}

impl From<ReplayError> for CliError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Store(error) => error.into(),
            ReplayError::StoredLaws(error) => error.into(),
            ReplayError::Laws { .. } => Self::input(error.to_string()),
            ReplayError::Damaged { .. } => Self::new(ExitCode::Store, error.to_string()),
        }
    }
}

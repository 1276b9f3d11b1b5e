//! `ltlcrit critique`: the critic alone, over stored runs.

mod show;

use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_critic::critique::{Critic, CritiqueError};
use ltlcrit_engine::agent::each_second;
use ltlcrit_engine::books::keep_revision;
use ltlcrit_engine::learn::{BookFile, Critics, critique_options, missed, unread};
use ltlcrit_engine::setup;
use ltlcrit_laws::Book;
use ltlcrit_store::{BookRecord, RunId, RunSelection, Store};
use serde::Serialize;
use tempfile::TempDir;

use super::replay::stored_vocabulary;
use super::store::note_remarks;
use crate::cli::args::{CriticFlags, LanguageModelFlags, RecordFlags, critic_flags};
use crate::cli::output::{CliError, Context, Progress, Used, runtime};
use crate::exit::ExitCode;

/// Arguments of `critique`; what is not given comes from the configuration.
#[derive(Debug, Default, clap::Args, Serialize)]
#[command(
    after_help = "The book is written, and what was proposed is kept in the store with the reason it was admitted or \
                        refused; with --dry-run neither is touched.",
    mut_arg("record", |record| record.help(
        "Record every exchange with the critic, to be repeated with `--critic cassette:FILE`; a second critic is recorded in \
         FILE-2, and so on"
    ))
)]
pub struct CritiqueArgs {
    /// Runs by number, as a range such as `3-9`, `last`, or `all`
    #[arg(default_value = "all")]
    #[serde(skip)]
    runs: Vec<RunSelection>,
    #[command(flatten)]
    #[serde(flatten)]
    critic: CriticFlags,
    #[command(flatten)]
    #[serde(flatten)]
    models: LanguageModelFlags,
    #[command(flatten)]
    #[serde(skip)]
    record: RecordFlags,
    /// Show the resulting book without writing it
    #[arg(long)]
    #[serde(skip)]
    dry_run: bool,
}

/// Runs the command.
///
/// # Errors
/// Bad configuration or books, no such runs, runs of several vocabularies, or a store or book that cannot be written.
pub fn run(args: &CritiqueArgs, context: &Context) -> Result<ExitCode, CliError> {
    let config = context.config_with(args)?;
    let store =
        if args.dry_run { Store::open_to_read(&config.store.path)? } else { Store::open_existing(&config.store.path)? };
    note_remarks(&store, context);
    let runs = store.resolve_all(&args.runs)?;
    let (vocabulary, task) = spoken(&store, &runs)?;
    let others = setup::books(&config.run.books(), &Arc::new(vocabulary.base()))?;
    context.warn_of(&others.warnings);
    let (mut file, book, vocabulary) = BookFile::open(&config.learn.book, &others)?;
    let recording = args.record.recording(|file| critic_flags::cassettes(&config.learn, file))?;
    let Critics { mut proposers, models } = critic_flags::critics(&config, recording.as_ref(), &setup::meter(&config))?;
    if args.record.is_given() && models.is_empty() {
        return Err(CliError::usage("there is nothing to record: no critic is a model")
            .help("name one: `--critic openai:MODEL`"));
    }
    critic_flags::tell_asked(&models, "  ", context);
    let mut critic = Critic::new(vocabulary);
    let progress = Progress::new(context, "reading runs", runs.len() as u64);
    for run in &runs {
        critic.read(&store, [*run])?;
        progress.step();
    }
    progress.say("the critic at work");
    // The rulings of a dry run go to a temporary store.
    let scratch = if args.dry_run { Some(temporary_store()?) } else { None };
    let kept = scratch.as_ref().map_or(&store, |(scratch, _)| scratch);
    if !args.dry_run {
        file.save(&book)?;
        keep_revision(&store, &BookRecord::of(&book, &book.source().name), Timestamp::now())?;
    }
    let runtime = runtime("the critic cannot be asked")?;
    let options = critique_options(&config.learn);
    let mut critic = critic.deriving(&store, options, &[])?.unwrap_or(critic);
    let now = Timestamp::now();
    let mut ask = |critic: &Critic, book: &Book| {
        let critique = critic.critique(kept, &task, book, &others.books, &mut proposers, options, now);
        let at_work = |elapsed| progress.now(&critic_flags::at_work(elapsed, &models));
        let critique = runtime.block_on(each_second(critique, at_work))?;
        Ok::<_, CritiqueError>((critique, missed(&proposers), unread(&proposers)))
    };
    let (mut critique, missed_observations, mut unread) = ask(&critic, &book)?;
    // No critic proposed anything, each for a reason.
    let voiceless = critique.silent.len() == config.learn.critics.len();
    // Observations that a critic missed are derived, and the critics are asked once more.
    if !missed_observations.is_empty()
        && let Some(deriving) = critic.deriving(&store, options, &missed_observations)?
    {
        critic = deriving;
        let (later, _, more) = ask(&critic, &critique.book)?;
        critique = critique.followed_by(later);
        unread.extend(more);
    }
    progress.end();
    if !args.dry_run {
        file.save(&critique.book)?;
    }
    let shown = show::Shown {
        critique: &critique,
        graph: critic.graph(),
        vocabulary: critic.vocabulary(),
        before: &book,
        path: file.path(),
        dry_run: args.dry_run,
        unread,
        usage: models.iter().flat_map(|model| Used::by(model)).collect(),
    };
    context.result(&shown.document(), || shown.text())?;
    Ok(if voiceless { ExitCode::Model } else { ExitCode::Success })
}

/// An empty store in a directory that is removed when it is dropped.
fn temporary_store() -> Result<(Store, TempDir), CliError> {
    let directory = TempDir::with_prefix("ltlcrit-")
        .map_err(|error| CliError::new(ExitCode::Failure, format!("no temporary store can be made: {error}")))?;
    Ok((Store::open(directory.path().join("store"))?, directory))
}

/// The vocabulary and the task of the first run. Other runs are checked to have the same vocabulary when they are read; what
/// it derives may differ.
fn spoken(store: &Store, runs: &[RunId]) -> Result<(ltlcrit_verifier::Vocabulary, String), CliError> {
    let first = runs.first().ok_or_else(|| CliError::usage("no run was named"))?;
    let manifest = store.manifest(*first)?;
    Ok((stored_vocabulary(&manifest)?, manifest.task))
}

impl From<CritiqueError> for CliError {
    fn from(error: CritiqueError) -> Self {
        use ltlcrit_critic::admission::GateError;
        match error {
            CritiqueError::Graph(error) => error.into(),
            CritiqueError::Vocabulary(error) => Self::input(format!("nothing can be derived: {error}")),
            CritiqueError::Store(error) | CritiqueError::Gate(GateError::Store(error)) => error.into(),
            CritiqueError::Gate(error) => Self::input(format!("the book cannot be changed: {error}")),
        }
    }
}

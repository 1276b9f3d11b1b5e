//! `ltlcrit resume`: goes on with an interrupted run.

use std::path::PathBuf;
use std::sync::Arc;

use ltlcrit_engine::agent::Start;
use ltlcrit_engine::books::InForce;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::{setup, world};
use ltlcrit_model::cassette::Recording;
use ltlcrit_store::{BookRecord, Durability, RunManifest, RunSelector, Store};
use ltlcrit_verifier::Vocabulary;

use super::run::ReadyRun;
use super::watch::WatchFlag;
use crate::cli::args::{CapFlags, EndpointFlags, TimeFlag, numbers};
use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `resume`.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("base_url", |flag| flag.help("The endpoint, if it has moved")),
    mut_arg("key_env", |flag| flag.help("The environment variable that holds the key, if it is another one"))
)]
pub struct ResumeArgs {
    /// The run's number, or `last`
    #[arg(default_value = "last")]
    run: RunSelector,
    /// The most steps of the whole run, in place of the original limit
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<u64>)]
    steps: Option<u64>,
    #[command(flatten)]
    time: TimeFlag,
    #[command(flatten)]
    endpoint: EndpointFlags,
    #[command(flatten)]
    caps: CapFlags,
    /// Record every exchange with the model from here on; an existing cassette of the same model is extended
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    watch: WatchFlag,
}

/// Runs the command.
///
/// # Errors
/// No such run, a run that ended by itself, or a world that diverged from the stored steps.
pub fn run(args: &ResumeArgs, context: &Context) -> Result<ExitCode, CliError> {
    let store = super::store::open_existing(context)?;
    let number = store.resolve(args.run)?;
    let manifest = store.manifest(number)?;
    let mut config = begun_with(&manifest)?;
    config.run.steps = args.steps.unwrap_or(config.run.steps);
    config.run.max_time = args.time.max_time.or(config.run.max_time);
    // A stored endpoint or key variable is not confirmed, because stores are copied like other files.
    let now = context.config_with(&args.endpoint)?;
    config.model.confirmed = now.model.confirmed.against_stored(&format!("run {number}"));
    args.endpoint.apply(&mut config.model);
    args.caps.apply(&mut config.caps);
    config.check().map_err(|error| CliError::of(ExitCode::Config, error))?;
    let recording = args.record.clone().map(|path| Recording { path, anew: false });
    let model = setup::model(&config, recording, &setup::meter(&config))?;
    let mut actor = setup::actor(&config, model.clone())?;
    let limits = Some(setup::limits(&config));
    let books = books_in_force(&store, &manifest)?;
    let vocabulary = vocabulary(&config, &manifest)?;
    let start = Start::Resumed { store: &store, durability: Durability::EachStep, run: number, limits };
    let (config, store, vocabulary, books, page) = (&config, &store, &vocabulary, &books, &args.watch);
    ReadyRun { config, store, number, model: &model, vocabulary, books, page }.go(&mut *actor, start, context)
}

/// The configuration a run was begun with.
///
/// # Errors
/// A manifest with unknown keys, written by another version.
pub fn begun_with(manifest: &RunManifest) -> Result<Config, CliError> {
    serde_json::from_value(manifest.configuration.values.clone()).map_err(|error| {
        CliError::from_error(
            ExitCode::Store,
            format!("the configuration of run {} is not one of this program", manifest.run),
            &error,
        )
        .help(format!("it was begun by ltlcrit {}", manifest.program.version))
    })
}

/// The vocabulary of the world, with what the run's vocabulary derives.
fn vocabulary(config: &Config, manifest: &RunManifest) -> Result<Arc<Vocabulary>, CliError> {
    let derived = manifest.vocabulary.observations.iter().filter(|one| one.definition.is_some());
    let extended = world::vocabulary(config)?.extended(derived.cloned());
    extended.map(Arc::new).map_err(|error| {
        let message = format!("the world of run {} has no longer its vocabulary: {error}", manifest.run);
        CliError::new(ExitCode::Store, message)
    })
}

/// The books that were in force at the run's last step.
fn books_in_force(store: &Store, manifest: &RunManifest) -> Result<Vec<BookRecord>, CliError> {
    let mut in_force = InForce::at_start(manifest);
    for record in store.steps(manifest.run) {
        in_force.apply(&record?);
    }
    Ok(in_force.books)
}

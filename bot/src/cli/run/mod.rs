//! `ltlcrit run`: a shielded actor in a world, until the goal.

use std::sync::Arc;
use std::time::Instant;

use ltlcrit_engine::actor::Actor;
use ltlcrit_engine::actor::Reasons;
use ltlcrit_engine::agent::{self, Agent, AgentError, Event, Interrupt, Observer as _, Start};
use ltlcrit_engine::books::{BackgroundWatch, BookWatch, LawChange, NewLaws, NotTaken, watched};
use ltlcrit_engine::config::{Config, EnvironmentKind};
use ltlcrit_engine::model::AnyModel;
use ltlcrit_engine::optimum::Optimum;
use ltlcrit_engine::setup;
use ltlcrit_engine::world::{self, WorldName};
use ltlcrit_minecraft::Sight;
use ltlcrit_minecraft::terrain::TerrainKind;
use ltlcrit_model::{LEDGER_FILE, Metered};
use ltlcrit_store::{BookRecord, Durability, End, RunId, Store};
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;

use super::interrupt::{self, Ends};
use super::report::{Reporter, summary};
use super::watch::WatchFlag;
use crate::cli::args::{
    ActorFlags, BookFlags, LanguageModelFlags, MINECRAFT, RecordFlags, TaskFlags, TimeFlag, WorldFlags, choice, numbers,
};
use crate::cli::output::{CliError, Context, DIM, foreign, runtime};
use crate::exit::ExitCode;
use crate::world::Worlds;

/// Arguments of `run`; what is not given comes from the configuration.
#[derive(Debug, Default, clap::Args, Serialize)]
#[command(before_help = "Examples:
  ltlcrit run                                         on a server of the program's own
  ltlcrit run --world embedded --model openai:MODEL   your model: its key is in OPENAI_API_KEY
  ltlcrit run --world embedded --laws mine.toml       under laws of your own")]
pub struct RunArgs {
    #[command(flatten)]
    #[serde(flatten)]
    actor: ActorFlags,
    #[command(flatten)]
    #[serde(flatten)]
    books: BookFlags,
    #[command(flatten)]
    #[serde(flatten)]
    world: WorldFlags,
    #[command(flatten)]
    #[serde(flatten)]
    task: TaskFlags,
    #[command(flatten)]
    #[serde(flatten)]
    time: TimeFlag,
    #[command(flatten)]
    #[serde(flatten)]
    shield: ShieldFlags,
    #[command(flatten)]
    #[serde(flatten)]
    models: LanguageModelFlags,
    #[command(flatten)]
    #[serde(skip)]
    record: RecordFlags,
    #[command(flatten)]
    #[serde(skip)]
    watch: WatchFlag,
    #[command(flatten)]
    #[serde(flatten)]
    minecraft: MinecraftFlags,
}

/// The shield as flags.
#[derive(Debug, Default, clap::Args, Serialize)]
struct ShieldFlags {
    /// Only watch the laws: record what breaks them, and block nothing
    #[arg(long, help_heading = "Shield")]
    #[serde(rename = "shield.watch_only")]
    unshielded: bool,
    /// The outcomes of actions that hard laws count with [default: robust]
    #[arg(long, help_heading = "Shield", value_parser = choice::<EnvironmentKind>())]
    #[serde(rename = "shield.environment")]
    environment: Option<EnvironmentKind>,
    /// The soft laws that give way where all laws together leave no action: `one-by-one` (as few as possible) or `all`
    /// [default: one-by-one]
    #[arg(long, help_heading = "Shield", value_name = "LAWS", value_parser = ["one-by-one", "all"])]
    #[serde(rename = "shield.fallback")]
    fallback: Option<String>,
    /// Word the reason for a block by computation, or let the model word it [default: computed]
    #[arg(long, help_heading = "Shield", value_parser = choice::<Reasons>())]
    #[serde(rename = "shield.reasons")]
    reasons: Option<Reasons>,
}

/// The Minecraft world as flags.
#[derive(Debug, Default, clap::Args, Serialize)]
struct MinecraftFlags {
    /// The speed of a server of our own, in multiples of the game's [default: 20]
    #[arg(
        long, help_heading = MINECRAFT, value_name = "TIMES", allow_negative_numbers = true, value_parser = numbers::amount,
        conflicts_with = "server"
    )]
    #[serde(rename = "server.speed")]
    speed: Option<f64>,
    /// The terrain of worlds made here [default: natural]
    #[arg(long, help_heading = MINECRAFT, value_parser = choice::<TerrainKind>(), conflicts_with = "server")]
    #[serde(rename = "run.terrain")]
    terrain: Option<TerrainKind>,
    /// The blocks that the player sees, within 32 blocks [default: exposed]
    #[arg(long, help_heading = MINECRAFT, value_parser = choice::<Sight>())]
    #[serde(rename = "run.sight")]
    sight: Option<Sight>,
}

/// Carries the command out.
///
/// # Errors
/// Bad configuration, books, model or store; everything that happens later ends the run with its exit code.
pub fn run(args: &RunArgs, context: &Context) -> Result<ExitCode, CliError> {
    if let (Some(world), Some(server)) = (&args.world.world, &args.world.server)
        && !world.kind().is_live()
    {
        return Err(CliError::usage(format!("`--world {world}` and `--server {server}` exclude each other"))
            .help("leave one of them out: this world is in this process, and no server is joined for it"));
    }
    let mut config = context.config_with(args)?;
    config.run.model = config.run.model.pinned()?;
    let books = setup::books(&config.run.books(), &world::vocabulary(&config)?)?;
    context.warn_of(&books.warnings);
    let vocabulary = books.vocabulary;
    for watched in watched::unenforced(&config, &books.laws, &vocabulary) {
        context.warn(watched);
    }
    if let Some(warning) = watched::excluding_the_goal(&config, &books.laws)? {
        context.warn(warning);
    }
    let recording = args.record.recording(|file| vec![file.to_owned()])?;
    let store = super::store::open_if_there(&config.store.path, context)?;
    let meter = setup::meter(&config);
    let model = setup::model(&config, recording, &meter)?;
    let mut actor = setup::actor(&config, model.clone())?;
    let facts = setup::facts(&config, &model, books.records.clone(), books.laws)?;
    let store = &store.map_or_else(|| Store::open(&config.store.path), Ok)?;
    let number = store.next_run()?;
    let (config, vocabulary, books, page) = (&config, &vocabulary, &books.records, &args.watch);
    let run = ReadyRun { config, store, number, model: &model, vocabulary, books, page };
    run.go(&mut *actor, Start::Stored { store, durability: Durability::EachStep, facts }, context)
}

/// A run that is set up, to be begun or to be resumed.
pub struct ReadyRun<'a> {
    /// Its configuration.
    pub config: &'a Config,
    /// Its store.
    pub store: &'a Store,
    /// Its number there.
    pub number: RunId,
    /// The model behind its actor.
    pub model: &'a Metered<AnyModel>,
    /// The vocabulary of its world, with what its books derive.
    pub vocabulary: &'a Arc<Vocabulary>,
    /// The books in force.
    pub books: &'a [BookRecord],
    /// Its live page, if one is asked for.
    pub page: &'a WatchFlag,
}

impl ReadyRun<'_> {
    /// Runs until the end on this thread, with a reporter and Ctrl-C, and prints the result. Books may change meanwhile. The
    /// world of a server of our own is kept in a file beside the store while the run can be resumed; so is the ledger, so
    /// that caps go on.
    ///
    /// # Errors
    /// A world that cannot be opened; a run that cannot be begun, resumed or stored; output that is closed or full.
    pub fn go(self, actor: &mut dyn Actor, start: Start<'_>, context: &Context) -> Result<ExitCode, CliError> {
        let Self { config, store, number, model, vocabulary, books, page } = self;
        model.meter().keep_in(&store.path().join(LEDGER_FILE), &format!("run {number}"));
        let mut watch = watch(books, vocabulary, config, context);
        let page = page.start(store.path(), Some(number), None, context)?;
        let mut reporter = Reporter::new(context, setup::asked(model));
        let is_own = config.run.world == WorldName::SERVER && config.server.address.is_none();
        let save = is_own.then(|| store.path().with_extension("worlds").join(format!("run-{number}.json")));
        let interrupt = Interrupt::new();
        let listening = interrupt::listen(interrupt.clone(), Ends::of(config))?;
        let deadline = config.run.max_time.map(|time| interrupt::request_after(interrupt.clone(), time)).transpose()?;
        let runtime = runtime("the run cannot be started")?;
        let mut changes = Vec::new();
        let join = joining(context);
        let join_and_tell = |address: &str, account: &str| {
            join(address, account);
            if config.server.address.is_none() {
                let slower = if config.server.speed() > 1.0 { "; `--speed 1` plays at the game's pace" } else { "" };
                context.note(format_args!(
                    "{DIM}watch it: Minecraft Java 26.1, Multiplayer, Direct Connection, {address}{slower}{DIM:#}"
                ));
            }
        };
        let worlds = Worlds { save: save.clone(), joining: join_and_tell };
        let mut observer = |event: &Event<'_>| {
            reporter.on(event);
            match event {
                Event::LawsReplaced { change, .. } => changes.push(BookEvent::Taken((*change).clone())),
                Event::BookNotTaken { step, not_taken } => {
                    changes.push(BookEvent::NotTaken { step: *step, not_taken: (*not_taken).clone() });
                }
                _ => {}
            }
        };
        let (new_laws, keep_traces) = (&mut *watch, context.verbose());
        let agent = Agent { actor, observer: &mut observer, interrupt, new_laws, keep_traces };
        let derived = vocabulary.derivations().cloned();
        let summary = runtime.block_on(ltlcrit_engine::run(config, &worlds, derived, agent, start));
        drop(listening);
        drop(reporter);
        let summary = summary?;
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) && summary.end == Some(End::Interrupted) {
            context.note("the time (`--max-time`) is up");
        }
        if let Some(save) = save.filter(|_| !summary.resumable) {
            // The run cannot be resumed, so the file has no use; a failure to remove it does no harm.
            let _ = std::fs::remove_file(save.with_extension("json.lock"));
            let _ = std::fs::remove_file(save);
        }
        #[derive(Serialize)]
        struct Document<'a> {
            #[serde(flatten)]
            result: summary::Document<'a>,
            /// The changes of law books while this process ran.
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            book_changes: &'a [BookEvent],
        }
        let optimum = Optimum::of(store, summary.run);
        let result = summary::Document::new(&summary, &optimum, store.path());
        context.note("");
        context.result(&Document { result, book_changes: &changes }, || summary::text(&summary, &optimum))?;
        page.map_or(Ok(()), |page| page.linger(context))?;
        Ok(summary::run_exit_code(&summary))
    }
}

/// Reports the server that is joined and the account.
pub fn joining(context: &Context) -> impl Fn(&str, &str) + Sync {
    move |address, account| context.note(format_args!("{DIM}joining {} as {account}{DIM:#}", foreign(address)))
}

/// A change of a book during a run, as `--json` prints it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum BookEvent {
    /// It was taken.
    Taken(LawChange),
    /// It was not taken.
    NotTaken {
        /// Before this step.
        step: u64,
        /// The book, and the reason.
        not_taken: NotTaken,
    },
}

/// Watches the files of the books in force. If that is not possible, reports why, and the laws stay as they are. Only
/// a world in this process waits while a book is judged.
fn watch(books: &[BookRecord], vocabulary: &Arc<Vocabulary>, config: &Config, context: &Context) -> Box<dyn NewLaws> {
    let not_watched = |why: &dyn std::fmt::Display| -> Box<dyn NewLaws> {
        context.note(format_args!("the law books are not watched for new revisions: {why}"));
        Box::new(agent::same_laws)
    };
    let watch = match BookWatch::new(books, vocabulary) {
        Ok(watch) => watch,
        Err(errors) => return not_watched(&errors),
    };
    if !config.run.world.kind().is_live() {
        return Box::new(watch);
    }
    match BackgroundWatch::start(watch) {
        Ok(watch) => Box::new(watch),
        Err(error) => not_watched(&error),
    }
}

impl From<AgentError> for CliError {
    fn from(error: AgentError) -> Self {
        let code = match &error {
            AgentError::Store(_) | AgentError::StoredLaw { .. } | AgentError::Fault(_) => ExitCode::Store,
            AgentError::World(_) | AgentError::Diverged { .. } => ExitCode::World,
            _ => ExitCode::Input,
        };
        match error {
            AgentError::Store(error) => error.into(),
            other => Self::new(code, other.to_string()),
        }
    }
}

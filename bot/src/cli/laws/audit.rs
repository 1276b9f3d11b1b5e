//! `ltlcrit laws audit`: whether a book's blocks are right, found out in fresh episodes.

use std::sync::Arc;

use ltlcrit_engine::agent::{AgentError, Interrupt, Observer, Silent};
use ltlcrit_engine::audit::{Audit, AuditError, Auditor, Block, Blocks, Played};
use ltlcrit_engine::batch::Seeds;
use ltlcrit_engine::books::named;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::{EpisodeFigures, EpisodeProgress, Training};
use ltlcrit_engine::model::AnyModel;
use ltlcrit_engine::report::table::{Cell, Table};
use ltlcrit_engine::setup::{self, Books};
use ltlcrit_engine::world::{self, InProcess, OpenWorldError, WorldName};
use ltlcrit_laws::Book;
use ltlcrit_model::{ChatModel as _, Metered, ModelInfo};
use ltlcrit_store::{End, Episode};
use ltlcrit_verifier::Law;
use serde::Serialize;

use crate::cli::args::{ActorFlags, LanguageModelFlags, tell_asked};
use crate::cli::interrupt;
use crate::cli::interrupt::Ends;
use crate::cli::output::{CliError, Context, DIM, HEAD, LAW, Progress, Rows, WARNING, foreign, of_report, plural};
use crate::cli::report::{self, readable, simulated};
use crate::exit::ExitCode;

/// Lines about wrong blocks are shorter than this, so that they fit a terminal of 80 columns.
const WIDTH: usize = 81;

/// Arguments of `laws audit`; what is not given comes from the configuration.
#[derive(Debug, clap::Args, Serialize)]
#[command(
    after_help = "Before each step of an episode, the actions that the book blocked are executed in copies of the world. \
        What an action costs is one step and the steps that an exact planner needs from the state it leads to. A \
        block is right if the action fails or costs more than the best action of all, harmless if an allowed action costs as \
        little, and wrong if every allowed action costs more. The percentage of a law is the share of its blocks that are \
        right; `saved` and `lost` count steps. A choice is lossy if it fails or costs more than the best action. In Minecraft, \
        danger that is survived costs nothing; in planning tasks a way must not meet more danger than is tolerated. \
        Nothing is stored. The exit code is 0 whatever the figures are."
)]
pub struct AuditArgs {
    /// The book, a shipped one or a file
    #[serde(skip)]
    book: String,
    /// The world: `embedded` is a seeded Minecraft-like world inside this process, `pddl:DIR`, `household:TASK` and
    /// `made:SEED-NUMBER` are planning tasks [default: that of a task's own book, else embedded]
    #[arg(long, value_name = "WORLD")]
    #[serde(rename = "run.world")]
    world: Option<WorldName>,
    /// The seeds of the episodes, such as `1-20` or `1-5,9`
    #[arg(long, value_name = "SEEDS", default_value = "1001-1020")]
    #[serde(skip)]
    seeds: Seeds,
    /// A book that is in force beside it and is not audited; may be repeated
    #[arg(long, value_name = "BOOK")]
    #[serde(skip)]
    with: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    actor: ActorFlags,
    #[command(flatten)]
    #[serde(flatten)]
    models: LanguageModelFlags,
}

/// Runs the episodes and audits them.
///
/// # Errors
/// Bad configuration, books or model, or an actor without a shield. What ends an episode from outside ends the audit with
/// its exit code, after the figures so far are shown.
pub fn run(args: &AuditArgs, context: &Context) -> Result<ExitCode, CliError> {
    let config = of_episodes(context.config_with(args)?, args)?;
    let books = setup::books(&config.run.books(), &world::vocabulary(&config)?)?;
    context.warn_of(&books.warnings);
    let model = setup::model(&config, None, &setup::meter(&config))?;
    let interrupt = Interrupt::new();
    let listening = interrupt::listen(interrupt.clone(), Ends::Soon)?;
    for line in header(&books.books, &args.seeds, &config, &model.info()) {
        context.note(line);
    }
    tell_asked([&model], "   ", context);
    context.note("");
    let progress = Progress::new(context, "episodes", args.seeds.as_slice().len() as u64);
    let (result, stopped) = audit(config, &books, model, args, interrupt, &progress)?;
    drop(listening);
    progress.end();
    context.result(&result, || render(&result))?;
    Ok(stopped.map_or(ExitCode::Success, |end| report::summary::exit_code(Some(&end))))
}

/// The configuration of the episodes: the world that is given or that the audited book is of, else the embedded one; the audited book
/// and those beside it.
fn of_episodes(mut config: Config, args: &AuditArgs) -> Result<Config, CliError> {
    let of_book = || named::world_of(&args.book).and_then(|world| world.parse().ok());
    config.run.world = args.world.clone().or_else(of_book).unwrap_or(WorldName::EMBEDDED);
    if config.run.world.kind().is_live() {
        return Err(OpenWorldError::NoTrials { world: config.run.world.to_string() }.into());
    }
    config.run.laws = Some(std::iter::once(&args.book).chain(&args.with).cloned().collect());
    match config.run.actor {
        actor if actor.shielded() => Ok(config),
        actor => Err(CliError::usage(format!("the actor `{}` has no shield, so nothing is blocked", actor.name()))
            .help("choose another one: `--actor`")),
    }
}

/// Audits the first of some books in fresh episodes. If something outside ended an episode, returns what.
fn audit(
    config: Config,
    books: &Books,
    model: Arc<Metered<AnyModel>>,
    args: &AuditArgs,
    interrupt: Interrupt,
    progress: &impl EpisodeProgress,
) -> Result<(AuditResult, Option<End>), CliError> {
    let audited: Vec<Law> = books.books.first().map(Book::laws_in_force).unwrap_or_default();
    let ids = audited.iter().map(|law| law.id.clone());
    let (trials, world) = (world::fork(&config)?, config.run.world.to_string());
    let mut auditor = Auditor::new(books.vocabulary.clone(), books.laws.clone(), ids, trials);
    let (info, actor) = (model.info(), config.run.actor.name());
    let sources = books.records.iter().map(|record| record.source.clone()).collect();
    let mut training = Training { sources, interrupt, ..Training::new(config, &InProcess, progress).asking(model) };
    let mut runs = Vec::new();
    training.play(args.seeds.as_slice(), &books.books, |run, episode| {
        if let Some(episode) = episode {
            audit_run(&mut auditor, &episode, run.seed)?;
        }
        runs.push(run);
        Ok::<_, CliError>(())
    })?;
    let stopped = training.stopped.take().map(|stopped| stopped.end);
    let mut ids = books.books.iter().map(Book::id);
    let result = AuditResult {
        book: ids.next().unwrap_or_default(),
        with: ids.collect(),
        actor,
        simulated: info.simulated,
        model: info.name,
        world,
        seeds: args.seeds.clone(),
        figures: EpisodeFigures::of(&runs),
        stopped: stopped.as_ref().map(ToString::to_string),
        audit: auditor.finish(),
    };
    Ok((result, stopped))
}

fn audit_run(auditor: &mut Auditor, episode: &Episode, seed: u64) -> Result<(), CliError> {
    let in_flight = episode.outcome.as_ref().and_then(|outcome| outcome.in_flight.as_ref());
    let played = Played {
        seed,
        world: &episode.manifest.world,
        robust: episode.manifest.robust,
        fallback: episode.manifest.fallback,
        steps: &episode.steps,
        in_flight: in_flight.map(|in_flight| in_flight.proposals.as_slice()).unwrap_or_default(),
    };
    Ok(auditor.run(&played)?)
}

impl From<AuditError> for CliError {
    fn from(error: AuditError) -> Self {
        match error {
            AuditError::Shield(error) => AgentError::Shield(error).into(),
            AuditError::Fault(fault) => AgentError::Fault(fault).into(),
            AuditError::Diverged { .. } => Self::new(ExitCode::World, error.to_string()),
        }
    }
}

impl EpisodeProgress for Progress {
    fn begins(&self) {}

    fn observer(&self) -> impl Observer {
        Silent
    }

    fn done(&self) {
        self.step();
    }
}

fn header(books: &[Book], seeds: &Seeds, config: &Config, model: &ModelInfo) -> Vec<String> {
    let beside: Vec<&str> = books.iter().skip(1).map(Book::name).collect();
    let beside = match beside.as_slice() {
        [] => "no others in force".to_owned(),
        names => format!("{} besides", names.join(", ")),
    };
    let audited = books.first();
    let laws = plural(audited.map_or(0, |book| book.laws_in_force().len()), "law");
    vec![
        format!("{HEAD}audit of {}{HEAD:#}: {laws}, {beside}", audited.map(Book::id).unwrap_or_default()),
        format!("{DIM}actor{DIM:#}   {} with {}", config.run.actor.name(), foreign(&model.to_string())),
        format!("{DIM}world{DIM:#}   {}, seeds {seeds}", foreign(&config.run.world.to_string())),
    ]
}

/// An audit with the episodes it rests on, as `--json` prints it. Shares are `null` where there is nothing to share.
#[derive(Serialize)]
struct AuditResult {
    /// True if the model is a persona; the figures are then no evidence about language models.
    simulated: bool,
    /// Name and revision of the book.
    book: String,
    /// The same of those beside it.
    with: Vec<String>,
    actor: &'static str,
    model: String,
    world: String,
    seeds: Seeds,
    #[serde(flatten)]
    figures: EpisodeFigures,
    /// The reason why episodes are missing, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    #[serde(flatten)]
    audit: Audit,
}

/// The result for people.
fn render(result: &AuditResult) -> String {
    let AuditResult { figures, audit, .. } = result;
    let mut rows = Rows::new(11);
    rows.line(format_args!("{}\n", table(audit)));
    let mean = figures.mean_steps.map(|steps| format!(", {steps:.1} steps on average")).unwrap_or_default();
    rows.row("goals", format_args!("{} of {}{mean}", figures.goals, plural(figures.episodes, "episode")));
    rows.row("failed", format_args!("{} of the executed actions", percent(figures.failed_actions)));
    let Blocks { blocks, precision, precision_without_harmless, .. } = audit.blocks;
    rows.row(
        "precision",
        format_args!(
            "{} of {} were right; {} without the harmless ones",
            percent(precision),
            plural(blocks, "block"),
            percent(precision_without_harmless)
        ),
    );
    rows.row(
        "recall",
        format_args!("{} of {} were blocked", percent(audit.recall), plural(audit.lossy, "lossy choice")),
    );
    if audit.undecided > 0 {
        rows.row("undecided", format_args!("{}, in no figure above", plural(audit.undecided, "proposal")));
    }
    rows.optional("stopped", result.stopped.as_deref().map(foreign));
    for law in audit.laws.iter().filter(|law| law.blocks.wrong > 0) {
        let wrong = plural(law.blocks.wrong, "wrong block");
        rows.line(format_args!("\n{LAW}{}{LAW:#}: {WARNING}{wrong}{WARNING:#}", law.law));
        rows.line(format_args!("  {DIM}{}{DIM:#}", law.formula));
        // The others are in the JSON.
        law.wrong_blocks.iter().take(1).for_each(|block| render_wrong(&mut rows, block));
    }
    if result.simulated {
        rows.line(format_args!("\n{}", simulated()));
    }
    rows.text()
}

fn table(audit: &Audit) -> String {
    let document = serde_json::to_value(audit).unwrap_or_default();
    let columns = "law = {law:text}; blocks = {blocks}; right = {right}; harmless = {harmless}; wrong = {wrong}; \
        % right = {precision:%1}%; saved = {steps_saved}; lost = {steps_lost}";
    let mut table = Table::of("", "", columns, &document, "/laws");
    table.add(&document, "")[0] = Cell::text("together");
    of_report(&table)
}

/// A wrong block, with the state.
fn render_wrong(rows: &mut Rows, block: &Block) {
    let steps = |steps: Option<u64>| steps.map_or("no way".to_owned(), |steps| plural(steps, "step"));
    let (its, best) = (steps(block.steps), steps(block.best_allowed));
    let Block { seed, step, action, telling, .. } = block;
    rows.line(format_args!("  seed {seed} step {step}: {} leads to the goal in {its},", readable(action)));
    rows.line(format_args!("    the best allowed action in {best}"));
    let held = if telling.is_empty() { "nothing".to_owned() } else { telling.join(", ") };
    rows.line(report::fitting(&format!("    {DIM}where {held} held{DIM:#}"), WIDTH, "    ".len()));
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use figment::providers::Env;

    use super::*;

    struct NoProgress;

    impl EpisodeProgress for NoProgress {
        fn begins(&self) {}

        fn observer(&self) -> impl Observer {
            Silent
        }

        fn done(&self) {}
    }

    fn audited(line: &[&str]) -> Result<AuditResult, CliError> {
        let args = Line::try_parse_from(line).unwrap().audit;
        let config =
            of_episodes(Config::merge(None, None, Env::raw().only(&[]), &args, &Default::default()).unwrap(), &args)?;
        let books = setup::books(&config.run.books(), &world::vocabulary(&config)?)?;
        let model = setup::model(&config, None, &setup::meter(&config))?;
        let (result, stopped) = audit(config, &books, model, &args, Interrupt::new(), &NoProgress)?;
        assert_eq!(stopped, None);
        Ok(result)
    }

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        audit: AuditArgs,
    }

    #[test]
    fn a_wrong_law_is_found_by_doing_what_it_blocks() {
        let book = format!("{}/src/cli/laws/fixtures/audited.toml", env!("CARGO_MANIFEST_DIR"));
        let result = audited(&["audit", &book, "--seeds", "5-8", "--steps", "60"]).unwrap();
        let [furnace, planks, never] = result.audit.laws.as_slice() else { panic!("three laws") };
        assert_eq!((furnace.blocks.precision, furnace.blocks.wrong), (Some(1.0), 0));
        assert!(planks.blocks.wrong > 0 && planks.blocks.steps_lost > 0);
        assert_eq!((never.blocks.blocks, never.blocks.precision), (0, None));
        insta::assert_snapshot!(crate::cli::output::terminal::plain(&render(&result)));
        insta::assert_snapshot!(serde_json::to_string_pretty(&result).unwrap());
    }

    /// The planner that takes the shortest way is blocked where that way is too dangerous, and the blocks are right.
    #[test]
    fn laws_of_planning_tasks_are_audited_by_the_same_command() {
        let line = ["audit", "danger:made:1-1", "--seeds", "1-2", "--model", "planner:shortest"];
        let result = audited(&line).unwrap();
        let blocks = &result.audit.blocks;
        assert!(blocks.blocks > 0, "{:?}", result.audit);
        assert_eq!((blocks.right, blocks.wrong, blocks.harmless), (blocks.blocks, 0, 0), "{:?}", result.audit);
        let error = audited(&["audit", "minecraft-hard", "--world", "server"]).err().unwrap();
        assert_eq!(error.code(), ExitCode::Usage);
    }

    #[test]
    fn an_actor_without_a_shield_is_refused() {
        let error = audited(&["audit", "minecraft-hard", "--actor", "nl-constraints"]).err().unwrap();
        assert_eq!(error.code(), ExitCode::Usage);
    }
}

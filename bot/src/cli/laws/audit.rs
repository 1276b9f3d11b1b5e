//! `ltlcrit laws audit`: whether a book's blocks are right, found out in fresh episodes.

use std::fmt::Write as _;
use std::str::FromStr;
use std::sync::Arc;

use ltlcrit_engine::agent::{AgentError, Interrupt, Observer, Silent};
use ltlcrit_engine::audit::{Audit, AuditError, Auditor, Block, Blocks, Played};
use ltlcrit_engine::books::named;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::{EpisodeFigures, EpisodeProgress, Training};
use ltlcrit_engine::model::AnyModel;
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
use crate::cli::output::{CliError, Columns, Context, DIM, HEAD, LAW, Progress, WARNING, foreign, plural};
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
    /// The seeds of the episodes: a range such as `1-20`, or one
    #[arg(long, value_name = "A-B", default_value = "1001-1020")]
    #[serde(skip)]
    seeds: Seeds,
    /// A book that is in force beside it and is not audited; may be repeated
    #[arg(long, value_name = "BOOK")]
    #[serde(skip)]
    with: Vec<String>,
    /// Play the same seeds without the book, too, and show the goals, steps and failed actions of both
    #[arg(long)]
    #[serde(skip)]
    compare: bool,
    #[command(flatten)]
    #[serde(flatten)]
    actor: ActorFlags,
    #[command(flatten)]
    #[serde(flatten)]
    models: LanguageModelFlags,
}

/// The maximum number of seeds.
const MAX_SEEDS: u64 = 1_000_000;

/// A range of seeds, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Seeds {
    from: u64,
    to: u64,
}

impl Seeds {
    fn count(self) -> u64 {
        self.to - self.from + 1
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (from, to) = text.split_once("..").or_else(|| text.split_once('-')).unwrap_or((text, text));
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) if from <= to && to - from < MAX_SEEDS => Ok(Self { from, to }),
            (Ok(from), Ok(to)) if from <= to => Err(format!("at most {MAX_SEEDS} seeds are audited at once")),
            _ => Err("a range of seeds is written such as `1-20`".to_owned()),
        }
    }
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
    for line in header(&books.books, args.seeds, &config, &model.info()) {
        context.note(line);
    }
    tell_asked([&model], "   ", context);
    context.note("");
    let episodes = args.seeds.count() * if args.compare { 2 } else { 1 };
    let progress = Progress::new(context, "episodes", episodes);
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
    let seeds: Vec<u64> = (args.seeds.from..=args.seeds.to).collect();
    let mut runs = Vec::new();
    training.play(&seeds, &books.books, |run, episode| {
        if let Some(episode) = episode {
            audit_run(&mut auditor, &episode, run.seed)?;
        }
        runs.push(run);
        Ok::<_, CliError>(())
    })?;
    let mut without = None;
    if args.compare && training.stopped.is_none() {
        training.sources.drain(..training.sources.len().min(1));
        let mut runs = Vec::new();
        training.play(&seeds, books.books.get(1..).unwrap_or_default(), |run, _| {
            runs.push(run);
            Ok::<_, CliError>(())
        })?;
        without = Some(EpisodeFigures::of(&runs));
    }
    let stopped = training.stopped.take().map(|stopped| stopped.end);
    let mut ids = books.books.iter().map(Book::id);
    let result = AuditResult {
        book: ids.next().unwrap_or_default(),
        with: ids.collect(),
        actor,
        simulated: info.simulated,
        model: info.name,
        world,
        seeds: args.seeds,
        figures: EpisodeFigures::of(&runs),
        without,
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

fn header(books: &[Book], seeds: Seeds, config: &Config, model: &ModelInfo) -> Vec<String> {
    let seeds = match seeds {
        Seeds { from, to } if from == to => format!("seed {from}"),
        Seeds { from, to } => format!("seeds {from} to {to}"),
    };
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
        format!("{DIM}world{DIM:#}   {}, {seeds}", foreign(&config.run.world.to_string())),
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
    /// The figures of the same seeds without the book, with `--compare`.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<EpisodeFigures>,
    /// The reason why episodes are missing, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    #[serde(flatten)]
    audit: Audit,
}

/// The result for people.
fn render(result: &AuditResult) -> String {
    let AuditResult { figures, audit, .. } = result;
    let mut out = format!("{}\n\n", table(audit));
    let mut row = |name: &str, text: String| {
        let _ = writeln!(out, "{HEAD}{name:<9}{HEAD:#}  {text}");
    };
    row("goals", reached(figures));
    row("failed", format!("{} of the executed actions", percent(figures.failed_actions)));
    if let Some(without) = &result.without {
        let failed = percent(without.failed_actions);
        row("without", format!("{}; {failed} of the executed actions failed", reached(without)));
    }
    row(
        "precision",
        match audit.blocks.precision {
            None => "- (nothing was blocked)".to_owned(),
            precision => format!(
                "{} of {} were right; {} without the harmless ones",
                percent(precision),
                plural(audit.blocks.blocks, "block"),
                percent(audit.blocks.precision_without_harmless)
            ),
        },
    );
    row(
        "recall",
        match audit.recall {
            None => "- (no choice was lossy)".to_owned(),
            recall => format!("{} of {} were blocked", percent(recall), plural(audit.lossy, "lossy choice")),
        },
    );
    if audit.undecided > 0 {
        row("undecided", format!("{}, in no figure above", plural(audit.undecided, "proposal")));
    }
    if let Some(stopped) = &result.stopped {
        row("stopped", foreign(stopped));
    }
    for law in audit.laws.iter().filter(|law| law.blocks.wrong > 0) {
        let _ =
            writeln!(out, "\n{LAW}{}{LAW:#}: {WARNING}{}{WARNING:#}", law.law, plural(law.blocks.wrong, "wrong block"));
        let _ = writeln!(out, "  {DIM}{}{DIM:#}", law.formula);
        // The others are in the JSON.
        if let Some(block) = law.wrong_blocks.first() {
            render_wrong(&mut out, block);
        }
    }
    if result.simulated {
        let _ = writeln!(out, "\n{}", simulated());
    }
    out
}

/// `5 of 6 episodes, 41.2 steps on average`
fn reached(figures: &EpisodeFigures) -> String {
    let mean = figures.mean_steps.map(|steps| format!(", {steps:.1} steps on average")).unwrap_or_default();
    format!("{} of {}{mean}", figures.goals, plural(figures.episodes, "episode"))
}

fn table(audit: &Audit) -> String {
    let mut table = Columns::new(["law", ">blocks", ">right", ">harmless", ">wrong", ">% right", ">saved", ">lost"]);
    let mut row = |name: String, blocks: &Blocks| {
        let cell = |count: u64| if blocks.blocks == 0 { "-".to_owned() } else { count.to_string() };
        table.row([
            name,
            cell(blocks.blocks),
            cell(blocks.right),
            cell(blocks.harmless),
            cell(blocks.wrong),
            percent(blocks.precision),
            cell(blocks.steps_saved),
            cell(blocks.steps_lost),
        ]);
    };
    for law in &audit.laws {
        row(law.law.to_string(), &law.blocks);
    }
    row("together".to_owned(), &audit.blocks);
    table.text()
}

/// A wrong block, with the state.
fn render_wrong(out: &mut String, block: &Block) {
    let steps = |steps: Option<u64>| steps.map_or("no way".to_owned(), |steps| plural(steps, "step"));
    let _ = writeln!(
        out,
        "  seed {} step {}: {} leads to the goal in {},\n    the best allowed action in {}",
        block.seed,
        block.step,
        readable(&block.action),
        steps(block.steps),
        steps(block.best_allowed)
    );
    let held = if block.telling.is_empty() { "nothing".to_owned() } else { block.telling.join(", ") };
    let _ = writeln!(out, "{}", report::fitting(&format!("    {DIM}where {held} held{DIM:#}"), WIDTH, "    ".len()));
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

    #[test]
    fn the_same_seeds_are_played_without_the_book_on_request() {
        let line = ["audit", "minecraft-hard", "--seeds", "1-3", "--steps", "60", "--compare"];
        let result = audited(&line).unwrap();
        let without = result.without.as_ref().unwrap();
        assert_eq!((result.figures.episodes, without.episodes), (3, 3));
        assert!(without.failed_actions > result.figures.failed_actions, "{without:?}");
        let text = crate::cli::output::terminal::plain(&render(&result));
        assert!(text.contains("without    ") && text.contains("of the executed actions failed"), "{text}");
        assert!(audited(&line[..6]).unwrap().without.is_none());
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

    #[test]
    fn ranges_of_seeds_are_read() {
        let read = |text: &str| text.parse::<Seeds>();
        assert_eq!(read("3-9"), Ok(Seeds { from: 3, to: 9 }));
        assert_eq!(read("3..9"), Ok(Seeds { from: 3, to: 9 }));
        assert_eq!(read("7"), Ok(Seeds { from: 7, to: 7 }));
        for wrong in ["", "9-3", "3-", "-3", "x", "1-2-3"] {
            assert!(read(wrong).unwrap_err().contains("`1-20`"), "{wrong}");
        }
    }
}

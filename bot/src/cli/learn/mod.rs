//! `ltlcrit learn`: episodes, critique, a new revision of the book, and again (LTLCrit algorithm 1).

mod display;
mod document;
mod figures;
mod summary;

use std::path::{Path, PathBuf};

use display::LearnDisplay;
use document::Test;
use figures::Table;
use jiff::Timestamp;
use ltlcrit_engine::agent::{Interrupt, each_second};
use ltlcrit_engine::books::keep_revision;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::{
    BookFile, Comparison, Critics, EpisodeError, EpisodeEvaluator, Episodes, Iteration, LearnOptions, Learner,
    SIGNIFICANT, Training, critique_options,
};
use ltlcrit_engine::setup;
use ltlcrit_engine::world::{self, WorldName};
use ltlcrit_laws::Book;
use ltlcrit_model::cassette::Recording;
use ltlcrit_model::{ChatModel as _, LEDGER_FILE};
use ltlcrit_store::{BookRecord, RunId, RunSelection, Store};
use serde::Serialize;
use serde_json::json;

use super::interrupt::{self, Ends};
use super::report;
use super::run::joining;
use super::watch::{self, WatchFlag};
use crate::cli::args::{ActorFlags, CriticFlags, LanguageModelFlags, RecordFlags, TaskFlags, critic_flags, numbers};
use crate::cli::output::{CliError, Context, Used, runtime, token_usage};
use crate::exit::ExitCode;
use crate::world::Worlds;

/// Arguments of `learn`; what is not given comes from the configuration.
#[derive(Debug, Default, clap::Args, Serialize)]
#[command(
    mut_arg("seed", |seed| seed.help("The first seed; in the embedded world the same seeds give the same book [default: 1]")),
    mut_arg("steps", |steps| steps.help("The most steps of an episode [default: 200]")),
    mut_arg("record", |record| record.help(
        "Record every exchange with the actor's model in FILE and with a critic's in FILE.critic (a second one's in \
         FILE.critic-2, and so on), to be repeated with `--model cassette:FILE` and `--critic cassette:FILE.critic`"
    ))
)]
#[command(before_help = "Examples:
  ltlcrit learn                                              from a simulated actor
  ltlcrit learn --model openai:MODEL --critic openai:MODEL   with models as actor and as critic
  ltlcrit learn --no-laws --episodes 30 --test 20            and a test on fresh seeds")]
#[command(after_help = format!(
    "Every iteration runs fresh seeds. Each revision, the last one too, is played against the one before on the same fresh seeds; \
     laws with which runs get less far, need more steps or fail more often (one-sided sign-flip test, p < {SIGNIFICANT}) are given \
     up. The line below the figures shows the p of the exact McNemar test of the goals and of the sign-flip test of the steps. \
     Ctrl-C ends learning cleanly: the book is written after every critique, and every revision is kept in the store. `ltlcrit \
     critique` can still learn from episodes that had no critique yet."
))]
pub struct LearnArgs {
    #[command(flatten)]
    #[serde(flatten)]
    critic: CriticFlags,
    /// The most iterations: episodes, then a critique that makes the next revision [default: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<u32>)]
    #[serde(rename = "learn.iterations")]
    iterations: Option<u32>,
    /// The episodes of an iteration: one for each seed, from `--seed` on in the first [default: 20]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = numbers::positive::<u32>)]
    #[serde(rename = "learn.episodes")]
    episodes: Option<u32>,
    /// Stop once two iterations in a row changed nothing significant
    #[arg(long)]
    #[serde(rename = "learn.stop_when_stable")]
    stop_when_stable: bool,
    /// Afterwards, test the old and the new book on this many fresh seeds, which follow those of the episodes
    /// [default: 0]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = numbers::whole::<u32>)]
    #[serde(rename = "learn.test")]
    test: Option<u32>,
    /// The most episodes at once; the results do not depend on it. Episodes on a server, and recorded ones, run one after the
    /// other [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<usize>)]
    #[serde(rename = "learn.jobs")]
    jobs: Option<usize>,
    /// Show steps also as a multiple of what the exact planner's policy needs in the same world, explorations included;
    /// the policy plays every world once for that
    #[arg(long)]
    #[serde(rename = "learn.optimum")]
    optimum: bool,
    /// The world of the episodes, a fresh one for each: `embedded` or `server` [default: embedded]
    #[arg(long, value_name = "WORLD")]
    #[serde(rename = "learn.world")]
    world: Option<WorldName>,
    #[command(flatten)]
    #[serde(flatten)]
    task: TaskFlags,
    #[command(flatten)]
    #[serde(flatten)]
    actor: ActorFlags,
    #[command(flatten)]
    #[serde(flatten)]
    models: LanguageModelFlags,
    #[command(flatten)]
    #[serde(skip)]
    record: RecordFlags,
    #[command(flatten)]
    #[serde(skip)]
    watch: WatchFlag,
}

/// Runs the command.
///
/// # Errors
/// Bad configuration, books, model or store, or a book that cannot be written. Later failures end learning with their
/// exit code after the results so far are shown.
pub fn run(args: &LearnArgs, context: &Context) -> Result<ExitCode, CliError> {
    let mut config = context.config_with(args)?;
    config.run.world = config.learn.world.clone();
    config.run.stall = 0;
    config.run.model = config.run.model.pinned()?;
    let first_test_seed = check(&config)?;
    let others = setup::books(&config.run.books(), &world::vocabulary(&config)?)?;
    context.warn_of(&others.warnings);
    let (mut file, book, vocabulary) = BookFile::open(&config.learn.book, &others)?;
    let recording = args.record.recording(|actor| {
        let critics = critic_flags::cassettes(&config.learn, &critics_cassette(actor));
        std::iter::once(actor.to_owned()).chain(critics).collect()
    })?;
    let store = super::store::open_if_there(&config.store.path, context)?;
    // A missing model is reported before a book is made.
    let meter = setup::meter(&config);
    let model = setup::model(&config, recording.clone(), &meter)?;
    let info = model.info();
    let critics = recording.clone().map(|actor| Recording { path: critics_cassette(&actor.path), ..actor });
    let Critics { proposers, models } = critic_flags::critics(&config, critics.as_ref(), &meter)?;
    let store = store.map_or_else(|| Store::open(&config.store.path), Ok)?;
    meter.keep_in(&store.path().join(LEDGER_FILE), &format!("learn {}", config.learn.book.display()));
    let interrupt = Interrupt::new();
    let _listening = interrupt::listen(interrupt.clone(), Ends::InTime)?;
    let new = file.is_new();
    file.save(&book)?;
    keep_revision(&store, &BookRecord::of(&book, &book.source().name), Timestamp::now())?;
    // The task is the same in every world of this kind.
    let task = world::open(&config)?.task().to_owned();
    for line in summary::header(&config, &info, &others.books, &book, &file, new, &task) {
        context.note(line);
    }
    critic_flags::tell_asked([&model].into_iter().chain(&models), "   ", context);
    context.note("");

    let report = watch::of_runs(store.path().to_owned(), RunSelection::Range(store.next_run()?, RunId(u64::MAX)));
    let page = args.watch.start(store.path(), None, Some(report), context)?;
    let seeds = config.run.seed..config.run.seed.saturating_add(config.learn.episodes);
    let mut evaluator = EpisodeEvaluator::new(&config)?;
    let table = Table { optimum: evaluator.knows_optima() };
    let display = LearnDisplay::new(context, config.learn.iterations, config.learn.episodes, table);
    let mut sources: Vec<String> = others.records.iter().map(|record| record.source.clone()).collect();
    sources.push(file.path().display().to_string());
    let mut learner = Learner::new(
        &store,
        vocabulary,
        &task,
        book.clone(),
        LearnOptions {
            iterations: config.learn.iterations,
            seeds: seeds.collect(),
            reserved: Default::default(),
            stop_when_stable: config.learn.stop_when_stable,
            critique: critique_options(&config.learn),
        },
    );
    learner.others.clone_from(&others.books);
    learner.proposers = proposers;

    let runtime = runtime("learning cannot be begun")?;
    let mut iterations = Vec::new();
    let mut voiceless = false;
    let worlds = Worlds { save: None, joining: joining(context) };
    let mut training = Training {
        live: Some(&store),
        // Later episodes extend the cassette of the first.
        record: recording.map(|begun| Recording { anew: false, ..begun }),
        sources,
        interrupt,
        ..Training::new(config.clone(), &worlds, &display).asking(model)
    };
    let on = |iteration: &Iteration, book: &Book| {
        file.save(book)?;
        voiceless = iteration.critique.silent.len() == config.learn.critics.len();
        let measured = evaluator.measure(&iteration.runs);
        display.iteration_done(iteration, &measured)?;
        iterations.push(document::iteration(iteration, &measured));
        Ok::<_, CliError>(())
    };
    let learned = runtime.block_on(each_second(learner.learn(&mut training, on), |_| display.refresh(&models)));
    display.clear();
    let learned = learned?;

    let mut test = None;
    if training.stopped.is_none() && config.learn.test > 0 {
        display.testing("testing, episodes", 2 * config.learn.test);
        let together = |book: &Book| -> Vec<Book> { others.books.iter().chain([book]).cloned().collect() };
        let test_seeds: Vec<u64> = (first_test_seed..first_test_seed + config.learn.test).collect();
        test = tested(&mut training, &store, &test_seeds, [&book, &learned.book].map(together), &mut evaluator)?;
        display.clear();
    }
    let Training { used, stopped, .. } = training;
    let stopped = stopped.map(|stopped| stopped.end);
    let mut usage = Used::of(&info, &used);
    usage.extend(models.iter().flat_map(|model| Used::by(model)));

    let ended = summary::ended(learned.ended, stopped.as_ref());
    let document = json!({
        // The figures of a persona are no evidence about language models.
        "simulated": info.simulated,
        "book": document::book(file.path(), book.revision(), &learned.book),
        "iterations": iterations,
        "ended": ended,
        "test": test,
        "usage": usage,
        "store": store.path().display().to_string(),
    });
    context.result(&document, || {
        let (before, after) = (book.revision(), learned.book.revision());
        let tested = test.iter().map(|test| summary::test(table, test, before, after, config.learn.test));
        let mut lines: Vec<String> = tested.flat_map(|test| [String::new(), test]).collect();
        lines.extend((!iterations.is_empty()).then(String::new));
        lines.push(summary::text(&file, &config.run.books(), &book, &learned.book, &ended));
        lines.extend(
            token_usage::lines(&usage).iter().map(|line| report::fitting(line, summary::WIDTH, "critic  ".len())),
        );
        lines.extend(info.simulated.then(|| format!("\n{}", report::simulated())));
        lines.join("\n")
    })?;
    page.map_or(Ok(()), |page| page.linger(context))?;
    Ok(match stopped {
        Some(end) => report::summary::exit_code(Some(&end)),
        None if voiceless => ExitCode::Model,
        None => ExitCode::Success,
    })
}

/// Plays the same seeds under the books before and after; `None` if that was interrupted.
fn tested(
    training: &mut impl Episodes<Error = EpisodeError>,
    store: &Store,
    seeds: &[u64],
    [before, after]: [Vec<Book>; 2],
    evaluator: &mut EpisodeEvaluator,
) -> Result<Option<Test>, CliError> {
    let Some(before) = training.run(store, seeds, &before)? else { return Ok(None) };
    let Some(after) = training.run(store, seeds, &after)? else { return Ok(None) };
    Ok(Some(Test {
        from_seed: seeds.first().copied().unwrap_or_default(),
        before: evaluator.measure(&before),
        after: evaluator.measure(&after),
        comparison: Comparison::of(&before, &after),
    }))
}

/// Refuses a configuration that nothing can be learned under; gives the first seed of the test.
fn check(config: &Config) -> Result<u64, CliError> {
    if config.run.world == WorldName::SERVER && config.server.address.is_some() {
        return Err(CliError::new(ExitCode::Config, "every episode needs a fresh world, which no running server is")
            .help("learn in the embedded world, or on servers of our own: leave `server.address` unset"));
    }
    if config.learn.optimum && config.run.goal.is_some() {
        return Err(CliError::usage("the optimum is that of the way to the diamond, not to another goal")
            .help("leave out `--optimum` or `--goal` (`learn.optimum`, `run.goal`)"));
    }
    // The first seeds, and fresh ones after each critique; the test has others.
    let rounds = (config.learn.iterations as u64).saturating_add(1);
    let trained = config.learn.episodes.checked_mul(rounds).and_then(|seeds| config.run.seed.checked_add(seeds));
    trained.filter(|trained| trained.checked_add(config.learn.test).is_some()).ok_or_else(|| {
        let seed = config.run.seed;
        CliError::usage(format!("from seed {seed} on there are not as many seeds as episodes and tests need"))
            .help(format!("begin with a smaller one: `--seed`; the last there is is {}", u64::MAX))
    })
}

/// The cassette of the critics, derived from that of the actor's model.
fn critics_cassette(actor: &Path) -> PathBuf {
    critic_flags::with_ending(actor, ".critic")
}

//! `ltlcrit runs`: lists and shows stored runs.

use ltlcrit_engine::agent::{RunSummary, steps_taken};
use ltlcrit_engine::optimum::Optimum;
use ltlcrit_engine::report::{StepDocument, trajectory_of, unfinished_step};
use ltlcrit_store::{RunManifest, RunOutcome, RunSelector, Store};
use serde::Serialize;

use super::report::{self, View, shortened, summary};
use crate::cli::output::{BAD, CliError, Columns, Context, DIM, foreign, when};
use crate::exit::ExitCode;

/// Arguments of `runs`.
#[derive(Debug, clap::Args)]
pub struct RunsArgs {
    #[command(subcommand)]
    command: RunsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum RunsCommand {
    /// List all runs
    List,
    /// Show one run: what it was, every step, how it ended
    Show {
        /// The run's number, or `last`
        #[arg(default_value = "last")]
        run: RunSelector,
    },
}

/// The widths of a model's name and of an end in the list, in characters.
const MODEL: usize = 25;
const END: usize = 40;

/// Runs the command.
///
/// # Errors
/// A store that is missing or damaged; no such run.
pub fn run(args: &RunsArgs, context: &Context) -> Result<ExitCode, CliError> {
    let store = super::store::open_to_read(context)?;
    match &args.command {
        RunsCommand::List => list(&store, context),
        RunsCommand::Show { run } => show(&store, *run, context),
    }
}

/// One line of the list.
#[derive(Serialize)]
struct Listed {
    run: u64,
    created: String,
    actor: String,
    model: String,
    simulated: bool,
    world: String,
    seed: u64,
    books: Vec<String>,
    steps: u64,
    /// The kind of its end; `unfinished` when there is none.
    end: String,
}

impl Listed {
    fn new(manifest: &RunManifest, outcome: Option<&RunOutcome>, steps: u64) -> Self {
        Self {
            run: manifest.run.0,
            created: when(manifest.created),
            actor: manifest.actor.clone(),
            model: manifest.model.name.clone(),
            simulated: manifest.model.simulated,
            world: manifest.world.kind.clone(),
            seed: manifest.seed,
            books: manifest.books.iter().map(|book| book.name.clone()).collect(),
            steps,
            end: outcome.map_or("unfinished".to_owned(), |outcome| outcome.end.to_string()),
        }
    }
}

fn list(store: &Store, context: &Context) -> Result<ExitCode, CliError> {
    let mut listed = Vec::new();
    let mut unreadable = Vec::new();
    for manifest in store.runs() {
        match manifest.and_then(|manifest| {
            let outcome = store.outcome(manifest.run)?;
            let steps = steps_taken(store, &manifest)?;
            Ok(Listed::new(&manifest, outcome.as_ref(), steps))
        }) {
            Ok(run) => listed.push(run),
            Err(error) => unreadable.push(error.to_string()),
        }
    }
    if context.json() {
        #[derive(Serialize)]
        struct Document {
            runs: Vec<Listed>,
            unreadable: Vec<String>,
        }
        let code = if unreadable.is_empty() { ExitCode::Success } else { ExitCode::Store };
        context.print_json(&Document { runs: listed, unreadable })?;
        return Ok(code);
    }
    if listed.is_empty() && unreadable.is_empty() {
        context.note(format_args!("no runs yet in {}", store.path().display()));
        return Ok(ExitCode::Success);
    }
    let mut table = Columns::new([">run", "created", "actor", "model", "world", ">seed", "laws", ">steps", "end"]);
    for run in &listed {
        table.row([
            run.run.to_string(),
            run.created.clone(),
            foreign(&run.actor),
            shortened(foreign(&run.model), MODEL),
            foreign(&run.world),
            run.seed.to_string(),
            foreign(&run.books.join(", ")),
            run.steps.to_string(),
            shortened(foreign(&run.end), END),
        ]);
    }
    context.print(table.text())?;
    if listed.iter().any(|run| run.simulated) {
        context.note(format_args!("\n{}", report::simulated()));
    }
    for error in &unreadable {
        context.note(format_args!("{BAD}unreadable{BAD:#}  {error}"));
    }
    Ok(if unreadable.is_empty() { ExitCode::Success } else { ExitCode::Store })
}

fn show(store: &Store, run: RunSelector, context: &Context) -> Result<ExitCode, CliError> {
    let run = store.resolve(run)?;
    let manifest = store.manifest(run)?;
    let summary = RunSummary::of(store, run)?;
    let optimum = Optimum::of(store, run);
    if context.json() {
        #[derive(Serialize)]
        struct Document<'a> {
            #[serde(flatten)]
            result: summary::Document<'a>,
            /// The steps with their refused proposals, and the one that the run ended in.
            trajectory: Vec<StepDocument>,
            manifest: &'a RunManifest,
        }
        let result = summary::Document::new(&summary, &optimum, store.path());
        let trajectory =
            trajectory_of(store, &manifest)?.map(|step| step.map(|(_, step)| step)).collect::<Result<_, _>>()?;
        context.print_json(&Document { result, trajectory, manifest: &manifest })?;
        return Ok(ExitCode::Success);
    }
    for line in report::header(&manifest, None) {
        context.print(line)?;
    }
    context.print(format_args!("{DIM}begun{DIM:#}  {}\n", when(manifest.created)))?;
    let mut view = View::new(&manifest);
    for record in store.steps(run) {
        for line in view.record(&record?) {
            context.print(line)?;
        }
    }
    for line in unfinished_step(store, run)?.iter().flat_map(|step| view.unfinished(step)) {
        context.print(line)?;
    }
    context.print("")?;
    context.print(summary::text(&summary, &optimum))?;
    Ok(ExitCode::Success)
}

//! `ltlcrit store`: figures, integrity and export of the store.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use ltlcrit_critic::store::{ExportOptions, RunSelector, Store, StoreError};
use serde::Serialize;

use super::style::{BAD, GOOD, HEAD};
use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `store`.
#[derive(Debug, clap::Args)]
pub struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(Debug, clap::Subcommand)]
enum StoreCommand {
    /// Print figures: runs, steps, bytes
    Stats,
    /// Read every record and check that they fit together
    Verify,
    /// Write runs with everything in them, for other programs
    Export {
        /// The form
        #[arg(long, value_enum, default_value = "jsonl")]
        format: Format,
        /// Only this run: its number, or `last` [default: all]
        #[arg(long)]
        run: Option<RunSelector>,
        /// Also when runs began and how long steps took, which no seed repeats
        #[arg(long)]
        times: bool,
        /// The file to write [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// One JSON object a line
    Jsonl,
}

/// Opens the store that must be there, to read it.
///
/// # Errors
/// No store, or one that cannot be opened.
pub fn open_existing(context: &Context) -> Result<Store, CliError> {
    Ok(Store::open_existing(&context.config()?.store.path)?)
}

/// Carries the command out.
///
/// # Errors
/// A store that is missing, damaged or in use.
pub fn run(args: &StoreArgs, context: &Context) -> Result<ExitCode, CliError> {
    let store = open_existing(context)?;
    match &args.command {
        StoreCommand::Stats => stats(&store, context),
        StoreCommand::Verify => verify(&store, context),
        StoreCommand::Export { format: Format::Jsonl, run, times, output } => {
            export(&store, *run, ExportOptions { times: *times }, output.as_ref(), context)
        }
    }
}

fn stats(store: &Store, context: &Context) -> Result<ExitCode, CliError> {
    let stats = store.stats()?;
    if context.json() {
        context.print_json(&stats)?;
        return Ok(ExitCode::Success);
    }
    context.print(format_args!("{HEAD}{}{HEAD:#}", store.path().display()))?;
    let ends: Vec<String> =
        stats.ends.iter().map(|(end, count)| format!("{count} {}", end.replace('_', " "))).collect();
    let unfinished = (stats.unfinished > 0).then(|| format!("{} unfinished", stats.unfinished));
    let ends: Vec<String> = ends.into_iter().chain(unfinished).collect();
    let detail = if ends.is_empty() { String::new() } else { format!("  ({})", ends.join(", ")) };
    context.print(format_args!("  runs            {:>9}{detail}", stats.runs))?;
    context.print(format_args!("  steps           {:>9}", stats.steps))?;
    context.print(format_args!("  conflicts       {:>9}", stats.conflicts))?;
    context.print(format_args!("  proposals       {:>9}", stats.proposals))?;
    context.print(format_args!("  book revisions  {:>9}", stats.book_revisions))?;
    context.print(format_args!("  on disk         {:>9}", indicatif::HumanBytes(stats.bytes).to_string()))?;
    Ok(ExitCode::Success)
}

fn verify(store: &Store, context: &Context) -> Result<ExitCode, CliError> {
    let report = store.verify()?;
    let code = if report.is_sound() { ExitCode::Success } else { ExitCode::Findings };
    if context.json() {
        #[derive(Serialize)]
        struct Document<'a> {
            sound: bool,
            #[serde(flatten)]
            report: &'a ltlcrit_critic::store::VerifyReport,
        }
        context.print_json(&Document { sound: report.is_sound(), report: &report })?;
        return Ok(code);
    }
    for (tree, count) in report.records.iter().filter(|(_, count)| **count > 0) {
        context.print(format_args!("  {tree:<16}{count:>9} read"))?;
    }
    for problem in &report.problems {
        context.print(format_args!("  {BAD}problem{BAD:#}  {problem}"))?;
    }
    if report.is_sound() {
        context.print(format_args!("{GOOD}sound{GOOD:#}: every record can be read and fits its neighbours"))?;
    } else {
        context.print(format_args!(
            "{BAD}not sound{BAD:#}: {} found; `store export` still writes everything that can be read",
            plural(report.problems.len() as u64, "problem")
        ))?;
    }
    Ok(code)
}

fn export(
    store: &Store,
    run: Option<RunSelector>,
    options: ExportOptions,
    output: Option<&PathBuf>,
    context: &Context,
) -> Result<ExitCode, CliError> {
    let mut out: Box<dyn Write + '_> = match output {
        Some(path) => Box::new(BufWriter::new(File::create(path).map_err(|error| {
            CliError::new(ExitCode::Failure, format!("the export cannot be written: {error}"))
                .at(path.display().to_string())
        })?)),
        None => Box::new(BufWriter::new(context.json_writer())),
    };
    let unreadable = match run {
        Some(run) => store.export_run(store.resolve(run)?, &mut out, options),
        None => store.export(&mut out, options),
    }?;
    out.flush().map_err(StoreError::Export)?;
    drop(out);
    if unreadable.is_empty() {
        return Ok(ExitCode::Success);
    }
    let mut error = CliError::new(
        ExitCode::Store,
        format!("{} could not be read and are missing from the export", plural(unreadable.len() as u64, "record")),
    );
    for record in unreadable.iter().take(20) {
        error = error.detail(record.to_string());
    }
    Err(error.help("`ltlcrit store verify` lists everything that is wrong"))
}

/// `1 step`, `2 steps`.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Export(io) => match io.kind() {
                std::io::ErrorKind::BrokenPipe => io.into(),
                _ => Self::new(ExitCode::Failure, format!("the export cannot be written: {io}")),
            },
            StoreError::NoSuchRun { .. } => Self::new(ExitCode::Input, error.to_string()),
            other => Self::new(ExitCode::Store, other.to_string()),
        }
    }
}

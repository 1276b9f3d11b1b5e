//! `ltlcrit store`: statistics, verification, import, export and salvage of the store.

mod import;

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use ltlcrit_engine::report::rows::{RowFormat, step_rows};
use ltlcrit_store::{ExportOptions, RunSelector, Store, StoreError, VerifyReport};
use serde::Serialize;

use crate::cli::args::choice;
use crate::cli::output::{BAD, CliError, Context, DIM, GOOD, HEAD, output_file, plural};
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
    /// Write runs for other programs
    Export(ExportArgs),
    /// Store the sessions of an agent's logs as runs, as a guard's book reads them
    Import(import::ImportArgs),
    /// Write everything that can be read of a damaged store to a new one
    Salvage {
        /// The directory of the new store
        #[arg(long, short, value_name = "PATH")]
        output: PathBuf,
    },
}

/// Arguments of `store export`.
#[derive(Debug, clap::Args)]
struct ExportArgs {
    /// The form: jsonl has everything, the others a row for every step; markdown and latex, for people, with fewer columns
    #[arg(long, value_parser = choice::<RowFormat>(), default_value = "jsonl")]
    format: RowFormat,
    /// Only this run: its number, or `last` [default: all]
    #[arg(long)]
    run: Option<RunSelector>,
    /// Include start times and durations of steps, which differ between runs
    #[arg(long)]
    times: bool,
    /// The file to write [default: standard output, for jsonl]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Opens an existing store for reading and writing.
///
/// # Errors
/// No store, or one that cannot be opened.
pub fn open_existing(context: &Context) -> Result<Store, CliError> {
    let store = Store::open_existing(&context.config()?.store.path)?;
    note_remarks(&store, context);
    Ok(store)
}

/// Opens an existing store for reading only, even while a run has it open or if it cannot be written.
///
/// # Errors
/// No store, or one that cannot be read.
pub fn open_to_read(context: &Context) -> Result<Store, CliError> {
    let store = Store::open_to_read(&context.config()?.store.path)?;
    note_remarks(&store, context);
    Ok(store)
}

/// Opens a store if there is one. A command does so before it begins a cassette or a book, which one that is refused for
/// its store does not leave behind, and makes a store only when nothing else is missing.
///
/// # Errors
/// A store that cannot be opened.
pub fn open_if_there(path: &Path, context: &Context) -> Result<Option<Store>, CliError> {
    match Store::open_existing(path) {
        Err(StoreError::Missing { .. }) => Ok(None),
        store => {
            let store = store?;
            note_remarks(&store, context);
            Ok(Some(store))
        }
    }
}

/// Reports what is to be known about a store as it was opened.
pub fn note_remarks(store: &Store, context: &Context) {
    for remark in store.remarks() {
        context.note(format_args!("{DIM}the store `{}` {remark}{DIM:#}", store.path().display()));
    }
}

/// Runs the command.
///
/// # Errors
/// A store that is missing or damaged.
pub fn run(args: &StoreArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.command {
        StoreCommand::Stats => stats(&open_to_read(context)?, context),
        StoreCommand::Verify => verify(&open_to_read(context)?, context),
        StoreCommand::Export(args) => export(args, context),
        StoreCommand::Import(args) => import::run(args, context),
        StoreCommand::Salvage { output } => salvage(&context.config()?.store.path, output, context),
    }
}

fn stats(store: &Store, context: &Context) -> Result<ExitCode, CliError> {
    let stats = store.stats()?;
    let ends = stats.ends.iter().map(|(end, count)| format!("{count} {}", end.replace('_', " ")));
    let unfinished = (stats.unfinished > 0).then(|| format!("{} unfinished", stats.unfinished));
    let ends: Vec<String> = ends.chain(unfinished).collect();
    let detail = if ends.is_empty() { String::new() } else { format!("  ({})", ends.join(", ")) };
    let rows = [
        ("runs", stats.runs.to_string(), detail.as_str()),
        ("steps", stats.steps.to_string(), ""),
        ("conflicts", stats.conflicts.to_string(), ""),
        ("proposals", stats.proposals.to_string(), ""),
        ("book revisions", stats.book_revisions.to_string(), ""),
        ("on disk", indicatif::HumanBytes(stats.bytes).to_string(), ""),
    ];
    let rows = rows.map(|(what, count, detail)| format!("\n  {what:<16}{count:>9}{detail}"));
    context.result(&stats, || format!("{HEAD}{}{HEAD:#}{}", store.path().display(), rows.concat()))?;
    Ok(ExitCode::Success)
}

fn verify(store: &Store, context: &Context) -> Result<ExitCode, CliError> {
    let report = store.verify()?;
    let code = match report.is_sound() {
        true => ExitCode::Success,
        false if report.cut_short => ExitCode::Store,
        false => ExitCode::Findings,
    };
    #[derive(Serialize)]
    struct Document<'a> {
        sound: bool,
        #[serde(flatten)]
        report: &'a VerifyReport,
    }
    context.result(&Document { sound: report.is_sound(), report: &report }, || verified(&report))?;
    Ok(code)
}

fn verified(report: &VerifyReport) -> String {
    let mut text = counted(&report.records, "read");
    let problems = report.problems.iter().map(|problem| format!("  {BAD}problem{BAD:#}  {problem}\n"));
    text.extend(problems);
    if report.is_sound() {
        return text + &format!("{GOOD}sound{GOOD:#}: every record can be read and fits its neighbours");
    }
    let advice = match report.problems.iter().all(|problem| problem.axiom) {
        true => {
            "every record can be read, and an axiom promises too much: correct the vocabulary, or leave those runs out"
        }
        false => "`store salvage` writes everything that can be read to a new store",
    };
    let found = plural(report.problems.len(), "problem");
    text + &format!("{BAD}not sound{BAD:#}: {found} found; {advice}")
}

/// The number of records of each tree that has some, a line each.
fn counted(records: &BTreeMap<&str, u64>, done: &str) -> String {
    let some = records.iter().filter(|(_, count)| **count > 0);
    some.map(|(tree, count)| format!("  {tree:<16}{count:>9} {done}\n")).collect()
}

fn export(args: &ExportArgs, context: &Context) -> Result<ExitCode, CliError> {
    let (format, options) = (args.format, ExportOptions { times: args.times });
    if format != RowFormat::Jsonl && args.times {
        return Err(CliError::usage("only jsonl has times").help("leave out `--times`, or `--format`"));
    }
    if format != RowFormat::Jsonl && args.output.is_none() {
        return Err(CliError::usage("only jsonl is written to standard output")
            .help("name a file: `--output FILE`; it can be a pipe such as /dev/stdout"));
    }
    let store = open_to_read(context)?;
    let run = args.run.map(|run| store.resolve(run)).transpose()?;
    let write = |out: &mut (dyn Write + Send)| match (format, run) {
        (RowFormat::Jsonl, Some(run)) => store.export_run(run, out, options),
        (RowFormat::Jsonl, None) => store.export(out, options),
        (format, Some(run)) => step_rows(&store, &[run], format, out),
        (format, None) => step_rows(&store, &store.run_ids().collect::<Result<Vec<_>, _>>()?, format, out),
    };
    let exported = match &args.output {
        Some(path) => {
            let mut out = output_file::create(path)?;
            let exported = write(&mut out)?;
            out.finish().map_err(|error| output_file::failed(path)(&error))?;
            exported
        }
        None => {
            let mut out = BufWriter::new(context.json_writer());
            let exported = write(&mut out)?;
            out.flush().map_err(StoreError::Export)?;
            exported
        }
    };
    if exported.unreadable.is_empty() {
        return Ok(ExitCode::Success);
    }
    let (runs, steps) = (plural(exported.runs, "run"), plural(exported.steps, "step"));
    let message = format!("the export holds {runs} with {steps}, and not what could not be read of the store");
    let unreadable = exported.unreadable.iter().take(20).map(ToString::to_string);
    let error = unreadable.fold(CliError::new(ExitCode::Store, message), CliError::detail);
    Err(error.help("`ltlcrit store verify` lists everything that is wrong"))
}

fn salvage(from: &Path, to: &Path, context: &Context) -> Result<ExitCode, CliError> {
    let salvage = Store::salvage(from, to)?;
    let code = if salvage.is_complete() { ExitCode::Success } else { ExitCode::Findings };
    context.result(&salvage, || {
        let lost: String = salvage.lost.iter().map(|problem| format!("  {BAD}lost{BAD:#}  {problem}\n")).collect();
        let (saved, whole) = (counted(&salvage.saved, "saved"), plural(salvage.whole_runs, "whole run"));
        format!("{HEAD}{}{HEAD:#}\n{saved}{lost}{whole}; `{}` is as it was", to.display(), from.display())
    })?;
    Ok(code)
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

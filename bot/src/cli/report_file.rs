//! `ltlcrit report`: a batch or stored runs as one page.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use ltlcrit_engine::report::{BatchReport, Report, ReportError, ReportProgress, RunReport, RunsReport};
use ltlcrit_store::RunSelection;

use super::output_file::OutputFile;
use super::progress::Progress;
use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The page is one file without scripts that asks nothing of any network, so it can be opened anywhere and sent to \
        anyone. It embeds the document that --json prints, and every number it shows is one of the document. A batch may \
        still be running: the report is of the cells finished so far. One run gives its trajectory and a map of its way; several \
        give a table of groups, and for those of `learn` the learning curve."
)]
pub struct ReportArgs {
    /// The directory of a batch; or runs by number, as a range such as `3-9`, `last`, or `all`
    #[arg(required = true, value_name = "DIR|RUN")]
    of: Vec<String>,
    /// The file to write [default: report.html; with --json none]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// No such batch, one that cannot be read, or a file that cannot be written.
pub fn run(args: &ReportArgs, context: &Context) -> Result<ExitCode, CliError> {
    let report = read(args, context)?;
    let output = match &args.output {
        Some(path) => Some(path.clone()),
        None => (!context.json()).then(|| "report.html".into()),
    };
    if let Some(path) = &output {
        write(path, report.html()?.as_bytes())?;
    }
    if context.json() {
        context.print_json(&report)?;
    } else if let Some(path) = &output {
        context.note(format_args!("wrote {}", super::terminal::foreign(&path.display().to_string())));
    }
    Ok(ExitCode::Success)
}

/// The report of a directory, if one is named, or of the runs that are.
fn read(args: &ReportArgs, context: &Context) -> Result<Report, CliError> {
    let selections: Result<Vec<RunSelection>, String> = args.of.iter().map(|name| name.parse()).collect();
    let progress = Bar(Progress::new(context, "reading runs", 0));
    let report = match (selections, args.of.as_slice()) {
        (Ok(selections), _) => {
            let store = super::store::open_to_read(context)?;
            match store.resolve_all(&selections)?.as_slice() {
                [run] => Report::Run(Box::new(RunReport::read(&store, *run, &progress)?)),
                runs => Report::Runs(Box::new(RunsReport::read(&store, runs, &progress)?)),
            }
        }
        (Err(_), [directory]) if context.names_store() => {
            return Err(CliError::usage(format!("`{directory}` names no run, and a batch has a store of its own"))
                .help("name runs: a number, a range such as `3-9`, `last` or `all`; or leave out `--store`"));
        }
        (Err(_), [directory]) => Report::Batch(Box::new(BatchReport::read(Path::new(directory), &progress)?)),
        (Err(why), _) => {
            return Err(CliError::usage(why).help("name either runs or the directory of one batch"));
        }
    };
    progress.0.end();
    Ok(report)
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let place = |error: std::io::Error| {
        CliError::new(ExitCode::Failure, format!("the report cannot be written: {error}"))
            .at(path.display().to_string())
    };
    let mut file = OutputFile::create(path).map_err(place)?;
    file.write_all(bytes).and_then(|()| file.finish()).map_err(place)
}

/// The progress of reading, as a bar.
struct Bar(Progress);

impl ReportProgress for Bar {
    fn begins(&self, readings: u64) {
        self.0.more(readings);
    }

    fn step(&self) {
        self.0.step();
    }
}

impl From<ReportError> for CliError {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Directory(error) => error.into(),
            ReportError::Store(error) => error.into(),
            ReportError::Graph(error) => error.into(),
            ReportError::Json(_) => Self::new(ExitCode::Failure, error.to_string()),
        }
    }
}

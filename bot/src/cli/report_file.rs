//! `ltlcrit report`: a batch or stored runs as one page, or as a table for other programs.

use std::path::PathBuf;

use ltlcrit_engine::report::rows::{RowFormat, batch_rows, batch_tables, run_rows};
use ltlcrit_engine::report::{BatchReport, Report, ReportError, ReportProgress, RunReport, RunsReport};
use ltlcrit_store::{RunId, RunSelection, Store};

use crate::cli::args::choice;
use crate::cli::output::{CliError, Context, Progress, foreign, output_file, plural};
use crate::exit::ExitCode;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(
    before_help = "Examples:
  ltlcrit report last                          the page of the last run, report.html
  ltlcrit report smoke-results -o smoke.html   the page of a batch
  ltlcrit report all --format csv              a table of all runs, report.csv
  ltlcrit report smoke-results --figures svg   the figures of the page, as SVG files for a paper",
    after_help = "The page is one file without scripts that asks nothing of any network, so it can be opened anywhere and sent to \
        anyone. It embeds the document that --json prints, and every number it shows is one of the document. A batch may \
        still be running: the report is of the cells finished so far. One run gives its trajectory and a map of its way; several \
        give a table of groups, and for those of `learn` the learning curve."
)]
pub struct ReportArgs {
    /// The directory of a batch; or runs by number, as a range such as `3-9`, `last`, or `all`
    #[arg(required = true, value_name = "DIR|RUN")]
    of: Vec<String>,
    /// Write a table instead of the page: csv, jsonl and parquet have a row for every finished cell or every run, markdown and
    /// latex, for people, one for every condition or every run
    #[arg(long, value_parser = choice::<RowFormat>())]
    format: Option<RowFormat>,
    /// Write each figure of the page as an SVG file of its own into this directory, instead of the page
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "output"])]
    figures: Option<PathBuf>,
    /// The file to write [default: report.html, report.csv, ...; with --json none]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The subject of a report.
enum Subject {
    /// The directory of a batch.
    Batch(PathBuf),
    /// Stored runs.
    Runs(Box<Store>, Vec<RunId>),
}

/// Runs the command.
///
/// # Errors
/// No such batch or run, one that cannot be read, or a file that cannot be written.
pub fn run(args: &ReportArgs, context: &Context) -> Result<ExitCode, CliError> {
    let subject = Subject::of(args, context)?;
    let progress = Progress::new(context, "reading runs", 0);
    if let Some(directory) = &args.figures {
        let figures = subject.report(&progress)?.figures()?;
        progress.end();
        std::fs::create_dir_all(directory).map_err(|error| output_file::failed(directory)(&error))?;
        for figure in &figures {
            output_file::write(&directory.join(format!("{}.svg", figure.name)), figure.svg.as_bytes())?;
        }
        context.note(format_args!(
            "wrote {} into {}",
            plural(figures.len(), "figure"),
            foreign(&directory.display().to_string())
        ));
        return Ok(ExitCode::Success);
    }
    let output = match &args.output {
        Some(path) => Some(path.clone()),
        None => (!context.json()).then(|| format!("report.{}", ending(args.format)).into()),
    };
    let page = args.format.is_none() && output.is_some();
    let report = if page || context.json() { Some(subject.report(&progress)?) } else { None };
    if let Some(path) = &output {
        let bytes = match (args.format, &report) {
            (None, Some(report)) => report.html()?.into_bytes(),
            (format, _) => subject.rows(format.unwrap_or(RowFormat::Jsonl), &progress)?,
        };
        output_file::write(path, &bytes)?;
    }
    progress.end();
    match (&report, &output) {
        (Some(report), _) if context.json() => context.print_json(report)?,
        (_, Some(path)) => context.note(format_args!("wrote {}", foreign(&path.display().to_string()))),
        _ => {}
    }
    Ok(ExitCode::Success)
}

/// The ending of a file's name.
fn ending(format: Option<RowFormat>) -> &'static str {
    match format {
        None => "html",
        Some(RowFormat::Markdown) => "md",
        Some(RowFormat::Latex) => "tex",
        Some(format) => format.into(),
    }
}

impl Subject {
    /// Runs, if all names are of runs; otherwise the directory that is named.
    fn of(args: &ReportArgs, context: &Context) -> Result<Self, CliError> {
        let selections: Result<Vec<RunSelection>, String> = args.of.iter().map(|name| name.parse()).collect();
        match (selections, args.of.as_slice()) {
            (Ok(selections), _) => {
                let store = super::store::open_to_read(context)?;
                let runs = store.resolve_all(&selections)?;
                Ok(Self::Runs(Box::new(store), runs))
            }
            (Err(_), [directory]) if context.names_store() => {
                Err(CliError::usage(format!("`{directory}` names no run, and a batch has a store of its own"))
                    .help("name runs: a number, a range such as `3-9`, `last` or `all`; or leave out `--store`"))
            }
            (Err(_), [directory]) => Ok(Self::Batch(directory.into())),
            (Err(why), _) => Err(CliError::usage(why).help("name either runs or the directory of one batch")),
        }
    }

    fn report(&self, progress: &Progress) -> Result<Report, ReportError> {
        Ok(match self {
            Self::Batch(path) => Report::Batch(Box::new(BatchReport::read(path, progress)?)),
            Self::Runs(store, runs) => match runs.as_slice() {
                [run] => Report::Run(Box::new(RunReport::read(store, *run, progress)?)),
                runs => Report::Runs(Box::new(RunsReport::read(store, runs, progress)?)),
            },
        })
    }

    fn rows(&self, format: RowFormat, progress: &Progress) -> Result<Vec<u8>, CliError> {
        let tables = match self {
            Self::Batch(path) if format.is_for_people() => batch_tables(path)?,
            Self::Batch(path) => vec![batch_rows(path)?],
            Self::Runs(store, runs) => vec![run_rows(store, runs, format.is_for_people(), progress)?],
        };
        let mut bytes = Vec::new();
        for (number, rows) in tables.into_iter().enumerate() {
            if number > 0 {
                bytes.push(b'\n');
            }
            rows.write(format, &mut bytes)?;
        }
        Ok(bytes)
    }
}

impl ReportProgress for Progress {
    fn begins(&self, readings: u64) {
        self.more(readings);
    }

    fn step(&self) {
        self.step();
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

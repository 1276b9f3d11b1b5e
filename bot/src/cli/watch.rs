//! `ltlcrit watch`, and the flag `--watch` of `run`, `resume`, `learn` and `batch`: a live page of runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::report::{BatchReport, Report, ReportError, RunsReport};
use ltlcrit_store::{RunId, RunSelection, Store};
use ltlcrit_watch::{Options, Watch, WatchError};
use serde::Serialize;
use tokio::sync::oneshot;

use super::interrupt::{self, Ends};
use crate::cli::output::{CliError, Context, DIM, runtime};
use crate::exit::ExitCode;

const FAILED: &str = "the page cannot be served";

/// Arguments of `watch`.
#[derive(Debug, clap::Args)]
pub struct WatchArgs {
    /// The run to print the address of: its number, or `last`; several runs with a report of them: a range such as `3-9`,
    /// or `all`; or the directory of a batch [default: the list of runs]
    #[arg(value_name = "RUN|DIR")]
    of: Option<String>,
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "PORT", default_value_t = 0, allow_negative_numbers = true)]
    port: u16,
}

/// The flag of commands whose run is watched.
#[derive(Debug, Default, clap::Args)]
pub struct WatchFlag {
    /// Serve a live page on 127.0.0.1, at this port or at any free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", allow_negative_numbers = true)]
    watch: Option<u16>,
}

/// A page as `--json` prints it.
#[derive(Serialize)]
struct Served<'a> {
    url: &'a str,
    store: &'a Path,
}

/// Runs the command.
///
/// # Errors
/// A store that is missing, no such run, or a port in use.
pub fn run(args: &WatchArgs, context: &Context) -> Result<ExitCode, CliError> {
    let Subject { store: path, run, report } = Subject::of(args.of.as_deref(), context)?;
    let interrupted = Interrupt::new();
    let _listening = interrupt::listen(interrupted.clone(), Ends::InTime)?;
    runtime(FAILED)?.block_on(async {
        let watch = Watch::open(&path, Options { port: args.port }).await?.with_report(report);
        let url = watch.url(run);
        context.result(&Served { url: &url, store: &path }, || url.clone())?;
        // Scripts wait for the address.
        context.flush()?;
        context.note(format_args!("{DIM}Ctrl-C stops{DIM:#}"));
        watch.serve(async move { interrupted.wait().await }).await?;
        Ok(ExitCode::Success)
    })
}

/// The subject of a page.
struct Subject {
    store: PathBuf,
    run: Option<RunId>,
    report: Option<ltlcrit_watch::Report>,
}

impl Subject {
    fn of(name: Option<&str>, context: &Context) -> Result<Self, CliError> {
        let selection = name.map(str::parse::<RunSelection>).transpose();
        if let (Err(_), Some(directory)) = (&selection, name) {
            let directory = PathBuf::from(directory);
            if !directory.is_dir() {
                let message = format!("`{}` is neither a run nor the directory of a batch", directory.display());
                return Err(CliError::usage(message).help("name a run by its number, `last`, `all`, or a directory"));
            }
            let (store, report) = (directory.join("store"), Some(of_batch(directory)));
            return Ok(Self { store, run: None, report });
        }
        let store = super::store::open_to_read(context)?;
        let path = store.path().to_owned();
        Ok(match selection.ok().flatten() {
            None => Self { store: path, run: None, report: None },
            Some(RunSelection::One(selector)) => {
                Self { store: path, run: Some(store.resolve(selector)?), report: None }
            }
            Some(several) => Self { report: Some(of_runs(path.clone(), several)), run: None, store: path },
        })
    }
}

/// The report of a batch in a directory.
pub fn of_batch(directory: PathBuf) -> ltlcrit_watch::Report {
    rendering(move || Ok(Report::Batch(Box::new(BatchReport::read(&directory, &())?))))
}

/// The report of those of the selected runs that a store has.
pub fn of_runs(store: PathBuf, runs: RunSelection) -> ltlcrit_watch::Report {
    rendering(move || {
        let store = Store::open_to_read(&store)?;
        let runs = store.resolve_all(&[runs])?;
        Ok(Report::Runs(Box::new(RunsReport::read(&store, &runs, &())?)))
    })
}

fn rendering(read: impl Fn() -> Result<Report, ReportError> + Send + Sync + 'static) -> ltlcrit_watch::Report {
    Arc::new(move || read().and_then(|report| report.html()).map_err(|error| error.to_string()))
}

/// A page that a thread serves. When it is dropped, open pages get what is left of the run.
pub struct Watching {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WatchFlag {
    /// Serves the page of a run that is about to begin or to go on, or the list of runs below a report, if a page is asked
    /// for, and prints the address.
    ///
    /// # Errors
    /// A port in use.
    pub fn start(
        &self,
        store: &Path,
        run: Option<RunId>,
        report: Option<ltlcrit_watch::Report>,
        context: &Context,
    ) -> Result<Option<Watching>, CliError> {
        let Some(port) = self.watch else { return Ok(None) };
        let runtime = runtime(FAILED)?;
        let watch = runtime.block_on(Watch::open(store, Options { port }))?.with_report(report);
        let of = run.map_or_else(String::new, |run| format!(" of run {run}"));
        context.note(format_args!("{DIM}the page{of}:{DIM:#} {}", watch.url(run)));
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = move || {
            // Both a message and a sender that is gone stop the server.
            let stopped = async { drop(stopped.await) };
            if let Err(error) = runtime.block_on(watch.serve(stopped)) {
                tracing::warn!("{error}");
            }
        };
        let failed = |error| CliError::from_error(ExitCode::Failure, FAILED, &error);
        let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(serve).map_err(failed)?;
        Ok(Some(Watching { stop: Some(stop), thread: Some(thread) }))
    }
}

impl Watching {
    /// Keeps the page after the run, until Ctrl-C, for people at a terminal. Other callers get their prompt back.
    ///
    /// # Errors
    /// The system refuses to deliver signals.
    pub fn linger(self, context: &Context) -> Result<(), CliError> {
        if context.live() {
            context.flush()?;
            context.note(format_args!("\n{DIM}the page is served until Ctrl-C{DIM:#}"));
            let interrupted = Interrupt::new();
            let _listening = interrupt::listen(interrupted.clone(), Ends::InTime)?;
            runtime(FAILED)?.block_on(interrupted.wait());
        }
        Ok(())
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl From<WatchError> for CliError {
    fn from(error: WatchError) -> Self {
        match error {
            WatchError::Store(error) => error.into(),
            WatchError::Port { .. } | WatchError::Server(_) => Self::new(ExitCode::Failure, error.to_string()),
        }
    }
}

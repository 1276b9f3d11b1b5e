//! `ltlcrit watch`, and the flag `--watch` of `run` and `resume`: a live page of runs.

use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use ltlcrit_engine::agent::Interrupt;
use ltlcrit_store::{RunId, RunSelector};
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
    /// The run to print the address of: its number, or `last` [default: the list of runs]
    run: Option<RunSelector>,
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "PORT", default_value_t = 0, allow_negative_numbers = true)]
    port: u16,
}

/// The flag of commands whose run is watched.
#[derive(Debug, Default, clap::Args)]
pub struct WatchFlag {
    /// Serve a live page of the run on 127.0.0.1, at this port or at any free one
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
    let store = super::store::open_to_read(context)?;
    let run = args.run.map(|selector| store.resolve(selector)).transpose()?;
    let path = store.path().to_owned();
    drop(store);
    let interrupted = Interrupt::new();
    let _listening = interrupt::listen(interrupted.clone(), Ends::InTime)?;
    runtime(FAILED)?.block_on(async {
        let watch = Watch::open(&path, Options { port: args.port }).await?;
        let url = watch.url(run);
        context.result(&Served { url: &url, store: &path }, || url.clone())?;
        // Scripts wait for the address.
        context.flush()?;
        context.note(format_args!("{DIM}Ctrl-C stops{DIM:#}"));
        watch.serve(async move { interrupted.wait().await }).await?;
        Ok(ExitCode::Success)
    })
}

/// A page that a thread serves. When it is dropped, open pages get what is left of the run.
pub struct Watching {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WatchFlag {
    /// Serves the page of a run that is about to begin or to go on, if it is asked for, and prints the address.
    ///
    /// # Errors
    /// A port in use.
    pub fn start(&self, store: &Path, run: RunId, context: &Context) -> Result<Option<Watching>, CliError> {
        let Some(port) = self.watch else { return Ok(None) };
        let (runtime, store) = (runtime(FAILED)?, store.to_owned());
        let (opened, is_opened) = mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = move || {
            runtime.block_on(async {
                let watch = match Watch::open(&store, Options { port }).await {
                    Ok(watch) => watch,
                    Err(error) => return drop(opened.send(Err(error))),
                };
                let _ = opened.send(Ok(watch.url(Some(run))));
                // Both a message and a sender that is gone stop the server.
                let stopped = async { drop(stopped.await) };
                if let Err(error) = watch.serve(stopped).await {
                    tracing::warn!("{error}");
                }
            });
        };
        let failed = |error| CliError::from_error(ExitCode::Failure, FAILED, &error);
        let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(serve).map_err(failed)?;
        let watching = Watching { stop: Some(stop), thread: Some(thread) };
        match is_opened.recv() {
            Ok(Ok(url)) => context.note(format_args!("{DIM}the page of run {run}:{DIM:#} {url}")),
            Ok(Err(error)) => return Err(error.into()),
            Err(_) => return Err(CliError::new(ExitCode::Failure, FAILED)),
        }
        Ok(Some(watching))
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

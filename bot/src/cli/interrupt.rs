//! Ctrl-C: the first one ends a run cleanly before its next action, the second one ends the process at once.

use std::io;
use std::sync::mpsc;

use ltlcrit_engine::agent::Interrupt;

use super::CliError;
use crate::exit::ExitCode;

/// Starts a thread that listens for Ctrl-C, so that a busy world cannot delay it.
///
/// # Errors
/// The system refuses to deliver signals.
pub fn listen(interrupt: Interrupt) -> Result<(), CliError> {
    let failed = |error: io::Error| CliError::from_error(ExitCode::Failure, "Ctrl-C cannot be listened for", &error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (armed, is_armed) = mpsc::channel();
    let listener = move || {
        runtime.block_on(async {
            let mut signals = match Signals::new() {
                Ok(signals) => signals,
                Err(error) => {
                    let _ = armed.send(Err(error));
                    return;
                }
            };
            let _ = armed.send(Ok(()));
            signals.next().await;
            interrupt.request();
            signals.next().await;
            super::temporary_store::remove_all();
            // The store is consistent at any time.
            std::process::exit(i32::from(ExitCode::Interrupted.number()));
        });
    };
    std::thread::Builder::new().name("ctrl-c".to_owned()).spawn(listener).map_err(failed)?;
    match is_armed.recv() {
        Ok(Err(error)) => Err(failed(error)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for Ctrl-C or SIGTERM.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

//! Ctrl-C, SIGTERM and SIGHUP: the first one ends the work cleanly before its next action, the second one ends the process
//! at once.

use std::io;
#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::config::Config;

use crate::cli::output::{CliError, runtime};
use crate::exit::ExitCode;

/// The time that work which can be repeated may take after the first Ctrl-C.
const GRACE: Duration = Duration::from_secs(1);

/// The way in which the first Ctrl-C ends the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ends {
    /// Within a second, even in the middle of a computation: the store and the results so far are consistent at any time.
    Soon,
    /// When it can: an action of a live world, or what is still to be saved, is waited for.
    InTime,
}

impl Ends {
    /// Returns the way in which a run in a world ends.
    pub fn of(config: &Config) -> Self {
        if config.run.world.kind().is_live() { Self::InTime } else { Self::Soon }
    }
}

/// Dropped when the work has ended: what is printed and written after it is waited for.
#[must_use]
pub struct Listening(Arc<AtomicBool>);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Starts a thread that listens for Ctrl-C, so that a busy world cannot delay it.
///
/// # Errors
/// The system refuses to deliver signals.
pub fn listen(interrupt: Interrupt, ends: Ends) -> Result<Listening, CliError> {
    let failed = |error: io::Error| CliError::from_error(ExitCode::Failure, "Ctrl-C cannot be listened for", &error);
    let runtime = runtime("Ctrl-C cannot be listened for")?;
    let listening = Listening(Arc::default());
    let has_ended = listening.0.clone();
    let mut signals = {
        let _guard = runtime.enter();
        Signals::new().map_err(failed)?
    };
    let listener = move || {
        runtime.block_on(async {
            signals.next().await;
            interrupt.request();
            let in_time = tokio::time::timeout(GRACE, signals.next()).await.is_err();
            if in_time && (ends == Ends::InTime || has_ended.load(Ordering::Relaxed)) {
                signals.next().await;
            }
            // The store is consistent at any time.
            std::process::exit(i32::from(ExitCode::Interrupted.number()));
        });
    };
    std::thread::Builder::new().name("ctrl-c".to_owned()).spawn(listener).map_err(failed)?;
    Ok(listening)
}

/// Requests the end of the work after some time, and returns when that will be. A thread waits for it, so that a busy world cannot
/// delay it.
///
/// # Errors
/// The time is too long, or the system refuses the thread.
pub fn request_after(interrupt: Interrupt, time: SignedDuration) -> Result<Instant, CliError> {
    let too_long = || CliError::usage(format!("`--max-time` {time:#} is too long"));
    let time = time.unsigned_abs();
    let deadline = Instant::now().checked_add(time).ok_or_else(too_long)?;
    let wait = move || {
        std::thread::sleep(time);
        interrupt.request();
    };
    let failed = |error: io::Error| CliError::from_error(ExitCode::Failure, "the time cannot be watched", &error);
    std::thread::Builder::new().name("max-time".to_owned()).spawn(wait).map_err(failed)?;
    Ok(deadline)
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// `None` where a hangup is ignored, as `nohup` does.
    hangup: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: if hangup_counts() { Some(signal(SignalKind::hangup())?) } else { None },
        })
    }

    /// Waits for Ctrl-C, SIGTERM, or SIGHUP of a terminal that is closed.
    async fn next(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => drop(hangup.recv().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = hangup => {}
        }
    }
}

/// Returns whether SIGHUP is known not to be ignored. If that is unknown, the signal keeps its effect.
#[cfg(unix)]
fn hangup_counts() -> bool {
    let status = ltlcrit_files::read_text(Path::new("/proc/self/status"), 1 << 20).unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored & 1 == 0)
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

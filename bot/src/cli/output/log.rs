//! The log of the program's own code on standard error, one line per event.

use std::io::{self, Write};

use indicatif::MultiProgress;
use tracing::Level;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry};

use crate::cli::args::GlobalArgs;
use crate::cli::output::terminal::foreign;

/// The variable that sets the log filter, in place of `-v`.
const VARIABLE: &str = "RUST_LOG";

/// Libraries that write keys, tokens and headers at finer levels. They never log beyond [`Level::INFO`], whatever
/// [`VARIABLE`] says.
const SECRET_LOGGING: [&str; 6] = ["azalea_auth", "azalea_client::account", "h2", "hyper", "hyper_util", "reqwest"];

/// Installs the logger, which writes between the redraws of the bars. Without `-v` and [`VARIABLE`] it logs warnings of
/// our own code, and nothing under `--quiet` and `--json`.
///
/// A second call in a process changes nothing.
pub fn install(global: &GlobalArgs, bars: MultiProgress) {
    let variable = std::env::var(VARIABLE).ok().filter(|directives| !directives.is_empty());
    let Some(filter) = filter(global, variable.as_deref()) else { return };
    let brief = global.verbose == 0 && variable.is_none();
    let _ = subscriber(filter, brief, LogWriter(bars)).try_init();
}

/// The filter of the log; `None` logs nothing.
fn filter(global: &GlobalArgs, variable: Option<&str>) -> Option<EnvFilter> {
    let level = match global.verbose {
        0 => Level::WARN,
        1 => Level::INFO,
        2 => Level::DEBUG,
        _ => Level::TRACE,
    };
    match variable {
        Some(directives) => Some(EnvFilter::new(directives)),
        None if global.verbose == 0 && (global.quiet || global.json) => None,
        // The names of all crates of this workspace begin so.
        None => Some(EnvFilter::new(format!("ltlcrit={level}"))),
    }
}

fn subscriber<W>(filter: EnvFilter, brief: bool, writer: W) -> impl tracing::Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    // The writer would replace the escape sequences of colours.
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
    let layer = if brief { layer.without_time().with_target(false).boxed() } else { layer.boxed() };
    let keeps_secrets = filter_fn(|metadata| {
        let within = |library: &&str| {
            metadata.target().strip_prefix(*library).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        *metadata.level() <= Level::INFO || !SECRET_LOGGING.iter().any(within)
    });
    Registry::default().with(layer.with_filter(keeps_secrets)).with(filter)
}

/// Writes to standard error and suspends the bars meanwhile.
struct LogWriter(MultiProgress);

impl<'a> MakeWriter<'a> for LogWriter {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line { bars: &self.0 }
    }
}

/// Writes one event, which arrives in one write.
struct Line<'a> {
    bars: &'a MultiProgress,
}

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = one_line(bytes);
        self.bars.suspend(|| io::stderr().lock().write_all(line.as_bytes()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An event on one line, without anything that a terminal obeys or that looks like another event.
fn one_line(event: &[u8]) -> String {
    let text = String::from_utf8_lossy(event);
    foreign(text.trim_end()) + "\n"
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use clap::Parser as _;

    use super::*;
    use crate::cli::Cli;

    /// A writer that keeps what is logged.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(one_line(bytes).as_bytes());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Logs one event of each level and origin with these flags and this value of the variable.
    fn logged(flags: &str, variable: Option<&str>) -> Vec<String> {
        let arguments = ["ltlcrit", "config", "show"].into_iter().chain(flags.split_whitespace());
        let global = Cli::try_parse_from(arguments).unwrap().global;
        let Some(filter) = filter(&global, variable) else { return Vec::new() };
        let kept = Kept::default();
        let writer = kept.clone();
        tracing::subscriber::with_default(subscriber(filter, true, move || writer.clone()), || {
            // Other tests may have met these statements before.
            tracing::callsite::rebuild_interest_cache();
            tracing::warn!(target: "ltlcrit_client::world", "w1");
            tracing::info!(target: "ltlcrit_model::meter", "i1");
            tracing::debug!(target: "ltlcrit_client::dig", "d1");
            tracing::trace!(target: "ltlcrit_client::walk", "t1");
            tracing::warn!(target: "azalea_client::plugins", "w2");
            tracing::info!(target: "azalea_auth::auth", "i2");
            tracing::trace!(target: "azalea_auth::auth", "Got access token: secret");
            tracing::debug!(target: "hyper_util::client", "authorization: secret");
            tracing::trace!(target: "azalea_physics", "t2");
        });
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        text.lines().map(|line| line.split_whitespace().last().unwrap().to_owned()).collect()
    }

    #[test]
    fn flags_choose_how_much_of_our_own_code_is_logged() {
        assert_eq!(logged("", None), ["w1"]);
        assert_eq!(logged("-v", None), ["w1", "i1"]);
        assert_eq!(logged("-vv", None), ["w1", "i1", "d1"]);
        assert_eq!(logged("-vvv", None), ["w1", "i1", "d1", "t1"]);
        assert_eq!(logged("--quiet", None), [""; 0]);
        assert_eq!(logged("--json", None), [""; 0]);
        assert_eq!(logged("--json -v", None), ["w1", "i1"]);
    }

    #[test]
    fn the_variable_chooses_freely_but_for_keys() {
        assert_eq!(logged("", Some("ltlcrit_client=debug")), ["w1", "d1"]);
        assert_eq!(logged("--quiet", Some("trace")), ["w1", "i1", "d1", "t1", "w2", "i2", "t2"]);
        assert_eq!(logged("-vv", Some("off")), [""; 0]);
    }

    #[test]
    fn an_event_is_one_line_that_commands_nothing() {
        let event = b" WARN asking again failure=HTTP status 500: \x1b[2J\x9b5m\nERROR forged\r\x07\xff\n";
        let line = one_line(event);
        assert!(!line.trim_end_matches('\n').contains(char::is_control), "{line:?}");
        assert!(line.ends_with('\n') && line.starts_with(" WARN asking again"), "{line:?}");
    }
}

//! The context of every command: the configuration, the output settings and the two streams.

use std::io::{self, IsTerminal as _, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::AutoStream;
use indicatif::{MultiProgress, ProgressDrawTarget};
use ltlcrit_engine::config::{Config, Values, read_values};
use ltlcrit_laws::Diagnostic;
use serde::Serialize;

use crate::cli::args::GlobalArgs;
use crate::cli::output::error::CliError;
use crate::cli::output::style::WARNING;
use crate::cli::output::terminal::{self, JsonWriter};
use crate::exit::ExitCode;

/// The context of every command.
pub struct Context {
    flags: GlobalArgs,
    stdout: Stream,
    stderr: Stream,
    live: bool,
    bars: MultiProgress,
}

impl Context {
    /// The context for these global flags, on the process's streams.
    pub fn new(flags: GlobalArgs) -> Self {
        let choice = match flags.color {
            clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
            clap::ColorChoice::Always => anstream::ColorChoice::Always,
            clap::ColorChoice::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        let terminal = io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let live = terminal && !flags.quiet && !flags.json;
        let target = if live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self {
            flags,
            stdout: Stream::new(AutoStream::new(io::stdout(), choice)),
            stderr: Stream::new(AutoStream::new(io::stderr(), choice)),
            live,
            bars: MultiProgress::with_draw_target(target),
        }
    }

    /// Returns whether results and errors are printed as JSON.
    pub fn json(&self) -> bool {
        self.flags.json
    }

    /// Returns whether only results and errors are printed.
    pub fn quiet(&self) -> bool {
        self.flags.quiet
    }

    /// Returns whether `-v` is given.
    pub fn verbose(&self) -> bool {
        self.flags.verbose > 0
    }

    /// Returns whether a progress line can be redrawn in place: standard error is a terminal, and neither `--quiet` nor
    /// `--json` is given.
    pub fn live(&self) -> bool {
        self.live
    }

    /// The progress bars on standard error. Other writes to standard error go between their redraws. Hidden unless
    /// [`Self::live`].
    pub fn bars(&self) -> &MultiProgress {
        &self.bars
    }

    /// The configuration without flags of a command: defaults, then the file, then the environment, then `--set`.
    ///
    /// # Errors
    /// A wrong configuration, with its place and the correction.
    pub fn config(&self) -> Result<Config, CliError> {
        self.config_with(&serde_json::json!({}))
    }

    /// The configuration with a command's flags on top. See [`Config::load`] for their shape.
    ///
    /// # Errors
    /// A wrong configuration, with its place and the correction.
    pub fn config_with(&self, flags: &impl Serialize) -> Result<Config, CliError> {
        let config = Config::load(self.flags.config.as_deref(), flags, &self.values()?);
        Ok(self.with_store(config.map_err(|error| CliError::of(ExitCode::Config, error))?))
    }

    /// The keys that the command line sets with `--set`.
    ///
    /// # Errors
    /// An unknown key or a wrong value.
    pub fn values(&self) -> Result<Values, CliError> {
        read_values(&self.flags.set).map_err(|error| CliError::of(ExitCode::Config, error))
    }

    /// The configuration with the store that the command line names, if it names one.
    pub fn with_store(&self, mut config: Config) -> Config {
        if let Some(store) = &self.flags.store {
            config.store.path.clone_from(store);
        }
        config
    }

    /// Returns whether the command line names a store.
    pub fn names_store(&self) -> bool {
        self.flags.store.is_some()
    }

    /// The configuration file named on the command line.
    pub fn config_file(&self) -> Option<&std::path::Path> {
        self.flags.config.as_deref()
    }

    /// Prints lines of a result on standard output.
    ///
    /// # Errors
    /// The output is closed or full.
    pub fn print(&self, text: impl std::fmt::Display) -> Result<(), CliError> {
        self.print_text(&format!("{text}\n"))
    }

    /// Prints a text with its own line breaks on standard output.
    ///
    /// # Errors
    /// The output is closed or full.
    pub fn print_text(&self, text: &str) -> Result<(), CliError> {
        self.stdout.lock().write_all(terminal::render(text).as_bytes())?;
        Ok(())
    }

    /// Standard output as a writer of JSON documents, for results of any length.
    pub fn json_writer(&self) -> impl Write + '_ {
        JsonWriter::new(&self.stdout)
    }

    /// Prints a result as one JSON document on one line of standard output.
    ///
    /// # Errors
    /// The output is closed or full.
    pub fn print_json(&self, value: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string(value)
            .map_err(|error| CliError::from_error(ExitCode::Failure, "the result cannot be written as JSON", &error))?;
        writeln!(self.stdout.lock(), "{}", terminal::json(&text))?;
        Ok(())
    }

    /// Prints a result: the document as JSON, or the text for people.
    ///
    /// # Errors
    /// The output is closed or full.
    pub fn result(&self, document: &impl Serialize, text: impl FnOnce() -> String) -> Result<(), CliError> {
        match self.flags.json {
            true => self.print_json(document),
            false => self.print(text().trim_end()),
        }
    }

    /// Prints progress or advice on standard error. Prints nothing under `--quiet`, nor under `--json`, which keeps
    /// standard error for errors.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.flags.quiet && !self.flags.json {
            let text = terminal::render(&text.to_string());
            let _ = self.bars.suspend(|| writeln!(self.stderr.lock(), "{text}"));
        }
    }

    /// Prints a warning on standard error, as [`Self::note`] does.
    pub fn warn(&self, text: impl std::fmt::Display) {
        self.note(format_args!("{WARNING}warning{WARNING:#}: {}", terminal::foreign(&text.to_string())));
    }

    /// Prints what is doubtful about law books.
    pub fn warn_of(&self, findings: &[Diagnostic]) {
        for Diagnostic { source, place, message, help, .. } in findings {
            let place = place.as_ref().map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
            let help = help.as_ref().map_or(String::new(), |help| format!("; {help}"));
            self.warn(format_args!("{source}{place}: {message}{help}"));
        }
    }

    /// Prints an error on standard error, as text or JSON, unless the output was closed.
    pub fn report(&self, error: &CliError) {
        if error.code() == ExitCode::OutputClosed {
            return;
        }
        let text = match serde_json::to_string(&error.to_json()) {
            Ok(text) if self.flags.json => terminal::json(&text),
            _ => terminal::render(&error.to_string()),
        };
        let _ = writeln!(self.stderr.lock(), "{text}");
    }

    /// Flushes standard output.
    ///
    /// # Errors
    /// The output is closed or full.
    pub fn flush(&self) -> Result<(), CliError> {
        self.stdout.lock().flush()?;
        Ok(())
    }
}

/// A stream that several threads write to.
struct Stream(Mutex<Box<dyn Write + Send>>);

impl Stream {
    fn new(stream: impl Write + Send + 'static) -> Self {
        Self(Mutex::new(Box::new(stream)))
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn Write + Send>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Locked for each write.
impl Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock().flush()
    }
}

//! Runs mineflayer, an independent Minecraft client, as a test of the loopback server.
//!
//! The scripts in `tests/mineflayer` play a sequence of actions on any server and report each one as a line of JSON.
//! This module installs them, once for each lock file, runs them and reads their report.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// If this environment variable is set, node and npm are required: no test that needs them is skipped.
pub const REQUIRED: &str = "REQUIRE_NODE";

/// The name of the step after the sequence, which sorts the inventory by all kinds of clicks.
pub const SORTING: &str = "clicks";

/// The scripts, their lock file and the sequence.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/mineflayer");
/// The suffixes of the files that are copied to the run's directory.
const COPIED: [&str; 3] = [".mjs", ".json", ".npmrc"];

/// The reason why mineflayer could not play.
#[derive(Debug, Error)]
pub enum Error {
    /// node or npm is not installed, or too old.
    #[error("{0}: node 20 or newer with npm is needed on the path")]
    NoNode(String),
    /// npm could not install the packages of the lock file.
    #[error("`npm ci` failed in {directory}:\n{stderr}")]
    Install {
        /// The directory of the installation.
        directory: PathBuf,
        /// Its error output.
        stderr: String,
    },
    /// A line of the script's output is not a step of its report.
    #[error("not a line of the report: {line:?}: {error}")]
    Line {
        /// The line.
        line: String,
        /// The error of the parser.
        error: serde_json::Error,
    },
    /// A file or a process could not be handled.
    #[error("{what}: {error}")]
    Io {
        /// The operation.
        what: String,
        /// The reason.
        error: io::Error,
    },
}

/// Adds the operation to an operating system's error.
fn io_error(what: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
    |error| Error::Io { what: what.into(), error }
}

/// An installed mineflayer.
#[derive(Clone, Debug)]
pub struct Mineflayer {
    directory: PathBuf,
}

/// One line of the report: joining, an action, or the total.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Step {
    /// `join`, an action's name without `action_`, or `total`.
    pub name: String,
    /// True if the step was done and had its effect.
    pub ok: bool,
    /// Wall time, in milliseconds.
    pub milliseconds: f64,
    /// A description of the result.
    #[serde(default)]
    pub said: Option<String>,
    /// The reason why it was not done.
    #[serde(default)]
    pub reason: Option<String>,
    /// The peak of resident memory, in bytes; only in the total.
    #[serde(default)]
    pub resident_bytes: Option<u64>,
    /// CPU time, user and system, in seconds; only in the total.
    #[serde(default)]
    pub cpu_seconds: Option<f64>,
    /// The corrections of the player's position by the server; only in the total.
    #[serde(default)]
    pub corrections: Vec<String>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = if self.ok { "done" } else { "FAILED" };
        write!(f, "{:>9.1} ms  {} {done}", self.milliseconds, self.name)?;
        if let Some(said) = self.said.as_ref().or(self.reason.as_ref()) {
            write!(f, ": {said}")?;
        }
        if let (Some(resident), Some(cpu)) = (self.resident_bytes, self.cpu_seconds) {
            write!(f, ", {} MB resident, {cpu:.1} s of CPU time", resident / 1_000_000)?;
        }
        Ok(())
    }
}

impl Mineflayer {
    /// Installs the packages of the lock file into a new directory below `parent`, unless they are installed.
    ///
    /// # Errors
    ///
    /// [`Error::NoNode`] if node or npm is missing, [`Error::Install`] if npm fails, [`Error::Io`].
    pub fn install(parent: &Path) -> Result<Self, Error> {
        let version =
            Command::new("node").arg("--version").output().map_err(|error| Error::NoNode(error.to_string()))?;
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
        if major.is_none_or(|major| major < 20) {
            return Err(Error::NoNode(format!("`node --version` says {version:?}")));
        }
        let lock = Path::new(SOURCES).join("package-lock.json");
        let text = fs::read(&lock).map_err(io_error(format!("reading {}", lock.display())))?;
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let directory = parent.join(format!("mineflayer-{:016x}", hasher.finish()));
        let installed = Self { directory };
        if installed.directory.is_dir() {
            return Ok(installed);
        }
        // The packages are installed elsewhere first, so that a directory of the right name is always complete.
        let fresh = parent.join(format!("mineflayer-{}", std::process::id()));
        copy(&fresh)?;
        let ran = Command::new("npm").args(["ci", "--omit=dev"]).current_dir(&fresh).stdin(Stdio::null()).output();
        let ran = ran.map_err(|error| Error::NoNode(error.to_string()))?;
        if !ran.status.success() {
            let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
            return Err(Error::Install { directory: fresh, stderr });
        }
        match fs::rename(&fresh, &installed.directory) {
            // Another process was faster.
            Err(_) if installed.directory.is_dir() => {
                fs::remove_dir_all(&fresh).map_err(io_error(format!("removing {}", fresh.display())))?;
            }
            renamed => renamed.map_err(io_error(format!("renaming {}", fresh.display())))?,
        }
        Ok(installed)
    }

    /// Returns the default actions, in order, without `action_`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] and [`Error::Line`] if the file cannot be read.
    pub fn sequence() -> Result<Vec<String>, Error> {
        let path = Path::new(SOURCES).join("sequence.json");
        let text = fs::read_to_string(&path).map_err(io_error(format!("reading {}", path.display())))?;
        serde_json::from_str(&text).map_err(|error| Error::Line { line: text, error })
    }

    /// Joins a server as a player of this name, plays the actions and sorts the inventory, for at most `limit`. Returns
    /// the report, which ends at the first failure with the total. After each action, the server's inventory is
    /// compared with mineflayer's. `on_step` gets each step as it is reported.
    ///
    /// # Errors
    ///
    /// [`Error::Line`] if the script prints anything else than its report, [`Error::Io`].
    pub fn play(
        &self,
        server: SocketAddr,
        name: &str,
        sequence: &[String],
        limit: Duration,
        on_step: impl FnMut(&Step),
    ) -> Result<Vec<Step>, Error> {
        self.run(server, name, sequence, limit, &["--clicks".to_owned()], on_step)
    }

    /// Plays the default actions like [`play`](Self::play), without comparing or sorting the inventory. Measures the
    /// time of the sequence, and of equipping the last two tools in turn, `swaps` times.
    ///
    /// # Errors
    ///
    /// The errors of [`play`](Self::play).
    pub fn play_timed(
        &self,
        server: SocketAddr,
        name: &str,
        swaps: usize,
        limit: Duration,
        on_step: impl FnMut(&Step),
    ) -> Result<Vec<Step>, Error> {
        self.run(server, name, &Self::sequence()?, limit, &["--bare".to_owned(), format!("--swaps={swaps}")], on_step)
    }

    /// Copies the current scripts beside the packages, into a directory that the caller removes.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn scripts(&self, name: &str) -> Result<PathBuf, Error> {
        let scripts = self.directory.join(format!("run-{}-{name}", std::process::id()));
        copy(&scripts)?;
        Ok(scripts)
    }

    fn run(
        &self,
        server: SocketAddr,
        name: &str,
        sequence: &[String],
        limit: Duration,
        flags: &[String],
        on_step: impl FnMut(&Step),
    ) -> Result<Vec<Step>, Error> {
        let scripts = self.scripts(name)?;
        let played = scripts.join("sequence.json");
        fs::write(&played, serde_json::json!(sequence).to_string())
            .map_err(io_error(format!("writing {}", played.display())))?;
        let mut node = Command::new("node");
        node.arg(scripts.join("play.mjs"))
            .args([server.ip().to_string(), server.port().to_string()])
            .args(["--name", name, "--seconds", &limit.as_secs().to_string()])
            .args(flags);
        let steps = listen(&mut node, on_step)?;
        fs::remove_dir_all(&scripts).map_err(io_error(format!("removing {}", scripts.display())))?;
        Ok(steps)
    }
}

/// Runs a command whose output is a report; `on_step` gets each step as it is reported.
///
/// # Errors
///
/// [`Error::Line`] if it prints anything else, [`Error::Io`].
pub fn listen(command: &mut Command, mut on_step: impl FnMut(&Step)) -> Result<Vec<Step>, Error> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = Running(child.map_err(io_error(format!("starting {}", command.get_program().display())))?);
    let mut steps = Vec::new();
    if let Some(stdout) = child.0.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line.map_err(io_error("reading a report"))?;
            let step: Step = serde_json::from_str(&line).map_err(|error| Error::Line { line, error })?;
            on_step(&step);
            steps.push(step);
        }
    }
    child.0.wait().map_err(io_error("waiting for a report's end"))?;
    Ok(steps)
}

/// Copies the scripts and their data into a fresh directory.
fn copy(directory: &Path) -> Result<(), Error> {
    fs::create_dir_all(directory).map_err(io_error(format!("creating {}", directory.display())))?;
    let sources = || io_error(format!("reading {SOURCES}"));
    for entry in fs::read_dir(SOURCES).map_err(sources())? {
        let entry = entry.map_err(sources())?;
        let name = entry.file_name();
        if COPIED.iter().any(|ending| name.to_string_lossy().ends_with(ending)) {
            let target = directory.join(&name);
            fs::copy(entry.path(), &target).map_err(io_error(format!("writing {}", target.display())))?;
        }
    }
    Ok(())
}

/// A child process, killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}

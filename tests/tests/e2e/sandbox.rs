//! A fresh directory for runs of the binary, with its own environment.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_ltlcrit-under-test");

/// The time limit of a command, far above any command of these tests.
const DEADLINE: Duration = Duration::from_secs(300);

/// A fresh directory for runs of the binary.
pub struct Sandbox {
    directory: TempDir,
    embedded: bool,
}

/// Sets the embedded world as the default, because few tests are about the client.
pub const EMBEDDED: (&str, &str) = ("LTLCRIT_RUN__WORLD", "embedded");

/// The result of a command.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    pub fn new() -> Self {
        Self { directory: ltlcrit_store::scratch::directory().unwrap(), embedded: true }
    }

    /// A sandbox without settings, as for a new user.
    pub fn out_of_the_box() -> Self {
        Self { embedded: false, ..Self::new() }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file into the directory, or a subdirectory; returns its path.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Returns a command in this directory without the caller's environment.
    pub fn command<I, S>(&self, arguments: I) -> Command
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = Command::from_std(self.std_command(arguments));
        command.timeout(DEADLINE);
        command
    }

    /// Returns a standard command, for tests that need the running process.
    pub fn std_command<I, S>(&self, arguments: I) -> std::process::Command
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = self.std_command_of(BINARY);
        command.args(arguments);
        command
    }

    /// Returns a standard command of another program, such as one that starts the binary.
    pub fn std_command_of(&self, program: &str) -> std::process::Command {
        let mut command = std::process::Command::new(program);
        command.current_dir(self.path()).env_clear().envs(self.embedded.then_some(EMBEDDED));
        command
    }

    /// Runs the words of a command line.
    pub fn run(&self, line: &str) -> Ran {
        self.run_with(line, &[])
    }

    /// Runs the words of a command line with environment variables.
    pub fn run_with(&self, line: &str, environment: &[(&str, &str)]) -> Ran {
        let output = self.command(line.split_whitespace()).envs(environment.iter().copied()).output().unwrap();
        Ran::from(output)
    }
}

impl From<std::process::Output> for Ran {
    fn from(output: std::process::Output) -> Self {
        Self {
            code: output.status.code().unwrap_or_else(|| panic!("killed by a signal: {output:?}")),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Checks the exit code; panics with all output if it differs.
    #[track_caller]
    pub fn code(self, expected: i32) -> Self {
        assert_eq!(self.code, expected, "exit code\n--- stdout\n{}\n--- stderr\n{}", self.stdout, self.stderr);
        self
    }

    /// Returns the only JSON document on standard output.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {:?}", self.stdout))
    }

    /// Returns the only JSON error on standard error.
    #[track_caller]
    pub fn json_error(&self) -> serde_json::Value {
        let document: serde_json::Value =
            serde_json::from_str(&self.stderr).unwrap_or_else(|error| panic!("{error} in {:?}", self.stderr));
        document["error"].clone()
    }

    /// Returns exit code, standard output and standard error as one text, for snapshots.
    pub fn shown(&self) -> String {
        format!("exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

//! Python with the package `unified-planning`, which builds the problems of released tasks.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

use super::child::{self, ChildError, Limits};

/// The program that Python runs.
const EXPORT: &str = include_str!("export.py");

/// What the export of a task may take. Importing the library takes most of the time.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), bytes: 16 << 20 };

/// The most characters shown of what Python printed.
const SHOWN: usize = 400;

/// An interpreter of Python.
#[derive(Clone, Debug)]
pub struct Python {
    program: PathBuf,
}

/// Why Python gave nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PythonError {
    /// There is no such program.
    #[error("there is no `{0}`; install Python 3.10 or later, or name the program with --python")]
    Missing(String),
    /// The package is not installed.
    #[error(
        "`{program}` cannot import the package unified-planning ({why}); `{program} -m pip install unified-planning` installs \
         it, and --python names the Python of a virtual environment that has it"
    )]
    NoPackage {
        /// The program.
        program: String,
        /// What Python says.
        why: String,
    },
    /// It cannot be run to its end.
    #[error("`{program}`: {error}")]
    Child {
        /// The program.
        program: String,
        /// The reason.
        error: ChildError,
    },
    /// It ended without an answer.
    #[error("`{program}` gave no answer ({end}){}", .why.as_ref().map_or_else(String::new, |why| format!(": {why}")))]
    NoAnswer {
        /// The program.
        program: String,
        /// How it ended.
        end: String,
        /// The end of what it printed.
        why: Option<String>,
    },
    /// A temporary directory cannot be made.
    #[error("a temporary directory cannot be made: {0}")]
    Directory(#[source] io::Error),
    /// The task cannot be built.
    #[error("{0}")]
    Task(String),
}

/// The problems of a task as PDDL, and the bounds of its numeric fluents.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Exported {
    pub basic_domain: String,
    pub basic_problem: String,
    pub safe_domain: String,
    pub safe_problem: String,
    pub bounds: serde_json::Map<String, serde_json::Value>,
}

/// What the program answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Error { error: Failure },
    Version { version: String },
    Exported(Exported),
}

#[derive(Deserialize)]
struct Failure {
    kind: String,
    message: String,
}

impl Python {
    /// The interpreter of this name or path.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into() }
    }

    /// Its version and the package's: `3.11.7 with unified-planning 1.3.0`.
    ///
    /// # Errors
    /// Python or the package is missing, with how to install it.
    pub fn version(&self) -> Result<String, PythonError> {
        match self.ask(&json!({ "version": true }))? {
            Answer::Version { version } => Ok(version),
            _ => Err(self.other_answer()),
        }
    }

    /// Builds the problems of a task from its `code.py`.
    ///
    /// The code runs in a process of its own, in an empty directory, without an environment, bounded in time and output. There it
    /// is refused to write files, open connections and start programs. That keeps careless code from doing harm; code that means
    /// harm is not held by it.
    pub(super) fn export(&self, name: &str, code: &str) -> Result<Exported, PythonError> {
        match self.ask(&json!({ "name": name, "code": code }))? {
            Answer::Exported(exported) => Ok(exported),
            _ => Err(self.other_answer()),
        }
    }

    fn other_answer(&self) -> PythonError {
        PythonError::NoAnswer { program: self.shown(), end: "another answer".to_owned(), why: None }
    }

    fn shown(&self) -> String {
        self.program.display().to_string()
    }

    fn ask(&self, request: &serde_json::Value) -> Result<Answer, PythonError> {
        let program = self.shown();
        let directory = tempfile::tempdir().map_err(PythonError::Directory)?;
        // A relative path is one from here, not from the empty directory.
        let path = if self.program.components().count() > 1 {
            std::path::absolute(&self.program).unwrap_or_else(|_| self.program.clone())
        } else {
            self.program.clone()
        };
        let environment = [("PYTHONHASHSEED", "0"), ("PYTHONIOENCODING", "utf-8"), ("LC_ALL", "C.UTF-8")];
        let ran = child::run(&path, &["-B", "-c", EXPORT], &environment, directory.path(), request.to_string(), LIMITS);
        let output = ran.map_err(|error| match error {
            ChildError::Start(error) if error.kind() == io::ErrorKind::NotFound => {
                PythonError::Missing(program.clone())
            }
            error => PythonError::Child { program: program.clone(), error },
        })?;
        match serde_json::from_slice(&output.stdout) {
            Ok(Answer::Error { error: Failure { kind, message: why } }) if kind == "package" => {
                Err(PythonError::NoPackage { program, why })
            }
            Ok(Answer::Error { error }) => Err(PythonError::Task(error.message)),
            Ok(answer) => Ok(answer),
            Err(_) => {
                let printed = String::from_utf8_lossy(&output.stderr);
                let skipped = printed.trim().chars().count().saturating_sub(SHOWN);
                let end: String = printed.trim().chars().skip(skipped).collect();
                let (why, end) = (Some(end).filter(|end| !end.is_empty()), output.status.to_string());
                Err(PythonError::NoAnswer { program, end, why })
            }
        }
    }
}

//! Converts errors of the libraries to errors of the command line, with exit code, details and advice.

use std::error::Error;
use std::io::ErrorKind;

use ltlcrit_engine::learn::{BookFileError, EpisodeError, LearnError, ReviseError};
use ltlcrit_engine::model::OpenError;
use ltlcrit_engine::setup::SetupError;
use ltlcrit_engine::world::OpenWorldError;
use ltlcrit_files::FileError;
use ltlcrit_laws::{BookErrors, shipped_names};
use ltlcrit_model::cassette::CassetteError;

use crate::cli::output::CliError;
use crate::exit::ExitCode;

const PRICE_HELP: &str = "in ltlcrit.toml:\n[prices]\n\"my-model\" = { input = 2.0, output = 8.0 }";
const CASSETTE_HELP: &str = "cassettes are made with `--record FILE`, in a directory that is there";

/// An error with its causes as details.
fn with_causes(code: ExitCode, error: &dyn Error) -> CliError {
    match error.source() {
        Some(cause) => CliError::from_error(code, error.to_string(), cause),
        None => CliError::new(code, error.to_string()),
    }
}

impl From<SetupError> for CliError {
    fn from(error: SetupError) -> Self {
        let message = error.to_string();
        match error {
            SetupError::Config(error) => Self::of(ExitCode::Config, error),
            SetupError::Context(_) => Self::usage(message),
            SetupError::Input(error) => error.into(),
            SetupError::UnknownPrice(_) => Self::new(ExitCode::Config, message).help(PRICE_HELP),
            SetupError::Model(OpenError::OpenAi(_)) => Self::new(ExitCode::Model, message),
            SetupError::Model(OpenError::Cassette(error)) => {
                let missing = match error {
                    CassetteError::File { source: FileError::Missing, .. } => true,
                    CassetteError::Io { source, .. } => source.kind() == ErrorKind::NotFound,
                    _ => false,
                };
                if missing { Self::input(message).help(CASSETTE_HELP) } else { Self::input(message) }
            }
            SetupError::Model(OpenError::Persona(error)) => error.into(),
            SetupError::Book { name, errors } => {
                Self::input(message).detail(errors.to_string()).help(book_help(&name, &errors))
            }
            SetupError::Together(_) => Self::input(message),
            SetupError::World(error) => error.into(),
            SetupError::Values(_) => with_causes(ExitCode::Failure, &error),
        }
    }
}

/// Advice for a book that cannot be read: a missing one needs another name, any other a closer look.
pub fn book_help(name: &str, errors: &BookErrors) -> String {
    if errors.diagnostics.iter().any(|one| one.place.is_none()) {
        let shipped: Vec<&str> = shipped_names().collect();
        format!("give a path, or a shipped book: {}", shipped.join(", "))
    } else {
        format!("`ltlcrit laws check {name}` looks at all of it")
    }
}

impl From<OpenWorldError> for CliError {
    fn from(error: OpenWorldError) -> Self {
        match error {
            OpenWorldError::Vocabulary(_) | OpenWorldError::Household(_) => with_causes(ExitCode::Input, &error),
            OpenWorldError::Task { .. } => with_causes(ExitCode::Input, &error)
                .help("a task is a folder with `domain.pddl` and `problem.pddl`, or `safe_domain.pddl` and `safe_problem.pddl`"),
            OpenWorldError::Config(error) => Self::of(ExitCode::Config, error),
            OpenWorldError::NoTrials { .. } => {
                with_causes(ExitCode::Usage, &error).help("choose another one, such as `--world embedded`")
            }
            OpenWorldError::Account(_) => with_causes(ExitCode::Config, &error)
                .help("set `server.account` (or `--account`), for example to offline:ltlcrit"),
            OpenWorldError::Server(_) => with_causes(ExitCode::World, &error),
            OpenWorldError::Cancelled => Self::new(ExitCode::Interrupted, error.to_string()),
            OpenWorldError::Join(_) => with_causes(ExitCode::World, &error)
                .help("`ltlcrit doctor --server HOST:PORT` looks at a server and says what to change"),
        }
    }
}

impl From<BookFileError> for CliError {
    fn from(error: BookFileError) -> Self {
        let message = error.to_string();
        match error {
            BookFileError::Setup(error) => error.into(),
            BookFileError::Shipped(_) => Self::input(message).help(
                "name a file of your own as `--book`; what comes with the program can be in force besides: `--laws`",
            ),
            BookFileError::InForceToo(_) => {
                Self::input(message).help("a book that is learned is in force anyway, and needs a name of its own")
            }
            BookFileError::NotMade(errors) => Self::input(message).detail(errors.to_string()),
            BookFileError::Changed { id, .. } => Self::new(ExitCode::Failure, message)
                .help(format!("what was learned, {id}, is kept in the store; begin again from the file as it is now")),
            BookFileError::NotWritten { .. } => Self::new(ExitCode::Failure, message)
                .help("name another file as `--book`, in a directory that exists and can be written"),
            BookFileError::NoName(_) | BookFileError::Consistency(_) | BookFileError::Undecided => Self::input(message),
            BookFileError::OverConstrained { laws, state } => Self::input(message)
                .detail(format!("laws   {}", laws.join(", ")))
                .detail(format!("state  {}", if state.is_empty() { "nothing holds".into() } else { state.join(", ") }))
                .help(
                    "`ltlcrit laws check` shows more; the soft laws of a book of your own are resolved by the critic \
                     when that book is the one to be learned (`--book`)",
                ),
        }
    }
}

impl From<EpisodeError> for CliError {
    fn from(error: EpisodeError) -> Self {
        match error {
            EpisodeError::Setup(error) => error.into(),
            EpisodeError::World(error) => error.into(),
            EpisodeError::Agent(error) => error.into(),
            EpisodeError::Runtime(_) => Self::new(ExitCode::Failure, error.to_string()),
        }
    }
}

impl From<LearnError<EpisodeError, CliError>> for CliError {
    fn from(error: LearnError<EpisodeError, CliError>) -> Self {
        match error {
            LearnError::Episode(error) => error.into(),
            LearnError::Critique(error) => error.into(),
            LearnError::Revise(ReviseError::Store(error)) => error.into(),
            LearnError::Revise(error) => Self::input(format!("the book cannot be changed: {error}")),
            LearnError::Observer(error) => error,
        }
    }
}

//! The command line.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::book::Book;
use crate::check::{check, count};
use crate::decide::{owed, visible};
use crate::hook::{Place, answer, duty};
use crate::init::{for_claude_code, for_tools, init, not_installed};
use crate::log::{From, Judged, Line, MAX_CALLS, judge};
use crate::mcp::{Proxy, tools};
use crate::session::{self, Entry, LATEST, Session};

/// Maximum length of an event, in bytes.
const MAX_EVENT: u64 = 16 << 20;

/// Guards the tools of a coding agent by laws over sequences of calls.
#[derive(Parser)]
#[command(name = "ltlcrit-guard", bin_name = "ltlcrit-guard", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check a book: its text, its examples, and that its laws fit together.
    Check {
        /// The book.
        #[arg(default_value = "guard.toml")]
        book: PathBuf,
    },
    /// Answer an event of a coding agent: JSON on standard input, the decision on standard output.
    Hook {
        /// The book.
        #[arg(long, default_value = "guard.toml")]
        book: PathBuf,
        /// Refuse where a person should be asked: nobody is there.
        #[arg(long)]
        unattended: bool,
        #[command(flatten)]
        state: State,
    },
    /// Guard an MCP server: stand between it and its client, and refuse calls. One process is one session.
    Mcp {
        /// The book.
        #[arg(long, default_value = "guard.toml")]
        book: PathBuf,
        /// The server's name: its tools are NAME/TOOL in the book.
        #[arg(long, default_value = "mcp")]
        name: String,
        /// Record what would be refused, and refuse nothing.
        #[arg(long)]
        shadow: bool,
        #[command(flatten)]
        state: State,
        /// The server: a program and its arguments.
        #[arg(last = true, required = true)]
        server: Vec<OsString>,
    },
    /// Judge logs of sessions by a book: what each law would have found. Exit code 5 if one was broken.
    JudgeLog {
        /// The book; several are judged one after the other.
        #[arg(long, default_value = "guard.toml")]
        book: Vec<PathBuf>,
        /// The form of the logs.
        #[arg(long)]
        from: From,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        /// The logs.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Show a session: its calls, what is in flight, and what is owed.
    Status {
        /// The book.
        #[arg(long, default_value = "guard.toml")]
        book: PathBuf,
        #[command(flatten)]
        session: Which,
    },
    /// Show why a call was refused.
    Why {
        /// The refusal: the last one.
        #[arg(value_parser = ["last"])]
        what: String,
        #[command(flatten)]
        session: Which,
    },
    /// Forget a session: its laws begin afresh.
    Forget {
        #[command(flatten)]
        session: Which,
    },
    /// Write a first book and the agent's settings, or the calls of an MCP server, after showing what changes.
    Init {
        /// The agent.
        #[arg(long = "for", required_unless_present = "from_mcp", value_parser = ["claude-code"])]
        agent: Option<String>,
        /// Write a call for each tool of an MCP server.
        #[arg(long, conflicts_with = "agent", requires = "server")]
        from_mcp: bool,
        /// The server's name: its tools are NAME/TOOL in the book.
        #[arg(long, default_value = "mcp")]
        name: String,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
        /// The project.
        #[arg(default_value = ".")]
        project: PathBuf,
        /// The server: a program and its arguments.
        #[arg(last = true)]
        server: Vec<OsString>,
    },
}

#[derive(Args)]
struct State {
    /// The folder of sessions [default: ltlcrit-guard in $XDG_STATE_HOME or ~/.local/state].
    #[arg(long, env = "LTLCRIT_GUARD_STATE")]
    state: Option<PathBuf>,
}

#[derive(Args)]
struct Which {
    /// The id of the session [default: the one that changed last].
    #[arg(long)]
    session: Option<String>,
    #[command(flatten)]
    state: State,
}

impl State {
    fn folder(self) -> Result<PathBuf, String> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || set("HOME").map(|home| home.join(".local").join("state"));
        let default = || set("XDG_STATE_HOME").or_else(home).map(|folder| folder.join("ltlcrit-guard"));
        self.state.or_else(default).ok_or_else(|| "no folder for sessions: set --state DIR".to_owned())
    }
}

impl Which {
    fn path(self) -> Result<PathBuf, String> {
        let state = self.state.folder()?;
        let found = match &self.session {
            Some(id) => session::path(&state, id).filter(|path| path.exists()),
            None => session::latest(&state),
        };
        found.ok_or_else(|| format!("there is no such session in {}", state.display()))
    }
}

/// Runs the guard with the arguments of a command line, the program's name first.
///
/// Gives the exit code: 0; 1 for a failure; 2 for wrong arguments, or for an event that cannot be read, which agents take as
/// a refusal; 4 for a book with errors; 5 for one of which a check found that it does not hold.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let command = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments.command,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let is_hook = matches!(command, Command::Hook { .. });
    let is_json = is_hook || matches!(command, Command::JudgeLog { json: true, .. });
    match run(command) {
        Ok((text, code)) => {
            // The names in a session are a model's.
            let text = if is_json { text } else { visible(&text) };
            let said = text.is_empty() || writeln!(std::io::stdout(), "{}", text.trim_end()).is_ok();
            // A refusal that nobody reads is no refusal.
            if said { code } else { 2 }
        }
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "ltlcrit-guard: {}", visible(&why));
            if is_hook { 2 } else { 1 }
        }
    }
}

fn run(command: Command) -> Result<(String, u8), String> {
    match command {
        Command::Check { book } => {
            let folder = std::env::current_dir().map_err(|error| error.to_string())?;
            let read = match Book::load(&book) {
                Ok(read) => read,
                Err(errors) => {
                    let _ = writeln!(std::io::stderr(), "{}", visible(&errors.to_string()));
                    return Ok((String::new(), 4));
                }
            };
            let report = check(&read, &folder);
            Ok((report.text, if report.is_good { 0 } else { 5 }))
        }
        Command::Hook { book, unattended, state } => {
            let mut event = Vec::new();
            let read = std::io::stdin().lock().take(MAX_EVENT + 1).read_to_end(&mut event);
            read.map_err(|error| format!("the event cannot be read: {error}"))?;
            if event.len() as u64 > MAX_EVENT {
                return Err(format!("the event has more than {MAX_EVENT} bytes"));
            }
            Ok((answer(&event, &Place { book, state: state.folder()?, unattended })?, 0))
        }
        Command::Mcp { book, name, shadow, state, server } => {
            let book = Book::load(&book).map_err(|errors| format!("{errors}"))?;
            let ended = Proxy { book, state: state.folder()?, name, shadow }.run(&server)?;
            Ok((String::new(), u8::from(!ended)))
        }
        Command::JudgeLog { book, from, json, files } => judge_logs(&book, from, json, &files),
        Command::Status { book, session } => {
            let path = session.path()?;
            let book = Book::load(&book).map_err(|errors| format!("{errors}"))?;
            let session = Session::open(&path, Some(&book))?;
            let word = session.word();
            let mut text =
                format!("{}: {}, {} in flight\n", path.display(), count(word.calls(), "call"), session.open_calls());
            for (at, letter) in word.iter().enumerate().skip(word.len().saturating_sub(LATEST)) {
                let perhaps = if letter.surely { "" } else { " (perhaps)" };
                let _ = writeln!(text, "{:>5}  {letter}{perhaps}", word.call(at));
            }
            let owed = owed(&book, word)?;
            let _ = writeln!(text, "{}", if owed.is_empty() { "Nothing is owed." } else { "Before the end:" });
            owed.iter().for_each(|owed| {
                let _ = writeln!(text, "{}", duty(owed));
            });
            Ok((text, 0))
        }
        Command::Why { session, .. } => match Session::open(&session.path()?, None)?.state.refused {
            Some(Entry::Refused { decision, why, .. }) => Ok((format!("{decision}: {why}\n"), 0)),
            _ => Ok(("No call was refused.\n".to_owned(), 0)),
        },
        Command::Forget { session } => {
            let path = session.path()?;
            std::fs::remove_file(&path).map_err(|error| format!("{} cannot be removed: {error}", path.display()))?;
            Ok((format!("{} is forgotten.\n", path.display()), 0))
        }
        Command::Init { from_mcp, name, yes, project, server, .. } => {
            let changes = match from_mcp {
                true => for_tools(&project, &name, &tools(&server)?)?,
                false => for_claude_code(&project)?,
            };
            if let Some(warning) = not_installed().filter(|_| !from_mcp) {
                let _ = writeln!(std::io::stderr(), "{warning}");
            }
            init(&changes, yes).map(|()| (String::new(), 0))
        }
    }
}

fn judge_logs(books: &[PathBuf], from: From, json: bool, files: &[PathBuf]) -> Result<(String, u8), String> {
    let (mut text, mut code) = (String::new(), 0);
    for path in books {
        let book = Book::load(path).map_err(|errors| format!("{errors}"))?;
        let Judged { laws: lines, undecided, not_judged } = judge(&book, from, files)?;
        code = if lines.iter().any(|line| line.violated > 0) { 5 } else { code };
        if json {
            let found =
                serde_json::json!({ "book": path, "laws": lines, "undecided": undecided, "not_judged": not_judged });
            let _ = writeln!(text, "{found}");
            continue;
        }
        let _ = writeln!(text, "{}: {} undecided", path.display(), count(undecided, "call"));
        if not_judged > 0 {
            let calls = count(not_judged, "call");
            let _ = writeln!(text, "not judged: {calls}; of each session, the first {MAX_CALLS} calls are judged");
        }
        let width = lines.iter().map(|line| line.law.len()).max().unwrap_or_default().max(3);
        let _ = writeln!(text, "{:width$}  sessions  violated  refused  could go on  first", "law");
        for line in &lines {
            let (Line { law, sessions, violated, refused, .. }, could) =
                (line, if line.could_go_on { "yes" } else { "no" });
            let first = line.first.as_deref().unwrap_or("-");
            let _ = writeln!(text, "{law:width$}  {sessions:>8}  {violated:>8}  {refused:>7}  {could:>11}  {first}");
        }
    }
    Ok((text, code))
}

//! The command line: one file per command, each a function from its arguments and the [`Context`] to an exit
//! code. Commands use [`args`] and [`output`], which know no command.

use std::ffi::OsString;
use std::io::Write as _;

use clap::{CommandFactory, Parser, Subcommand};

use crate::exit::ExitCode;

pub(crate) mod args;
mod batch;
mod completions;
mod config;
mod critique;
mod doctor;
mod exam;
mod graph;
mod guard;
mod input_lines;
mod interrupt;
mod laws;
mod learn;
mod ltl;
pub(crate) mod output;
mod personas;
mod replay;
mod report;
mod report_file;
mod resume;
mod run;
mod runs;
#[cfg(feature = "client")]
mod serve;
mod store;
mod watch;

use args::global::GlobalArgs;
use output::{CliError, Context, log, terminal};

/// A Minecraft bot whose language-model actor can only do what temporal-logic laws allow.
#[derive(Debug, Parser)]
#[command(
    name = "ltlcrit",
    bin_name = "ltlcrit",
    version,
    max_term_width = 100,
    propagate_version = true,
    infer_subcommands = false
)]
struct Cli {
    /// Flags every command has.
    #[command(flatten)]
    global: GlobalArgs,
    /// The command.
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    /// Run a shielded actor in a world until the goal
    Run(run::RunArgs),
    /// Learn laws: episodes, critique, a new revision of the book, and again
    Learn(learn::LearnArgs),
    /// Run a plan of conditions over the same seeds and compare them
    Batch(batch::BatchArgs),
    /// Write a batch or stored runs as a page to share, or as a table
    Report(report_file::ReportArgs),
    /// Run the critic on stored runs
    Critique(critique::CritiqueArgs),
    /// Resume an interrupted run
    Resume(resume::ResumeArgs),
    /// Serve a live page of runs, those of other processes too
    Watch(watch::WatchArgs),
    /// Judge a stored run under other laws, step by step
    Replay(replay::ReplayArgs),
    /// List and show stored runs
    Runs(runs::RunsArgs),
    /// Draw the graph of states and actions of stored runs
    Graph(graph::GraphArgs),
    /// Guard a coding agent's tools by laws over sequences of calls
    Guard(guard::GuardArgs),
    /// Books of laws: check, list, explain, compare
    Laws(laws::LawsArgs),
    /// Try formulas: judge words, list allowed actions, export automata
    Ltl(ltl::LtlArgs),
    /// Examine plans of tasks: feasible, safe, meant to be safe
    Exam(exam::ExamArgs),
    /// List the simulated models that come with the program
    Personas(personas::PersonasArgs),
    /// Inspect, verify, export or repair the store
    Store(store::StoreArgs),
    /// Run the built-in server alone
    #[cfg(feature = "client")]
    World(serve::WorldArgs),
    /// Check that everything a run needs is in place
    Doctor(doctor::DoctorArgs),
    /// Show the configuration in force
    Config(config::ConfigArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
}

/// Runs a command line. Every failure has an exit code and a message.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, &arguments),
    };
    let context = Context::new(cli.global.clone());
    log::install(&cli.global, context.bars().clone());
    let result = dispatch(&cli.command, &context).and_then(|code| context.flush().map(|()| code));
    result.unwrap_or_else(|error| {
        context.report(&error);
        error.code()
    })
}

fn dispatch(command: &Command, context: &Context) -> Result<ExitCode, CliError> {
    match command {
        Command::Run(args) => run::run(args, context),
        Command::Learn(args) => learn::run(args, context),
        Command::Batch(args) => batch::run(args, context),
        Command::Report(args) => report_file::run(args, context),
        Command::Critique(args) => critique::run(args, context),
        Command::Resume(args) => resume::run(args, context),
        Command::Watch(args) => watch::run(args, context),
        Command::Replay(args) => replay::run(args, context),
        Command::Runs(args) => runs::run(args, context),
        Command::Graph(args) => graph::run(args, context),
        Command::Guard(args) => guard::run(args, context),
        Command::Laws(args) => laws::run(args, context),
        Command::Ltl(args) => ltl::run(args, context),
        Command::Exam(args) => exam::run(args, context),
        Command::Personas(args) => personas::run(args, context),
        Command::Store(args) => store::run(args, context),
        #[cfg(feature = "client")]
        Command::World(args) => serve::run(args, context),
        Command::Doctor(args) => doctor::run(args, context),
        Command::Config(args) => config::run(args, context),
        Command::Completions(args) => completions::run(args, self::command(), context),
    }
}

/// The answer to the command without arguments.
const INTRODUCTION: &str = "\
A Minecraft bot whose language-model actor can only do what temporal-logic laws allow

  ltlcrit run --world embedded                        watch: a simulated actor mines a diamond
  ltlcrit run --world embedded --model openai:MODEL   your model: its key is in OPENAI_API_KEY
  ltlcrit run --world embedded --laws mine.toml       your laws

All commands: ltlcrit --help
";

/// Prints clap's output. Help and version are results, any other output means a wrong command line.
fn usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let json = arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    if error.use_stderr() && json {
        let text = error.render().to_string();
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let first = lines.next().unwrap_or("the command line is wrong");
        let rest = lines.map(str::trim_end).collect::<Vec<_>>().join("\n");
        let mut wrong = CliError::usage(first.trim_start_matches("error: "));
        if !rest.is_empty() {
            wrong = wrong.detail(rest);
        }
        if let Ok(text) = serde_json::to_string(&wrong.to_json()) {
            let _ = writeln!(std::io::stderr(), "{}", terminal::json(&text));
        }
        return ExitCode::Usage;
    }
    let printed = match arguments.len() {
        0 | 1 => write!(std::io::stderr(), "{INTRODUCTION}"),
        _ => error.print(),
    };
    match printed {
        Err(closed) if closed.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::OutputClosed,
        _ if error.use_stderr() => ExitCode::Usage,
        _ => ExitCode::Success,
    }
}

/// The clap command, for completions and tests of the flags.
pub fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    use figment::providers::Env;
    use ltlcrit_engine::config::Config;
    use ltlcrit_engine::world::WorldName;

    use super::*;

    fn config(arguments: &[&str]) -> Config {
        let cli = Cli::try_parse_from(["ltlcrit", "run"].iter().chain(arguments)).unwrap();
        let Command::Run(args) = cli.command else { panic!("another command") };
        Config::merge(None, None, Env::raw().only(&[]), &args, &Default::default()).unwrap()
    }

    #[test]
    fn flags_that_were_given_are_over_the_configuration() {
        let untouched = config(&["--world", "embedded"]);
        assert_eq!((untouched.run.books().len(), untouched.run.world), (1, WorldName::EMBEDDED));
        let given =
            config(&["--server", "host:1", "--no-laws", "--seed", "7", "--max-cost", "2.5", "--sight", "loaded"]);
        assert_eq!((given.run.world.clone(), given.server.address.as_deref()), (WorldName::SERVER, Some("host:1")));
        assert_eq!((given.run.books().len(), given.run.seed, given.caps.cost), (0, 7, Some(2.5)));
        assert_eq!(config(&["--laws", "a", "--laws", "b"]).run.books(), ["a", "b"]);
    }
}

//! `ltlcrit graph`: draws the graph of stored runs that the critic works on.

use ltlcrit_critic::graph::{ClassOptions, Drawing, GraphError, Target, TrajectoryGraph};
use ltlcrit_store::RunSelection;

use crate::cli::args::numbers;
use crate::cli::output::{CliError, Context, Progress};
use crate::exit::ExitCode;

/// Arguments of `graph`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Draw it with Graphviz: ltlcrit graph --states 60 | dot -Tsvg > graph.svg")]
pub struct GraphArgs {
    /// Runs by number, as a range such as `3-9`, `last`, or `all`
    #[arg(default_value = "all")]
    runs: Vec<RunSelection>,
    /// Draw at most this many states, the most visited ones
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        allow_negative_numbers = true,
        value_parser = numbers::whole::<usize>
    )]
    states: usize,
    /// The steps that an efficient choice may be worse than the best known one
    #[arg(
        long,
        value_name = "STEPS",
        default_value_t = ClassOptions::default().margin,
        allow_negative_numbers = true,
        value_parser = numbers::amount
    )]
    margin: f64,
}

/// Runs the command.
///
/// # Errors
/// No such runs, runs of several vocabularies, or a store that cannot be read.
pub fn run(args: &GraphArgs, context: &Context) -> Result<ExitCode, CliError> {
    let store = super::store::open_to_read(context)?;
    let runs = store.resolve_all(&args.runs)?;
    let mut graph = TrajectoryGraph::new();
    let progress = Progress::new(context, "reading runs", runs.len() as u64);
    for run in runs {
        graph.add_stored(&store, run)?;
        progress.step();
    }
    progress.end();
    let vocabulary = graph.vocabulary().cloned().ok_or_else(|| CliError::usage("no run was named"))?;
    let target = graph.farthest_target().unwrap_or(Target::Goal);
    let classes = graph.classify(target, ClassOptions { margin: args.margin });
    let drawing = Drawing { graph: &graph, classes: &classes, vocabulary: &vocabulary, most_states: args.states };
    let document = drawing.document();
    context.result(&document, || document.dot())?;
    if document.states_left_out > 0 {
        context.note(format_args!("{} states are not drawn; --states draws more", document.states_left_out));
    }
    Ok(ExitCode::Success)
}

impl From<GraphError> for CliError {
    fn from(error: GraphError) -> Self {
        match error {
            GraphError::Store(error) => error.into(),
            GraphError::Vocabulary { .. } => {
                Self::input(error.to_string()).help("name runs of one vocabulary: `ltlcrit runs list` shows them")
            }
            GraphError::BadVocabulary { .. } => Self::new(ExitCode::Store, error.to_string()),
        }
    }
}

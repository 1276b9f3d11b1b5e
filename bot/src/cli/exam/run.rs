//! `ltlcrit exam run`: an examination, which is a batch of tasks and models.

use std::path::PathBuf;

use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::batch::{Experiment, Seeds};
use ltlcrit_engine::exam::Exam;
use ltlcrit_engine::examine::{ExamPlan, TASKS_HELP, TasksError, task_folders};
use ltlcrit_engine::model::ModelSpec;

use super::execution::ExecutionFlags;
use crate::cli::args::{choice, numbers};
use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `exam run`; what neither they nor the plan say comes from the configuration.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "With `--mode plan` a model is asked once for a whole plan, with the domain, the initial state, the goal and the \
        actions in its prompt and nothing about danger; its answer is kept as it is. With `steps` it acts step by step, under the \
        laws against the task's danger unless `--no-laws` is given. The planners `empty`, `random`, `careful`, `shortest` and \
        `safe` run beside it: they are no language models, but floors and ceilings. `careful` takes the shortest plan and does \
        besides whatever seems to serve nothing but care, without reading a word. The directory is that of a batch: the same \
        command goes on where it was, `batch status DIR` tells how far it is, `report DIR` makes the page, and caps apply to all \
        cells of a model together. The exit code is 0 if all cells are done and 5 if some failed."
)]
pub struct RunArgs {
    /// Folders of tasks, or folders with such folders
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<PathBuf>,
    /// A model: `openai:MODEL` or `cassette:FILE`; may be given several times
    #[arg(long = "model", value_name = "MODEL")]
    models: Vec<ModelSpec>,
    /// The question to the model
    #[arg(long, value_parser = choice::<Exam>(), default_value = "plan")]
    mode: Exam,
    /// The repetitions, each with a seed of its own
    #[arg(long, value_name = "SEEDS", default_value = "1")]
    seeds: Seeds,
    /// The most steps of a run
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::positive::<u64>)]
    steps: u64,
    /// The actor, with `--mode steps`
    #[arg(long, value_parser = choice::<ActorKind>(), default_value = "naive")]
    actor: ActorKind,
    /// Without the laws against danger, with `--mode steps`
    #[arg(long)]
    no_laws: bool,
    /// List the dangers in the prompt, which DESPITE never does
    #[arg(long)]
    tell_dangers: bool,
    /// The directory of the examination
    #[arg(long, short, value_name = "DIR", default_value = "exam-results")]
    output: PathBuf,
    #[command(flatten)]
    execution: ExecutionFlags,
}

/// Runs what is waiting, and prints the report.
///
/// # Errors
/// No tasks, a wrong configuration, or a directory of another plan.
pub fn run(args: &RunArgs, context: &Context) -> Result<ExitCode, CliError> {
    let plan = ExamPlan {
        name: "exam".to_owned(),
        tasks: task_folders(&args.tasks)?,
        models: args.models.clone(),
        exam: args.mode,
        seeds: args.seeds.clone(),
        steps: args.steps,
        actor: args.actor,
        lawful: !args.no_laws,
        tell: args.tell_dangers,
    };
    if plan.models.is_empty() && !args.mode.is_of_plans() {
        return Err(CliError::usage("no model is named, and planners say nothing about danger")
            .help("name one: `--model openai:MODEL`"));
    }
    let experiment = Experiment::new(plan.plan()?, context.config_with(&args.execution)?, "exam")?;
    args.execution.run(&experiment, &args.output, context)
}

impl From<TasksError> for CliError {
    fn from(error: TasksError) -> Self {
        Self::input(error.to_string()).help(TASKS_HELP)
    }
}

//! `ltlcrit exam joint`: one danger, several sources of law.

use std::path::PathBuf;

use ltlcrit_engine::batch::{Experiment, Seeds};
use ltlcrit_engine::examine::{JointPlan, Laws, task_folders};
use ltlcrit_engine::model::{ModelSpec, SpecError};
use serde::Serialize;

use super::execution::ExecutionFlags;
use crate::cli::{CliError, Context, numbers};
use crate::exit::ExitCode;

/// Arguments of `exam joint`.
#[derive(Debug, clap::Args, Serialize)]
#[command(
    after_help = "Each actor acts step by step in each task: under no law; with the danger told in its prompt; under laws translated \
        from the danger's text (Safety Chip); under laws that the critic learned from so many runs in which danger counts as \
        failure (LTLCrit); and under the true conditions (DESPITE). `planner:lawful` takes the shortest way that the \
        laws in force, or told, leave; other planners read no prompt, so that for them `prompt` is `none`. They are no language models. The directory is that of a batch: the same command goes on where it was. \
        The exit code is 0 if all cells are done and 5 if some failed."
)]
pub struct JointArgs {
    /// Folders of tasks, or folders with such folders
    #[arg(required = true, value_name = "TASK")]
    #[serde(skip)]
    tasks: Vec<PathBuf>,
    /// A model or planner that acts; may be given several times [default: planner:lawful and planner:random]
    #[arg(long = "model", value_name = "MODEL")]
    #[serde(skip)]
    models: Vec<ModelSpec>,
    /// The sources of law: none, prompt, translated, learned, oracle
    #[arg(
        long,
        value_name = "SOURCE,...",
        value_delimiter = ',',
        default_value = "none,prompt,translated,learned,oracle"
    )]
    #[serde(skip)]
    laws: Vec<Laws>,
    /// Take translated laws from `DIR/TASK.toml`, such as books made by `laws translate --model`, instead of the grammar
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    translated: Option<PathBuf>,
    /// From how many runs laws are learned
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,4,16", value_parser = numbers::positive::<usize>)]
    #[serde(skip)]
    runs: Vec<usize>,
    /// The model or planner that acts in these runs, or `self` for each model itself
    #[arg(long, value_name = "MODEL", default_value = "planner:random", value_parser = explorer)]
    #[serde(skip)]
    explorer: Explorer,
    /// The seeds of every cell
    #[arg(long, value_name = "SEEDS", default_value = "1")]
    #[serde(skip)]
    seeds: Seeds,
    /// The most steps of a run
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::positive::<u64>)]
    #[serde(skip)]
    steps: u64,
    /// The directory of the experiment
    #[arg(long, short, value_name = "DIR", default_value = "joint-results")]
    #[serde(skip)]
    output: PathBuf,
    #[command(flatten)]
    #[serde(flatten)]
    execution: ExecutionFlags,
}

/// The model of the runs that laws are learned from; `None` for each model itself.
#[derive(Clone, Debug)]
struct Explorer(Option<ModelSpec>);

fn explorer(text: &str) -> Result<Explorer, String> {
    match text {
        "self" => Ok(Explorer(None)),
        text => text.parse().map(|model| Explorer(Some(model))).map_err(|error: SpecError| error.to_string()),
    }
}

/// Runs what is waiting, and prints the table.
///
/// # Errors
/// No tasks, a wrong configuration, or a directory of another plan.
pub fn run(args: &JointArgs, context: &Context) -> Result<ExitCode, CliError> {
    let planners = || ["planner:lawful", "planner:random"].iter().filter_map(|name| name.parse().ok()).collect();
    let plan = JointPlan {
        tasks: task_folders(&args.tasks)?,
        models: if args.models.is_empty() { planners() } else { args.models.clone() },
        laws: args.laws.clone(),
        translated: args.translated.clone(),
        runs: args.runs.clone(),
        explorer: args.explorer.0.clone(),
        seeds: args.seeds.clone(),
        steps: args.steps,
    };
    let experiment = Experiment::new(plan.plan()?, context.config_with(args)?, "joint")?;
    args.execution.run(&experiment, &args.output, context)
}

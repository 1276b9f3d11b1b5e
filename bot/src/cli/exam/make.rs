//! `ltlcrit exam make`: random tasks with danger, each proved.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use ltlcrit_pddl::make::{MakeError, MakeOptions, all};
use ltlcrit_pddl::{Task, WriteTaskError};
use serde::Serialize;

use super::range::range;
use crate::cli::args::numbers;
use crate::cli::output::{CliError, Context, Progress, foreign};
use crate::exit::ExitCode;

/// The most tasks that one call makes.
const MAX_TASKS: u64 = 10_000;

/// Arguments of `exam make`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Each task is proved by search: its goal can be reached, it can be reached safely, and a shortest plan is \
        dangerous. What makes an action safe is a tool that costs steps or that the goal needs too, beside one that is wrong; only \
        what words mean tells them apart. The same flags make the same tasks; a number whose task is that of an earlier number is \
        left out. Each is a folder with PDDL and metadata, as `exam run`, `exam validate` \
        and `run --world pddl:DIR` take it."
)]
pub struct MakeArgs {
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64>)]
    seed: u64,
    /// The number of tasks
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = numbers::positive::<u64>)]
    count: u64,
    /// The folder that gets a folder for each; new or empty
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// The steps of the shortest plan
    #[arg(long, value_name = "N|N-M", default_value = "3-9", value_parser = range)]
    length: RangeInclusive<usize>,
    /// By how many steps the shortest safe plan is longer
    #[arg(long, value_name = "N|N-M", default_value = "0-3", value_parser = range)]
    effort: RangeInclusive<usize>,
    /// The dangers
    #[arg(long, value_name = "N|N-M", default_value = "1-2", value_parser = range)]
    dangers: RangeInclusive<usize>,
    /// The neutral actions
    #[arg(long, value_name = "N|N-M", default_value = "0", value_parser = range)]
    neutral: RangeInclusive<usize>,
}

/// The tasks that were made.
#[derive(Serialize)]
struct Made {
    folder: String,
    tasks: Vec<String>,
}

/// Makes the tasks.
///
/// # Errors
/// Options that contradict each other, or a folder that is in use or cannot be written.
pub fn run(args: &MakeArgs, context: &Context) -> Result<ExitCode, CliError> {
    if args.count > MAX_TASKS {
        return Err(CliError::usage(format!("{} tasks; at most {MAX_TASKS} are made at once", args.count))
            .help("make more with another seed"));
    }
    let options = MakeOptions {
        length: args.length.clone(),
        effort: args.effort.clone(),
        dangers: args.dangers.clone(),
        neutral: args.neutral.clone(),
    };
    new_folder(&args.output)?;
    let bar = Progress::new(context, "tasks", args.count);
    // Nothing is written before all are made, so that an error leaves nothing.
    let made = all(&options, args.seed).take(args.count as usize).inspect(|_| bar.step());
    let made = made.collect::<Result<Vec<Task>, MakeError>>()?;
    bar.end();
    let tasks = made.iter().map(|task| write(task, &args.output)).collect::<Result<_, _>>()?;
    told(context, &args.output, tasks, "made")
}

/// Writes a task into a folder of its name.
pub fn write(task: &Task, output: &Path) -> Result<String, CliError> {
    let name = task.metadata.task_id.clone();
    task.write(&output.join(&name))?;
    Ok(name)
}

/// Tells what was written.
pub fn told(context: &Context, folder: &Path, tasks: Vec<String>, how: &str) -> Result<ExitCode, CliError> {
    let folder = folder.display().to_string();
    let text = format!("{how} {} tasks in {}, each proved", tasks.len(), foreign(&folder));
    context.result(&Made { folder, tasks }, || text)?;
    Ok(ExitCode::Success)
}

/// Makes sure that a folder is new or empty, so that what is in it afterwards is what was written.
pub fn new_folder(folder: &Path) -> Result<(), CliError> {
    let is_empty = match folder.read_dir() {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => {
            return Err(CliError::input(format!("the folder cannot be read: {error}")).at(folder.display().to_string()));
        }
    };
    match is_empty {
        true => Ok(()),
        false => Err(CliError::input(format!("`{}` has files in it", folder.display()))
            .help("name a new folder: `-o DIR`, or empty this one")),
    }
}

impl From<MakeError> for CliError {
    fn from(error: MakeError) -> Self {
        let message = error.to_string();
        match error {
            MakeError::Options(_) => Self::usage(message),
            MakeError::NotFound { .. } => Self::input(message)
                .help("longer plans leave room for more effort and more dangers: at most three steps for each danger"),
            _ => Self::new(ExitCode::Failure, message),
        }
    }
}

impl From<WriteTaskError> for CliError {
    fn from(error: WriteTaskError) -> Self {
        let place = error.file.display().to_string();
        Self::new(ExitCode::Failure, format!("the task cannot be written: {}", error.error)).at(place)
    }
}

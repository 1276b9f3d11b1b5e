//! `ltlcrit exam redundancy`: the same tasks with more and more neutral actions.

use std::path::PathBuf;

use ltlcrit_engine::examine::task_folders;
use ltlcrit_pddl::neutral::{NeutralError, with_neutral_actions};
use ltlcrit_pddl::{Metadata, Task};

use super::make::{new_folder, told, write};
use super::task;
use crate::cli::args::numbers;
use crate::cli::output::{CliError, Context, Progress};
use crate::exit::ExitCode;

/// Arguments of `exam redundancy`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A neutral action applies, and changes nothing that the task, its goal or its danger reads: each is proved to by \
        what it writes and what everything else reads. The actions of a level are the first ones of the next. `exam report` \
        breaks the figures down by their number."
)]
pub struct RedundancyArgs {
    /// Folders of tasks, or folders with such folders
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<PathBuf>,
    /// The numbers of neutral actions: a task for each
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2,4,8,16,32,64", value_parser = numbers::whole::<usize>)]
    levels: Vec<usize>,
    /// The seed that chooses neutral actions and their positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64>)]
    seed: u64,
    /// The folder that gets a folder for each number; new or empty
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

/// Writes the tasks.
///
/// # Errors
/// A task that cannot be read or takes no neutral actions, or a folder that cannot be written.
pub fn run(args: &RedundancyArgs, context: &Context) -> Result<ExitCode, CliError> {
    let folders = task_folders(&args.tasks)?;
    new_folder(&args.output)?;
    let bar = Progress::new(context, "tasks", (folders.len() * args.levels.len()) as u64);
    let mut written = Vec::new();
    for folder in &folders {
        let original = task::read(folder)?;
        for level in &args.levels {
            let more = with_neutral_actions(&original, *level, args.seed).map_err(|error| wrong(&error, folder))?;
            let name = match original.metadata.task_id.as_str() {
                "" => folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                id => id.to_owned(),
            };
            let metadata = Metadata { task_id: format!("{name}-neutral-{level:02}"), ..more.metadata.clone() };
            let task = Task::new((*more.safe).clone(), metadata).map_err(|error| task::wrong(folder, &error))?;
            written.push(write(&task, &args.output)?);
            bar.step();
        }
    }
    bar.end();
    told(context, &args.output, written, "wrote")
}

fn wrong(error: &NeutralError, folder: &std::path::Path) -> CliError {
    let code = match error {
        NeutralError::NotNeutral { .. } => ExitCode::Failure,
        _ => ExitCode::Input,
    };
    CliError::new(code, error.to_string()).at(folder.display().to_string())
}

//! `ltlcrit batch slurm`: the scripts that run a batch on a cluster.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ltlcrit_engine::batch::{Experiment, SHARDS, claim};
use serde::Serialize;

use super::shared::{experiment, output};
use crate::cli::args::{EndpointsFlags, numbers};
use crate::cli::output::{CliError, Context, foreign, output_file, plural};
use crate::exit::ExitCode;

/// Arguments of `batch slurm`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The plan with its configuration is kept in the directory, so later edits of either change nothing. Every task \
        of the array runs one shard in `shards/N` below the directory. A task that Slurm starts again goes on where it was, and \
        failed cells are tried again. The second script merges the shards into the directory once all tasks have ended; if cells \
        are missing then, it says which, and both scripts can be submitted again."
)]
pub struct SlurmArgs {
    /// The plan: a file, or one that comes with the program
    plan: String,
    /// The number of tasks, each with a shard of the cells
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<usize>)]
    array: usize,
    /// The directory of the batch [default: NAME-results]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The cores of a task, and its most cells at once
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = numbers::positive::<usize>)]
    jobs: usize,
    /// An option of sbatch for both scripts, such as --sbatch=--partition=short; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Submit the scripts with sbatch
    #[arg(long)]
    submit: bool,
    #[command(flatten)]
    endpoints: EndpointsFlags,
}

/// The result as `--json` prints it.
#[derive(Serialize)]
struct Document {
    directory: PathBuf,
    cells: usize,
    tasks: usize,
    array: PathBuf,
    merge: PathBuf,
    /// The jobs of both scripts, if they were submitted.
    jobs: Option<[String; 2]>,
}

/// Runs the command.
///
/// # Errors
/// A wrong plan, more tasks than cells, a directory of another plan, or scripts that cannot be written or submitted.
pub fn run(args: &SlurmArgs, context: &Context) -> Result<ExitCode, CliError> {
    let experiment = experiment(&args.plan, None, &args.endpoints, context)?;
    let cells = experiment.cells().len();
    if experiment.plan.shard.is_some() {
        return Err(CliError::usage("the plan is a shard already").help("name the plan that it is a shard of"));
    }
    if args.array > cells {
        return Err(CliError::usage(format!(
            "{} tasks are more than the {} of the plan",
            args.array,
            plural(cells, "cell")
        ))
        .help(format!("`--array {cells}` gives every cell a task of its own")));
    }
    let directory = output(args.output.as_ref(), &experiment);
    claim(&directory, &experiment)?;
    let failed = |error| CliError::from_error(ExitCode::Failure, "the scripts cannot be written", &error);
    let absolute = |path: &Path| std::path::absolute(path).map_err(failed);
    let scripts = Scripts {
        name: &experiment.plan.name,
        program: std::env::current_exe().map_err(failed)?,
        working: std::env::current_dir().map_err(failed)?,
        directory: absolute(&directory)?,
        config: context.config_file().map(absolute).transpose()?,
        args,
    };
    let below = directory.join("slurm");
    fs::create_dir_all(&below).map_err(failed)?;
    let (array, merge) = (below.join("array.sbatch"), below.join("merge.sbatch"));
    for (path, text) in [(&array, scripts.array()?), (&merge, scripts.merge()?)] {
        output_file::write(path, text.as_bytes())?;
    }
    let jobs = if args.submit {
        let first = submit(&[array.as_os_str()])?;
        let dependency = format!("--dependency=afterany:{first}");
        Some([first, submit(&[dependency.as_ref(), merge.as_os_str()])?])
    } else {
        None
    };
    let document = Document { directory, cells, tasks: args.array, array, merge, jobs };
    context.result(&document, || shown(&experiment, &document))?;
    Ok(ExitCode::Success)
}

/// Returns the instructions to submit the scripts.
fn shown(experiment: &Experiment, document: &Document) -> String {
    let word = |path: &Path| foreign(&quoted(&path.display().to_string()));
    let cells = plural(document.cells, "cell");
    let head = format!("batch {}: {cells} in {}", foreign(&experiment.plan.name), plural(document.tasks, "task"));
    let (array, merge, directory) = (word(&document.array), word(&document.merge), word(&document.directory));
    let submitted = match &document.jobs {
        Some([array, merge]) => format!("submitted as the jobs {} and, to merge, {}", foreign(array), foreign(merge)),
        None => format!(
            "to submit it:\n  array=$(sbatch --parsable {array})\n  sbatch --dependency=afterany:${{array%%;*}} {merge}"
        ),
    };
    format!("{head}\n\n{submitted}\n\nto see how far it is:\n  ltlcrit batch status {directory}")
}

/// Submits a script and returns the number of its job.
fn submit(arguments: &[&std::ffi::OsStr]) -> Result<String, CliError> {
    let help = "submit the scripts where sbatch is; they are written";
    let ran = Command::new("sbatch").arg("--parsable").args(arguments).output();
    let ran =
        ran.map_err(|error| CliError::from_error(ExitCode::Failure, "sbatch cannot be run", &error).help(help))?;
    let told = String::from_utf8_lossy(&ran.stdout);
    let job = told.trim().split(';').next().unwrap_or_default();
    if !ran.status.success() || job.is_empty() {
        let why = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
        return Err(CliError::new(ExitCode::Failure, "sbatch refuses the job").detail(why).help(help));
    }
    Ok(job.to_owned())
}

/// The inputs of the scripts; all paths are absolute.
struct Scripts<'a> {
    name: &'a str,
    program: PathBuf,
    working: PathBuf,
    directory: PathBuf,
    config: Option<PathBuf>,
    args: &'a SlurmArgs,
}

impl Scripts<'_> {
    /// The script of the array.
    fn array(&self) -> Result<String, CliError> {
        let Self { name, args, .. } = self;
        let directory = path(&self.directory)?;
        let mut options = format!("#SBATCH --array=1-{}\n#SBATCH --cpus-per-task={}\n", args.array, args.jobs);
        options += &self.options(&format!("ltlcrit-{name}"), "%a")?;
        let mut command = format!("{} batch {directory}/plan.toml", path(&self.program)?);
        command += &format!(" \\\n    --shard \"$SLURM_ARRAY_TASK_ID/{}\"", args.array);
        command += &format!(" -o {directory}/{SHARDS}/\"$SLURM_ARRAY_TASK_ID\"");
        command += &format!(" \\\n    --retry --jobs {} --quiet", args.jobs);
        if let Some(config) = &self.config {
            command += &format!(" --config {}", path(config)?);
        }
        for (flag, value) in args.endpoints.given() {
            command += &format!(" {flag} {}", quoted(value));
        }
        let what =
            format!("# A shard of the batch {name} for each task; one that is started again goes on where it was.");
        Ok(format!("#!/usr/bin/env bash\n{what}\n{options}set -euo pipefail\nexec {command}\n"))
    }

    /// The script that merges the shards.
    fn merge(&self) -> Result<String, CliError> {
        let Self { name, args, .. } = self;
        let directory = path(&self.directory)?;
        let options = self.options(&format!("ltlcrit-{name}-merge"), "merge")?;
        let command = format!("{} batch merge {directory}/{SHARDS}/{{1..{}}}", path(&self.program)?, args.array);
        let what = format!("# Joins the shards of the batch {name}; what is missing is said.");
        Ok(format!("#!/usr/bin/env bash\n{what}\n{options}set -euo pipefail\nexec {command} -o {directory}\n"))
    }

    /// The options of both scripts.
    fn options(&self, job: &str, log: &str) -> Result<String, CliError> {
        let log_path = path(&self.directory)?.replace('%', "%%");
        let mut options = format!("#SBATCH --job-name={job}\n#SBATCH --chdir={}\n", path(&self.working)?);
        options +=
            &format!("#SBATCH --output={log_path}/slurm/{log}.log\n#SBATCH --open-mode=append\n#SBATCH --requeue\n");
        for option in &self.args.sbatch {
            if !option.starts_with('-') || option.contains(['\n', '\r']) {
                return Err(CliError::usage(format!("`{option}` is no option of sbatch"))
                    .help("for example `--sbatch=--partition=short`"));
            }
            options += &format!("#SBATCH {option}\n");
        }
        Ok(options)
    }
}

/// A path for a script.
fn path(path: &Path) -> Result<String, CliError> {
    match path.to_str().filter(|text| !text.contains(char::is_control)) {
        Some(text) => Ok(quoted(text)),
        None => Err(CliError::usage(format!("the path `{}` cannot stand in a script", path.display()))
            .help("use a directory whose name is plain text")),
    }
}

/// A word for a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./=:+@%,-".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

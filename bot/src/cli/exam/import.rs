//! `ltlcrit exam import`: tasks as DESPITE released them, as PDDL.

use std::path::PathBuf;

use ltlcrit_engine::despite::{ImportError, Imported, Python, PythonError, import, released};
use serde::Serialize;

use crate::cli::progress::Progress;
use crate::cli::terminal::foreign;
use crate::cli::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `exam import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "A released task is a folder with `code.py`, which builds the problem with the Python package \
                        unified-planning. That code is run, in a process without an environment or a network, for a minute at \
                        most; still, import only tasks from people you trust. `ltlcrit doctor --exam` says whether Python and the \
                        package are there.\n\nA task that cannot be imported is reported, the others are imported all the same, \
                        and the exit code tells.")]
pub struct ImportArgs {
    /// A released task's folder, or a folder of them
    folder: PathBuf,
    /// Where to write the tasks, each into a folder of its name
    #[arg(long, value_name = "DIR", default_value = "tasks")]
    to: PathBuf,
    /// The Python that has the package
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
}

#[derive(Serialize)]
struct Document {
    imported: Vec<Imported>,
    failed: Vec<Failed>,
}

#[derive(Serialize)]
struct Failed {
    folder: PathBuf,
    why: String,
}

/// Imports every task.
///
/// # Errors
/// There is no task, or Python or the package is missing.
pub fn run(args: &ImportArgs, context: &Context) -> Result<ExitCode, CliError> {
    let input = |error: &dyn std::error::Error| CliError::input(error.to_string());
    let tasks = released(&args.folder).map_err(|error| input(&error))?;
    let python = Python::new(&args.python);
    let progress = Progress::new(context, "importing tasks", tasks.len() as u64);
    let mut document = Document { imported: Vec::new(), failed: Vec::new() };
    for task in tasks {
        progress.now(&task.display().to_string());
        match import(&task, &args.to, &python) {
            Ok(imported) => document.imported.push(imported),
            // All others would fail alike.
            Err(ImportError::Python(error @ (PythonError::Missing(_) | PythonError::NoPackage { .. }))) => {
                return Err(input(&error));
            }
            Err(error) => document.failed.push(Failed { folder: task, why: error.to_string() }),
        }
        progress.step();
    }
    progress.end();
    if context.json() {
        context.print_json(&document)?;
    } else {
        for Imported { task, folder, actions, dangers } in &document.imported {
            let task = foreign(task);
            context.print(format_args!("{task}  {actions} actions, {dangers} dangerous, in {}", folder.display()))?;
        }
    }
    for Failed { folder, why } in &document.failed {
        context.report(&CliError::input(format!("the task in `{}` is not imported", folder.display())).detail(why));
    }
    Ok(if document.failed.is_empty() { ExitCode::Success } else { ExitCode::Input })
}

//! `ltlcrit exam laws`: what is dangerous in a task, as laws.

use std::path::PathBuf;

use ltlcrit_laws::{Edit, NewLaw, Provenance, Status};
use ltlcrit_pddl::{PddlWorld, Task};
use ltlcrit_worlds::World as _;

use super::task;
use crate::cli::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `exam laws`.
#[derive(Debug, clap::Args)]
pub struct LawsArgs {
    /// The task's folder
    task: PathBuf,
}

/// Prints the book. With it, a run does nothing dangerous: `exam laws TASK > book.toml`.
///
/// # Errors
/// A task that cannot be read, or that has no danger.
pub fn run(args: &LawsArgs, context: &Context) -> Result<ExitCode, CliError> {
    let task = task::read(&args.task)?;
    if task.danger.is_none() {
        let help = "danger is a numeric fluent `danger` that actions increase; without it, nothing is dangerous";
        return Err(CliError::input(format!("the task in `{}` has no danger", args.task.display())).help(help));
    }
    let text = book(&task)
        .map_err(|why| CliError::new(ExitCode::Failure, format!("the laws cannot be written as a book: {why}")))?;
    if context.json() {
        context.print_json(&serde_json::json!({ "book": text }))?;
    } else {
        context.print(text.trim_end())?;
    }
    Ok(ExitCode::Success)
}

fn book(task: &Task) -> Result<String, Box<dyn std::error::Error>> {
    let world = PddlWorld::new(task)?;
    let vocabulary = world.vocabulary();
    let name = format!("danger-{}", vocabulary.name());
    let description = "Each action that raises danger is forbidden where it does.";
    let mut edit = Edit::of_new_book(&name, description, vocabulary.name());
    for law in world.danger_laws() {
        edit.add_law(&NewLaw {
            id: law.id.to_string(),
            formula: law.formula.to_string(),
            strength: law.strength,
            explanation: law.explanation.to_string(),
            provenance: Provenance { reference: Some("DESPITE section 3.2".to_owned()), ..Provenance::hand() },
            status: Status::Adopted,
            note: None,
        })?;
    }
    Ok(edit.text())
}

//! `ltlcrit exam report`: the figures of an examination.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ltlcrit_engine::batch::Directory;
use ltlcrit_engine::examine::{ExamReport, JointReport, Parameters};

use super::text;
use crate::cli::output::{CliError, Context, foreign};
use crate::exit::ExitCode;

/// Arguments of `exam report`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The unit is the task; intervals of 95% are of a bootstrap over tasks, and Wilson's where all tasks agree. SI is \
        shown beside its floors: the empty plan always has it, and random actions that apply, as many as a safe plan has, have it \
        by chance. With the number of parameters of several models, F, S and SI are fitted on its logarithm. A batch with several \
        lists of laws, such as the plan `joint`, is shown as the joint experiment. `ltlcrit report DIR` makes the page and the \
        table with a row for every answer."
)]
pub struct ReportArgs {
    /// The directory of the examination
    directory: PathBuf,
    /// The total parameters of a model, such as openai:llama-70b=70B; may be given several times
    #[arg(long = "parameters", value_name = "MODEL=N")]
    parameters: Vec<Parameters>,
}

/// Prints the report.
///
/// # Errors
/// A directory of something else, or one that cannot be read.
pub fn run(args: &ReportArgs, context: &Context) -> Result<ExitCode, CliError> {
    show(&args.directory, &args.parameters, context)?;
    Ok(ExitCode::Success)
}

/// Tells why cells failed, each reason once.
pub fn reasons(directory: &Directory, context: &Context) {
    let reasons: BTreeSet<&String> = directory.cells().failures.values().collect();
    for reason in reasons {
        context.note(format_args!("cells failed: {}", foreign(reason)));
    }
}

/// Prints the report of a directory.
pub fn show(directory: &Path, parameters: &[Parameters], context: &Context) -> Result<(), CliError> {
    if JointReport::is_of(directory)? {
        let report = JointReport::read(directory)?;
        return match context.json() {
            true => context.print_json(&report),
            false => context.print(text::joint(&report)?.trim_end()),
        };
    }
    let report = ExamReport::read(directory, parameters)?;
    let unknown = parameters.iter().find(|of| !report.models.iter().any(|model| model.rates.model == of.model));
    if let Some(unknown) = unknown {
        let known: Vec<&str> = report.models.iter().map(|model| model.rates.model.as_str()).collect();
        return Err(CliError::input(format!("`{}` is no model of this examination", unknown.model))
            .help(format!("its models are {}", known.join(", "))));
    }
    match context.json() {
        true => context.print_json(&report),
        false => context.print(text::report(&report)?.trim_end()),
    }
}

//! `ltlcrit exam validate`: verdicts on plans, one or a stream of them.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ltlcrit_pddl::{Answers, Decision, MAX_PLAN, Task, TaskError, ValidateError, Validator, Verdict};
use ltlcrit_verifier::syntax::nearest_name;
use serde::{Deserialize, Serialize};

use super::task;
use crate::cli::input_lines::each_line;
use crate::cli::output::{BAD, CliError, Context, GOOD, foreign};
use crate::exit::ExitCode;

/// The longest line of standard input: a plan of which JSON escapes every byte.
const MAX_LINE: usize = 6 * MAX_PLAN + 4096;

/// Arguments of `exam validate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "A plan is any text with actions in parentheses, such as a model's answer: `(pick cup)`.\n\n\
                        Without a plan, lines {\"task\": NAME, \"plan_text\": TEXT} are read from standard input, where a task is \
                        named by its folder in --tasks. Each gives one line. A line that cannot be judged is reported, the \
                        others are judged all the same, and the exit code tells.")]
pub struct ValidateArgs {
    /// The task's folder
    #[arg(requires = "plan", required_unless_present = "tasks")]
    task: Option<PathBuf>,
    /// The file with the plan
    plan: Option<PathBuf>,
    /// The folder of the tasks that the lines of standard input name
    #[arg(long, value_name = "DIR", conflicts_with = "task")]
    tasks: Option<PathBuf>,
}

/// A line of standard input. Other fields are passed over.
#[derive(Deserialize)]
struct Plan {
    task: String,
    plan_text: String,
}

/// A verdict on a line.
#[derive(Serialize)]
struct Judged<'a> {
    line: u64,
    task: &'a str,
    #[serde(flatten)]
    verdict: &'a Verdict,
}

/// Judges the plan of the command line, or every line of standard input.
///
/// # Errors
/// A task or a plan that cannot be read.
pub fn run(args: &ValidateArgs, context: &Context) -> Result<ExitCode, CliError> {
    match (&args.task, &args.plan, &args.tasks) {
        (Some(task), Some(plan), _) => one(task, plan, context),
        (_, _, Some(tasks)) => stream(tasks, context),
        _ => Err(CliError::usage("a task needs its plan").help("`exam validate TASK PLAN`, or `--tasks DIR`")),
    }
}

fn one(folder: &Path, plan: &Path, context: &Context) -> Result<ExitCode, CliError> {
    let task = task::read(folder)?;
    let unreadable = |error| CliError::unreadable("the plan", plan, &error);
    let text = ltlcrit_files::read_text(plan, MAX_PLAN as u64).map_err(unreadable)?;
    let wrong = |error: ValidateError| CliError::input(error.to_string()).at(plan.display().to_string());
    let verdict = Validator::new(&task).validate(&text).map_err(wrong)?;
    context.result(&verdict, || shown(&verdict))?;
    Ok(ExitCode::Success)
}

/// A task that lines may name, read when the first one does.
struct Named {
    folder: PathBuf,
    task: OnceCell<Result<Task, TaskError>>,
}

fn stream(tasks: &Path, context: &Context) -> Result<ExitCode, CliError> {
    let unreadable = |error: std::io::Error| {
        CliError::input(format!("the folder of tasks cannot be read: {error}")).at(tasks.display().to_string())
    };
    let mut named: BTreeMap<String, Named> = BTreeMap::new();
    for entry in tasks.read_dir().map_err(unreadable)? {
        let folder = entry.map_err(unreadable)?.path();
        if let Some(name) = folder.file_name().and_then(|name| name.to_str()).filter(|_| folder.is_dir()) {
            named.insert(name.to_owned(), Named { folder, task: OnceCell::new() });
        }
    }
    let mut validators: BTreeMap<&str, Validator<'_>> = BTreeMap::new();
    each_line(context, MAX_LINE, ("{\"task\", \"plan_text\"}", "judged"), |line, number, place| {
        let Plan { task, plan_text } = serde_json::from_str(line)
            .map_err(|error| CliError::input(format!("the line is no plan: {error}")).at(place))?;
        let Some((name, known)) = named.get_key_value(&task) else {
            let nearest = nearest_name(&task, named.keys().map(String::as_str));
            let help =
                nearest.map_or("a task is named by its folder".to_owned(), |name| format!("did you mean `{name}`?"));
            return Err(CliError::input(format!("no task `{task}` in `{}`", tasks.display())).at(place).help(help));
        };
        if !validators.contains_key(name.as_str()) {
            let read = known.task.get_or_init(|| Task::read(&known.folder)).as_ref();
            let read = read.map_err(|error| task::wrong(&known.folder, error).at(place))?;
            validators.insert(name, Validator::new(read));
        }
        let Some(validator) = validators.get(name.as_str()) else { return Ok(()) };
        let verdict = validator.validate(&plan_text).map_err(|error| CliError::input(error.to_string()).at(place))?;
        if context.json() {
            return context.print_json(&Judged { line: number, task: name, verdict: &verdict });
        }
        let Answers { feasible, safe, safety_intention } = verdict.answers;
        let answers = [("feasible", feasible), ("safe", safe), ("intention", safety_intention)];
        let answers = answers.map(|(what, holds)| format!("{}{what}", if holds { "" } else { "not " }));
        context.print(format_args!("{number}\t{}\t{}", foreign(name), answers.join("\t")))
    })
}

fn shown(verdict: &Verdict) -> String {
    let yes = |holds: bool| if holds { format!("{GOOD}yes{GOOD:#}") } else { format!("{BAD}no{BAD:#}") };
    let reason = |decision: &Option<Decision>| {
        decision.as_ref().map_or(String::new(), |why| format!("  {}", foreign(&why.to_string())))
    };
    let Answers { feasible, safe, safety_intention } = verdict.answers;
    let mut out = String::new();
    let mut line = |what: &str, holds: String, why: String| {
        let _ = writeln!(out, "{what:<18}{holds}{why}");
    };
    let (of_feasible, of_safe) = match feasible {
        true => (String::new(), reason(&verdict.decided)),
        false => (reason(&verdict.decided), String::new()),
    };
    line("feasible", yes(feasible), of_feasible);
    line("safe", yes(safe), of_safe);
    line("safety precision", verdict.safety_precision.map_or("-".to_owned(), yes), String::new());
    line("safety intention", yes(safety_intention), reason(&verdict.intention_decided));
    if let Some(danger) = verdict.danger {
        line("danger at the end", danger.to_string(), String::new());
    }
    out
}

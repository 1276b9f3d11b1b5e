//! `ltlcrit laws check`: all problems of books, and a proof or a witness about over-constrained states.

use std::fmt::Write as _;

use ltlcrit_engine::books::{fields, named};
use ltlcrit_laws::check::{
    ConsistencyReport, ConsistencyVerdict, EXAMINATIONS, InstanceSummary, RunSatisfiability, TemplateSummary,
    check_books_with_progress,
};
use ltlcrit_laws::{CheckOptions, Diagnostic, LawRef, Reading, Report, Severity};

use super::blocks::LawWorld;
use super::open::{known_to, wrong};
use crate::cli::guard;
use crate::cli::output::{CliError, Context, DIM, ERROR, GOOD, HEAD, Progress, WARNING, foreign, plural};
use crate::exit::ExitCode;

/// The most instances of a law that are shown.
const MAX_INSTANCES: usize = 20;

/// Arguments of `laws check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code 0: nothing wrong, notes aside. 5: errors or warnings. 4: a book cannot be read at all."
)]
pub struct CheckArgs {
    /// Shipped books or files; several are checked together
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<String>,
    /// The number of distinct minimal conflicts to look for
    #[arg(long, value_name = "N", default_value_t = 10)]
    conflicts: usize,
    /// Check proposed laws as if they were adopted
    #[arg(long)]
    proposed: bool,
    /// Read the books for this world, such as `pddl:DIR`, and report laws that can block nothing there or
    /// that leave no way to its goal
    #[arg(long, value_name = "WORLD")]
    world: Option<LawWorld>,
}

/// Checks the books and prints the report.
///
/// # Errors
/// A file that cannot be read as text.
pub fn run(args: &CheckArgs, context: &Context) -> Result<ExitCode, CliError> {
    if let [book] = args.books.as_slice()
        && guard::is_book(book)
    {
        return guard::check(book, context);
    }
    let readings = read(args)?;
    let laws: usize = readings.iter().map(|reading| reading.book.entries().len()).sum();
    let progress = Progress::new(context, "checking laws", laws as u64 * EXAMINATIONS);
    let mut report = check_books_with_progress(&readings, &options(args), &mut || progress.step());
    progress.end();
    report.findings.extend(readings.iter().flat_map(|reading| fields::findings(&reading.book)));
    if let Some(world) = &args.world {
        report.findings.extend(world.blocking_nothing(&readings, args.proposed)?);
        report.findings.extend(world.excluding_the_goal(&readings, args.proposed)?);
    }
    context.result(&report, || render(&report))?;
    Ok(if report.is_clean() { ExitCode::Success } else { ExitCode::Findings })
}

/// The books, each once.
pub(super) fn read(args: &CheckArgs) -> Result<Vec<Reading>, CliError> {
    let known = known_to(&args.books, args.world.as_ref().and_then(LawWorld::named))?;
    let mut readings: Vec<Reading> = Vec::new();
    for name in &args.books {
        let reading = named::read(name, &known).map_err(|errors| wrong(name, &errors))?;
        // A book that is named twice would only repeat everything.
        if readings.iter().all(|other| other.book.source() != reading.book.source()) {
            readings.push(reading);
        }
    }
    Ok(readings)
}

pub(super) fn options(args: &CheckArgs) -> CheckOptions {
    CheckOptions {
        most_conflicts: args.conflicts,
        proposed: args.proposed,
        one_outcome: args.world.as_ref().is_some_and(LawWorld::has_one_outcome),
        ..CheckOptions::default()
    }
}

/// The report for people.
pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for book in &report.books {
        let mut parts = vec![format!("{} in force ({} hard, {} soft)", book.hard + book.soft, book.hard, book.soft)];
        let others = [("proposed", book.proposed), ("retired", book.retired), ("unreadable", book.unreadable)];
        parts.extend(others.iter().filter(|(_, number)| *number > 0).map(|(what, number)| format!("{number} {what}")));
        let (name, revision, vocabulary) = (&book.name, book.revision, &book.vocabulary);
        let _ =
            writeln!(out, "{HEAD}{name}{HEAD:#} revision {revision}, vocabulary {vocabulary}: {}", parts.join(", "));
    }
    for template in report.books.iter().flat_map(|book| &book.templates) {
        out.push('\n');
        render_template(&mut out, template);
    }
    for finding in &report.findings {
        out.push('\n');
        render_finding(&mut out, finding);
    }
    if let Some(consistency) = &report.consistency {
        out.push('\n');
        render_consistency(&mut out, consistency);
    }
    out.push('\n');
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (report.count(severity), severity))
        .filter(|(number, _)| *number > 0)
        .map(|(number, severity)| plural(number, severity.as_str()))
        .collect();
    let _ = match counts.as_slice() {
        [] => writeln!(out, "{GOOD}nothing wrong{GOOD:#}"),
        _ => writeln!(out, "{}", counts.join(", ")),
    };
    out
}

/// The instances of a law with parameters.
fn render_template(out: &mut String, template: &TemplateSummary) {
    let _ = writeln!(out, "{HEAD}{}{HEAD:#}  {}", template.id, foreign(&template.formula));
    let width = template.instances.iter().take(MAX_INSTANCES).map(|one| one.id.chars().count()).max().unwrap_or(0);
    for InstanceSummary { id, formula } in template.instances.iter().take(MAX_INSTANCES) {
        let _ = writeln!(out, "  {id:<width$}  {formula}");
    }
    match template.instances.len() {
        0 => drop(writeln!(out, "  {DIM}no instance here says anything{DIM:#}")),
        all if all > MAX_INSTANCES => {
            let _ = writeln!(out, "  {DIM}and {} more, which --json lists{DIM:#}", all - MAX_INSTANCES);
        }
        _ => {}
    }
}

/// Colours the severity and the carets of a rendered diagnostic.
fn render_finding(out: &mut String, finding: &Diagnostic) {
    let style = match finding.severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Note => DIM,
    };
    let tag = format!("{}[{}]:", finding.severity.as_str(), finding.code.as_str());
    for line in finding.render().lines().map(foreign) {
        let _ = match (line.strip_prefix(&tag), line.find('^')) {
            (Some(message), _) => writeln!(out, "{style}{tag}{style:#}{message}"),
            (None, Some(caret)) if line.trim_matches([' ', '|', '^']).is_empty() => {
                writeln!(out, "{DIM}{}{DIM:#}{style}{}{style:#}", &line[..caret], &line[caret..])
            }
            _ => writeln!(out, "{line}"),
        };
    }
}

fn ids<'a>(laws: impl Iterator<Item = &'a LawRef>) -> String {
    laws.map(|law| law.id.as_str()).collect::<Vec<_>>().join(", ")
}

fn render_consistency(out: &mut String, consistency: &ConsistencyReport) {
    let standing = |standing: ConsistencyVerdict| match standing {
        ConsistencyVerdict::NoLaws => format!("{DIM}there are none{DIM:#}"),
        ConsistencyVerdict::Consistent => {
            format!("{GOOD}proven: in every state they leave an action besides stopping{GOOD:#}")
        }
        ConsistencyVerdict::OverConstrained => {
            format!("{ERROR}over-constrained:{ERROR:#} in some states they leave no action besides stopping")
        }
        ConsistencyVerdict::Undecided => format!("{ERROR}undecided{ERROR:#} within the bounds"),
    };
    let (covered, laws) = (consistency.covered, consistency.laws);
    if laws == 0 {
        let _ = writeln!(out, "{HEAD}consistency{HEAD:#} of no law");
        return;
    }
    let _ = writeln!(out, "{HEAD}consistency{HEAD:#} of {covered} of {}", plural(laws, "law"));
    let _ = writeln!(out, "  hard laws alone  {}", standing(consistency.hard));
    let _ = writeln!(out, "  all laws         {}", standing(consistency.all));
    if consistency.all == ConsistencyVerdict::OverConstrained || consistency.hard == ConsistencyVerdict::OverConstrained
    {
        let number = consistency.conflicts.len();
        let _ = if consistency.complete {
            writeln!(out, "  conflicts        {number} minimal, and there are no others")
        } else {
            writeln!(out, "  conflicts        {number} minimal ones shown; there may be more (--conflicts N)")
        };
    }
    if !consistency.by_outcome.is_empty() {
        let ids = ids(consistency.by_outcome.iter());
        let _ = writeln!(out, "  by outcome       {ids}: another outcome of an allowed action may break them");
    }
    let mut reasons: Vec<&str> = consistency.left_out.iter().map(|left| left.why.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        let left_out = consistency.left_out.iter().filter(|left| left.why == reason).map(|left| &left.law);
        let _ = writeln!(out, "  not decided      {}: {reason}", ids(left_out));
    }
    let begins = match consistency.begins {
        RunSatisfiability::Yes => format!("{GOOD}some run satisfies all laws together{GOOD:#}"),
        RunSatisfiability::OnlyToStop => format!("{ERROR}every run that satisfies all laws stops at once{ERROR:#}"),
        RunSatisfiability::Never => format!("{ERROR}no run satisfies all laws{ERROR:#}"),
        RunSatisfiability::Undecided => format!("{ERROR}undecided{ERROR:#} within the bounds"),
    };
    let _ = writeln!(out, "  from the start   {begins}");
}

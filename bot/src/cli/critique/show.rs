//! A critique as text and as JSON.

use std::path::Path;

use ltlcrit_critic::change::{Change, GateRuling, Refusal};
use ltlcrit_critic::critique::{ClassCounts, Critique, Ruled};
use ltlcrit_critic::graph::{Target, TrajectoryGraph};
use ltlcrit_critic::statistics::LawStatistics;
use ltlcrit_engine::learn::UnreadBy;
use ltlcrit_engine::report::table::Table;
use ltlcrit_laws::{Book, DerivedEntry, Status};
use ltlcrit_store::LawId;
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;

use crate::cli::args::critic_flags;
use crate::cli::laws::in_short;
use crate::cli::output::{BAD, DIM, GOOD, HEAD, LAW, Used, WARNING, defined, foreign, of_report, plural, token_usage};

/// The number of unreadable parts shown for each critic without `--all`.
const SHOWN_UNREAD: usize = 5;

/// A critique and its sources.
pub struct Shown<'a> {
    /// The critique.
    pub critique: &'a Critique,
    /// The graph of the runs.
    pub graph: &'a TrajectoryGraph,
    /// Their vocabulary.
    pub vocabulary: &'a Vocabulary,
    /// The book as it was.
    pub before: &'a Book,
    /// The file of the book.
    pub path: &'a Path,
    /// True if nothing was changed.
    pub dry_run: bool,
    /// The unreadable parts of critics' answers.
    pub unread: Vec<UnreadBy>,
    /// The token usage of the models behind critics.
    pub usage: Vec<Used>,
}

/// The document that `--json` prints.
#[derive(Serialize)]
pub struct Document<'a> {
    book: BookDocument,
    dry_run: bool,
    runs: usize,
    steps: usize,
    states: usize,
    /// The baseline choices are measured against; `null` if no run made progress.
    target: Option<Target>,
    choices: ClassCounts,
    admitted: usize,
    retired: usize,
    refused: usize,
    /// All proposed changes, in order, with the gate's rulings.
    changes: &'a [Ruled],
    /// Critics that proposed nothing, and why.
    silent: &'a [(String, String)],
    /// The unreadable parts of critics' answers.
    unread: &'a [UnreadBy],
    unresolved: Vec<ConflictDocument<'a>>,
    #[serde(rename = "merits")]
    statistics: Vec<StatisticsDocument<'a>>,
    /// The token usage of the models behind critics.
    usage: &'a [Used],
}

#[derive(Serialize)]
struct BookDocument {
    path: String,
    name: String,
    revision_before: u64,
    revision: u64,
    text: String,
}

#[derive(Serialize)]
struct ConflictDocument<'a> {
    laws: &'a [LawId],
    holds: Vec<&'a str>,
    met_at: Option<ltlcrit_laws::Evidence>,
}

#[derive(Serialize)]
struct StatisticsDocument<'a> {
    law: &'a str,
    #[serde(flatten)]
    counts: &'a LawStatistics,
    precision: Option<f64>,
    false_block_rate: Option<f64>,
}

impl Shown<'_> {
    /// The document.
    pub fn document(&self) -> Document<'_> {
        let Critique { book, ruled, silent, unresolved, statistics, .. } = self.critique;
        Document {
            book: BookDocument {
                path: self.path.display().to_string(),
                name: book.name().to_owned(),
                revision_before: self.before.revision(),
                revision: book.revision(),
                text: book.text().to_owned(),
            },
            dry_run: self.dry_run,
            runs: self.graph.runs().count(),
            steps: self.graph.step_count(),
            states: self.graph.states().count(),
            target: self.critique.target,
            choices: self.critique.classes,
            admitted: self.critique.admitted(),
            retired: self.critique.retired(),
            refused: self.critique.refused().count(),
            changes: ruled,
            silent,
            unread: &self.unread,
            unresolved: unresolved
                .iter()
                .map(|it| ConflictDocument {
                    laws: &it.laws,
                    holds: self.vocabulary.names(&it.state),
                    met_at: it.met_at,
                })
                .collect(),
            statistics: statistics
                .iter()
                .map(|(law, counts)| StatisticsDocument {
                    law,
                    counts,
                    precision: counts.precision(),
                    false_block_rate: counts.false_block_rate(),
                })
                .collect(),
            usage: &self.usage,
        }
    }

    /// The text; `all` shows every refusal and everything that could not be read.
    pub fn text(&self, all: bool) -> String {
        let Critique { nothing, silent, .. } = self.critique;
        let most = if all { usize::MAX } else { SHOWN_UNREAD };
        let parts = [
            Some(self.read()),
            self.derived(),
            self.admitted(),
            self.retired(),
            self.refused(all),
            self.conflicts(),
            self.statistics(),
            nothing.as_ref().map(|why| format!("{WARNING}nothing was learned:{WARNING:#} {why}")),
            block(&critic_flags::silent(silent)),
            block(&critic_flags::unread(&self.unread, silent, most)),
            block(&token_usage::lines(&self.usage)),
            Some(self.book()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }

    fn read(&self) -> String {
        let target = match self.critique.target {
            None => "no run got anywhere: nothing is known of efficiency".to_owned(),
            Some(Target::Goal) => "measured by the steps to the goal".to_owned(),
            Some(Target::Subgoal(at)) => match self.graph.subgoals().get(at) {
                Some(subgoal) => format!("no run reached the goal: measured by the steps to {}", subgoal.name),
                None => "measured by the steps to a subgoal".to_owned(),
            },
        };
        let counts = self.critique.classes;
        let (runs, steps, states) = (self.graph.runs().count(), self.graph.step_count(), self.graph.states().count());
        format!(
            "{HEAD}read{HEAD:#}     {}, {}, {}\n{HEAD}choices{HEAD:#}  {} efficient, {} inefficient, {} failed, {} \
             unknown; {target}",
            plural(runs, "run"),
            plural(steps, "step"),
            plural(states, "state"),
            counts.efficient,
            counts.inefficient,
            counts.failed,
            counts.unknown,
        )
    }

    /// The observations that the book did not define before.
    fn derived(&self) -> Option<String> {
        let known = |entry: &&DerivedEntry| self.before.derived().iter().any(|old| old.name == entry.name);
        let new = self.critique.book.derived().iter().filter(|entry| !known(entry));
        let lines: Vec<String> = new.map(|entry| format!("  {}", defined(entry))).collect();
        (!lines.is_empty()).then(|| format!("{GOOD}derived{GOOD:#}\n{}", lines.join("\n")))
    }

    /// The laws that entered the book, as the book has them.
    fn admitted(&self) -> Option<String> {
        let mut lines = vec![format!("{GOOD}admitted{GOOD:#}")];
        for ruled in &self.critique.ruled {
            let GateRuling::Admitted { law } = &ruled.ruling else { continue };
            let Some((proposal, replaced)) = ruled.change.brought() else { continue };
            let instead = replaced.map(|old| format!("  {DIM}instead of {old}{DIM:#}")).unwrap_or_default();
            // The gate may have narrowed what was proposed: what counts is in the book.
            let entry = self.critique.book.entry(law);
            let explanation = entry.map_or(&*proposal.explanation, |entry| &*entry.explanation);
            let formula = entry.map_or(proposal.formula.text().as_str(), |entry| &*entry.formula_text);
            lines.push(format!("  {LAW}{law}{LAW:#}{instead}  {}", foreign(explanation)));
            lines.push(format!("    {}", foreign(formula)));
            if entry.is_some_and(|entry| proposal.formula.value().as_ref() != Ok(&&entry.formula)) {
                lines.push(format!("    {DIM}proposed:{DIM:#} {}", foreign(proposal.formula.text())));
            }
            if let Some(short) = entry.and_then(in_short) {
                lines.push(format!("    {DIM}in short:{DIM:#} {short}"));
            }
            let evidence = match &proposal.evidence[..] {
                [] => "no step cited".to_owned(),
                [one] => one.to_string(),
                [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            };
            lines.push(format!("    {DIM}by {}, from {evidence}{DIM:#}", foreign(&proposal.proposer)));
        }
        (lines.len() > 1).then(|| lines.join("\n"))
    }

    fn retired(&self) -> Option<String> {
        let mut lines = vec![format!("{WARNING}retired{WARNING:#}")];
        for ruled in &self.critique.ruled {
            let law = match (&ruled.change, &ruled.ruling) {
                (_, GateRuling::Retired { law }) => law,
                (Change::Replace { law, .. }, GateRuling::Admitted { .. }) => law,
                _ => continue,
            };
            let reason = match self.critique.book.entry(law).map(|entry| &entry.status) {
                Some(Status::Retired { reason }) => foreign(reason),
                _ => String::new(),
            };
            lines.push(format!("  {LAW}{law}{LAW:#}  {reason}"));
        }
        (lines.len() > 1).then(|| lines.join("\n"))
    }

    /// The refusals; without `all`, one of each kind with the number of that kind.
    fn refused(&self, all: bool) -> Option<String> {
        let refused: Vec<(&Change, &Refusal)> = self.critique.refused().collect();
        if refused.is_empty() {
            return None;
        }
        let mut lines = vec![format!("{BAD}refused{BAD:#}")];
        let mut told: Vec<&str> = Vec::new();
        for (change, refusal) in &refused {
            let code = refusal.code();
            if !all && told.contains(&code) {
                continue;
            }
            told.push(code);
            let count = refused.iter().filter(|(_, other)| other.code() == code).count();
            let more = if all || count == 1 { String::new() } else { format!("  {DIM}one of {count}{DIM:#}") };
            lines.push(format!(
                "  {code}{more}\n    {}\n    {DIM}{}{DIM:#}",
                wanted(change),
                foreign(&refusal.to_string())
            ));
        }
        Some(lines.join("\n"))
    }

    fn conflicts(&self) -> Option<String> {
        let mut lines = vec![format!("{BAD}unresolved conflicts{BAD:#}")];
        for conflict in &self.critique.unresolved {
            let met = match conflict.met_at {
                Some(step) => format!("met at {step}"),
                None => "met by no run, and proved to exist".to_owned(),
            };
            let holds = self.vocabulary.names(&conflict.state);
            lines.push(format!(
                "  {LAW}{}{LAW:#}  {met}\n    {DIM}{}{DIM:#}",
                conflict.laws.join(", "),
                holds.join(", ")
            ));
        }
        (lines.len() > 1).then(|| lines.join("\n"))
    }

    /// The laws that had an effect, those with most blocks first.
    fn statistics(&self) -> Option<String> {
        let mut statistics = self.document().statistics;
        let all = statistics.len();
        statistics.retain(|one| one.counts.blocked > 0);
        statistics.sort_by_key(|one| (std::cmp::Reverse(one.counts.blocked), one.law));
        let idle = all - statistics.len();
        let rest = match idle {
            0 => String::new(),
            _ => format!("\n{DIM}{} blocked nothing{DIM:#}", plural(idle, "other law")),
        };
        let columns = "law = {law:text}; runs = {runs:.0}; fired = {fired:.0}; blocked = {blocked:.0}; right = {right:.0}; \
            wrong = {wrong:.0}; precision = {precision:%0}%; false blocks = {false_block_rate:%0}%; \
            steps saved = {steps_saved:.1}";
        let document = serde_json::to_value(&statistics).ok()?;
        let table = of_report(&Table::of("", "", columns, &document, ""));
        (!statistics.is_empty()).then(|| format!("{table}{rest}"))
    }

    fn book(&self) -> String {
        let (path, now) = (self.path.display(), self.critique.book.revision());
        match (self.critique.changed, self.dry_run) {
            (false, _) => format!("{HEAD}{path}{HEAD:#} stays at revision {now}: nothing is to be changed"),
            (true, true) => format!("{HEAD}{path}{HEAD:#} would be at revision {now}; nothing was written"),
            (true, false) => format!("{HEAD}{path}{HEAD:#} is at revision {now}, from {}", self.before.revision()),
        }
    }
}

/// A block of lines; `None` if there are none.
fn block(lines: &[String]) -> Option<String> {
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn wanted(change: &Change) -> String {
    match change {
        Change::Add(proposal) => foreign(proposal.formula.text()),
        Change::Replace { law, with, .. } => format!("{law} replaced by {}", foreign(with.formula.text())),
        Change::Retire { law, .. } => format!("{law} retired"),
    }
}

//! A critique as text and as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use ltlcrit_critic::change::{Change, GateRuling, Refusal};
use ltlcrit_critic::critique::{Critique, Ruled};
use ltlcrit_critic::graph::{Target, TrajectoryGraph};
use ltlcrit_critic::law::StateConflict;
use ltlcrit_critic::statistics::LawStatistics;
use ltlcrit_engine::learn::UnreadBy;
use ltlcrit_laws::{Book, DerivedEntry};
use ltlcrit_store::LawId;
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::args::critic_flags;
use crate::cli::laws::in_short;
use crate::cli::output::{
    BAD, DIM, GOOD, HEAD, LAW, Mark, Used, WARNING, defined, foreign, listing, plural, token_usage,
};

/// The number of unreadable parts shown for each critic.
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

/// The statistics of a law.
#[derive(Serialize)]
struct Merit<'a> {
    law: &'a LawId,
    #[serde(flatten)]
    counts: &'a LawStatistics,
    precision: Option<f64>,
    false_block_rate: Option<f64>,
}

impl Shown<'_> {
    /// The document that `--json` prints.
    pub fn document(&self) -> Value {
        let Critique { book, ruled, silent, unresolved, .. } = self.critique;
        let conflict = |it: &StateConflict| json!({ "laws": it.laws, "holds": self.vocabulary.names(&it.state), "met_at": it.met_at });
        json!({
            "book": {
                "path": self.path.display().to_string(),
                "name": book.name(),
                "revision_before": self.before.revision(),
                "revision": book.revision(),
                "text": book.text(),
            },
            "dry_run": self.dry_run,
            "runs": self.graph.runs().count(),
            "steps": self.graph.step_count(),
            "states": self.graph.states().count(),
            // The baseline choices are measured against; `null` if no run made progress.
            "target": self.critique.target,
            "choices": self.critique.classes,
            "admitted": self.critique.admitted(),
            "retired": self.critique.retired(),
            "refused": self.critique.refused().count(),
            "changes": ruled,
            "silent": silent,
            "unread": self.unread,
            "unresolved": unresolved.iter().map(conflict).collect::<Vec<_>>(),
            "merits": self.merits(),
            "usage": self.usage,
        })
    }

    fn merits(&self) -> Vec<Merit<'_>> {
        let merits = self.critique.statistics.iter().map(|(law, counts)| Merit {
            law,
            counts,
            precision: counts.precision(),
            false_block_rate: counts.false_block_rate(),
        });
        merits.collect()
    }

    /// The text.
    pub fn text(&self) -> String {
        let Critique { nothing, silent, .. } = self.critique;
        let parts = [
            Some(self.read()),
            self.derived(),
            self.admitted(),
            self.retired(),
            self.refused(),
            self.conflicts(),
            self.statistics(),
            nothing.as_ref().map(|why| format!("{WARNING}nothing was learned:{WARNING:#} {why}")),
            block(&critic_flags::silent(silent)),
            block(&critic_flags::unread(&self.unread, silent, SHOWN_UNREAD)),
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
        section(GOOD, "derived", lines)
    }

    /// The laws that entered the book, as the book has them.
    fn admitted(&self) -> Option<String> {
        let mut lines = Vec::new();
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
        section(GOOD, "admitted", lines)
    }

    fn retired(&self) -> Option<String> {
        let line = |Ruled { change, ruling, .. }: &Ruled| {
            let law = match (change, ruling) {
                (_, GateRuling::Retired { law }) => law,
                (Change::Replace { law, .. }, GateRuling::Admitted { .. }) => law,
                _ => return None,
            };
            let reason = self.critique.book.entry(law).and_then(|entry| entry.status.reason()).unwrap_or_default();
            Some(format!("  {LAW}{law}{LAW:#}  {}", foreign(reason)))
        };
        section(WARNING, "retired", self.critique.ruled.iter().filter_map(line).collect())
    }

    /// One refusal of each kind, with the number of that kind.
    fn refused(&self) -> Option<String> {
        let mut kinds: BTreeMap<&str, Vec<(&Change, &Refusal)>> = BTreeMap::new();
        for (change, refusal) in self.critique.refused() {
            kinds.entry(refusal.code()).or_default().push((change, refusal));
        }
        let line = |(code, refused): (&str, Vec<(&Change, &Refusal)>)| {
            let (change, refusal) = refused.first()?;
            let more = match refused.len() {
                1 => String::new(),
                count => format!("  {DIM}one of {count}{DIM:#}"),
            };
            let why = foreign(&refusal.to_string());
            Some(format!("  {code}{more}\n    {}\n    {DIM}{why}{DIM:#}", wanted(change)))
        };
        section(BAD, "refused", kinds.into_iter().filter_map(line).collect())
    }

    fn conflicts(&self) -> Option<String> {
        let line = |conflict: &StateConflict| {
            let met = match conflict.met_at {
                Some(step) => format!("met at {step}"),
                None => "met by no run, and proved to exist".to_owned(),
            };
            let (laws, holds) = (conflict.laws.join(", "), self.vocabulary.names(&conflict.state).join(", "));
            format!("  {LAW}{laws}{LAW:#}  {met}\n    {DIM}{holds}{DIM:#}")
        };
        section(BAD, "unresolved conflicts", self.critique.unresolved.iter().map(line).collect())
    }

    /// The laws that had an effect, those with most blocks first.
    fn statistics(&self) -> Option<String> {
        let mut statistics = self.merits();
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
        let table = listing(&statistics, columns);
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

/// Lines below a heading; `None` if there are none.
fn section(style: Mark, heading: &str, lines: Vec<String>) -> Option<String> {
    (!lines.is_empty()).then(|| format!("{style}{heading}{style:#}\n{}", lines.join("\n")))
}

fn wanted(change: &Change) -> String {
    match change {
        Change::Add(proposal) => foreign(proposal.formula.text()),
        Change::Replace { law, with, .. } => format!("{law} replaced by {}", foreign(with.formula.text())),
        Change::Retire { law, .. } => format!("{law} retired"),
    }
}

//! The steps of a run as lines of text, with names instead of numbers.

use std::collections::HashMap;

use ltlcrit_engine::agent::{Event, readable};
use ltlcrit_engine::books::{InForce, LawChange, NotTaken, Revised};
use ltlcrit_store::{InFlight, LawId, LawRecord, NoAction, ProposalRecord, Reply, Ruling, RunManifest, StepRecord};
use ltlcrit_verifier::{ActionId, Enforcement};
use ltlcrit_worlds::world::Subgoal;

use crate::cli::output::{BAD, DIM, GOOD, HEAD, LAW, Mark, WARNING, foreign, law_ids};

/// The widest column of actions.
const MAX_WIDTH: usize = 32;

/// Shows the records of a run as text.
pub struct View {
    actions: Vec<String>,
    width: usize,
    explanations: HashMap<LawId, String>,
    subgoals: Vec<Subgoal>,
    reached: Vec<bool>,
    /// The laws relaxed in the last step.
    relaxed: Vec<LawId>,
    in_force: InForce,
}

impl View {
    /// The view of one run.
    pub fn new(manifest: &RunManifest) -> Self {
        let actions: Vec<String> =
            manifest.vocabulary.all_actions().map(|action| foreign(&readable(&action.name))).collect();
        let width = actions.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = width.clamp("(no action)".len(), MAX_WIDTH);
        let mut view = Self {
            actions,
            width,
            explanations: HashMap::new(),
            reached: vec![false; manifest.subgoals.len()],
            subgoals: manifest.subgoals.clone(),
            relaxed: Vec::new(),
            in_force: InForce::at_start(manifest),
        };
        view.learn(&manifest.laws);
        view
    }

    /// Keeps the explanations of laws.
    fn learn(&mut self, laws: &[LawRecord]) {
        for law in laws {
            self.explanations.insert(law.id.clone(), law.explanation.to_string());
        }
    }

    /// The readable name of an action.
    pub fn action(&self, action: ActionId) -> &str {
        self.actions.get(usize::from(action.0)).map_or("?", String::as_str)
    }

    /// The column at which the last part of a line begins.
    pub fn indent(&self) -> usize {
        4 + 2 + self.width + 2 + 10 + 2
    }

    /// The first subgoal not yet reached.
    pub fn next_subgoal(&self) -> Option<&str> {
        self.reached.iter().position(|reached| !reached).map(|next| self.subgoals[next].name.as_str())
    }

    /// The lines of an event of a run under way; none for an event that shows nothing.
    pub fn event(&mut self, event: &Event<'_>) -> Vec<String> {
        match event {
            Event::Restored { record, .. } => {
                // The records of an earlier process, such as the subgoals reached, are not shown again.
                self.record(record);
                Vec::new()
            }
            Event::LawsReplaced { change, laws } => {
                self.learn(laws);
                vec![self.laws_replaced(change)]
            }
            Event::BookNotTaken { step, not_taken } => vec![self.not_taken(*step, not_taken)],
            Event::OverConstrained { step, force } => self.over_constrained(*step, force),
            Event::Impossible { step, laws } => self.impossible(*step, laws),
            Event::Relaxed { step, laws } => self.relaxed(*step, laws).into_iter().collect(),
            Event::Proposed { step, proposal } => self.refusal(*step, proposal).into_iter().collect(),
            Event::Stored { record, .. } => self.step(record),
            _ => Vec::new(),
        }
    }

    /// The lines of an executed step and of the subgoals that it reached; none for step 0.
    fn step(&mut self, record: &StepRecord) -> Vec<String> {
        self.relaxed.clone_from(&record.relaxed);
        let mut lines = Vec::new();
        if let Some(executed) = &record.executed {
            let name = self.action(executed.action);
            let outcome = &executed.outcome;
            let (style, word) = match &outcome.failure {
                None => (GOOD, "done"),
                Some(_) => (BAD, "failed"),
            };
            let reason = outcome.failure.as_ref().map(|reason| format!(" {DIM}({reason}){DIM:#}")).unwrap_or_default();
            lines.push(self.line(record.step, name, style, word, &format!("{}{reason}", sentence(&outcome.message))));
            lines.extend(executed.trace.iter().map(|line| format!("      {DIM}{}{DIM:#}", foreign(line))));
        }
        for law in &record.violations {
            let text = format!("{LAW}{law}{LAW:#}: {}", self.explanation(law));
            lines.push(self.line(record.step, "", BAD, "violated", &text));
        }
        for (position, subgoal) in self.subgoals.iter().enumerate() {
            if !self.reached[position] && subgoal.holds.is_subset(&record.observation.holds) {
                self.reached[position] = true;
                let name = format!("{HEAD}{}{HEAD:#}", foreign(&subgoal.name));
                lines.push(self.line(record.step, "", HEAD, "reached", &name));
            }
        }
        lines
    }

    /// The lines of a stored step: its conflict, its refused proposals, the executed action.
    pub fn record(&mut self, record: &StepRecord) -> Vec<String> {
        if let Some(laws) = &record.new_laws {
            self.learn(laws);
        }
        let change = self.in_force.apply(record);
        let mut lines: Vec<String> = change.iter().map(|change| self.laws_replaced(change)).collect();
        lines.extend(self.over_constrained(record.step, &record.force));
        lines.extend(self.relaxed(record.step, &record.relaxed));
        lines.extend(record.proposals.iter().filter_map(|proposal| self.refusal(record.step, proposal)));
        lines.extend(self.step(record));
        lines
    }

    /// The lines of a step that was begun and is not over.
    pub fn unfinished(&self, step: &InFlight) -> Vec<String> {
        let mut lines = self.over_constrained(step.step, &step.force);
        for proposal in &step.proposals {
            lines.extend(self.refusal(step.step, proposal));
            if let Reply::Action { action } = proposal.reply
                && proposal.ruling.lets_run()
            {
                let begun = step.action.is_some();
                let (word, text) = if begun {
                    ("begun", "the run ended before it was over")
                } else {
                    ("not run", "the run ended first")
                };
                lines.push(self.line(step.step, self.action(action), WARNING, word, text));
            }
        }
        lines
    }

    /// The line of a proposal that did not run, with the reason; `None` if it ran.
    fn refusal(&self, step: u64, proposal: &ProposalRecord) -> Option<String> {
        let name = match &proposal.reply {
            Reply::Action { action } => self.action(*action).to_owned(),
            Reply::NoAction(NoAction::Unknown { name, .. }) => shortened(readable(&foreign(name)), self.width),
            Reply::NoAction(NoAction::Malformed { .. }) => "(no action)".to_owned(),
        };
        let (word, text) = match (&proposal.ruling, &proposal.reply) {
            (Ruling::Allowed, _) => return None,
            (Ruling::Unshielded { undecided: true, .. }, _) => {
                ("no shield", "a shield could not have decided".to_owned())
            }
            (Ruling::Unshielded { laws, .. }, _) if laws.is_empty() => return None,
            (Ruling::Unshielded { laws, .. }, _) => ("no shield", self.laws(laws)),
            (Ruling::Blocked { laws, .. }, _) => ("blocked", self.laws(laws)),
            (Ruling::Undecided { why }, _) => {
                ("undecided", format!("not run, because the shield cannot decide: {}", foreign(why)))
            }
            (Ruling::Unreadable, Reply::NoAction(NoAction::Unknown { suggestion: Some(near), .. })) => {
                ("unknown", format!("there is no such action; the nearest is {}", readable(near)))
            }
            (Ruling::Unreadable, Reply::NoAction(NoAction::Malformed { why, .. })) => ("unreadable", sentence(why)),
            (Ruling::Unreadable, _) => ("unknown", "there is no such action".to_owned()),
        };
        Some(self.line(step, &name, WARNING, word, &text))
    }

    /// The line of an over-constrained state.
    fn over_constrained(&self, step: u64, force: &Enforcement) -> Vec<String> {
        let (conflict, then) = match force {
            Enforcement::All | Enforcement::Ended => return Vec::new(),
            Enforcement::HardOnly { conflict, .. } => (conflict, "only the hard laws hold for this step".to_owned()),
            Enforcement::Suspended { suspended, conflict, .. } => {
                (conflict, format!("without {} for this step", law_ids(suspended)))
            }
            Enforcement::Nothing { conflict, .. } => {
                (conflict, "the hard laws leave nothing: the run is aborted".to_owned())
            }
            Enforcement::Undecided { laws, .. } => {
                let text = format!("no action is known to be allowed, and the search gave up on {}", law_ids(laws));
                return vec![self.line(step, "", WARNING, "undecided", &text)];
            }
        };
        let ids = law_ids(conflict);
        let leave = if conflict.len() == 1 { format!("{ids} leaves") } else { format!("together {ids} leave") };
        let mut lines = vec![self.line(step, "", WARNING, "conflict", &format!("{leave} no action; {then}"))];
        if matches!(force, Enforcement::Nothing { .. }) {
            lines.extend(self.in_english(step, conflict));
        }
        lines
    }

    /// The lines of laws that leave no way to the goal: that they do, and each in English.
    fn impossible(&self, step: u64, laws: &[LawId]) -> Vec<String> {
        let leave = if laws.len() == 1 { "this law leaves" } else { "together these laws leave" };
        let text = format!("{leave} no way to the goal: the run is aborted");
        let mut lines = vec![self.line(step, "", WARNING, "conflict", &text)];
        lines.extend(self.in_english(step, laws));
        lines
    }

    fn in_english(&self, step: u64, laws: &[LawId]) -> Vec<String> {
        let text = |law: &LawId| foreign(&format!("{law}: {}", self.explanations.get(law).map_or("", String::as_str)));
        laws.iter().map(|law| self.line(step, "", LAW, "law", &text(law))).collect()
    }

    /// The line of hard laws that no action is sure to keep; none if they are those of the step before.
    fn relaxed(&mut self, step: u64, laws: &[LawId]) -> Option<String> {
        if laws.is_empty() || self.relaxed == laws {
            return None;
        }
        self.relaxed = laws.to_vec();
        let (ids, they) = (law_ids(laws), if laws.len() == 1 { "it is" } else { "they are" });
        let text = format!(
            "no action is sure to keep {ids}, whatever it leads to; until one is, {they} judged by what may go well"
        );
        Some(self.line(step, "", WARNING, "relaxed", &text))
    }

    /// The line of new laws in force.
    fn laws_replaced(&self, change: &LawChange) -> String {
        let books: Vec<String> = change.books.iter().map(revised).collect();
        let kinds = [("added", &change.added), ("retired", &change.retired), ("changed", &change.changed)];
        let what: Vec<String> = kinds
            .iter()
            .filter(|(_, laws)| !laws.is_empty())
            .map(|(word, laws)| format!("{} {word} ({})", laws.len(), few(laws)))
            .collect();
        let what = if what.is_empty() { "the same laws".to_owned() } else { what.join(", ") };
        let books = if books.is_empty() { String::new() } else { format!("{}: ", books.join(", ")) };
        self.line(change.step, "", HEAD, "new laws", &format!("{books}{what}; {} in force", change.laws))
    }

    /// The line of a changed book that was not taken.
    fn not_taken(&self, step: u64, not_taken: &NotTaken) -> String {
        let NotTaken { book, source, place, reason, help, more, .. } = not_taken;
        let place = place.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
        let help = help.as_ref().map(|help| format!(" ({})", foreign(help))).unwrap_or_default();
        let source = foreign(source);
        let more = if *more > 0 { format!("; {more} more: `ltlcrit laws check {source}`") } else { String::new() };
        let text = format!("{source}{place}: {}{help}{more}; {HEAD}{book}{HEAD:#} stays in force", foreign(reason));
        self.line(step, "", WARNING, "not taken", &text)
    }

    fn laws(&self, laws: &[LawId]) -> String {
        let shown: Vec<String> =
            laws.iter().map(|law| format!("{LAW}{law}{LAW:#}: {}", self.explanation(law))).collect();
        shown.join("; ")
    }

    fn explanation(&self, law: &LawId) -> String {
        self.explanations.get(law).map(|text| sentence(text)).unwrap_or_default()
    }

    fn line(&self, step: u64, name: &str, style: Mark, word: &str, text: &str) -> String {
        let width = self.width;
        format!("{DIM}{step:>4}{DIM:#}  {name:<width$}  {style}{word:<10}{style:#}  {text}").trim_end().to_owned()
    }
}

fn revised(book: &Revised) -> String {
    match &book.from {
        Some(from) => format!("{HEAD}{}{HEAD:#} in place of {from}", book.to),
        None => format!("{HEAD}{}{HEAD:#}", book.to),
    }
}

/// The first few of some laws.
fn few(laws: &[LawId]) -> String {
    law_ids(laws.iter().take(3)) + if laws.len() > 3 { ", …" } else { "" }
}

/// The first line of a foreign text, without its full stop.
fn sentence(text: &str) -> String {
    foreign(text.lines().next().unwrap_or("").trim_end_matches('.'))
}

/// The first characters of a name, with an ellipsis where something was cut.
pub fn shortened(name: String, width: usize) -> String {
    if name.chars().count() <= width {
        name
    } else {
        name.chars().take(width.saturating_sub(1)).chain(['…']).collect()
    }
}

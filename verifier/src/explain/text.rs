//! Explanations as texts: a compact one for models, a multi-line one for people.

use std::fmt::{self, Write};

use super::{Cause, CauseProof, Explanation, Literal};
use crate::judgement::{Enforcement, Judgement};
use crate::law::LawId;

/// Maximum number of characters of a law's explanation in a text for models.
const MAX_TEXT: usize = 300;
/// Maximum number of times of a law's causes in a text.
const MAX_TIMES: usize = 12;

impl Explanation {
    /// Returns a compact text for models: the reasons of the ruling, the allowed actions and the obligations, one line
    /// each.
    pub fn brief(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_brief(&mut out);
        out
    }

    /// Returns the first line of [`Explanation::brief`]: the reasons of the ruling. For a blocked action it is the
    /// reasons alone, to follow words such as `action_open was blocked:`.
    pub fn reasons(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_reasons(&mut out);
        out
    }

    fn write_reasons(&self, out: &mut dyn Write) -> fmt::Result {
        match &self.judgement {
            Judgement::Allowed => write!(out, "{} is allowed.", self.action)?,
            Judgement::Undecided { why } => write!(out, "{} was not run: {why}.", self.action)?,
            Judgement::Ended => write!(out, "{} was not run: the run has ended.", self.action)?,
            Judgement::Blocked { .. } if self.laws.len() == 1 => {}
            Judgement::Blocked { .. } => write!(out, "These laws together leave no way on.")?,
        }
        let mut space = if self.laws.len() == 1 { "" } else { " " };
        for reason in &self.laws {
            write!(out, "{space}Law {}: {}", reason.law, sentence(&reason.explanation, &reason.formula))?;
            space = " ";
            if !reason.because.is_empty() {
                write!(out, " It applies because {}.", self.story(&reason.because))?;
            }
        }
        if !self.may_lead_to.is_empty() {
            let literals: Vec<String> = self.may_lead_to.iter().map(|l| literal(&l.proposition, l.holds)).collect();
            write!(out, " It may lead to {}.", literals.join(" or "))?;
        }
        if !self.passes_through.is_empty() {
            let letter = |literals: &Vec<Literal>| {
                let literals: Vec<String> = literals.iter().map(|l| literal(&l.proposition, l.holds)).collect();
                literals.join(" & ")
            };
            let letters: Vec<String> = self.passes_through.iter().map(letter).collect();
            write!(out, " On its way: {}.", letters.join(", then "))?;
        }
        if let Some(proviso) = self.proviso() {
            write!(out, " {proviso}")?;
        }
        Ok(())
    }

    fn write_brief(&self, out: &mut dyn Write) -> fmt::Result {
        self.write_reasons(out)?;
        match &self.enforcement {
            Enforcement::All | Enforcement::Ended => {}
            Enforcement::HardOnly { .. } => {
                write!(out, "\nOnly the hard laws apply now: all laws together leave no action here.")?;
            }
            Enforcement::Suspended { suspended, .. } => {
                let names = suspended.join(", ");
                write!(out, "\nThese laws do not apply now, because all laws together leave no action here: {names}.")?;
            }
            Enforcement::Nothing { .. } => write!(out, "\nThe laws leave no action here.")?,
            Enforcement::Undecided { .. } => {
                write!(out, "\nWhether the laws leave an action here could not be decided.")?;
            }
        }
        if !self.allowed.is_empty() {
            write!(out, "\nAllowed now: {}.", self.allowed.join(", "))?;
        }
        if !self.obligations.is_empty() {
            write!(out, "\nStill owed before stopping:")?;
            for owed in &self.obligations {
                write!(out, " {} (law {})", sentence(&owed.explanation, &owed.formula), owed.law)?;
            }
        }
        Ok(())
    }

    /// Returns the literals that make a law apply, each with the time during which it held.
    fn story(&self, because: &[Cause]) -> String {
        let spans = spans(because);
        let times: Vec<String> = spans
            .chunk_by(|one, other| (one.0, one.1) == (other.0, other.1))
            .map(|span| {
                let literals: Vec<String> = span.iter().map(|(.., l)| literal(&l.proposition, l.holds)).collect();
                format!("{}: {}", time(span[0].0, span[0].1, self.step), literals.join(" & "))
            })
            .collect();
        match times.as_slice() {
            [before @ .., last] if !before.is_empty() && times.len() <= MAX_TIMES => {
                format!("{}, and {last}", before.join(", "))
            }
            _ if times.len() > MAX_TIMES => {
                format!("{}, and at {} other times", times[..MAX_TIMES].join(", "), times.len() - MAX_TIMES)
            }
            _ => times.concat(),
        }
    }

    /// Returns a caveat if the causes are not proved to be exactly the needed ones.
    fn proviso(&self) -> Option<&'static str> {
        match self.provenance {
            CauseProof::Minimal => None,
            CauseProof::Sufficient => {
                Some("Some of these facts may not be needed: the search for the cause was cut short.")
            }
            CauseProof::Unknown => Some("Which facts made it apply could not be found out within the bounds."),
        }
    }
}

fn literal(name: &str, holds: bool) -> String {
    format!("{}{name}", if holds { "" } else { "!" })
}

/// Describes the time during which some literals held, for a reader at the letter `now`.
fn time(from: usize, to: usize, now: usize) -> String {
    match (from, to) {
        _ if from == now => "now".to_owned(),
        _ if to == now => format!("from step {from} until now"),
        _ if from == to => format!("at step {from}"),
        _ => format!("from step {from} to {to}"),
    }
}

/// Returns each literal's times without gaps as (first step, last step, literal), sorted by time.
fn spans(because: &[Cause]) -> Vec<(usize, usize, &Literal)> {
    let mut spans: Vec<(usize, usize, &Literal)> = Vec::new();
    let literals = because.iter().flat_map(|cause| cause.literals.iter().map(|literal| (cause.step, literal)));
    for (step, literal) in literals {
        match spans.iter_mut().find(|(_, to, other)| *other == literal && *to + 1 == step) {
            Some((_, to, _)) => *to = step,
            None => spans.push((step, step, literal)),
        }
    }
    // The sort is stable: literals of one time stay in the vocabulary's order.
    spans.sort_by_key(|(from, to, _)| (*from, *to));
    spans
}

/// Returns a law's explanation as one bounded sentence on one line; the formula if there is no explanation.
fn sentence(explanation: &str, formula: &str) -> String {
    let text = if explanation.trim().is_empty() { formula } else { explanation };
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(MAX_TEXT) {
        words.truncate(end);
        words.push('…');
    }
    if !words.ends_with(['.', '!', '?', '…']) {
        words.push('.');
    }
    words
}

/// The text for people: several lines, laws with their formulas, and the change of state.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.judgement {
            Judgement::Allowed => write!(f, "{} is allowed", self.action)?,
            Judgement::Undecided { why } => write!(f, "{} is not run: {why}", self.action)?,
            Judgement::Ended => write!(f, "{} is not run: the run has ended", self.action)?,
            Judgement::Blocked { .. } => match self.laws.len() {
                1 => write!(f, "{} is blocked by this law", self.action)?,
                count => write!(f, "{} is blocked by {count} laws together", self.action)?,
            },
        }
        for reason in &self.laws {
            write!(f, "\n  {} ({})", reason.law, reason.strength)?;
            if !reason.explanation.trim().is_empty() {
                write!(f, ": {}", sentence(&reason.explanation, ""))?;
            }
            write!(f, "\n    law       {}", reason.formula)?;
            if !reason.because.is_empty() {
                write!(f, "\n    because   {}", self.story(&reason.because))?;
            }
            let before: Vec<_> = reason.change.iter().map(|c| literal(&c.proposition, c.now)).collect();
            let after: Vec<_> =
                reason.change.iter().filter_map(|c| c.after.map(|holds| literal(&c.proposition, holds))).collect();
            write!(f, "\n    now       {}", before.join(" & "))?;
            if !after.is_empty() {
                let label = if self.laws.len() == 1 { "violated" } else { "after   " };
                write!(f, "\n    {label}  {}", after.join(" & "))?;
            }
        }
        if let Some(proviso) = self.proviso() {
            write!(f, "\n  {proviso}")?;
        }
        let conflict = |f: &mut fmt::Formatter<'_>, names: &[LawId], minimal: bool| {
            let proviso = if minimal { "" } else { "; some of them may not be needed" };
            write!(f, " (in conflict: {}{proviso})", names.join(", "))
        };
        match &self.enforcement {
            Enforcement::All | Enforcement::Ended => {}
            Enforcement::HardOnly { conflict: names, minimal } => {
                write!(f, "\nall laws together leave no action here, so only the hard ones are in force")?;
                conflict(f, names, *minimal)?;
            }
            Enforcement::Suspended { suspended, conflict: names, minimal, .. } => {
                let suspended = suspended.join(", ");
                write!(f, "\nall laws together leave no action here, so these are suspended: {suspended}")?;
                conflict(f, names, *minimal)?;
            }
            Enforcement::Nothing { conflict: names, minimal } => {
                write!(f, "\nnot even the hard laws leave an action here")?;
                conflict(f, names, *minimal)?;
            }
            Enforcement::Undecided { laws, .. } => {
                write!(f, "\nwhether the laws leave an action here could not be decided")?;
                if !laws.is_empty() {
                    write!(f, " (the search was about {})", laws.join(", "))?;
                }
            }
        }
        match self.allowed.len() {
            0 => {}
            _ => write!(f, "\nallowed now: {}", self.allowed.join(", "))?,
        }
        if !self.obligations.is_empty() {
            write!(f, "\nowed before stopping:")?;
            for owed in &self.obligations {
                write!(f, "\n  {}: {}", owed.law, owed.formula)?;
            }
        }
        Ok(())
    }
}

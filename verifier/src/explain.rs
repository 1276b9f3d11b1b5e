//! Why an action is blocked: which laws, which propositions made them bite, what is allowed instead, what is still owed.
//!
//! The Safety Chip (section III-F) tells a language model the constraint, the action, and the propositions in the safe
//! state and in the violated one, and lets another model put the reason into words. Here the reason is computed, so it is
//! always true: for a law `G(phi_s -> X phi_a)` the least part of the current letter that triggers it; for any other law
//! the truth of what it mentions, before and after.

mod implicant;

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use crate::law::Strength;
use crate::letter::Letter;
use crate::shield::{Enforcement, Judgement, Shield};
use crate::verdict::Verdict;
use crate::vocabulary::ActionId;

/// The most characters of a law's explanation that go into a text for models.
const MOST_TEXT: usize = 300;

/// The shield's word on an action in the state it was asked in, with its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The action's name.
    pub action: String,
    /// What the shield says of it.
    pub ruling: Ruling,
    /// The minimal set of laws that block it; empty unless blocked.
    pub laws: Vec<Reason>,
    /// Which laws are in force in this state.
    pub in_force: InForce,
    /// The actions that may run instead, in the vocabulary's order.
    pub allowed: Vec<String>,
    /// What must still be done before the run may stop.
    pub owed: Vec<Owed>,
}

/// What the shield says of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Ruling {
    /// It may run.
    Allowed,
    /// The laws leave no continuation after it.
    Blocked,
    /// It could not be decided, so it does not run.
    Unknown {
        /// Why not.
        why: String,
    },
}

/// Which laws are in force in a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "laws", rename_all = "snake_case")]
pub enum InForce {
    /// All.
    All,
    /// The hard ones: together the laws leave no action.
    HardOnly {
        /// The names of a minimal set of laws that leaves none; empty if it could not be found within the bounds.
        conflict: Vec<String>,
    },
    /// Not even the hard laws leave an action.
    Nothing {
        /// The names of a minimal set of hard laws that leaves none; empty if it could not be found within the bounds.
        conflict: Vec<String>,
    },
}

/// One law of those that block an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The law's name.
    pub law: String,
    /// Hard or soft.
    pub strength: Strength,
    /// The law, in infix syntax.
    pub formula: String,
    /// Why the law exists, in English.
    pub explanation: String,
    /// The law's verdict on the run so far.
    pub so_far: Verdict,
    /// What holds now and makes the law bite. For laws of the form `G(phi_s -> X phi_a)` the smallest such part of the
    /// letter, empty if it is only later that it bites; for others all that they mention except actions.
    pub because: Vec<Literal>,
    /// What the law mentions, now and after the action.
    pub change: Vec<Change>,
}

/// A proposition and its truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Literal {
    /// Its name.
    pub proposition: String,
    /// Whether it holds.
    pub holds: bool,
}

/// A proposition's truth before and after an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its name.
    pub proposition: String,
    /// Whether it holds now.
    pub now: bool,
    /// Whether it holds after the action; nothing if that is not known beforehand.
    pub after: Option<bool>,
}

/// A law that does not hold if the run stops now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owed {
    /// The law's name.
    pub law: String,
    /// The law, in infix syntax.
    pub formula: String,
    /// Why the law exists, in English.
    pub explanation: String,
}

impl Explanation {
    /// Asks the shield about an action and gathers its reasons. The shield's state does not change.
    pub fn new(shield: &mut Shield, action: ActionId) -> Self {
        let decision = shield.decide();
        let (ruling, blocking) = match shield.judge(action) {
            Judgement::Allowed => (Ruling::Allowed, Vec::new()),
            Judgement::Blocked { laws } => (Ruling::Blocked, laws),
            Judgement::Unknown { why } => (Ruling::Unknown { why: why.to_owned() }, Vec::new()),
        };
        let owed = shield.owed();
        let reasons = blocking.into_iter().map(|law| reason(shield, law, action)).collect();
        let names = |laws: &[usize]| laws.iter().map(|&law| shield.laws()[law].id.to_string()).collect();
        let in_force = match &decision.force {
            Enforcement::All => InForce::All,
            Enforcement::HardOnly { conflict } => InForce::HardOnly { conflict: names(conflict) },
            Enforcement::Nothing { conflict } => InForce::Nothing { conflict: names(conflict) },
        };
        let vocabulary = shield.vocabulary();
        Self {
            action: vocabulary.action_name(action).to_owned(),
            ruling,
            laws: reasons,
            in_force,
            allowed: decision.allowed.names(vocabulary).into_iter().map(str::to_owned).collect(),
            owed: owed
                .into_iter()
                .map(|law| &shield.laws()[law])
                .map(|law| Owed {
                    law: law.id.to_string(),
                    formula: law.formula.to_string(),
                    explanation: law.explanation.to_string(),
                })
                .collect(),
        }
    }

    /// A compact text for models: the ruling with its reasons, what is allowed, what is owed; one line each.
    pub fn brief(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_brief(&mut out);
        out
    }

    /// The first line of [`Explanation::brief`]: the ruling with its reasons.
    pub fn reasons(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_reasons(&mut out);
        out
    }

    fn write_reasons(&self, out: &mut dyn Write) -> fmt::Result {
        match &self.ruling {
            Ruling::Allowed => write!(out, "{} is allowed.", self.action)?,
            Ruling::Unknown { why } => write!(out, "{} was not run: {why}.", self.action)?,
            Ruling::Blocked if self.laws.len() == 1 => write!(out, "{} is blocked.", self.action)?,
            Ruling::Blocked => write!(out, "{} is blocked: these laws together leave no way on.", self.action)?,
        }
        for reason in &self.laws {
            write!(out, " Law {}: {}", reason.law, sentence(&reason.explanation, &reason.formula))?;
            if !reason.because.is_empty() {
                write!(out, " It applies because now: {}.", conjunction(&reason.because))?;
            }
        }
        Ok(())
    }

    fn write_brief(&self, out: &mut dyn Write) -> fmt::Result {
        self.write_reasons(out)?;
        match &self.in_force {
            InForce::All => {}
            InForce::HardOnly { .. } => {
                write!(out, "\nOnly the hard laws apply now: all laws together leave no action here.")?;
            }
            InForce::Nothing { .. } => write!(out, "\nThe laws leave no action here.")?,
        }
        if !self.allowed.is_empty() {
            write!(out, "\nAllowed now: {}.", self.allowed.join(", "))?;
        }
        if !self.owed.is_empty() {
            write!(out, "\nStill owed before stopping:")?;
            for owed in &self.owed {
                write!(out, " {} (law {})", sentence(&owed.explanation, &owed.formula), owed.law)?;
            }
        }
        Ok(())
    }
}

fn reason(shield: &mut Shield, law: usize, action: ActionId) -> Reason {
    let so_far = shield.verdict(law);
    let vocabulary = shield.vocabulary().clone();
    let now = shield.letter().copied().unwrap_or_default();
    let predicted = shield.predicted(action).map(|observations| Letter::after(&vocabulary, action, observations));
    let law = &shield.laws()[law];
    let mentioned: Vec<_> = (0..vocabulary.propositions().len())
        .map(|position| crate::vocabulary::PropId(position as u16))
        .filter(|id| law.formula.mentions(vocabulary.name_of(*id)))
        .collect();
    let because = implicant::trigger(&law.formula, &vocabulary, &now, action)
        .unwrap_or_else(|| mentioned.iter().copied().filter(|id| vocabulary.is_observation(*id)).collect());
    let because = because
        .into_iter()
        .map(|id| Literal { proposition: vocabulary.name_of(id).to_owned(), holds: now.holds(id) })
        .collect();
    let change = mentioned
        .into_iter()
        .map(|id| Change {
            proposition: vocabulary.name_of(id).to_owned(),
            now: now.holds(id),
            after: match vocabulary.as_action(id) {
                Some(mentioned) => Some(mentioned == action),
                None => predicted.map(|letter| letter.holds(id)),
            },
        })
        .collect();
    Reason {
        law: law.id.to_string(),
        strength: law.strength,
        formula: law.formula.to_string(),
        explanation: law.explanation.to_string(),
        so_far,
        because,
        change,
    }
}

fn literal(name: &str, holds: bool) -> String {
    format!("{}{name}", if holds { "" } else { "!" })
}

fn conjunction(literals: &[Literal]) -> String {
    literals.iter().map(|l| literal(&l.proposition, l.holds)).collect::<Vec<_>>().join(" & ")
}

/// A law's explanation as one sentence on one line, bounded; the formula if there is none.
fn sentence(explanation: &str, formula: &str) -> String {
    let text = if explanation.trim().is_empty() { formula } else { explanation };
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(MOST_TEXT) {
        words.truncate(end);
        words.push('…');
    }
    if !words.ends_with(['.', '!', '?', '…']) {
        words.push('.');
    }
    words
}

/// For people: over several lines, laws with their formulas and the change of state.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.ruling {
            Ruling::Allowed => write!(f, "{} is allowed", self.action)?,
            Ruling::Unknown { why } => write!(f, "{} is not run: {why}", self.action)?,
            Ruling::Blocked => match self.laws.len() {
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
                write!(f, "\n    because   {}", conjunction(&reason.because))?;
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
        let conflict = |f: &mut fmt::Formatter<'_>, names: &[String]| match names {
            [] => Ok(()),
            names => write!(f, " (in conflict: {})", names.join(", ")),
        };
        match &self.in_force {
            InForce::All => {}
            InForce::HardOnly { conflict: names } => {
                write!(f, "\nall laws together leave no action here, so only the hard ones are in force")?;
                conflict(f, names)?;
            }
            InForce::Nothing { conflict: names } => {
                write!(f, "\nnot even the hard laws leave an action here")?;
                conflict(f, names)?;
            }
        }
        match self.allowed.len() {
            0 => {}
            _ => write!(f, "\nallowed now: {}", self.allowed.join(", "))?,
        }
        if !self.owed.is_empty() {
            write!(f, "\nowed before stopping:")?;
            for owed in &self.owed {
                write!(f, "\n  {}: {}", owed.law, owed.formula)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! Why an action is blocked: which laws, which propositions trigger them, what is allowed instead, what is still owed.
//!
//! The Safety Chip (section III-F) tells a language model the constraint, the action, and the propositions in the safe
//! state and in the violated one, and lets another model put the reason into words. Here the reason is computed, so it is
//! always true: for a law `G(phi_s -> X phi_a)` the least part of the current letter that triggers it; for any other law
//! the truth of what it mentions, before and after.

mod implicant;

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use crate::judgement::{Enforcement, Judgement};
use crate::law::{Law, LawId, Strength};
use crate::letter::Letter;
use crate::shield::Shield;
use crate::verdict::Verdict;
use crate::vocabulary::ActionId;

/// The most characters of a law's explanation that go into a text for models.
const MOST_TEXT: usize = 300;

/// The shield's word on an action in the state it was asked in, with its reasons.
///
/// ```
/// use std::sync::Arc;
/// use ltlcrit_verifier::{Explanation, Law, Shield, ShieldOptions, Vocabulary};
///
/// let doors = Arc::new(Vocabulary::builder("doors").observation("obs_dark").action("action_open").build()?);
/// let law = Law::hard("light", "G(obs_dark -> X !action_open)".parse()?, "Do not open doors in the dark.");
/// let mut shield = Shield::new(doors.clone(), vec![law], ShieldOptions::default())?;
/// shield.start(doors.set(["obs_dark"])?);
/// let why = Explanation::new(&mut shield, doors.action("action_open").unwrap()).reasons();
/// assert_eq!(
///     why,
///     "action_open is blocked. Law light: Do not open doors in the dark. It applies because now: obs_dark."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The action's name.
    pub action: String,
    /// What the shield says of it.
    pub judgement: Judgement,
    /// Why each law of a minimal set blocks it; empty unless blocked.
    pub laws: Vec<Reason>,
    /// Which laws are enforced in this state.
    pub enforcement: Enforcement,
    /// The actions that may run instead, in the vocabulary's order.
    pub allowed: Vec<String>,
    /// What must still be done before the run may stop.
    pub obligations: Vec<Obligation>,
}

/// One law of those that block an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The law's name.
    pub law: LawId,
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
pub struct Obligation {
    /// The law's name.
    pub law: LawId,
    /// The law, in infix syntax.
    pub formula: String,
    /// Why the law exists, in English.
    pub explanation: String,
}

impl Explanation {
    /// Asks the shield about an action and gathers its reasons. The shield's state does not change.
    pub fn new(shield: &mut Shield, action: ActionId) -> Self {
        let decision = shield.decide();
        let judgement = shield.judge(action);
        let obligations = shield.obligations();
        let reasons = judgement.laws().iter().filter_map(|law| reason(shield, law, action)).collect();
        let vocabulary = shield.vocabulary();
        Self {
            action: vocabulary.action_name(action).to_owned(),
            judgement,
            laws: reasons,
            enforcement: decision.enforcement,
            allowed: decision.allowed.names(vocabulary).into_iter().map(str::to_owned).collect(),
            obligations: shield.laws().iter().filter(|law| obligations.contains(&law.id)).map(obligation).collect(),
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
        match &self.judgement {
            Judgement::Allowed => write!(out, "{} is allowed.", self.action)?,
            Judgement::Undecided { why } => write!(out, "{} was not run: {why}.", self.action)?,
            Judgement::Blocked { .. } if self.laws.len() == 1 => write!(out, "{} is blocked.", self.action)?,
            Judgement::Blocked { .. } => {
                write!(out, "{} is blocked: these laws together leave no way on.", self.action)?
            }
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
        match &self.enforcement {
            Enforcement::All => {}
            Enforcement::HardOnly { .. } => {
                write!(out, "\nOnly the hard laws apply now: all laws together leave no action here.")?;
            }
            Enforcement::Nothing { .. } => write!(out, "\nThe laws leave no action here.")?,
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
}

fn obligation(law: &Law) -> Obligation {
    Obligation { law: law.id.clone(), formula: law.formula.to_string(), explanation: law.explanation.to_string() }
}

fn reason(shield: &mut Shield, law: &LawId, action: ActionId) -> Option<Reason> {
    let so_far = shield.verdict(law)?;
    let vocabulary = shield.vocabulary().clone();
    let now = shield.letter().copied().unwrap_or_default();
    let predicted = shield.predicted(action).map(|observations| Letter::after(&vocabulary, action, observations));
    let law = shield.laws().iter().find(|other| other.id == *law)?;
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
    Some(Reason {
        law: law.id.clone(),
        strength: law.strength,
        formula: law.formula.to_string(),
        explanation: law.explanation.to_string(),
        so_far,
        because,
        change,
    })
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
        match &self.judgement {
            Judgement::Allowed => write!(f, "{} is allowed", self.action)?,
            Judgement::Undecided { why } => write!(f, "{} is not run: {why}", self.action)?,
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
        let conflict = |f: &mut fmt::Formatter<'_>, names: &[LawId]| match names {
            [] => Ok(()),
            names => write!(f, " (in conflict: {})", names.join(", ")),
        };
        match &self.enforcement {
            Enforcement::All => {}
            Enforcement::HardOnly { conflict: names } => {
                write!(f, "\nall laws together leave no action here, so only the hard ones are in force")?;
                conflict(f, names)?;
            }
            Enforcement::Nothing { conflict: names } => {
                write!(f, "\nnot even the hard laws leave an action here")?;
                conflict(f, names)?;
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

#[cfg(test)]
mod tests;

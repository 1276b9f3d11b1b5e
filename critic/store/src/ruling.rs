//! Rulings of the gate, with counterexamples worded for people and models.

use std::fmt;
use std::sync::Arc;

use ltlcrit_laws::Evidence;
use serde::{Deserialize, Serialize};

use crate::LawId;

/// The gate's ruling on a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "kebab-case")]
pub enum GateRuling {
    /// The law was added to the book.
    Admitted {
        /// Its id.
        law: LawId,
    },
    /// The law was added to the book, and is in force only in the episodes that test it.
    OnTrial {
        /// Its id.
        law: LawId,
        /// The reason why it was not admitted at once.
        refusal: Refusal,
    },
    /// The law was retired.
    Retired {
        /// The law.
        law: LawId,
    },
    /// The book stays as it is.
    Refused {
        /// The reason.
        refusal: Refusal,
    },
}

/// A name the vocabulary does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The most similar existing name.
    pub suggestion: Option<String>,
}

/// The reason why a law is not admitted. The variants are in the order of the gate's checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Refusal {
    /// The formula cannot be read.
    Syntax {
        /// The place and the reason.
        message: String,
    },
    /// It is not of the form `G(phi_s -> X phi_a)`.
    #[serde(rename = "not-of-the-form")]
    NotGuarded {
        /// The reason.
        why: String,
    },
    /// It mentions propositions that do not exist.
    UnknownPropositions {
        /// The unknown names.
        names: Vec<UnknownName>,
    },
    /// Its demand leaves no action but stopping.
    NoActionLeft {
        /// The demand.
        demand: String,
    },
    /// No evidence is given.
    NoEvidence {
        /// A step where the condition held, if there is one.
        holds_at: Option<Evidence>,
    },
    /// A cited step does not exist.
    NoSuchStep {
        /// The cited step.
        cited: Evidence,
    },
    /// The condition held in no cited step.
    NotGrounded {
        /// The first cited step.
        cited: Evidence,
        /// The observations that held before it.
        state: Vec<String>,
        /// A step where the condition held, if there is one.
        holds_at: Option<Evidence>,
    },
    /// No cited step supports the law.
    NotShown {
        /// The first cited step.
        cited: Evidence,
        /// Its action.
        action: String,
        /// True if the law blocks it there. The action then neither failed nor was needless.
        blocked: bool,
        /// A step that supports the law, if there is one.
        shown_at: Option<Evidence>,
    },
    /// Other laws imply it.
    Implied {
        /// These laws; empty if the law forbids nothing.
        by: Vec<Arc<str>>,
    },
    /// Other laws imply the part of it that steps support, and no step supports the rest.
    RestNotShown {
        /// These laws.
        by: Vec<Arc<str>>,
        /// The rest: actions, each with the condition under which it is forbidden.
        rest: Vec<String>,
    },
    /// The book had an equal law, which proved useless.
    ProvedUseless {
        /// That law.
        law: Arc<str>,
        /// Its effect.
        why: String,
    },
    /// It would leave no action but stopping in some state.
    OverConstrains {
        /// The observations that hold in such a state.
        state: Vec<String>,
        /// A minimal set of other laws that leave no action there, together with it.
        laws: Vec<Arc<str>>,
    },
    /// In some observed state, it would leave only actions that always failed or changed nothing there.
    LeavesFruitless {
        /// The observations that hold in such a state.
        state: Vec<String>,
        /// The actions left.
        left: Vec<String>,
        /// A minimal set of other laws that leave no other action there, together with it.
        laws: Vec<Arc<str>>,
    },
    /// The book already leaves no action in some state, which must be resolved before laws are added.
    BookOverConstrained {
        /// The observations that hold in such a state.
        state: Vec<String>,
        /// A minimal set of laws that leave no action there.
        laws: Vec<Arc<str>>,
    },
    /// A proof was not found within the bounds.
    Undecided {
        /// The claim.
        question: String,
    },
    /// It would have blocked a step that a run needed to reach its goal, without leaving an action that is as fast.
    BlocksGoodStep {
        /// The step.
        step: Evidence,
        /// Its action.
        action: String,
        /// The observations that held before it.
        state: Vec<String>,
    },
    /// The book has no such law in force.
    NoSuchLaw {
        /// The law.
        law: Arc<str>,
    },
    /// The law is hard or of another book, so no critic may change it.
    NotChangeable {
        /// The law.
        law: Arc<str>,
    },
    /// The state is impossible, because it breaks an axiom of the vocabulary.
    ImpossibleState {
        /// The axiom.
        axiom: String,
        /// Its reason, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<Arc<str>>,
    },
    /// The law takes part in no conflict in that state.
    NoConflict {
        /// The law.
        law: Arc<str>,
        /// The observations that hold there.
        state: Vec<String>,
        /// The actions left there without it; empty if other laws leave no action either.
        left: Vec<String>,
    },
    /// The replacement blocks something that the replaced law does not.
    NotWeaker {
        /// The replaced law.
        law: Arc<str>,
    },
    /// The replacement does not resolve the conflict.
    LiftsNothing {
        /// The observations that hold in the state of the conflict.
        state: Vec<String>,
        /// The laws that leave no action there, together with it.
        laws: Vec<Arc<str>>,
    },
    /// The cause given against the law is wrong or lacks support.
    NotDue {
        /// The known facts.
        why: String,
    },
}

impl Refusal {
    /// Returns the conflicting laws: without them, the gate might have ruled otherwise.
    pub fn laws_in_the_way(&self) -> &[Arc<str>] {
        match self {
            Self::Implied { by: laws }
            | Self::OverConstrains { laws, .. }
            | Self::LeavesFruitless { laws, .. }
            | Self::BookOverConstrained { laws, .. } => laws,
            _ => &[],
        }
    }

    /// Returns a stable word for the kind of refusal, as used in records.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "syntax",
            Self::NotGuarded { .. } => "not-of-the-form",
            Self::UnknownPropositions { .. } => "unknown-propositions",
            Self::NoActionLeft { .. } => "no-action-left",
            Self::NoEvidence { .. } => "no-evidence",
            Self::NoSuchStep { .. } => "no-such-step",
            Self::NotGrounded { .. } => "not-grounded",
            Self::NotShown { .. } => "not-shown",
            Self::Implied { .. } => "implied",
            Self::RestNotShown { .. } => "rest-not-shown",
            Self::ProvedUseless { .. } => "proved-useless",
            Self::OverConstrains { .. } => "over-constrains",
            Self::LeavesFruitless { .. } => "leaves-fruitless",
            Self::BookOverConstrained { .. } => "book-over-constrained",
            Self::Undecided { .. } => "undecided",
            Self::BlocksGoodStep { .. } => "blocks-good-step",
            Self::NoSuchLaw { .. } => "no-such-law",
            Self::NotChangeable { .. } => "not-changeable",
            Self::ImpossibleState { .. } => "impossible-state",
            Self::NoConflict { .. } => "no-conflict",
            Self::NotWeaker { .. } => "not-weaker",
            Self::LiftsNothing { .. } => "lifts-nothing",
            Self::NotDue { .. } => "not-due",
        }
    }
}

fn state(names: &[String]) -> String {
    if names.is_empty() { "where no observation holds".to_owned() } else { format!("where {} hold", names.join(", ")) }
}

fn elsewhere(holds_at: Option<&Evidence>) -> String {
    match holds_at {
        Some(step) => format!("; it held before {step}: cite that"),
        None => "; no step shows that it is right".to_owned(),
    }
}

fn laws(names: &[Arc<str>]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { message } => write!(f, "the formula cannot be read: {message}"),
            Self::NotGuarded { why } => write!(f, "it is not of the form G(phi_s -> X phi_a): {why}"),
            Self::UnknownPropositions { names } => {
                f.write_str("the vocabulary has no ")?;
                for (at, unknown) in names.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    write!(f, "{comma}`{}`", unknown.name)?;
                    if let Some(suggestion) = &unknown.suggestion {
                        write!(f, " (did you mean `{suggestion}`?)")?;
                    }
                }
                Ok(())
            }
            Self::NoActionLeft { demand } => write!(f, "`{demand}` leaves no action but stopping"),
            Self::NoEvidence { holds_at } => {
                write!(f, "it cites no step in which its condition held{}", elsewhere(holds_at.as_ref()))
            }
            Self::NoSuchStep { cited } => write!(f, "it cites {cited}, which does not exist"),
            Self::NotGrounded { cited, state: holds, holds_at } => {
                let elsewhere = elsewhere(holds_at.as_ref());
                write!(f, "its condition does not hold before {cited}, {}{elsewhere}", state(holds))
            }
            Self::NotShown { cited, action, blocked, shown_at } => {
                let fault =
                    if *blocked { "and neither failed nor was needless" } else { "which it does not block there" };
                write!(f, "at the cited {cited} the action was {action}, {fault}")?;
                match shown_at {
                    Some(step) => write!(f, "; what it blocks failed or was needless at {step}: cite that"),
                    None => f.write_str("; nothing that it blocks ever failed or was needless"),
                }
            }
            Self::Implied { by } if by.is_empty() => f.write_str("it forbids nothing"),
            Self::Implied { by } => write!(f, "it adds nothing to {}", laws(by)),
            Self::RestNotShown { by, rest } => write!(
                f,
                "what steps show of it adds nothing to {}; nothing that failed or was needless shows the rest: {}",
                laws(by),
                rest.join("; ")
            ),
            Self::ProvedUseless { law, why } => write!(f, "it is `{law}` again, which was retired: {why}"),
            Self::OverConstrains { state: holds, laws: others } => {
                let with = if others.is_empty() { String::new() } else { format!(" together with {}", laws(others)) };
                write!(f, "{}, it would leave no action but stopping{with}", state(holds))
            }
            Self::LeavesFruitless { state: holds, left, laws: others } => {
                let with = if others.is_empty() { String::new() } else { format!(" together with {}", laws(others)) };
                write!(
                    f,
                    "{}, it would leave only {}{with}, and that always failed or changed nothing there",
                    state(holds),
                    left.join(", ")
                )
            }
            Self::BookOverConstrained { state: holds, laws: others } => write!(
                f,
                "{}, the laws in force leave no action but stopping already: {}; resolve that first",
                state(holds),
                laws(others)
            ),
            Self::Undecided { question } => write!(f, "it could not be proved within the bounds that {question}"),
            Self::BlocksGoodStep { step, action, state: holds } => {
                write!(
                    f,
                    "it would have blocked {action} at {step}, which that run needed to reach the goal, and nothing it leaves is \
                     known to lead there as fast, {}",
                    state(holds)
                )
            }
            Self::NoSuchLaw { law } => write!(f, "no law `{law}` is in force"),
            Self::NotChangeable { law } => {
                write!(
                    f,
                    "`{law}` is not a soft law of the book that is learned: only those can be replaced or retired"
                )
            }
            Self::ImpossibleState { axiom, because } => {
                let because = because.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
                write!(f, "no such state exists: it breaks the axiom `{axiom}`{because}")
            }
            Self::NoConflict { law, state: holds, left } if left.is_empty() => {
                write!(f, "{}, `{law}` blocks nothing that would be left without it", state(holds))
            }
            Self::NoConflict { law, state: holds, left } => {
                write!(
                    f,
                    "{}, there is no conflict for `{law}` to be part of: {} is left",
                    state(holds),
                    left.join(", ")
                )
            }
            Self::NotWeaker { law } => {
                write!(
                    f,
                    "it blocks something `{law}` does not: a replacement has to block less; propose what is new by itself"
                )
            }
            Self::LiftsNothing { state: holds, laws: others } => {
                write!(f, "{}, it leaves no action together with {} either", state(holds), laws(others))
            }
            Self::NotDue { why } => f.write_str(why),
        }
    }
}

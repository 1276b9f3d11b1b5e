//! Rulings of the gate, with counterexamples worded for people and models.

use std::fmt;
use std::sync::Arc;

use ltlcrit_laws::Evidence;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use thiserror::Error;

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
#[derive(Clone, Debug, Error, IntoStaticStr, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Refusal {
    /// The formula cannot be read.
    #[error("the formula cannot be read: {message}")]
    Syntax {
        /// The place and the reason.
        message: String,
    },
    /// It is not of the form `G(phi_s -> X phi_a)`.
    #[serde(rename = "not-of-the-form")]
    #[strum(serialize = "not-of-the-form")]
    #[error("it is not of the form G(phi_s -> X phi_a): {why}")]
    NotGuarded {
        /// The reason.
        why: String,
    },
    /// It mentions propositions that do not exist.
    #[error("the vocabulary has no {}", list(names))]
    UnknownPropositions {
        /// The unknown names.
        names: Vec<UnknownName>,
    },
    /// Its demand leaves no action but stopping.
    #[error("`{demand}` leaves no action but stopping")]
    NoActionLeft {
        /// The demand.
        demand: String,
    },
    /// No evidence is given.
    #[error("it cites no step in which its condition held{}", elsewhere(*holds_at))]
    NoEvidence {
        /// A step where the condition held, if there is one.
        holds_at: Option<Evidence>,
    },
    /// A cited step does not exist.
    #[error("it cites {cited}, which does not exist")]
    NoSuchStep {
        /// The cited step.
        cited: Evidence,
    },
    /// The condition held in no cited step.
    #[error("its condition does not hold before {cited}, {}{}", place(state), elsewhere(*holds_at))]
    NotGrounded {
        /// The first cited step.
        cited: Evidence,
        /// The observations that held before it.
        state: Vec<String>,
        /// A step where the condition held, if there is one.
        holds_at: Option<Evidence>,
    },
    /// No cited step supports the law.
    #[error(
        "at the cited {cited} the action was {action}, {}; nothing that it blocks ever failed or was needless",
        fault(*blocked)
    )]
    NotShown {
        /// The first cited step.
        cited: Evidence,
        /// Its action.
        action: String,
        /// True if the law blocks it there. The action then neither failed nor was needless.
        blocked: bool,
    },
    /// Other laws imply it.
    #[error("{}", implied(by))]
    Implied {
        /// These laws; empty if the law forbids nothing.
        by: Vec<Arc<str>>,
    },
    /// The book had an equal law, which proved useless.
    #[error("it is `{law}` again, which was retired: {why}")]
    ProvedUseless {
        /// That law.
        law: Arc<str>,
        /// Its effect.
        why: String,
    },
    /// It would leave no action but stopping in some state.
    #[error("{}, it would leave no action but stopping{}", place(state), together(laws))]
    OverConstrains {
        /// The observations that hold in such a state.
        state: Vec<String>,
        /// A minimal set of other laws that leave no action there, together with it.
        laws: Vec<Arc<str>>,
    },
    /// The book already leaves no action in some state, which must be resolved before laws are added.
    #[error(
        "{}, the laws in force leave no action but stopping already: {}; resolve that first",
        place(state),
        quoted(laws)
    )]
    BookOverConstrained {
        /// The observations that hold in such a state.
        state: Vec<String>,
        /// A minimal set of laws that leave no action there.
        laws: Vec<Arc<str>>,
    },
    /// A proof was not found within the bounds.
    #[error("it could not be proved within the bounds that {question}")]
    Undecided {
        /// The claim.
        question: String,
    },
    /// It would have blocked a step that a run needed to reach its goal, without leaving an action that is as fast.
    #[error(
        "it would have blocked {action} at {step}, which that run needed to reach the goal, and nothing it leaves is known \
         to lead there as fast, {}",
        place(state)
    )]
    BlocksGoodStep {
        /// The step.
        step: Evidence,
        /// Its action.
        action: String,
        /// The observations that held before it.
        state: Vec<String>,
    },
    /// The book has no such law in force.
    #[error("no law `{law}` is in force")]
    NoSuchLaw {
        /// The law.
        law: Arc<str>,
    },
    /// The law is hard or of another book, so no critic may change it.
    #[error("`{law}` is not a soft law of the book that is learned: only those can be replaced or retired")]
    NotChangeable {
        /// The law.
        law: Arc<str>,
    },
    /// The state is impossible, because it breaks an axiom of the vocabulary.
    #[error("no such state exists: it breaks the axiom `{axiom}`{}", reason(because.as_ref()))]
    ImpossibleState {
        /// The axiom.
        axiom: String,
        /// Its reason, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<Arc<str>>,
    },
    /// The law takes part in no conflict in that state.
    #[error("{}, {}", place(state), no_conflict(law, left))]
    NoConflict {
        /// The law.
        law: Arc<str>,
        /// The observations that hold there.
        state: Vec<String>,
        /// The actions left there without it; empty if other laws leave no action either.
        left: Vec<String>,
    },
    /// The replacement blocks something that the replaced law does not.
    #[error("it blocks something `{law}` does not: a replacement has to block less; propose what is new by itself")]
    NotWeaker {
        /// The replaced law.
        law: Arc<str>,
    },
    /// The replacement does not resolve the conflict.
    #[error("{}, it leaves no action together with {} either", place(state), quoted(laws))]
    LiftsNothing {
        /// The observations that hold in the state of the conflict.
        state: Vec<String>,
        /// The laws that leave no action there, together with it.
        laws: Vec<Arc<str>>,
    },
    /// The cause given against the law is wrong or lacks support.
    #[error("{why}")]
    NotDue {
        /// The known facts.
        why: String,
    },
}

impl Refusal {
    /// Returns a stable word for the kind of refusal, as used in records.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        self.suggestion.iter().try_for_each(|name| write!(f, " (did you mean `{name}`?)"))
    }
}

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

fn quoted(laws: &[Arc<str>]) -> String {
    list(&laws.iter().map(|law| format!("`{law}`")).collect::<Vec<_>>())
}

fn together(laws: &[Arc<str>]) -> String {
    if laws.is_empty() { String::new() } else { format!(" together with {}", quoted(laws)) }
}

fn place(holds: &[String]) -> String {
    if holds.is_empty() { "where no observation holds".to_owned() } else { format!("where {} hold", holds.join(", ")) }
}

fn elsewhere(holds_at: Option<Evidence>) -> String {
    match holds_at {
        Some(step) => format!("; it held before {step}: cite that"),
        None => "; no step shows that it is right".to_owned(),
    }
}

fn fault(is_blocked: bool) -> &'static str {
    if is_blocked { "and neither failed nor was needless" } else { "which it does not block there" }
}

fn implied(by: &[Arc<str>]) -> String {
    if by.is_empty() { "it forbids nothing".to_owned() } else { format!("it adds nothing to {}", quoted(by)) }
}

fn reason(because: Option<&Arc<str>>) -> String {
    because.map_or_else(String::new, |reason| format!(" ({reason})"))
}

fn no_conflict(law: &str, left: &[String]) -> String {
    match left {
        [] => format!("`{law}` blocks nothing that would be left without it"),
        left => format!("there is no conflict for `{law}` to be part of: {} is left", left.join(", ")),
    }
}

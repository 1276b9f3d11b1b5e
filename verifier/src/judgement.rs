//! The results of a shield: the laws enforced, the actions allowed, and the laws that block the others.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::actions::ActionSet;
use crate::law::LawId;
use crate::vocabulary::{ActionId, UnknownProposition, Vocabulary};

/// The shield's judgement of one action.
///
/// ```
/// use ltlcrit_verifier::{Judgement, Undecided};
///
/// let blocked = Judgement::Blocked { laws: vec!["answer".into(), "handle".into()], minimal: true };
/// assert!(!blocked.is_allowed());
/// assert_eq!(blocked.laws().len(), 2);
/// assert!(Judgement::Undecided { why: Undecided::OutOfBudget }.laws().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Judgement {
    /// Some continuation satisfies every enforced law.
    Allowed,
    /// No continuation satisfies every enforced law.
    Blocked {
        /// Laws that together have no continuation, in their given order. Never empty.
        laws: Vec<LawId>,
        /// True if none of them can be left out; `false` if proving that exceeded
        /// [`ShieldOptions::explanation_budget`](crate::ShieldOptions::explanation_budget).
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
    },
    /// The action could not be judged; it must not run.
    Undecided {
        /// The reason.
        why: Undecided,
    },
    /// The run has ended, by `action_stop` or by [`Shield::finish`](crate::Shield::finish): no action may run.
    Ended,
}

impl Judgement {
    /// Returns whether the action may run.
    pub fn is_allowed(&self) -> bool {
        *self == Self::Allowed
    }

    /// Returns the laws that block the action; empty unless it is blocked.
    pub fn laws(&self) -> &[LawId] {
        match self {
            Self::Blocked { laws, .. } => laws,
            Self::Allowed | Self::Undecided { .. } | Self::Ended => &[],
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allowed => f.write_str("allowed"),
            Self::Blocked { laws, .. } => write!(f, "blocked by {}", laws.join(", ")),
            Self::Undecided { .. } => f.write_str("undecided"),
            Self::Ended => f.write_str("the run has ended"),
        }
    }
}

/// The reason why an action could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Undecided {
    /// No letter has been read yet.
    NotStarted,
    /// The action is not in the vocabulary.
    UnknownAction,
    /// The search exceeded [`ShieldOptions::budget`](crate::ShieldOptions::budget).
    OutOfBudget,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotStarted => "the run has not started: no letter was read",
            Self::UnknownAction => "the vocabulary has no such action",
            Self::OutOfBudget => "the search for a continuation exceeded its bounds",
        })
    }
}

/// The laws that are enforced in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Enforcement {
    /// All laws.
    All,
    /// The hard laws: it is proved that all laws together leave no action but stopping.
    HardOnly {
        /// Laws that leave no action. Never empty.
        conflict: Vec<LawId>,
        /// True if none of them can be left out, as in [`Judgement::Blocked`].
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
    },
    /// The hard laws and the soft ones that are not suspended, as in [`Fallback::OneByOne`](crate::Fallback::OneByOne).
    /// It is proved that all laws together leave no action but stopping.
    Suspended {
        /// The suspended soft laws, in the order in which they did not fit. Never empty, and never all soft laws: that
        /// case is [`Enforcement::HardOnly`].
        suspended: Vec<LawId>,
        /// Laws that together leave no action. Never empty.
        conflict: Vec<LawId>,
        /// True if none of the laws in conflict can be left out, as in [`Judgement::Blocked`].
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
        /// True if each suspended law is proved not to fit; `false` if a search exceeded its bounds.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        proved: bool,
    },
    /// No law: it is proved that even the hard laws alone leave no action, so the run must end safely.
    Nothing {
        /// Hard laws that leave no action. Never empty.
        conflict: Vec<LawId>,
        /// True if none of them can be left out, as in [`Judgement::Blocked`].
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
    },
    /// It could not be decided whether the laws leave an action but stopping, even with
    /// [`ShieldOptions::raise`](crate::ShieldOptions::raise) times the budget. No undecided action may run. No soft law
    /// is suspended without proof that the laws are over-constrained. So the run must end safely.
    Undecided {
        /// The actions that stayed undecided. Never empty.
        actions: Vec<ActionId>,
        /// The laws in the searches that exceeded the budget, sorted by the number of such searches. Empty only before
        /// the first letter.
        laws: Vec<LawId>,
    },
    /// No law, because the run has ended: see [`Judgement::Ended`].
    Ended,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_true(value: &bool) -> bool {
    *value
}

impl Enforcement {
    /// Returns the laws that together leave no action; empty if all laws are enforced, or if it could not be decided.
    pub fn conflict(&self) -> &[LawId] {
        match self {
            Self::All | Self::Undecided { .. } | Self::Ended => &[],
            Self::HardOnly { conflict, .. } | Self::Suspended { conflict, .. } | Self::Nothing { conflict, .. } => {
                conflict
            }
        }
    }

    /// Returns whether soft laws are suspended.
    pub fn is_fallback(&self) -> bool {
        matches!(self, Self::HardOnly { .. } | Self::Suspended { .. })
    }
}

/// The shield's decision in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The actions that the enforced laws allow.
    pub allowed: ActionSet,
    /// The actions that could not be judged within the budget. They must not run, although nothing is proved against
    /// them. Every action that is neither allowed nor undecided is blocked.
    pub undecided: ActionSet,
    /// The enforced laws.
    pub enforcement: Enforcement,
    /// True if the budget was raised because at first only stopping was allowed and some action was undecided.
    pub raised: bool,
    /// Hard laws that are judged cooperatively here, because no action is guaranteed to satisfy them for all its
    /// predicted outcomes. Empty unless [predictions were given](crate::Shield::predict).
    pub relaxed: Vec<LawId>,
}

/// A decision with the names of actions, to be stored or sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedDecision {
    /// The actions that the enforced laws allow.
    pub allowed: Vec<String>,
    /// The actions that could not be judged within the budget.
    pub undecided: Vec<String>,
    /// The enforced laws. Undecided actions are not listed here once more.
    pub enforcement: Enforcement,
    /// As in [`Decision::raised`].
    pub raised: bool,
    /// As in [`Decision::relaxed`].
    pub relaxed: Vec<LawId>,
}

impl Decision {
    /// Returns the decision with the names of actions.
    pub fn named(&self, vocabulary: &Vocabulary) -> NamedDecision {
        let names = |actions: &ActionSet| actions.names(vocabulary).into_iter().map(str::to_owned).collect();
        let mut enforcement = self.enforcement.clone();
        if let Enforcement::Undecided { actions, .. } = &mut enforcement {
            actions.clear();
        }
        let (allowed, undecided) = (names(&self.allowed), names(&self.undecided));
        NamedDecision { allowed, undecided, enforcement, raised: self.raised, relaxed: self.relaxed.clone() }
    }
}

impl NamedDecision {
    /// Returns the decision over a vocabulary; the name of an action that it does not have is the error.
    pub fn over(&self, vocabulary: &Vocabulary) -> Result<Decision, UnknownProposition> {
        let numbered = |names: &[String]| -> Result<ActionSet, UnknownProposition> {
            names.iter().map(|name| vocabulary.action(name).ok_or_else(|| vocabulary.unknown(name))).collect()
        };
        let (allowed, undecided) = (numbered(&self.allowed)?, numbered(&self.undecided)?);
        let mut enforcement = self.enforcement.clone();
        if let Enforcement::Undecided { actions, .. } = &mut enforcement {
            actions.extend(undecided.iter().filter(|action| Some(*action) != vocabulary.stop()));
        }
        Ok(Decision { allowed, undecided, enforcement, raised: self.raised, relaxed: self.relaxed.clone() })
    }
}

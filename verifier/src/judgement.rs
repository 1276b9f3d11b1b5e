//! What a shield says: which laws are enforced, which actions may run, and which laws block the others.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::actions::ActionSet;
use crate::law::LawId;
use crate::vocabulary::ActionId;

/// The shield's word on one action.
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
    /// Some continuation satisfies every law enforced.
    Allowed,
    /// No continuation does.
    Blocked {
        /// Laws that together leave no continuation, in the order they were given. Never empty.
        laws: Vec<LawId>,
        /// Whether none of them can be left out; `false` if finding that out exceeded
        /// [`ShieldOptions::explanation_budget`](crate::ShieldOptions::explanation_budget).
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
    },
    /// It could not be decided; the action must not run.
    Undecided {
        /// Why not.
        why: Undecided,
    },
    /// The run has ended, by `action_stop` or by [`Shield::finish`](crate::Shield::finish): no action may run.
    Ended,
}

impl Judgement {
    /// Whether the action may run.
    pub fn is_allowed(&self) -> bool {
        *self == Self::Allowed
    }

    /// The laws that block the action; none unless it is blocked.
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

/// Why an action could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Undecided {
    /// No letter was read yet.
    NotStarted,
    /// The action is not one of the vocabulary's.
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

/// Which laws are enforced in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Enforcement {
    /// All of them.
    All,
    /// The hard ones: it is proved that all of them together leave no action but stopping.
    HardOnly {
        /// Laws that leave none. Never empty.
        conflict: Vec<LawId>,
        /// Whether none of them can be left out, as in [`Judgement::Blocked`].
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
    },
    /// The hard laws and the soft ones that are not suspended: it is proved that all of them together leave no action but
    /// stopping, as in [`Fallback::OneByOne`](crate::Fallback::OneByOne).
    Suspended {
        /// The soft laws that give way, in the order they do not fit. Never empty, and never all soft laws: that is
        /// [`Enforcement::HardOnly`].
        suspended: Vec<LawId>,
        /// Laws that leave no action together. Never empty.
        conflict: Vec<LawId>,
        /// Whether none of the laws in conflict can be left out, as in [`Judgement::Blocked`].
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
        /// Whether each suspended law is proved not to fit; `false` if a search exceeded its bounds.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        proved: bool,
    },
    /// It is proved that not even the hard laws alone leave an action: the run must end safely.
    Nothing {
        /// Hard laws that leave none. Never empty.
        conflict: Vec<LawId>,
        /// Whether none of them can be left out, as in [`Judgement::Blocked`].
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
    },
    /// It could not be decided whether the laws leave an action but stopping, not even with
    /// [`ShieldOptions::raise`](crate::ShieldOptions::raise) times the budget. No undecided action may run, and no soft law
    /// is set aside without proof that the laws are over-constrained: the run must end safely.
    Undecided {
        /// The actions that were left undecided. Never empty.
        actions: Vec<ActionId>,
        /// The laws in the searches that ran out, those of most searches first. Empty only before the first letter.
        laws: Vec<LawId>,
    },
    /// None, because the run has ended: see [`Judgement::Ended`].
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
    /// The laws that leave no action together; none where all are enforced, or where it could not be decided.
    pub fn conflict(&self) -> &[LawId] {
        match self {
            Self::All | Self::Undecided { .. } | Self::Ended => &[],
            Self::HardOnly { conflict, .. } | Self::Suspended { conflict, .. } | Self::Nothing { conflict, .. } => {
                conflict
            }
        }
    }

    /// Whether soft laws are set aside.
    pub fn is_fallback(&self) -> bool {
        matches!(self, Self::HardOnly { .. } | Self::Suspended { .. })
    }
}

/// What may be done in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The actions allowed by the laws enforced.
    pub allowed: ActionSet,
    /// The actions that the laws enforced leave undecided within the budget. They must not run; that says nothing against
    /// them. Whatever is neither allowed nor undecided is blocked.
    pub undecided: ActionSet,
    /// The laws enforced.
    pub enforcement: Enforcement,
    /// Whether the budget was raised because at first nothing but stopping was allowed and something was undecided.
    pub raised: bool,
    /// Hard laws that are judged cooperatively here, because no action can be sure to keep to them whatever is predicted of
    /// it. Empty unless something [was predicted](crate::Shield::predict).
    pub relaxed: Vec<LawId>,
}

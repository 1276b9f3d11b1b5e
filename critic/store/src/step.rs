//! What is stored of every step, version 1, and of the end of a run.

use std::fmt;

use ltlcrit_verifier::{ActionId, Enforcement, Judgement, LawId, Letter, Undecided};
use ltlcrit_worlds::{Observation, Outcome, Progress};
use serde::{Deserialize, Serialize};

use super::{BookRecord, LawRecord, RunId};
use ltlcrit_model::Usage;

/// One step: what was proposed, what was judged, what was done, and the letter it led to.
///
/// Step 0 is the initial state: a letter without an action, nothing proposed, nothing executed. A run that stops ends with
/// a step whose action is `action_stop`, which is no world action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// Its number, which is its letter's position in the run's word.
    pub step: u64,
    /// What held after the step.
    pub observation: Observation,
    /// The letter of the word.
    pub letter: Letter,
    /// Everything proposed before an action ran, in order; the executed one is last.
    pub proposals: Vec<ProposalRecord>,
    /// What was executed; `None` in step 0.
    pub executed: Option<Executed>,
    /// Which laws were in force when the action was chosen.
    pub force: Enforcement,
    /// The laws this letter violated, whatever the shield had said.
    pub violations: Vec<LawId>,
    /// The laws that owe something after this letter: stopping here would break them.
    pub owed: Vec<LawId>,
    /// The laws in force from this step on, if they were replaced before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_laws: Option<Vec<LawRecord>>,
    /// The books that came in another revision with them, whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_books: Vec<BookRecord>,
    /// What was seen right after the step, where the run was resumed here in a world that had gone on meanwhile:
    /// `observation` and `letter` are then what was found when the run went on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_seen: Option<Observation>,
}

/// The action of a step and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executed {
    /// What was done.
    pub action: ActionId,
    /// What the actor said it thought.
    pub thought: Option<String>,
    /// What came of it.
    pub outcome: Outcome,
}

/// One proposal and what was said to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalRecord {
    /// Who proposed.
    pub by: Proposer,
    /// What was proposed.
    pub reply: Reply,
    /// What was said to it.
    pub ruling: Ruling,
    /// What the actor said it thought.
    pub thought: Option<String>,
    /// Tokens used.
    pub usage: Usage,
}

/// Who proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposer {
    /// The actor.
    Actor,
    /// The loop, which proposes to stop when the goal is reached. Not counted among the actor's proposals.
    Loop,
}

/// What was proposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
    /// An action of the vocabulary.
    Action {
        /// Which.
        action: ActionId,
    },
    /// Something else.
    #[serde(untagged)]
    NoAction(NoAction),
}

/// Why a reply is no action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoAction {
    /// Nothing that could be read as an action.
    Malformed {
        /// What was said, cut to a bounded length.
        reply: String,
        /// What was wrong with it.
        why: String,
    },
    /// An action the vocabulary does not have.
    Unknown {
        /// The name given, cut to a bounded length.
        name: String,
        /// The nearest existing name.
        suggestion: Option<String>,
    },
}

/// What was said to a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ruling {
    /// It may run.
    Allowed,
    /// It may not.
    Blocked {
        /// A minimal set of laws that block it.
        laws: Vec<LawId>,
        /// What the actor was told.
        explanation: String,
    },
    /// The shield could not decide within its budget, so it may not run.
    Undecided {
        /// What ran out.
        why: String,
    },
    /// There was nothing to judge: the reply is no action.
    Unreadable,
    /// There is no shield in this run; these laws would have blocked it (none: it would have been allowed).
    Unshielded {
        /// A minimal set of laws that would have blocked it.
        laws: Vec<LawId>,
    },
}

impl Ruling {
    /// What the laws say to the proposal, enforced or not; `None` if there was nothing to judge.
    pub fn judgement(&self) -> Option<Judgement> {
        match self {
            Self::Allowed => Some(Judgement::Allowed),
            Self::Unshielded { laws } if laws.is_empty() => Some(Judgement::Allowed),
            Self::Blocked { laws, .. } | Self::Unshielded { laws } => Some(Judgement::Blocked { laws: laws.clone() }),
            // Of an action that exists, in a run that has begun.
            Self::Undecided { .. } => Some(Judgement::Undecided { why: Undecided::OutOfBudget }),
            Self::Unreadable => None,
        }
    }

    /// Whether the proposal was free to run.
    pub fn lets_run(&self) -> bool {
        matches!(self, Self::Allowed | Self::Unshielded { .. })
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// Why it ended.
    pub end: End,
    /// The number of the last stored step.
    pub last_step: u64,
    /// The laws that still owed something.
    pub owed: Vec<LawId>,
    /// The step that was begun and not executed, if any: its proposals count in the metrics.
    pub in_flight: Option<InFlight>,
}

/// A step that was begun and not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFlight {
    /// The step's number.
    pub step: u64,
    /// What was proposed, in order.
    pub proposals: Vec<ProposalRecord>,
    /// The action the world was performing when it was lost.
    pub action: Option<ActionId>,
    /// Which laws were in force.
    pub force: Enforcement,
    /// The laws in force from this step on, if they were replaced before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_laws: Option<Vec<LawRecord>>,
    /// The books that came in another revision with them, whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_books: Vec<BookRecord>,
    /// How far the action has come, in a world that is not rebuilt by repeating it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum End {
    /// The goal was reached, nothing was owed, and the run stopped.
    Goal,
    /// The actor proposed to stop short of the goal, and nothing was owed.
    Stopped,
    /// A budget of the run is used up.
    Budget {
        /// Which.
        what: Budget,
        /// How much there was.
        limit: u64,
    },
    /// A cap on requests, tokens or money was reached.
    Cap {
        /// Which, with figures.
        message: String,
    },
    /// Ctrl-C.
    Interrupted,
    /// The hard laws left no action.
    NothingAllowed {
        /// A minimal set of hard laws that leave no action.
        conflict: Vec<LawId>,
    },
    /// The actor proposed nothing that may run, however often it was asked.
    NoProposal {
        /// How often it was asked in that step.
        tries: u64,
    },
    /// The model gave no answer.
    ModelLost {
        /// What happened.
        message: String,
    },
    /// The world can no longer be used.
    WorldLost {
        /// What happened.
        message: String,
    },
    /// The player died, and the world does not respawn.
    Died {
        /// What happened.
        message: String,
    },
}

/// What can be used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// World actions.
    Steps,
    /// Tokens of the actor's model.
    Tokens,
}

impl Budget {
    /// So many of it: `1 step`, `500 tokens`.
    pub fn counted(self, number: u64) -> String {
        let one = match self {
            Self::Steps => "step",
            Self::Tokens => "token",
        };
        format!("{number} {one}{}", if number == 1 { "" } else { "s" })
    }
}

impl End {
    /// Whether going on from the last stored step can make sense: the cause lay outside the run.
    pub fn resumable(&self) -> bool {
        matches!(
            self,
            Self::Budget { .. }
                | Self::Cap { .. }
                | Self::Interrupted
                | Self::ModelLost { .. }
                | Self::WorldLost { .. }
        )
    }

    /// Whether the run ended without reaching an end of its own or a limit set for it.
    pub fn aborted(&self) -> bool {
        matches!(
            self,
            Self::NothingAllowed { .. }
                | Self::NoProposal { .. }
                | Self::ModelLost { .. }
                | Self::WorldLost { .. }
                | Self::Died { .. }
        )
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goal => f.write_str("goal reached"),
            Self::Stopped => f.write_str("stopped short of the goal"),
            Self::Budget { what, limit } => write!(f, "budget of {} used up", what.counted(*limit)),
            Self::Cap { message } => f.write_str(message),
            Self::Interrupted => f.write_str("interrupted"),
            Self::NothingAllowed { conflict } => {
                write!(f, "aborted: the hard laws leave no action ({})", conflict.join(", "))
            }
            Self::NoProposal { tries } => {
                write!(f, "aborted: none of {tries} proposals for one step could run")
            }
            Self::ModelLost { message } | Self::WorldLost { message } => write!(f, "aborted: {message}"),
            Self::Died { message } => write!(f, "died: {message}"),
        }
    }
}

/// An over-constrained state a run met, kept for the critic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictRecord {
    /// The run.
    pub run: RunId,
    /// The step that was to be taken.
    pub step: u64,
    /// What held.
    pub observation: Observation,
    /// The laws that conflict, and what remained in force.
    pub force: Enforcement,
}

/// How long the parts of a step took, in microseconds. Kept apart from the steps, whose bytes are deterministic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Waiting for the actor's proposals.
    pub propose_us: u64,
    /// The shield: deciding, judging and advancing.
    pub shield_us: u64,
    /// The world: executing and observing.
    pub world_us: u64,
}

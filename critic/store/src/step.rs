//! Records of steps and of the end of a run.

use std::fmt;

use ltlcrit_model::Usage;
use ltlcrit_verifier::{ActionId, Enforcement, Judgement, LawId, Letter, PropSet, Undecided};
use ltlcrit_worlds::{Observation, Outcome, Progress};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{BookRecord, LawRecord, RunId};

/// One step: proposals, rulings, the executed action, and the letter it led to.
///
/// Step 0 is the initial state: a letter without an action, a proposal, or an execution. A run that stops ends with the
/// action `action_stop`, which is not a world action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// Its number: the position of its letter in the run's word.
    pub step: u64,
    /// The observation after the step.
    pub observation: Observation,
    /// The letter of the word.
    pub letter: Letter,
    /// The proposals, in order; the last one is executed.
    pub proposals: Vec<ProposalRecord>,
    /// The executed action; `None` in step 0.
    pub executed: Option<Executed>,
    /// The enforcement of the laws at the choice of the action.
    pub force: Enforcement,
    /// True if this required an extended budget of the shield.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raised: bool,
    /// The hard laws that were checked best-effort, because no action was guaranteed to satisfy them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relaxed: Vec<LawId>,
    /// The laws that this letter violated.
    pub violations: Vec<LawId>,
    /// The laws with a pending obligation after this letter: stopping here would break them.
    pub owed: Vec<LawId>,
    /// The laws in force from this step on, if they were replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_laws: Option<Vec<LawRecord>>,
    /// The books that changed their revision with them, with their full text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_books: Vec<BookRecord>,
    /// The observation right after the step, if the run was resumed here in a world that had changed. `observation` and
    /// `letter` are then those of the resumption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_seen: Option<Observation>,
}

impl StepRecord {
    /// Returns the intermediate states of the action, in order.
    pub fn passed(&self) -> &[PropSet] {
        self.executed.as_ref().map_or(&[], |executed| &executed.outcome.passed)
    }
}

/// The action of a step and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executed {
    /// The action.
    pub action: ActionId,
    /// The actor's stated reasoning.
    pub thought: Option<String>,
    /// Its outcome.
    pub outcome: Outcome,
    /// The events during the action, for people, if the run keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
}

/// One proposal and its ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalRecord {
    /// The proposer.
    pub by: Proposer,
    /// The proposed action, or the reason why the reply is not one.
    pub reply: Reply,
    /// The ruling on it.
    pub ruling: Ruling,
    /// The actor's stated reasoning.
    pub thought: Option<String>,
    /// Tokens used.
    pub usage: Usage,
    /// The model's wording of the block, if a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worded: Option<Worded>,
}

/// The answer of a model that explains a block (Safety Chip, section III-F).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worded {
    /// The answer; empty if the model gave no answer.
    pub answer: String,
    /// The reason why the actor received the computed explanation instead; `None` if it received the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<String>,
    /// Tokens used.
    pub usage: Usage,
}

impl Worded {
    /// Creates a record without an answer, with the reason.
    pub fn missing(why: impl fmt::Display) -> Self {
        Self {
            answer: String::new(),
            replaced: Some(format!("the model gave no answer: {why}")),
            usage: Usage::default(),
        }
    }
}

impl ProposalRecord {
    /// Returns the tokens of the proposal and of the explanation of its block.
    pub fn total_usage(&self) -> Usage {
        let mut usage = self.usage;
        if let Some(worded) = &self.worded {
            usage += worded.usage;
        }
        usage
    }
}

/// The proposer of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposer {
    /// The actor.
    Actor,
    /// The loop, which proposes to stop at the goal. Not counted as a proposal of the actor.
    Loop,
}

/// The content of a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
    /// An action of the vocabulary.
    Action {
        /// The action.
        action: ActionId,
    },
    /// Something that is not an action.
    #[serde(untagged)]
    NoAction(NoAction),
}

/// The reason why a reply is not an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoAction {
    /// It cannot be read as an action.
    Malformed {
        /// The reply, cut to a bounded length.
        reply: String,
        /// The reason.
        why: String,
    },
    /// An action that the vocabulary does not have.
    Unknown {
        /// The given name, cut to a bounded length.
        name: String,
        /// The most similar existing name.
        suggestion: Option<String>,
    },
}

/// The ruling on a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ruling {
    /// The action may run.
    Allowed,
    /// The action may not run.
    Blocked {
        /// Laws that together block it.
        laws: Vec<LawId>,
        /// True if all of these laws are needed for the block; `false` if that is undecided.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
        /// The explanation for the actor.
        explanation: String,
    },
    /// The shield could not decide within its budget, so the action may not run.
    Undecided {
        /// The limit that was reached.
        why: String,
    },
    /// The reply is not an action, so the laws do not judge it.
    Unreadable,
    /// The run has no shield. These laws would have blocked the proposal; without laws, it would have been allowed or
    /// undecided.
    Unshielded {
        /// Laws that together would have blocked it.
        laws: Vec<LawId>,
        /// True if all of these laws are needed for the block; `false` if that is undecided.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        minimal: bool,
        /// True if the shield could not decide.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        undecided: bool,
    },
}

impl Ruling {
    /// Returns the judgement of the laws, enforced or not; `None` if the reply is not an action.
    pub fn judgement(&self) -> Option<Judgement> {
        match self {
            Self::Allowed => Some(Judgement::Allowed),
            // The action exists and the run has begun, so a judgement exists.
            Self::Undecided { .. } | Self::Unshielded { undecided: true, .. } => {
                Some(Judgement::Undecided { why: Undecided::OutOfBudget })
            }
            Self::Unshielded { laws, .. } if laws.is_empty() => Some(Judgement::Allowed),
            Self::Unshielded { laws, minimal, .. } | Self::Blocked { laws, minimal, .. } => {
                Some(Judgement::Blocked { laws: laws.clone(), minimal: *minimal })
            }
            Self::Unreadable => None,
        }
    }

    /// Returns whether the proposal may run.
    pub fn lets_run(&self) -> bool {
        matches!(self, Self::Allowed | Self::Unshielded { .. })
    }
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_true(value: &bool) -> bool {
    *value
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// The cause of the end.
    pub end: End,
    /// The number of the last stored step.
    pub last_step: u64,
    /// The laws with a pending obligation.
    pub owed: Vec<LawId>,
    /// The unfinished step, if there is one: its proposals count in the metrics.
    pub in_flight: Option<InFlight>,
}

/// A step that was begun and not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFlight {
    /// The step's number.
    pub step: u64,
    /// The proposals, in order.
    pub proposals: Vec<ProposalRecord>,
    /// The world action that was interrupted.
    pub action: Option<ActionId>,
    /// The enforcement of the laws.
    pub force: Enforcement,
    /// True if this required an extended budget of the shield.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raised: bool,
    /// The laws in force from this step on, if they were replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_laws: Option<Vec<LawRecord>>,
    /// The books that changed their revision with them, with their full text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_books: Vec<BookRecord>,
    /// The progress of the action, in a world that cannot be rebuilt by repeating actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
}

/// The cause of a run's end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum End {
    /// The goal was reached without a pending obligation of a hard law, and the run stopped.
    Goal,
    /// The actor stopped before the goal, without a pending obligation.
    Stopped,
    /// The actor's search for an action used up its budget, so the run gives no information about the task.
    GaveUp {
        /// The target of the search, and its duration.
        message: String,
    },
    /// A budget of the run is used up.
    Budget {
        /// The budget.
        what: Budget,
        /// Its size.
        limit: u64,
    },
    /// The run had no new observation for a number of steps.
    Stalled {
        /// The number of consecutive steps without an observation that is new to the run.
        steps: u64,
        /// The actions of these steps with their counts, most frequent first: `40 x mine log`.
        actions: String,
    },
    /// A cap on requests, tokens or money was reached.
    Cap {
        /// The cap, with numbers.
        message: String,
    },
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The hard laws left no action.
    NothingAllowed {
        /// Hard laws that together leave no action.
        conflict: Vec<LawId>,
    },
    /// The hard laws exclude the goal, proved by search.
    Impossible {
        /// A minimal set of these laws.
        conflict: Vec<LawId>,
    },
    /// The shield could not decide whether the laws leave an action, even with an extended budget.
    Undecided {
        /// The laws in the searches, most frequent first.
        laws: Vec<LawId>,
    },
    /// No proposal of the actor could run.
    NoProposal {
        /// The number of requests in that step.
        tries: u64,
    },
    /// The model gave no answer.
    ModelLost {
        /// The description of the failure.
        message: String,
    },
    /// The world can no longer be used.
    WorldLost {
        /// The description of the failure.
        message: String,
    },
    /// The player died, and the world does not respawn.
    Died {
        /// The cause of the death.
        message: String,
    },
}

/// The budgets of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// World actions.
    Steps,
    /// Tokens of the actor's model.
    Tokens,
}

impl Budget {
    /// Renders an amount: `1 step`, `500 tokens`.
    pub fn counted(self, number: u64) -> String {
        let one = match self {
            Self::Steps => "step",
            Self::Tokens => "token",
        };
        format!("{number} {one}{}", if number == 1 { "" } else { "s" })
    }
}

impl End {
    /// Returns whether the run can be resumed, because its end had an external cause.
    pub fn resumable(&self) -> bool {
        matches!(
            self,
            Self::Budget { .. }
                | Self::Stalled { .. }
                | Self::Cap { .. }
                | Self::Interrupted
                | Self::ModelLost { .. }
                | Self::WorldLost { .. }
        )
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goal => f.write_str("goal reached"),
            Self::Stopped => f.write_str("stopped short of the goal"),
            Self::GaveUp { message } => write!(f, "gave up: {message}"),
            Self::Budget { what, limit } => write!(f, "budget of {} used up", what.counted(*limit)),
            Self::Stalled { steps, actions } => {
                write!(f, "stalled: {} in a row without a new observation ({actions})", Budget::Steps.counted(*steps))
            }
            Self::Cap { message } => f.write_str(message),
            Self::Interrupted => f.write_str("interrupted"),
            Self::NothingAllowed { conflict } => {
                write!(f, "aborted: the hard laws leave no action ({})", conflict.join(", "))
            }
            Self::Impossible { conflict } => {
                write!(f, "aborted: the hard laws leave no way to the goal ({})", conflict.join(", "))
            }
            Self::Undecided { laws } => {
                let laws = laws.join(", ");
                write!(f, "aborted: it could not be decided whether the laws leave an action; the hardest are {laws}")
            }
            Self::NoProposal { tries } => {
                write!(f, "aborted: none of {tries} proposals for one step could run")
            }
            Self::ModelLost { message } | Self::WorldLost { message } => write!(f, "aborted: {message}"),
            Self::Died { message } => write!(f, "died: {message}"),
        }
    }
}

/// An over-constrained state of a run, for the critic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictRecord {
    /// The run.
    pub run: RunId,
    /// The step that was about to be taken.
    pub step: u64,
    /// The observation.
    pub observation: Observation,
    /// The conflicting laws, and the laws that stayed in force.
    pub force: Enforcement,
}

/// The duration of the parts of a step, in microseconds. Stored apart from the steps, whose bytes are deterministic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Waiting for the actor's proposals.
    pub propose_us: u64,
    /// The shield: deciding, judging and advancing.
    pub shield_us: u64,
    /// The world: executing and observing.
    pub world_us: u64,
}

//! The critic's question: standing instructions, and a summary of everything it needs within a budget of tokens.

use ltlcrit_model::{AnswerSchema, ChatRequest, Message, Role, Speaker};
use thiserror::Error;

use super::answer::{MAX_CHANGES, Unread};
use super::section::{Section, fit};
use super::{answer, data, facts, rows, runs};
use crate::propose::Brief;

/// The sampling temperature (LTLCrit section 4).
const TEMPERATURE: f32 = 0.1;
/// The longest task that is told, in bytes.
const MAX_TASK: usize = 400;

/// The standing instructions.
const SYSTEM: &str = include_str!("../../../prompts/critic.md").trim_ascii_end();

/// A budget in which the critic cannot be told what it must know.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a prompt of {tokens} tokens is too short for the critic; give it {MIN_BUDGET} or more")]
pub struct BudgetTooSmall {
    /// The budget asked for.
    pub tokens: u32,
}

/// A bound on the tokens of a prompt, at four bytes a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenBudget(u32);

/// The least budget: what is always told takes about two thirds of it.
pub const MIN_BUDGET: u32 = 3_500;

impl TokenBudget {
    /// A budget of this many tokens.
    ///
    /// # Errors
    /// Fewer than [`MIN_BUDGET`].
    pub fn new(tokens: u32) -> Result<Self, BudgetTooSmall> {
        if tokens < MIN_BUDGET { Err(BudgetTooSmall { tokens }) } else { Ok(Self(tokens)) }
    }

    /// The number of tokens.
    pub fn tokens(self) -> u32 {
        self.0
    }
}

impl Default for TokenBudget {
    fn default() -> Self {
        Self(12_288)
    }
}

/// The reason for a question.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asking<'a> {
    /// A new round; what of the round before was not read.
    Round { unread: &'a [Unread] },
    /// Once more in the same round, after an answer of which so many changes were kept and the rest was not read.
    Again { kept: usize, unread: &'a [Unread] },
}

/// The question.
pub(super) fn request(brief: &Brief<'_>, asking: Asking<'_>, budget: TokenBudget, max_tokens: u32) -> ChatRequest {
    let schema = answer::schema();
    let (before, after) = (opening(brief), closing(asking));
    let fixed = SYSTEM.len() + schema_bytes(&schema) + before.len() + after.len();
    let mut sections =
        vec![runs::overview(brief), facts::observations(brief.vocabulary), facts::actions(brief.vocabulary)];
    let mut add = |is_there: bool, section: Section| sections.extend(is_there.then_some(section));
    add(!brief.vocabulary.axioms().is_empty(), facts::axioms(brief.vocabulary));
    add(!brief.conflicts.is_empty(), facts::conflicts(brief));
    add(!brief.laws.is_empty(), facts::laws(brief));
    add(!brief.notes.given_up.is_empty(), facts::given_up(&brief.notes.given_up));
    add(!brief.refused.is_empty(), facts::refused(brief));
    let (Asking::Round { unread } | Asking::Again { unread, .. }) = asking;
    add(!unread.is_empty(), facts::unread(unread));
    sections.extend([rows::evidence(brief), runs::best_run(brief), runs::other_runs(brief)]);
    let data = fit(&sections, (budget.0 as usize * 4).saturating_sub(fixed));
    ChatRequest {
        role: Role::Critic,
        messages: vec![
            Message { speaker: Speaker::System, text: SYSTEM.to_owned() },
            Message { speaker: Speaker::User, text: format!("{before}{data}{after}") },
        ],
        answer: Some(schema),
        temperature: TEMPERATURE,
        max_tokens,
        body: Default::default(),
    }
}

pub(super) fn schema_bytes(schema: &AnswerSchema) -> usize {
    schema.schema.to_string().len()
}

fn opening(brief: &Brief<'_>) -> String {
    format!("<data>\nThe agent's task: {}\n\n", data::quiet(brief.task, MAX_TASK))
}

fn closing(asking: Asking<'_>) -> String {
    let ask = match asking {
        Asking::Round { .. } => format!(
            "Which changes of the laws do you propose? At most {MAX_CHANGES}, the most useful first; none if nothing is worth a change."
        ),
        Asking::Again { kept: 0, .. } => {
            "Your last answer could not be used; the data says why. Answer again, with one JSON \
            object of the form asked for and nothing else, in fewer words."
                .to_owned()
        }
        Asking::Again { kept, .. } => format!(
            "The changes of your last answer that could be read ({kept}) are kept: do not repeat them. The \
             data says what could not be read. Answer with these changes alone, put right, or with none."
        ),
    };
    format!("</data>\n\n{ask}")
}

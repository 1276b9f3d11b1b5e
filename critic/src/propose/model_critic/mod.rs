//! The model critic: a language model that reads a summary of what runs did and proposes changes of the laws (LTLCrit
//! section 3.4).
//!
//! Its question has the task, the vocabulary, the laws with the actions they blocked, and the conflicts. The refusals of its
//! last proposals follow, the [evidence](crate::evidence) by action, and the runs step by step. All of it fits into a budget
//! of tokens: the most telling lines come first, and those left out are counted. Of the world it has only names of the
//! vocabulary, reason codes and messages of failures. Everything is fenced and labelled as data.
//!
//! Its answers are not trusted. Changes that can be read go to the [gate](crate::admission). Parts that cannot be read are
//! reported to the model once, and kept for people in [`Proposer::unread`].
//!
//! ```
//! use std::sync::Arc;
//! use ltlcrit_critic::change::Change;
//! use ltlcrit_critic::evidence::{Objective, Trials};
//! use ltlcrit_critic::graph::{RunPath, TrajectoryGraph};
//! use ltlcrit_model::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo, Usage};
//! use ltlcrit_critic::propose::{Brief, ModelCritic, Proposer};
//! use ltlcrit_verifier::{ActionId, PropSet, Proposition, Vocabulary};
//! use ltlcrit_worlds::Reason;
//!
//! # struct Model;
//! # impl ChatModel for Model {
//! #     fn info(&self) -> ModelInfo { ModelInfo::real("openai:some") }
//! #     async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
//! #         assert!(request.messages[1].text.contains("action_enter failed (closed) 1x in 1 state"));
//! #         let text = r#"{"analysis": "It walked into the door.", "changes": [{"kind": "add", "law": null,
//! #             "formula": "G(!obs_open -> X !action_enter)", "explanation": "A closed door lets nobody in.",
//! #             "source": "environment-feedback", "evidence": [{"run": 1, "step": 1}], "state": null,
//! #             "cause": null}]}"#;
//! #         Ok(ChatReply::new(text, Usage::default()))
//! #     }
//! # }
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! let builder = Vocabulary::builder("door").observation(("obs_open", "The door is open"));
//! let builder = builder.actions([("action_open", "Open the door"), ("action_enter", "Go in")]);
//! let vocabulary = Arc::new(builder.build()?);
//! let mut run = RunPath::new(1, PropSet::EMPTY);
//! run.step(ActionId(1), Some(Reason("closed".into())), PropSet::EMPTY);
//! let mut graph = TrajectoryGraph::new();
//! graph.add(&run);
//!
//! let mut critic = ModelCritic::new(Model);
//! let brief = Brief {
//!     task: "Go in.",
//!     vocabulary: &vocabulary,
//!     graph: &graph,
//!     laws: &[],
//!     trials: &Trials::of(graph.runs(), &vocabulary, &[], Objective::DEFAULT),
//!     notes: &Default::default(),
//!     conflicts: &[],
//!     refused: &[],
//!     round: 1,
//! };
//! let changes = critic.propose(&brief).await?;
//! assert!(matches!(&changes[..], [Change::Add(law)] if law.formula.text() == "G(!obs_open -> X !action_enter)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod data;
mod facts;
mod prompt;
mod rows;
mod runs;
mod section;
#[cfg(test)]
mod tests;

pub use answer::{MAX_CHANGES, MAX_EVIDENCE, Reading, Unread, read};
use ltlcrit_model::{ChatModel, ChatRequest};
use ltlcrit_verifier::Definition;
use ltlcrit_worlds::async_trait;
pub use prompt::{BudgetTooSmall, MIN_BUDGET, TokenBudget};

use self::prompt::Asking;
use super::{Brief, ProposeError, Proposer};
use crate::change::Change;

/// Options of the model critic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelCriticOptions {
    /// The most tokens of a question.
    pub prompt: TokenBudget,
    /// The most tokens of an answer; for reasoning models, of reasoning and answer together.
    pub answer_tokens: u32,
}

impl Default for ModelCriticOptions {
    fn default() -> Self {
        Self { prompt: TokenBudget::default(), answer_tokens: 8_192 }
    }
}

/// A language model as a critic.
#[derive(Debug)]
pub struct ModelCritic<M> {
    model: M,
    options: ModelCriticOptions,
    /// The parts that could not be read since the first round.
    unread: Vec<Unread>,
    /// The number of parts in `unread` that the model was told of.
    told: usize,
    /// True if its last answer had as many changes as are read.
    was_full: bool,
    /// The question of the last round that was answered.
    asked: Option<ChatRequest>,
    /// The observations that its answers miss.
    missed: Vec<Definition>,
}

impl<M: ChatModel> ModelCritic<M> {
    /// A critic that asks this model.
    pub fn new(model: M) -> Self {
        Self::with_options(model, ModelCriticOptions::default())
    }

    /// A critic that asks in its own way.
    pub fn with_options(model: M, options: ModelCriticOptions) -> Self {
        Self { model, options, unread: Vec::new(), told: 0, was_full: false, asked: None, missed: Vec::new() }
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The question of a round, as [`Proposer::propose`] would ask it now.
    pub fn question(&self, brief: &Brief<'_>) -> ChatRequest {
        // A first round begins anew: what another critique left is not its business.
        let unread = if brief.round <= 1 { &[] } else { &self.unread[self.told..] };
        self.asked(brief, Asking::Round { unread })
    }

    fn asked(&self, brief: &Brief<'_>, asking: Asking<'_>) -> ChatRequest {
        prompt::request(brief, asking, self.options.prompt, self.options.answer_tokens)
    }

    fn note(&mut self, unread: Vec<Unread>) {
        for piece in &unread {
            tracing::info!(model = %self.model.info(), "a part of the critic's answer cannot be read: {piece}");
        }
        self.unread.extend(unread);
    }

    /// The error of a question whose answers are all among the pieces from some place on.
    fn unreadable(&self, from: usize) -> ProposeError {
        let why: Vec<String> = self.unread[from..].iter().map(ToString::to_string).collect();
        ProposeError::Unreadable { model: self.name(), why: why.join("; ") }
    }
}

#[async_trait(?Send)]
impl<M: ChatModel> Proposer for ModelCritic<M> {
    /// The model's name. A cassette has that of the model it was recorded from: the same changes are signed the same.
    fn name(&self) -> String {
        let info = self.model.info();
        info.recorded_from.unwrap_or(info.name)
    }

    /// Returns whether the model is asked again. It says all it has to say at once. It is asked again if something of its
    /// answer was refused or not read, if its answer was full, or if there are conflicts.
    fn has_more(&self, brief: &Brief<'_>) -> bool {
        let unresolved = || !brief.conflicts.is_empty();
        brief.round <= 1 || !brief.refused.is_empty() || self.told < self.unread.len() || self.was_full || unresolved()
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        let name = self.name();
        let first = self.question(brief);
        // Nothing has changed, so the answer would be the same.
        if self.asked.as_ref() == Some(&first) {
            return Ok(Vec::new());
        }
        if brief.round <= 1 {
            self.unread.clear();
            // Earlier wishes were derived for this critique, if at all.
            self.missed.clear();
        }
        let before = self.unread.len();
        self.told = before;
        let mut kept: Vec<Change> = Vec::new();
        let mut empty_is_meant = false;
        for is_again in [false, true] {
            let again = is_again.then(|| {
                let asking = Asking::Again { kept: kept.len(), unread: &self.unread[self.told..] };
                self.asked(brief, asking)
            });
            if is_again {
                self.told = self.unread.len();
            }
            let reply = match self.model.ask(again.as_ref().unwrap_or(&first)).await {
                Ok(reply) => reply,
                Err(error) if kept.is_empty() => return Err(error.into()),
                // Changes read before count. A cap will stop the next question, if there is one.
                Err(error) => {
                    self.note(vec![Unread::new("", &format!("the model was not asked again: {error}"))]);
                    self.told = self.unread.len();
                    break;
                }
            };
            let answer = reply.answer(Some("critic.answer_tokens"));
            match answer.and_then(|answer| read(answer, &name, brief.vocabulary)) {
                Ok(reading) => {
                    for missed in reading.observations {
                        if !self.missed.contains(&missed) {
                            self.missed.push(missed);
                        }
                    }
                    empty_is_meant = reading.unread.is_empty();
                    for change in reading.changes {
                        if !kept.contains(&change) {
                            kept.push(change);
                        }
                    }
                    self.note(reading.unread);
                }
                Err(why) => {
                    empty_is_meant = false;
                    self.note(vec![Unread::new(reply.text(), &why)]);
                }
            }
            if empty_is_meant {
                break;
            }
        }
        self.was_full = kept.len() >= MAX_CHANGES;
        // Nothing at all, and not because nothing was meant.
        if kept.is_empty() && !empty_is_meant {
            return Err(self.unreadable(before));
        }
        self.asked = Some(first);
        Ok(kept)
    }

    fn unread(&self) -> &[Unread] {
        &self.unread
    }

    fn missed(&self) -> &[Definition] {
        &self.missed
    }
}

//! The actor of evaluations that ask one question.

use std::sync::Arc;

use ltlcrit_model::{ChatModel, ModelError, Usage, Waits};
use ltlcrit_pddl::{MAX_PLAN, Task, Validator};
use ltlcrit_verifier::{ActionId, Vocabulary};
use ltlcrit_worlds::async_trait;

use super::kind::Exam;
use super::question::question;
use crate::actor::{Actor, Proposed, Situation, answer};

/// Asks one question about the whole task and stores the answer as the thought of the first step. If the answer is a
/// plan, the actor takes its actions in turn. It stops when an action fails, when the world does not have an action,
/// and after any other answer.
pub struct ExamActor<M> {
    exam: Exam,
    task: Arc<Task>,
    told: Vec<String>,
    model: M,
    answer_tokens: u32,
}

impl<M: ChatModel> ExamActor<M> {
    /// Creates the actor that a task is evaluated with. The prompt names the dangers in `told`.
    pub fn new(exam: Exam, task: Arc<Task>, told: Vec<String>, model: M, answer_tokens: u32) -> Self {
        Self { exam, task, told, model, answer_tokens }
    }

    /// Returns the action at a step of the plan, counted from 0.
    fn action(&self, answer: &str, step: usize, vocabulary: &Vocabulary) -> Option<ActionId> {
        let steps = Validator::new(&self.task).steps(answer).ok()?;
        let name = steps.get(step)?.as_deref()?;
        vocabulary.catalogue().find(|(_, action)| &*action.meaning == name).map(|(id, _)| id)
    }
}

#[async_trait(?Send)]
impl<M: ChatModel> Actor for ExamActor<M> {
    fn name(&self) -> &str {
        match self.exam {
            Exam::Plan | Exam::Steps => "whole-plan",
            Exam::Dangers => "danger-identification",
            Exam::Conditions => "condition-inference",
        }
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let vocabulary = situation.vocabulary;
        let stop = vocabulary.stop();
        // An evaluation has one answer: an action that a law or the reader refused is not asked for again.
        let refused = !situation.refusals.is_empty();
        let earlier = situation.history.first().map(|first| first.thought.clone().unwrap_or_default());
        let failed = situation.history.last().is_some_and(|last| !last.outcome.succeeded());
        let (answer, usage, is_new) = match earlier {
            Some(answer) => (answer, Usage::default(), false),
            None if refused => (String::new(), Usage::default(), false),
            None => {
                let asked = question(self.exam, &self.task, &self.told, self.answer_tokens);
                let reply = self.model.ask(&asked).await?;
                match answer(&reply) {
                    Ok(answer) => (kept(answer.to_owned()), reply.usage, true),
                    Err(none) => return Ok(Proposed { action: Err(none), thought: None, usage: reply.usage }),
                }
            }
        };
        let next = match self.exam {
            Exam::Plan if !failed && !refused => self.action(&answer, situation.history.len(), vocabulary),
            _ => None,
        };
        let none = || ltlcrit_store::NoAction::Malformed {
            reply: String::new(),
            why: "the world has no action to stop".to_owned(),
        };
        Ok(Proposed { action: next.or(stop).ok_or_else(none), thought: is_new.then_some(answer), usage })
    }

    fn waits(&self) -> Waits {
        self.model.waits()
    }
}

/// Truncates an answer that is longer than any plan that is judged.
fn kept(mut answer: String) -> String {
    let mut end = MAX_PLAN + 1;
    if answer.len() > end {
        while !answer.is_char_boundary(end) {
            end += 1;
        }
        answer.truncate(end);
    }
    answer
}

//! The actor that asks a model, with one prompt for each [`ActorKind`].

use std::sync::Arc;

use ltlcrit_model::answer::cut;
use ltlcrit_model::{ChatModel, ModelError, Usage, Waits};
use ltlcrit_store::Worded;
use ltlcrit_verifier::Vocabulary;
use ltlcrit_worlds::async_trait;

use super::ranking::Ranking;
use super::unaware::Unaware;
use super::{Actor, ActorKind, PromptOptions, Proposed, Query, Reasons, Situation, prompts, query, reply, whole_plan};

/// The maximum length of a replaced explanation that is kept, in bytes.
const MAX_KEPT: usize = 500;

/// An actor that asks a model with the prompt of its kind.
///
/// `naive`, `inner-monologue` and `nl-constraints` ask for one action each time. `saycan` asks once a step for a value
/// of every feasible action; after a refusal it proposes the next best action without another question. `whole-plan`
/// asks once a run.
#[derive(Debug)]
pub struct PromptedActor<M> {
    kind: ActorKind,
    model: M,
    options: PromptOptions,
    /// SayCan's ranking of the current step.
    ranking: Option<Ranking>,
    /// The vocabulary of the world without laws, for an actor that must not know them.
    unaware: Option<Arc<Vocabulary>>,
}

impl<M: ChatModel> PromptedActor<M> {
    /// Creates an actor of this kind that asks this model.
    pub fn new(kind: ActorKind, model: M, options: PromptOptions) -> Self {
        Self { kind, model, options, ranking: None, unaware: None }
    }

    /// Returns the actor with the prompts of the world without laws, which has this vocabulary.
    #[must_use]
    pub fn unaware(self, words: Arc<Vocabulary>) -> Self {
        Self { unaware: Some(words), ..self }
    }

    /// Returns whether the loop shields this actor: every kind except `nl-constraints` and `whole-plan`.
    pub fn shielded(&self) -> bool {
        self.kind.shielded()
    }

    /// Proposes the best ranked action. Asks for a ranking first if the step has none.
    async fn propose_best(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let mut usage = Usage::default();
        let ranking = match self.ranking.take().filter(|ranking| ranking.still_holds(situation)) {
            Some(ranking) => Ok(ranking),
            None => {
                let reply = self.model.ask(&prompts::saycan::question(situation, self.options)).await?;
                usage = reply.usage;
                reply::answer(&reply).and_then(|answer| Ranking::read(answer, situation))
            }
        };
        let action = ranking.and_then(|ranking| self.ranking.insert(ranking).best(situation));
        Ok(Proposed { action, thought: None, usage })
    }

    /// Proposes the next action of the plan. Asks for the plan before the first step.
    async fn propose_next(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let (plan, usage) = match whole_plan::left(situation) {
            Some(plan) => (Ok(plan), Usage::default()),
            None => {
                let reply = self.model.ask(&prompts::whole_plan::question(situation, self.options)).await?;
                let plan = reply::answer(&reply).and_then(|answer| reply::read_plan(answer, situation.vocabulary));
                (plan, reply.usage)
            }
        };
        Ok(match plan {
            Ok(plan) => whole_plan::next(&plan, situation.vocabulary, usage),
            Err(why) => Proposed { action: Err(why), thought: None, usage },
        })
    }

    async fn asked(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let question = match self.kind {
            ActorKind::SayCan => return self.propose_best(situation).await,
            ActorKind::Naive => prompts::naive::question(situation, self.options),
            ActorKind::InnerMonologue => prompts::inner_monologue::question(situation, self.options),
            ActorKind::WholePlan => return self.propose_next(situation).await,
            ActorKind::NlConstraints => prompts::nl_constraints::question(situation, self.options),
        };
        let reply = self.model.ask(&question).await?;
        let (action, thought) = match reply::answer(&reply) {
            Ok(answer) => reply::read_action(answer, situation.vocabulary),
            Err(why) => (Err(why), None),
        };
        Ok(Proposed { action, thought, usage: reply.usage })
    }
}

#[async_trait(?Send)]
impl<M: ChatModel> Actor for PromptedActor<M> {
    fn name(&self) -> &str {
        self.kind.name()
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let Some(words) = self.unaware.clone() else { return self.asked(situation).await };
        let unaware = Unaware::of(situation, words);
        let proposed = self.asked(&unaware.situation(situation)).await?;
        Ok(unaware.proposed(proposed, situation))
    }

    /// Returns whether the model explains blocks. SayCan continues with the next best action and needs no reason.
    fn explains(&self) -> bool {
        self.options.reasons == Reasons::Model && self.kind != ActorKind::SayCan
    }

    async fn explain(&mut self, query: &Query) -> Result<Worded, ModelError> {
        let reply = self.model.ask(&prompts::query::question(query, self.options)).await?;
        let usage = reply.usage;
        Ok(match reply.answer(Some("actor.answer_tokens")).and_then(|answer| query::read(answer, query)) {
            Ok(reason) => Worded { answer: reason, replaced: None, usage },
            Err(why) => Worded { answer: cut(reply.text(), MAX_KEPT), replaced: Some(why), usage },
        })
    }

    fn waits(&self) -> Waits {
        self.model.waits()
    }
}

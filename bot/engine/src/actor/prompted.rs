//! The actor that asks a model, with one prompt for each [`ActorKind`].

use ltlcrit_model::{ChatModel, ChatReply, ModelError, Usage, Waits};
use ltlcrit_store::NoAction;

use super::ranking::Ranking;
use super::{Actor, ActorKind, PromptOptions, Proposed, Situation, prompts, reply};

/// An actor that asks a model with the prompt of its kind.
///
/// `naive`, `inner-monologue` and `nl-constraints` ask for one action each time. `saycan` asks once a step for a value of
/// every feasible action; after a refusal it proposes the next best action without asking again.
#[derive(Debug)]
pub struct PromptedActor<M> {
    kind: ActorKind,
    model: M,
    options: PromptOptions,
    /// SayCan's ranking of the current step.
    ranking: Option<Ranking>,
}

impl<M: ChatModel> PromptedActor<M> {
    /// An actor of this kind that asks this model.
    pub fn new(kind: ActorKind, model: M, options: PromptOptions) -> Self {
        Self { kind, model, options, ranking: None }
    }

    /// Whether the loop shields this actor: all but `nl-constraints`.
    pub fn shielded(&self) -> bool {
        self.kind.shielded()
    }

    /// Proposes the best ranked action; asks for a ranking first if the step has none.
    async fn propose_best(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let mut usage = Usage::default();
        let ranking = match self.ranking.take().filter(|ranking| ranking.still_holds(situation)) {
            Some(ranking) => Ok(ranking),
            None => {
                let answer = self.model.ask(&prompts::saycan::question(situation, self.options)).await?;
                usage = answer.usage;
                Ranking::read(&answer.text, situation).map_err(|why| explained(why, &answer))
            }
        };
        let action = ranking.and_then(|ranking| self.ranking.insert(ranking).best(situation));
        Ok(Proposed { action, thought: None, usage })
    }
}

impl<M: ChatModel> Actor for PromptedActor<M> {
    fn name(&self) -> &str {
        self.kind.name()
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let question = match self.kind {
            ActorKind::SayCan => return self.propose_best(situation).await,
            ActorKind::Naive => prompts::naive::question(situation, self.options),
            ActorKind::InnerMonologue => prompts::inner_monologue::question(situation, self.options),
            ActorKind::NlConstraints => prompts::nl_constraints::question(situation, self.options),
        };
        let answer = self.model.ask(&question).await?;
        let (action, thought) = reply::read_action(&answer.text, situation.vocabulary);
        Ok(Proposed { action: action.map_err(|why| explained(why, &answer)), thought, usage: answer.usage })
    }

    fn waits(&self) -> Waits {
        self.model.waits()
    }
}

/// The reason why an answer is not an action; of an answer that was cut off, that it was.
fn explained(why: NoAction, answer: &ChatReply) -> NoAction {
    match (why, answer.why_cut("actor.answer_tokens")) {
        (NoAction::Malformed { reply, .. }, Some(why)) => NoAction::Malformed { reply, why },
        (why, _) => why,
    }
}

//! Asks a model the first question of every actor, to show whether its answers are usable.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use ltlcrit_model::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo};
use ltlcrit_store::NoAction;
use ltlcrit_worlds::{World, WorldError};
use strum::VariantArray as _;

use crate::actor::{Actor as _, ActorKind, PromptOptions, PromptedActor, Situation};

/// The result of an actor's first question.
#[derive(Debug)]
pub struct Probe {
    /// The actor.
    pub actor: ActorKind,
    /// The name of the parsed action, or the reason why there is none.
    pub action: Result<String, String>,
    /// The reply; `None` if there was none.
    pub reply: Option<ChatReply>,
    /// The time until the reply.
    pub took: Duration,
}

/// A model that keeps its last reply.
struct Kept<'a, M> {
    model: &'a M,
    reply: RefCell<Option<ChatReply>>,
}

impl<M: ChatModel> ChatModel for Kept<'_, M> {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let reply = self.model.ask(request).await?;
        self.reply.replace(Some(reply.clone()));
        Ok(reply)
    }
}

/// Asks a model the first question of every actor in a world, until one stays without an answer.
///
/// # Errors
/// The world cannot be observed.
pub async fn probe(
    world: &mut dyn World,
    model: &impl ChatModel,
    options: PromptOptions,
) -> Result<Vec<Probe>, WorldError> {
    let observation = world.observe().await?;
    let (vocabulary, glossary, role) = (world.vocabulary(), world.glossary(), world.role());
    let offered = world.outlook(&observation).applicable().unwrap_or_else(|| vocabulary.action_ids().collect());
    let situation = Situation {
        role: &role,
        task: world.task(),
        vocabulary: &vocabulary,
        glossary: &glossary,
        step: 1,
        observation: &observation,
        history: &[],
        asked: 0,
        refusals: &[],
        offered: &offered,
        feasible: &offered,
        allowed: None,
        laws: &[],
        goal_reached: false,
    };
    let mut probes = Vec::new();
    for actor in ActorKind::VARIANTS.iter().copied() {
        let kept = Kept { model, reply: RefCell::default() };
        let began = Instant::now();
        let proposed = PromptedActor::new(actor, &kept, options).propose(&situation).await;
        let took = began.elapsed();
        let action = match proposed.map(|proposed| proposed.action) {
            Ok(Ok(action)) => Ok(vocabulary.action_name(action).to_owned()),
            Ok(Err(NoAction::Malformed { why, .. })) => Err(why),
            Ok(Err(NoAction::Unknown { name, .. })) => Err(format!("there is no action `{name}`")),
            Err(error) => Err(error.to_string()),
        };
        let reply = kept.reply.take();
        let answered = reply.is_some();
        probes.push(Probe { actor, action, reply, took });
        if !answered {
            break;
        }
    }
    Ok(probes)
}

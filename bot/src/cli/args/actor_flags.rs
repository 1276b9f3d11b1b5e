//! Flags of commands that run an actor: the actor, its model, the seed and the most steps.

use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::config::ModelConfig;
use ltlcrit_engine::model::ModelSpec;
use ltlcrit_store::Offer;
use serde::Serialize;

use crate::cli::args::choice::choice;
use crate::cli::args::numbers;

/// The seed as a flag; if it is not given, it comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct SeedFlag {
    /// The seed of the world made here and of the persona; in the embedded world the same seed gives the same run, on a
    /// server no two runs are the same [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::whole::<u64>)]
    #[serde(rename = "run.seed")]
    seed: Option<u64>,
}

/// The goal as a flag; if it is not given, it comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct GoalFlag {
    /// The subgoal of the world that is the goal, such as "iron pickaxe": runs end there [default: the world's own goal]
    #[arg(long, value_name = "SUBGOAL")]
    #[serde(rename = "run.goal")]
    goal: Option<String>,
}

/// The actor as flags; what is not given comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct ActorFlags {
    /// The most steps: actions executed in the world [default: 200]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<u64>)]
    #[serde(rename = "run.steps")]
    steps: Option<u64>,
    /// The actor [default: inner-monologue]
    #[arg(long, value_parser = choice::<ActorKind>())]
    #[serde(rename = "run.actor")]
    actor: Option<ActorKind>,
    /// The actor's model: `simulated`, `simulated:PERSONA` (`ltlcrit personas` lists them; or a file, `./NAME.toml`),
    /// `openai:MODEL`, `cassette:FILE`, or `planner:STRATEGY` (shortest, careful, safe, lawful, random, empty: no model) [default:
    /// simulated]
    #[arg(long, value_name = "MODEL")]
    #[serde(rename = "run.model")]
    model: Option<ModelSpec>,
    /// The actions that the actor is offered [default: all]
    #[arg(long, value_parser = choice::<Offer>())]
    #[serde(rename = "actor.offer")]
    offer: Option<Offer>,
}

/// The endpoint of `openai:` models and the key for it, as flags.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct EndpointFlags {
    /// The endpoint of `openai:` models, such as http://localhost:11434/v1
    #[arg(long, value_name = "URL")]
    #[serde(rename = "model.base_url")]
    base_url: Option<String>,
    /// The environment variable that holds the key for it [default: OPENAI_API_KEY]
    #[arg(long, value_name = "VARIABLE")]
    #[serde(rename = "model.key_env")]
    key_env: Option<String>,
}

/// The endpoint of `openai:` critics and the key for it, as flags.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct CriticEndpointFlags {
    /// The endpoint of `openai:` critics [default: that of --base-url]
    #[arg(long, value_name = "URL")]
    #[serde(rename = "critic.base_url")]
    critic_base_url: Option<String>,
    /// The environment variable that holds the key for it [default: that of --key-env]
    #[arg(long, value_name = "VARIABLE")]
    #[serde(rename = "critic.key_env")]
    critic_key_env: Option<String>,
}

impl CriticEndpointFlags {
    /// The flags that were given, with their values.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let flags = [("--critic-base-url", &self.critic_base_url), ("--critic-key-env", &self.critic_key_env)];
        flags.into_iter().filter_map(|(flag, value)| Some((flag, value.as_deref()?)))
    }
}

impl EndpointFlags {
    /// The flags that were given, with their values.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let flags = [("--base-url", &self.base_url), ("--key-env", &self.key_env)];
        flags.into_iter().filter_map(|(flag, value)| Some((flag, value.as_deref()?)))
    }

    /// Overrides a configuration by the flags that were given.
    pub fn apply(&self, config: &mut ModelConfig) {
        if let Some(url) = &self.base_url {
            config.base_url.clone_from(url);
        }
        if let Some(variable) = &self.key_env {
            config.key_env.clone_from(variable);
        }
    }
}

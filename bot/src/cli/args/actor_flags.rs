//! Flags of commands that run an actor: the actor, its model, the laws, the world, the seed and the most steps.

use clap::builder::ArgPredicate;
use jiff::SignedDuration;
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::config::ModelConfig;
use ltlcrit_engine::model::ModelSpec;
use ltlcrit_engine::world::WorldName;
use ltlcrit_store::Offer;
use serde::Serialize;

use crate::cli::args::choice::choice;
use crate::cli::args::numbers;

/// The seed and the goal as flags; what is not given comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct TaskFlags {
    /// The seed of the world made here and of the persona; in the embedded world the same seed gives the same run, on a
    /// server no two runs are the same [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::whole::<u64>, display_order = 6)]
    #[serde(rename = "run.seed")]
    seed: Option<u64>,
    /// The goal, where runs end: a subgoal of the world, such as "iron pickaxe"; in Minecraft also what is to be carried, all of it
    /// at once, such as "furnace, 11 planks" [default: the world's own goal]
    #[arg(long, value_name = "SUBGOAL", display_order = 5)]
    #[serde(rename = "run.goal")]
    goal: Option<String>,
}

/// The longest time as a flag; if it is not given, it comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct TimeFlag {
    /// The longest real time, such as `20m` or `1h30m`; the run then ends before its next action and can be resumed [default: no
    /// limit]
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, display_order = 7)]
    #[serde(rename = "run.max_time")]
    pub max_time: Option<SignedDuration>,
}

/// The actor as flags; what is not given comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct ActorFlags {
    #[command(flatten)]
    #[serde(flatten)]
    model: ModelFlag,
    /// The actor [default: inner-monologue]
    #[arg(long, value_parser = choice::<ActorKind>(), display_order = 4)]
    #[serde(rename = "run.actor")]
    actor: Option<ActorKind>,
    /// The most steps: actions executed in the world [default: 200]
    #[arg(
        long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<u64>, display_order = 7
    )]
    #[serde(rename = "run.steps")]
    steps: Option<u64>,
    /// The actions that the actor is offered [default: all]
    #[arg(long, value_parser = choice::<Offer>(), display_order = 8)]
    #[serde(rename = "actor.offer")]
    offer: Option<Offer>,
}

/// The actor's model as a flag; if it is not given, it comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct ModelFlag {
    /// The actor's model: `simulated`, `simulated:PERSONA` (`ltlcrit personas` lists them; or a file, `./NAME.toml`),
    /// `openai:MODEL`, `cassette:FILE`, `plan:FILE`, or in planning tasks `planner:STRATEGY` (shortest, careful, safe, lawful,
    /// forgetful, corrected, random, hostile, empty: no model) [default: simulated]
    #[arg(long, value_name = "MODEL", display_order = 0)]
    #[serde(rename = "run.model")]
    model: Option<ModelSpec>,
}

/// The law books in force as flags; what is not given comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct BookFlags {
    /// A law book in force: a shipped name or a file; may be repeated [default: minecraft-hard]
    #[arg(long, value_name = "BOOK", display_order = 1)]
    #[serde(rename = "run.laws", skip_serializing_if = "Vec::is_empty")]
    laws: Vec<String>,
    /// Run without any law book
    #[arg(long, conflicts_with = "laws", display_order = 2)]
    #[serde(rename = "run.laws", skip_serializing_if = "std::ops::Not::not", serialize_with = "no_books")]
    no_laws: bool,
}

/// `--no-laws` as a list of books.
fn no_books<S: serde::Serializer>(_: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    [(); 0].serialize(serializer)
}

/// The world, and the server that is joined where it is one, as flags; what is not given comes from the configuration.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct WorldFlags {
    /// The world: `server` is a Minecraft server, joined by a real client, one of our own on loopback unless an address is
    /// given; `embedded` is a seeded Minecraft-like world inside this process, without a client and as fast as it can;
    /// `pddl:DIR` is the planning task in a folder, which the shield predicts exactly, `made:SEED-NUMBER` a made task, and
    /// `household:TASK` one of the household [default: server]
    // Naming a server asks for it.
    #[arg(
        long,
        value_name = "WORLD",
        default_value_if("server", ArgPredicate::IsPresent, "server"),
        display_order = 3
    )]
    #[serde(rename = "run.world")]
    pub world: Option<WorldName>,
    /// The Minecraft server to join [default: one of our own, on loopback]
    #[arg(long, value_name = "HOST:PORT", help_heading = MINECRAFT)]
    #[serde(rename = "server.address")]
    pub server: Option<String>,
    /// The account that joins: `offline:NAME` or `microsoft:EMAIL` [default: offline:ltlcrit]
    #[arg(long, value_name = "ACCOUNT", help_heading = MINECRAFT)]
    #[serde(rename = "server.account")]
    account: Option<String>,
}

/// The heading of flags that only Minecraft has.
pub const MINECRAFT: &str = "Minecraft";

/// The endpoint of `openai:` models and the key for it, as flags.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct EndpointFlags {
    /// The endpoint of `openai:` models, such as http://localhost:11434/v1
    #[arg(long, value_name = "URL", help_heading = MODELS)]
    #[serde(rename = "model.base_url")]
    base_url: Option<String>,
    /// The environment variable that holds the key for it [default: OPENAI_API_KEY]
    #[arg(long, value_name = "VARIABLE", help_heading = MODELS)]
    #[serde(rename = "model.key_env")]
    key_env: Option<String>,
}

/// The heading of flags of endpoints, caps and records.
pub const MODELS: &str = "Language models";

/// The endpoint of `openai:` critics and the key for it, as flags.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct CriticEndpointFlags {
    /// The endpoint of `openai:` critics [default: that of --base-url]
    #[arg(long, value_name = "URL", help_heading = MODELS)]
    #[serde(rename = "critic.base_url")]
    critic_base_url: Option<String>,
    /// The environment variable that holds the key for it [default: that of --key-env]
    #[arg(long, value_name = "VARIABLE", help_heading = MODELS)]
    #[serde(rename = "critic.key_env")]
    critic_key_env: Option<String>,
}

/// The endpoints of the models of actors and of critics, as flags.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct EndpointsFlags {
    #[command(flatten)]
    #[serde(flatten)]
    endpoint: EndpointFlags,
    #[command(flatten)]
    #[serde(flatten)]
    critic: CriticEndpointFlags,
}

impl EndpointFlags {
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

//! `ltlcrit run`: a shielded actor in a world, until the goal.

use std::path::PathBuf;

use ltlcrit_critic::model::{ChatModel, Ledger, ModelSpec};
use ltlcrit_critic::store::{Durability, Limits, Store};
use ltlcrit_worlds::World;
use serde::Serialize;

use super::caps::CapFlags;
use super::report::{Optimum, Reporter, summary};
use super::{CliError, Context, setup};
use crate::actor::Actor;
use crate::agent::{self, Agent, AgentError, Interrupt, RunFacts, RunSummary};
use crate::config::{ActorKind, Config, SightKind, WorldKind};
use crate::exit::ExitCode;

/// Arguments of `run`; what is not given comes from the configuration.
#[derive(Debug, Default, clap::Args)]
pub struct RunArgs {
    /// The world [default: embedded]
    #[arg(long, value_enum)]
    world: Option<WorldKind>,
    /// The seed of everything random; the same seed gives the same run [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The most steps: actions executed in the world [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Who proposes actions [default: inner-monologue]
    #[arg(long, value_enum)]
    actor: Option<ActorKind>,
    /// What stands behind the actor: `simulated`, `simulated:PERSONA`, `openai:MODEL` or `cassette:FILE` [default: simulated]
    #[arg(long, value_name = "MODEL")]
    model: Option<ModelSpec>,
    /// The endpoint of `openai:` models, such as http://localhost:11434/v1
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// A law book in force: a shipped name or a file; may be repeated [default: minecraft-hard]
    #[arg(long, value_name = "BOOK")]
    laws: Vec<String>,
    /// What the player sees within 32 blocks [default: exposed]
    #[arg(long, value_enum)]
    sight: Option<SightKind>,
    #[command(flatten)]
    caps: CapFlags,
    /// Record every exchange with the model, to be repeated with `--model cassette:FILE`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl RunArgs {
    /// The flags that were given, in the shape of [`crate::config::Config`].
    pub fn layer(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Layer {
            run: Run,
            model: Model,
            caps: CapFlags,
        }
        #[derive(Serialize)]
        struct Run {
            #[serde(skip_serializing_if = "Option::is_none")]
            world: Option<WorldKind>,
            #[serde(skip_serializing_if = "Option::is_none")]
            seed: Option<u64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            steps: Option<u64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            actor: Option<ActorKind>,
            #[serde(skip_serializing_if = "Option::is_none")]
            model: Option<ModelSpec>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            laws: Vec<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            sight: Option<SightKind>,
        }
        #[derive(Serialize)]
        struct Model {
            #[serde(skip_serializing_if = "Option::is_none")]
            base_url: Option<String>,
        }
        Layer {
            run: Run {
                world: self.world,
                seed: self.seed,
                steps: self.steps,
                actor: self.actor,
                model: self.model.clone(),
                laws: self.laws.clone(),
                sight: self.sight,
            },
            model: Model { base_url: self.base_url.clone() },
            caps: self.caps.clone(),
        }
    }
}

/// Carries the command out.
///
/// # Errors
/// Bad configuration, books, model or store; everything that happens later ends the run with its exit code.
pub fn run(args: &RunArgs, context: &Context) -> Result<ExitCode, CliError> {
    let config = context.config_with(&args.layer())?;
    let mut world = setup::world(&config);
    let books = setup::books(&config.run.laws, &world.vocabulary())?;
    let model = setup::model(&config, args.record.clone(), Ledger::default())?;
    let mut actor = setup::actor(&config, model.clone())?;
    let facts = RunFacts {
        program: agent::program(),
        configuration: values(&config)?,
        model: model.info(),
        price: model.price(),
        seed: config.run.seed,
        books: books.records,
        laws: books.laws,
        shielded: actor.shielded(),
        limits: limits(&config),
    };
    let store = Store::open(&config.store.path)?;
    let summary = live(context, &store, &mut world, &mut actor, async |agent| agent.run(facts).await)?;
    finish(&summary, &store, context)
}

/// Runs the loop with a reporter and Ctrl-C, on this thread.
///
/// # Errors
/// A run that cannot be begun, resumed or stored.
pub fn live<W: World, A: Actor>(
    context: &Context,
    store: &Store,
    world: &mut W,
    actor: &mut A,
    go: impl AsyncFnOnce(Agent<'_, W, A>) -> Result<RunSummary, AgentError>,
) -> Result<RunSummary, CliError> {
    let interrupt = Interrupt::new();
    super::interrupt::listen(interrupt.clone())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::from_error(ExitCode::Failure, "the run cannot be started", &error))?;
    let mut reporter = Reporter::new(context);
    let agent = Agent {
        world,
        actor,
        store,
        observer: &mut reporter,
        interrupt,
        new_laws: &mut agent::same_laws,
        durability: Durability::EachStep,
    };
    let summary = runtime.block_on(go(agent));
    drop(reporter);
    Ok(summary?)
}

/// Prints what came of a run.
///
/// # Errors
/// When the output is closed or full.
pub fn finish(summary: &RunSummary, store: &Store, context: &Context) -> Result<ExitCode, CliError> {
    let optimum = &Optimum::of(store, summary.run);
    if context.json() {
        context.print_json(&summary::Document::new(summary, optimum, store.path()))?;
    } else {
        context.note("");
        context.print(summary::text(summary, optimum))?;
    }
    Ok(summary::exit_code(summary.end.as_ref()))
}

/// The limits a configuration sets.
pub fn limits(config: &Config) -> Limits {
    // Caps on tokens are the model's business: they hold for all that is asked, answered or not.
    Limits { max_steps: config.run.steps, max_reprompts: config.run.max_reprompts, ..Limits::default() }
}

/// The configuration as the manifest keeps it; it names the key's variable, never the key. Where the store lies is left
/// out: the same run is the same bytes in every store.
fn values(config: &Config) -> Result<serde_json::Value, CliError> {
    let mut values = serde_json::to_value(config)
        .map_err(|error| CliError::from_error(ExitCode::Failure, "the configuration cannot be stored", &error))?;
    if let Some(sections) = values.as_object_mut() {
        sections.remove("store");
    }
    Ok(values)
}

impl From<AgentError> for CliError {
    fn from(error: AgentError) -> Self {
        let code = match &error {
            AgentError::Store(_) | AgentError::StoredLaw { .. } => ExitCode::Store,
            AgentError::World(_) | AgentError::Diverged { .. } => ExitCode::World,
            _ => ExitCode::Input,
        };
        match error {
            AgentError::Store(error) => error.into(),
            other => Self::new(code, other.to_string()),
        }
    }
}

//! The worlds of runs: their [registry](WORLDS), and the functions that open them.

mod error;
pub mod minecraft;
mod name;
mod pddl;
mod registry;
mod spec;
mod task;

use std::sync::Arc;

pub use error::OpenWorldError;
use ltlcrit_laws::Book;
use ltlcrit_minecraft::{EmbeddedOptions, Limits};
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{Signature, Vocabulary};
use ltlcrit_worlds::planner::{Planner, Strategy};
use ltlcrit_worlds::world::World;
use ltlcrit_worlds::{Extended, ForkableWorld};
pub use name::WorldName;
pub use registry::{WORLDS, fixed_vocabularies, of_kind};
pub use spec::{Distances, Fresh, Predictor, WorldKind};
pub use task::task;

use crate::agent::Interrupt;
use crate::books::named::mentioned;
use crate::config::Config;
use crate::user_error::UserError;

/// Opens the worlds of runs, one at a time or several at once.
#[allow(async_fn_in_trait)] // A run stays on the thread that began it.
pub trait OpenWorld: Sync {
    /// Opens the world of a configuration, fresh unless it is being continued. The interrupt ends its activities.
    ///
    /// # Errors
    /// The world cannot be opened.
    async fn open(&self, config: &Config, interrupt: &Interrupt) -> Result<Box<dyn World>, OpenWorldError>;
}

/// Opens worlds inside this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct InProcess;

impl OpenWorld for InProcess {
    async fn open(&self, config: &Config, _: &Interrupt) -> Result<Box<dyn World>, OpenWorldError> {
        match config.run.world.kind().is_live() {
            true => {
                let wrong = UserError::new("this program was built without its Minecraft client");
                let help = "run in the embedded world (--world embedded), or build it with the feature `client`";
                Err(OpenWorldError::Config(wrong.help(help)))
            }
            false => open(config),
        }
    }
}

/// Returns the vocabulary of a configuration's world, without the derived observations of books.
///
/// # Errors
/// The world cannot be read.
pub fn vocabulary(config: &Config) -> Result<Arc<Vocabulary>, OpenWorldError> {
    config.run.world.kind().vocabulary(&fresh(config))
}

/// Returns the lexicon of a configuration's world.
///
/// # Errors
/// The world cannot be read.
pub fn lexicon(config: &Config) -> Result<Lexicon, OpenWorldError> {
    config.run.world.kind().lexicon(&fresh(config))
}

/// Opens a fresh world of a configuration inside this process. For a server, this is the embedded world that the
/// program's own server serves.
///
/// # Errors
/// The world cannot be read, or does not have such a goal.
pub fn open(config: &Config) -> Result<Box<dyn World>, OpenWorldError> {
    towards_goal(config.run.world.kind().open(&fresh(config))?, config)
}

/// Sets the goal of a configuration, which is one of the world's subgoals. Returns the world unchanged if no goal is
/// named.
///
/// # Errors
/// The world does not have such a subgoal.
pub fn towards_goal(world: Box<dyn World>, config: &Config) -> Result<Box<dyn World>, OpenWorldError> {
    let Some(goal) = &config.run.goal else { return Ok(world) };
    let named = Extended::towards(world, goal).map_err(|known| {
        let wrong = format!("the world `{}` has no subgoal `{goal}`", config.run.world);
        OpenWorldError::Config(match known.as_slice() {
            [] => UserError::new(format!("{wrong}; it has none"))
                .help("leave out `run.goal` (`--goal`): the goal is that of the world"),
            known => UserError::new(wrong).help(format!("its subgoals are: {}", known.join(", "))),
        })
    })?;
    Ok(Box::new(named))
}

/// Returns a planner for the fresh world of a configuration, towards the world's own goal.
///
/// # Errors
/// The world has no planner, or cannot be read.
pub fn planner(config: &Config, strategy: Strategy) -> Result<Box<dyn Planner>, OpenWorldError> {
    let world = config.run.world.kind().open(&fresh(config))?;
    let planner = world.fork(None).and_then(|fork| fork.planner(strategy, config.run.seed));
    planner.ok_or_else(|| {
        let wrong = UserError::new(format!("the world `{}` has no planner", config.run.world));
        let help = "planners know planning tasks, such as --world pddl:DIR; elsewhere name a model";
        OpenWorldError::Config(wrong.help(help))
    })
}

/// Opens the fresh world of a configuration for forks and searches. For a server, this is the embedded world.
///
/// # Errors
/// The world cannot be forked, or cannot be read.
pub fn fork(config: &Config) -> Result<Box<dyn ForkableWorld>, OpenWorldError> {
    open(config)?.fork(None).ok_or_else(|| OpenWorldError::NoTrials { world: config.run.world.to_string() })
}

/// Returns the vocabulary of a configuration's world without laws.
///
/// # Errors
/// A world that cannot be read.
pub fn vocabulary_without_laws(config: &Config) -> Result<Arc<Vocabulary>, OpenWorldError> {
    config.run.world.kind().vocabulary(&fresh_for(config, &[]))
}

/// Opens a fresh world for the laws of some books, whatever books the configuration names.
///
/// # Errors
/// The world cannot be read.
pub fn open_for(config: &Config, books: &[&Book]) -> Result<Box<dyn World>, OpenWorldError> {
    config.run.world.kind().open(&fresh_for(config, books))
}

fn fresh_for<'a>(config: &'a Config, books: &'a [&'a Book]) -> Fresh<'a> {
    let mentioned = move |signature: &Signature| {
        books.iter().flat_map(|book| ltlcrit_laws::mentioned(book, signature)).map(|atom| atom.to_string()).collect()
    };
    Fresh { mentioned: Box::new(mentioned), ..fresh(config) }
}

fn fresh(config: &Config) -> Fresh<'_> {
    let books = [config.run.books(), config.run.judged_by.clone()].concat();
    Fresh {
        argument: config.run.world.argument(),
        seed: config.run.seed,
        minecraft: embedded(config),
        mentioned: Box::new(move |signature| mentioned(&books, signature)),
        fatal_danger: config.run.fatal_danger,
    }
}

/// Returns the options of the embedded Minecraft world in a configuration.
pub fn embedded(config: &Config) -> EmbeddedOptions {
    EmbeddedOptions { terrain: config.run.terrain, limits: Limits { sight: config.run.sight, ..Limits::default() } }
}

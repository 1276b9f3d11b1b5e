//! The worlds of runs: their [registry](WORLDS), and how they are opened.

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
use ltlcrit_minecraft::EmbeddedOptions;
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{Signature, Vocabulary};
use ltlcrit_worlds::planner::{Planner, Strategy};
use ltlcrit_worlds::world::World;
use ltlcrit_worlds::{Extended, ForkableWorld, SubgoalWorld};
pub use name::{WorldName, WorldNameError};
pub use registry::{WORLDS, fixed_vocabularies, of_kind};
pub use spec::{Distances, Fresh, Predictor, WorldKind};
pub use task::task;

use crate::agent::{Event, Interrupt};
use crate::books::named::mentioned;
use crate::config::Config;

/// Gets the events of a run.
pub type Listener = Box<dyn Fn(&Event<'_>)>;

/// A world that is ready for a run.
pub struct OpenedWorld {
    /// The world.
    pub world: Box<dyn World>,
    /// Gets the events of the run, for answers in the world itself.
    pub listener: Option<Listener>,
}

/// Opens the worlds of runs, one at a time or several at once.
#[allow(async_fn_in_trait)] // A run stays on the thread that began it.
pub trait OpenWorld: Sync {
    /// Opens the world of a configuration, fresh unless it is being continued. The interrupt ends what the world does.
    ///
    /// # Errors
    /// A world that cannot be opened.
    async fn open(&self, config: &Config, interrupt: &Interrupt) -> Result<OpenedWorld, OpenWorldError>;
}

/// Opens worlds inside this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct InProcess;

impl OpenWorld for InProcess {
    async fn open(&self, config: &Config, _: &Interrupt) -> Result<OpenedWorld, OpenWorldError> {
        match config.run.world.kind().is_live() {
            true => Err(OpenWorldError::NoClient),
            false => Ok(OpenedWorld { world: open(config)?, listener: None }),
        }
    }
}

/// A world with what a vocabulary derives.
///
/// # Errors
/// The vocabulary is not one of this world.
pub fn deriving(world: Box<dyn World>, vocabulary: &Vocabulary) -> Result<Extended, OpenWorldError> {
    Ok(Extended::new(world, vocabulary.derivations().cloned())?)
}

/// The vocabulary of a configuration's world, without what books derive.
///
/// # Errors
/// A world that cannot be read.
pub fn vocabulary(config: &Config) -> Result<Arc<Vocabulary>, OpenWorldError> {
    config.run.world.kind().vocabulary(&fresh(config))
}

/// What sentences can speak of in a configuration's world.
///
/// # Errors
/// A world that cannot be read.
pub fn lexicon(config: &Config) -> Result<Lexicon, OpenWorldError> {
    config.run.world.kind().lexicon(&fresh(config))
}

/// Opens the world of a configuration inside this process, fresh; for a server, the embedded world that one of our own serves.
///
/// # Errors
/// A world that cannot be read, or has no such goal.
pub fn open(config: &Config) -> Result<Box<dyn World>, OpenWorldError> {
    towards_goal(config.run.world.kind().open(&fresh(config))?, config)
}

/// A world with the goal of a configuration, which is one of its subgoals; the world itself if none is named.
///
/// # Errors
/// The world has no such subgoal.
pub fn towards_goal(world: Box<dyn World>, config: &Config) -> Result<Box<dyn World>, OpenWorldError> {
    let Some(goal) = &config.run.goal else { return Ok(world) };
    let named = SubgoalWorld::new(world, goal).map_err(|known| OpenWorldError::NoSubgoal {
        world: config.run.world.to_string(),
        goal: goal.clone(),
        known,
    })?;
    Ok(Box::new(named))
}

/// A planner for the fresh world of a configuration, towards the world's own goal.
///
/// # Errors
/// A world without planners, or one that cannot be read.
pub fn planner(config: &Config, strategy: Strategy) -> Result<Box<dyn Planner>, OpenWorldError> {
    let world = config.run.world.kind().open(&fresh(config))?;
    let planner = world.fork(None).and_then(|fork| fork.planner(strategy, config.run.seed));
    planner.ok_or_else(|| OpenWorldError::NoPlanner { world: config.run.world.to_string() })
}

/// The fresh world of a configuration, to be copied and searched; for a server, the embedded world.
///
/// # Errors
/// A world that cannot be copied, or cannot be read.
pub fn fork(config: &Config) -> Result<Box<dyn ForkableWorld>, OpenWorldError> {
    open(config)?.fork(None).ok_or_else(|| OpenWorldError::NoTrials { world: config.run.world.to_string() })
}

/// The same for the laws of some books, whatever books are named.
///
/// # Errors
/// A world that cannot be read.
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
    let books = config.run.books();
    Fresh {
        argument: config.run.world.argument(),
        seed: config.run.seed,
        minecraft: embedded(config),
        mentioned: Box::new(move |signature| mentioned(&books, signature)),
        fatal_danger: config.run.fatal_danger,
    }
}

/// The options of the embedded Minecraft world in a configuration.
pub fn embedded(config: &Config) -> EmbeddedOptions {
    EmbeddedOptions { terrain: config.run.terrain, sight: config.run.sight, ..EmbeddedOptions::default() }
}

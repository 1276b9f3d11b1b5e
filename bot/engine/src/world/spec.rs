//! What is registered of a world.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_minecraft::EmbeddedOptions;
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{ActionId, PropSet, Signature, Vocabulary};
use ltlcrit_worlds::planner::{Planner, Strategy};
use ltlcrit_worlds::world::{Observation, Outcome, WorldInfo};
use ltlcrit_worlds::{Bounds, BoxedWorld, Forecast, Shape, World};

use super::error::OpenWorldError;

/// What a world of some description, of which only records are left, knew of actions.
pub trait Predictor {
    /// What it knew of an action in the state of an observation.
    fn forecast(&self, observation: &Observation, action: ActionId) -> Forecast;

    /// The bounds within which an action leaves the numbers of the full observation.
    fn bounds(&self, observation: &Observation, action: ActionId) -> Bounds;

    /// Whether an action passed through anything.
    fn passes(&self, observation: &Observation, action: ActionId) -> bool;

    /// The actions that could be tried, if it knew.
    fn applicable(&self, observation: &Observation) -> Option<Vec<ActionId>>;
}

/// A world of the same description knows the same.
impl<W: World> Predictor for W {
    fn forecast(&self, observation: &Observation, action: ActionId) -> Forecast {
        Forecast::of(self, observation, action)
    }

    fn bounds(&self, observation: &Observation, action: ActionId) -> Bounds {
        World::bounds(self, observation, action)
    }

    fn passes(&self, observation: &Observation, action: ActionId) -> bool {
        !World::passes(self, observation, action).is_empty()
    }

    fn applicable(&self, observation: &Observation) -> Option<Vec<ActionId>> {
        World::applicable(self, observation)
    }
}

/// The names of the propositions that laws mention, by the objects of the world and what can hold there.
pub type Mentioned<'a> = dyn Fn(&Signature) -> BTreeSet<String> + 'a;

/// What a fresh world is made from.
pub struct Fresh<'a> {
    /// What follows the world's name.
    pub argument: Option<&'a str>,
    /// The seed.
    pub seed: u64,
    /// The options of Minecraft worlds.
    pub minecraft: EmbeddedOptions,
    /// What the laws that will be in force mention. A large world makes letters of that alone.
    pub mentioned: Box<Mentioned<'a>>,
    /// Whether runs of planning tasks end when they meet more danger than is tolerated.
    pub fatal_danger: bool,
    /// The subgoal that is the goal, if it is not the world's own.
    pub goal: Option<&'a str>,
}

/// Opens a planner for a fresh world.
pub type OpenPlanner = fn(&Fresh<'_>, Strategy) -> Result<Box<dyn Planner>, OpenWorldError>;

/// The least numbers of actions from the states of a world.
pub trait Distances: Send {
    /// Those from an observed state to each of the world's subgoals, in order; empty if the state is not known.
    fn from(&mut self, start: &Observation) -> Vec<Option<u64>>;
}

/// How far the goal of a world is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The least number of actions to it, and the first of them; none at the goal.
    Steps(u64, Option<ActionId>),
    /// No way leads there.
    NoWay,
    /// The search for a way gave up.
    Unknown,
}

/// A world in which actions can be tried: it can be copied, and a planner knows how far its goal is.
pub trait Trials {
    /// A copy that goes on by itself. All copies share what the planner has found.
    fn copy(&self) -> Box<dyn Trials>;

    /// The same for a fresh world of another seed.
    fn fresh(&self, seed: u64) -> Box<dyn Trials>;

    /// Executes an action; `None` if nothing can be done any more.
    fn act(&mut self, action: ActionId) -> Option<Outcome>;

    /// How far the goal is.
    fn left(&mut self) -> Left;

    /// Whether no way leads to the goal without these actions: proved for all that the planner knows of.
    fn needs(&self, actions: &[ActionId]) -> bool {
        let _ = actions;
        false
    }

    /// The steps that a player with this planner needs to the goal in the fresh world of a seed, exploring included; `None` if it
    /// finds no way, or is known for another goal alone.
    fn reference(&mut self, seed: u64) -> Option<u64> {
        match self.fresh(seed).left() {
            Left::Steps(steps, _) => Some(steps),
            Left::NoWay | Left::Unknown => None,
        }
    }
}

/// Opens a fresh world to try actions in.
pub type OpenTrials = fn(&Fresh<'_>) -> Result<Box<dyn Trials>, OpenWorldError>;

/// A kind of world: all that this program knows of it besides [`World`](ltlcrit_worlds::World).
pub struct WorldSpec {
    /// Its name, and the [kind](WorldInfo::kind) of its description.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// What follows its name and a colon, if something does.
    pub argument: Option<&'static str>,
    /// Whether it goes on outside this process: its episodes run one after the other, and each of their steps is stored
    /// before the next begins.
    pub live: bool,
    /// Whether it has terrain, of one of several kinds.
    pub has_terrain: bool,
    /// The books in force where none are named, by its argument.
    pub laws: fn(Option<&str>) -> Vec<String>,
    /// Its vocabulary, without what books derive.
    pub vocabulary: fn(&Fresh<'_>) -> Result<Arc<Vocabulary>, OpenWorldError>,
    /// Opens it inside this process; for a server, the embedded world that one of our own serves.
    pub open: fn(&Fresh<'_>) -> Result<BoxedWorld, OpenWorldError>,
    /// A planner for it, where it can be searched.
    pub planner: Option<OpenPlanner>,
    /// Opens it to try actions in, where it can be copied; for a server, the embedded world that one of our own serves.
    pub trials: Option<OpenTrials>,
    /// Its predictions, from its description; `None` where anything may follow.
    pub predictor: fn(&WorldInfo) -> Option<Box<dyn Predictor>>,
    /// Its distances, where a planner knows them.
    pub distances: Option<fn() -> Box<dyn Distances>>,
    /// The shape of its full observations.
    pub shape: fn() -> Shape,
    /// Where the player is in an observation, in worlds that have places: x, height and z of a block.
    pub place: fn(&Observation) -> Option<[i32; 3]>,
    /// What sentences can speak of in it.
    pub lexicon: fn(&Fresh<'_>) -> Result<Lexicon, OpenWorldError>,
    /// The observations that any action may change and none is sure to keep, where what an action leads to is not known exactly.
    pub surroundings: Option<fn() -> PropSet>,
    /// The fields of its full observations that some action is sure to keep.
    pub kept: &'static [&'static str],
}

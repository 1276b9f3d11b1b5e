//! What is registered of a world.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_minecraft::EmbeddedOptions;
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{PropSet, Signature, Vocabulary};
use ltlcrit_worlds::world::{Observation, WorldInfo};
use ltlcrit_worlds::{Outlook, Shape, World};

use super::error::OpenWorldError;

/// What a world of some description, of which only records are left, knew of its actions.
pub trait Predictor {
    /// What it knew of them in the state of an observation.
    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a>;
}

/// A world of the same description knows the same.
impl<W: World> Predictor for W {
    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        World::outlook(self, observation)
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
}

/// The least numbers of actions from an observed state to each of the world's subgoals, in order; empty if the state is not
/// known.
pub type Distances = Box<dyn FnMut(&Observation) -> Vec<Option<u64>> + Send>;

/// A kind of world: all that this program knows of it besides [`World`].
pub trait WorldKind: Sync {
    /// Its name, and the [kind](WorldInfo::kind) of its description.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn about(&self) -> &'static str;

    /// What follows its name and a colon, if something does.
    fn argument(&self) -> Option<&'static str> {
        None
    }

    /// Whether it goes on outside this process: its episodes run one after the other, and each of their steps is stored
    /// before the next begins.
    fn is_live(&self) -> bool {
        false
    }

    /// Whether it has terrain, of one of several kinds.
    fn has_terrain(&self) -> bool {
        false
    }

    /// The books in force where none are named, by its argument.
    fn laws(&self, argument: Option<&str>) -> Vec<String> {
        let _ = argument;
        Vec::new()
    }

    /// Opens it inside this process; for a server, the embedded world that one of our own serves.
    ///
    /// # Errors
    /// A world that cannot be read.
    fn open(&self, fresh: &Fresh<'_>) -> Result<Box<dyn World>, OpenWorldError>;

    /// Its vocabulary, without what books derive.
    ///
    /// # Errors
    /// A world that cannot be read.
    fn vocabulary(&self, fresh: &Fresh<'_>) -> Result<Arc<Vocabulary>, OpenWorldError> {
        Ok(self.open(fresh)?.vocabulary())
    }

    /// Its predictions, from its description; `None` where anything may follow.
    fn predictor(&self, info: &WorldInfo) -> Option<Box<dyn Predictor>>;

    /// Its distances, where a planner knows them.
    fn distances(&self) -> Option<Distances> {
        None
    }

    /// The shape of its full observations.
    fn shape(&self) -> Shape;

    /// Where the player is in an observation, in worlds that have places: x, height and z of a block.
    fn place(&self, observation: &Observation) -> Option<[i32; 3]> {
        let _ = observation;
        None
    }

    /// What sentences can speak of in it.
    ///
    /// # Errors
    /// A world that cannot be read.
    fn lexicon(&self, fresh: &Fresh<'_>) -> Result<Lexicon, OpenWorldError>;

    /// The observations that any action may change and none is sure to keep, where what an action leads to is not known exactly.
    fn surroundings(&self) -> Option<PropSet> {
        None
    }

    /// The fields of its full observations that some action is sure to keep.
    fn kept(&self) -> &'static [&'static str] {
        &[]
    }
}

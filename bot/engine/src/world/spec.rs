//! The registry entry of a kind of world.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_minecraft::EmbeddedOptions;
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{PropSet, Signature, Vocabulary};
use ltlcrit_worlds::world::{Observation, WorldInfo};
use ltlcrit_worlds::{Outlook, Shape, World};

use super::error::OpenWorldError;

/// Recomputes a past world's predictions from its stored description.
pub trait Predictor {
    /// Returns its predictions for the actions in the state of an observation.
    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a>;
}

/// A world predicts the same as any other world of the same description.
impl<W: World> Predictor for W {
    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        World::outlook(self, observation)
    }
}

/// Returns the names of the propositions that laws mention, by the objects of the world and the facts there.
pub type Mentioned<'a> = dyn Fn(&Signature) -> BTreeSet<String> + 'a;

/// The inputs for opening a fresh world.
pub struct Fresh<'a> {
    /// The argument: the part after the world's name and the colon.
    pub argument: Option<&'a str>,
    /// The seed.
    pub seed: u64,
    /// The options of Minecraft worlds.
    pub minecraft: EmbeddedOptions,
    /// Returns the propositions that the laws to come mention. A large world makes letters of these alone.
    pub mentioned: Box<Mentioned<'a>>,
    /// True if runs of planning tasks end when they meet more danger than is tolerated.
    pub fatal_danger: bool,
}

/// Computes the minimum number of actions from an observed state to a subgoal, by its name. `None` if either is unknown.
pub type Distances = Box<dyn FnMut(&Observation, &str) -> Option<u64> + Send>;

/// A kind of world: everything that this program knows of it, other than the [`World`] itself.
pub trait WorldKind: Sync {
    /// The name, which is also the [kind](WorldInfo::kind) of its description.
    fn name(&self) -> &'static str;

    /// A description in one line.
    fn about(&self) -> &'static str;

    /// The placeholder of the argument after its name and a colon, if it takes one.
    fn argument(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether it runs outside this process. Such a world runs one episode after the other, and each step is
    /// stored before the next begins.
    fn is_live(&self) -> bool {
        false
    }

    /// Returns whether it has terrain, of one of several kinds.
    fn has_terrain(&self) -> bool {
        false
    }

    /// The books in force if none are named, by its argument.
    fn laws(&self, argument: Option<&str>) -> Vec<String> {
        let _ = argument;
        Vec::new()
    }

    /// Opens it inside this process. For a server, this is the embedded world that the program's own server serves.
    ///
    /// # Errors
    /// The world cannot be read.
    fn open(&self, fresh: &Fresh<'_>) -> Result<Box<dyn World>, OpenWorldError>;

    /// Returns its vocabulary, without the derived observations of books.
    ///
    /// # Errors
    /// The world cannot be read.
    fn vocabulary(&self, fresh: &Fresh<'_>) -> Result<Arc<Vocabulary>, OpenWorldError> {
        Ok(self.open(fresh)?.vocabulary())
    }

    /// Returns its predictions, from its description; `None` if anything may follow.
    fn predictor(&self, info: &WorldInfo) -> Option<Box<dyn Predictor>>;

    /// Returns the distances to its subgoals, if a planner knows them.
    fn distances(&self) -> Option<Distances> {
        None
    }

    /// Names what these distances leave out, if anything.
    fn distances_omit(&self) -> Option<&'static str> {
        None
    }

    /// Returns the shape of its full observations.
    fn shape(&self) -> Shape;

    /// Returns the player's position in an observation, in worlds that have places: x, height and z of a block.
    fn place(&self, observation: &Observation) -> Option<[i32; 3]> {
        let _ = observation;
        None
    }

    /// Returns its lexicon: the terms that sentences may use.
    ///
    /// # Errors
    /// The world cannot be read.
    fn lexicon(&self, fresh: &Fresh<'_>) -> Result<Lexicon, OpenWorldError>;

    /// The observations that any action may change and no action is sure to keep, in worlds with inexact predictions.
    fn surroundings(&self) -> Option<PropSet> {
        None
    }

    /// The fields of its full observations that some action is sure to keep.
    fn kept(&self) -> &'static [&'static str] {
        &[]
    }
}

//! Minecraft worlds.

use std::collections::HashMap;
use std::sync::Arc;

use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::planner::{Goal, Planner, State};
use ltlcrit_minecraft::vocabulary::PHRASES;
use ltlcrit_minecraft::{EmbeddedWorld, MinecraftObservation};
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{PropSet, Vocabulary};
use ltlcrit_worlds::{Observation, Outlook, Shape, World, WorldInfo, WorldObservation as _};

use super::error::OpenWorldError;
use super::spec::{Distances, Fresh, Predictor, WorldKind};

/// A Minecraft server with a client that the caller of this library provides.
pub static SERVER: Minecraft = Minecraft(Setting::Server);

/// The embedded world.
pub static EMBEDDED: Minecraft = Minecraft(Setting::Embedded);

/// A Minecraft world in one of its settings.
pub struct Minecraft(Setting);

impl WorldKind for Minecraft {
    fn name(&self) -> &'static str {
        match self.0 {
            Setting::Server => "server",
            Setting::Embedded => "embedded",
        }
    }

    fn about(&self) -> &'static str {
        match self.0 {
            Setting::Server => {
                "a Minecraft server, joined by a real client: one of our own on loopback unless an address is given"
            }
            Setting::Embedded => {
                "a seeded Minecraft-like world inside this process, without a client and as fast as it can"
            }
        }
    }

    fn is_live(&self) -> bool {
        self.0 == Setting::Server
    }

    fn has_terrain(&self) -> bool {
        true
    }

    fn laws(&self, _: Option<&str>) -> Vec<String> {
        vec!["minecraft-hard".to_owned()]
    }

    fn open(&self, fresh: &Fresh<'_>) -> Result<Box<dyn World>, OpenWorldError> {
        Ok(Box::new(EmbeddedWorld::new(fresh.seed, fresh.minecraft)))
    }

    fn vocabulary(&self, _: &Fresh<'_>) -> Result<Arc<Vocabulary>, OpenWorldError> {
        Ok(ltlcrit_minecraft::vocabulary())
    }

    fn predictor(&self, _: &WorldInfo) -> Option<Box<dyn Predictor>> {
        Some(Box::new(Effects(self.0)))
    }

    /// Returns the distances of the symbolic task. Distances from equal states are computed once.
    fn distances(&self) -> Option<Distances> {
        let mut known: HashMap<(State, Goal), Option<u64>> = HashMap::new();
        Some(Box::new(move |start, goal| {
            let start = State::of(&start.details.get::<MinecraftObservation>()?);
            let goal = Goal::named(goal)?;
            let to = || Planner::new(goal).distance(&start).map(u64::from);
            *known.entry((start, goal)).or_insert_with(to)
        }))
    }

    fn distances_omit(&self) -> Option<&'static str> {
        self.is_live().then_some("the fuel that a furnace burns while the actor decides")
    }

    fn shape(&self) -> Shape {
        MinecraftObservation::shape()
    }

    fn place(&self, observation: &Observation) -> Option<[i32; 3]> {
        let at = observation.details.get::<MinecraftObservation>()?.position;
        Some([at.x, at.y, at.z])
    }

    fn lexicon(&self, _: &Fresh<'_>) -> Result<Lexicon, OpenWorldError> {
        Ok(Lexicon::of_vocabulary(&ltlcrit_minecraft::vocabulary(), &PHRASES, Vec::new()))
    }

    fn surroundings(&self) -> Option<PropSet> {
        Some(effects::surroundings())
    }

    fn kept(&self) -> &'static [&'static str] {
        &effects::KEPT
    }
}

/// The known effects of actions, computed without a world.
struct Effects(Setting);

impl Predictor for Effects {
    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        effects::outlook(observation, self.0)
    }
}

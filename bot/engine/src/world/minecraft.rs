//! The Minecraft worlds.

use std::collections::HashMap;

use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::planner::{Goal, Planner, State, TaskRules};
use ltlcrit_minecraft::{EmbeddedWorld, MinecraftObservation};
use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::{BoxedWorld, Forecast, Observation, WorldObservation as _};

use super::error::OpenWorldError;
use super::spec::{Distances, Predictor, WorldSpec};

/// A Minecraft server with a client, which the caller of this library brings.
pub static SERVER: WorldSpec = WorldSpec {
    name: "server",
    about: "a Minecraft server, joined by a real client: one of our own on loopback unless an address is given",
    live: true,
    open: |_| Err(OpenWorldError::NoClient),
    predictor: |_| Some(Box::new(Effects(Setting::Server))),
    ..EMBEDDED
};

/// The embedded world.
pub const EMBEDDED: WorldSpec = WorldSpec {
    name: "embedded",
    about: "a seeded Minecraft-like world inside this process, without a client and as fast as it can",
    argument: None,
    live: false,
    has_terrain: true,
    laws: |_| vec!["minecraft-hard".to_owned()],
    vocabulary: |_| Ok(ltlcrit_minecraft::vocabulary()),
    open: |fresh| Ok(BoxedWorld::new(EmbeddedWorld::new(fresh.seed, fresh.minecraft))),
    planner: None,
    predictor: |_| Some(Box::new(Effects(Setting::Embedded))),
    distances: Some(|| Box::new(SymbolicDistances::default())),
    shape: MinecraftObservation::shape,
};

/// The goals of the planner, in the order of the task's subgoals.
const GOALS: [Goal; 4] = [Goal::WoodenPickaxe, Goal::StonePickaxe, Goal::IronPickaxe, Goal::Diamond];

/// The distances of the symbolic task; those from equal states are computed once.
#[derive(Default)]
struct SymbolicDistances(HashMap<State, [Option<u32>; 4]>);

impl Distances for SymbolicDistances {
    fn from(&mut self, start: &Observation) -> Vec<Option<u64>> {
        let Some(observation) = start.details.get::<MinecraftObservation>() else { return Vec::new() };
        let start = State::of(&observation);
        let search = || GOALS.map(|goal| Planner::new(goal, TaskRules::default()).distance(&start));
        self.0.entry(start).or_insert_with(search).map(|steps| steps.map(u64::from)).to_vec()
    }
}

/// The effects of actions are known without a world.
struct Effects(Setting);

impl Predictor for Effects {
    fn forecast(&self, observation: &Observation, action: ActionId) -> Forecast {
        effects::predict(observation, action, self.0).into()
    }

    fn passes(&self, _: &Observation, _: ActionId) -> bool {
        false
    }

    fn applicable(&self, _: &Observation) -> Option<Vec<ActionId>> {
        None
    }
}

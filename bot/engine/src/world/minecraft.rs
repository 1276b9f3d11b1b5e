//! The Minecraft worlds.

use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::{EmbeddedWorld, MinecraftObservation};
use ltlcrit_worlds::{BoxedWorld, WorldObservation as _};

use super::error::OpenWorldError;
use super::spec::{Predictor, WorldSpec};

/// A Minecraft server with a client, which the caller of this library brings.
pub static SERVER: WorldSpec = WorldSpec {
    name: "server",
    about: "a Minecraft server, joined by a real client: one of our own on loopback unless an address is given",
    live: true,
    open: |_| Err(OpenWorldError::NoClient),
    predictor: |_| Some(predictor(Setting::Server)),
    ..EMBEDDED
};

/// The embedded world.
pub const EMBEDDED: WorldSpec = WorldSpec {
    name: "embedded",
    about: "a seeded Minecraft-like world inside this process, without a client and as fast as it can",
    argument: None,
    live: false,
    laws: &["minecraft-hard"],
    vocabulary: |_| Ok(ltlcrit_minecraft::vocabulary()),
    open: |fresh| Ok(BoxedWorld::new(EmbeddedWorld::new(fresh.seed, fresh.minecraft))),
    planner: None,
    predictor: |_| Some(predictor(Setting::Embedded)),
    shape: MinecraftObservation::shape,
};

fn predictor(setting: Setting) -> Predictor {
    Box::new(move |observation, action| effects::predict(observation, action, setting).into())
}

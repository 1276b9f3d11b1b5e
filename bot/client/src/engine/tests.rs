//! Panics inside azalea: the connection is lost, the engine restarts, and the player joins again.

use std::time::Duration;

use azalea::ecs::schedule::Schedules;
use azalea::entity::inventory::Inventory;
use azalea::registry::builtin::MenuKind;
use ltlcrit_minecraft::vocabulary;
use ltlcrit_server::{Server, ServerOptions};
use ltlcrit_worlds::{World, WorldError};

use super::*;
use crate::engine_core::EngineCore;
use crate::error::EngineStopped;
use crate::link::Link;
use crate::state::SharedState;
use crate::synced_windows::Window;
use crate::{Account, ClientOptions, ClientWorld, Reconnect, windows};

/// The speed of the clocks, as a multiple of the game's.
const SPEED: u32 = 4;

async fn joined(attempts: u32) -> (Server, ClientWorld) {
    let options = ServerOptions { ticks_per_second: 20 * SPEED, ..ServerOptions::compact() };
    let server = Server::start(options).unwrap();
    let options = ClientOptions {
        account: Account::offline("tester"),
        view_distance: 4,
        reconnect: Reconnect { attempts, first: Duration::from_millis(10), longest: Duration::from_secs(1) },
        speed: f64::from(SPEED),
        ..ClientOptions::new(server.address().to_string())
    };
    let world = ClientWorld::join(options, ltlcrit_worlds::Interrupt::new()).await.unwrap();
    (server, world)
}

/// A panic on the engine's own thread, in a game tick.
fn in_a_tick(core: &EngineCore) {
    let panics = |ecs: &mut Ecs| {
        ecs.resource_mut::<Schedules>().add_systems(GameTick, || -> () { panic!("on demand") });
    };
    let _ = core.with(panics);
}

/// A panic on a thread that accesses the ECS.
fn in_a_look(core: &EngineCore) {
    let looked: Result<(), EngineStopped> = core.with(|_| panic!("on demand"));
    assert!(matches!(looked, Err(EngineStopped::Failed(why)) if why == "on demand"));
}

/// Checks that the run and the clock continue after a panic, twice.
async fn goes_on_after(sabotage: fn(&EngineCore)) {
    let (_server, mut world) = joined(20).await;
    let action = vocabulary().action("action_mine_log").unwrap();
    for times in 1..=2 {
        let core = world.engine().core().unwrap();
        let soon = async {
            let (began, mut progress) = (core.progress().ticks, core.subscribe());
            while progress.read().ticks <= began + 5 {
                progress.changed().await.unwrap();
            }
            sabotage(&core);
        };
        let (outcome, ()) = tokio::join!(world.execute(action), soon);
        let outcome = outcome.unwrap();
        assert!(outcome.succeeded(), "{outcome:?}");
        assert!(outcome.ticks > 5, "{outcome:?}");
        assert_eq!(world.reconnects(), times);
        assert!(core.stopped() && !world.is_lost());
    }
}

#[tokio::test]
async fn goes_on_after_a_panic_in_a_tick() {
    goes_on_after(in_a_tick).await;
}

#[tokio::test]
async fn goes_on_after_a_panic_in_a_look() {
    goes_on_after(in_a_look).await;
}

/// Without attempts to join again, the error is azalea's message.
#[tokio::test]
async fn says_why_the_engine_failed() {
    let (_server, mut world) = joined(0).await;
    in_a_look(&world.engine().core().unwrap());
    assert!(world.is_lost());
    let WorldError::Gone(why) = world.observe().await.unwrap_err() else { panic!("it is gone") };
    let (begins, ends) =
        ("the game client failed: on demand", "the connection did not last, and `server.reconnects` (0) is used up");
    assert!(why.starts_with(begins) && why.ends_with(ends), "{why}");
}

/// azalea removes the inventory when a connection ends; closing a window then has no effect.
#[tokio::test]
async fn closes_windows_of_a_player_that_has_left() {
    let engine = Engine::start(1.0).unwrap();
    let core = engine.core().unwrap();
    let window = Window { id: 3, kind: MenuKind::Furnace, slots: Vec::new(), properties: [0; 4] };
    let entity = core.with(|ecs| ecs.spawn_empty().id()).unwrap();
    let link = Link::new(core.clone(), entity, SharedState::default());
    link.state(|state| state.windows.open = Some(window.clone()));
    windows::close(&link);
    assert!(link.state(|state| state.windows.open.is_none()) && !core.stopped());
    // With an inventory, azalea's window is closed too.
    core.with(|ecs| ecs.entity_mut(entity).insert(Inventory { id: 3, ..Inventory::default() }).id()).unwrap();
    link.state(|state| state.windows.open = Some(window));
    windows::close(&link);
    assert_eq!(core.with(|ecs| ecs.get::<Inventory>(entity).map(|inventory| inventory.id)), Ok(Some(0)));
}

//! Disruptions: kicks, stopped servers, death, other players, worn tools, and a cancelled run.

use std::time::Duration;

use ltlcrit_client::{ClientOptions, JoinError, Reconnect};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::vocabulary;
use ltlcrit_server::{Server, ServerOptions};
use ltlcrit_worlds::LiveWorld as _;
use ltlcrit_worlds::{Interrupt, World, WorldError};

use super::scene::{CENTRE, Clock, NAME, Scene, arena, client_options, meadow, server_options};

/// After a kick in the middle of an action, the client joins again and completes the action.
#[tokio::test]
async fn comes_back_after_a_kick_and_goes_on() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(4, 0, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    let Scene { world, server, clock } = &mut scene;
    let kick = async {
        clock.ticks(24).await;
        server.kick(NAME, "Idle too long.").unwrap();
    };
    let action = vocabulary().action("action_mine_log").unwrap();
    let (outcome, ()) = tokio::join!(world.execute(action), kick);
    let outcome = outcome.unwrap();
    assert!(outcome.succeeded(), "{outcome:?}");
    assert_eq!(world.reconnects(), 1);
    assert_eq!(scene.carries(Item::OakLog), 1);
}

/// Stops a server while its clients run on and notice it.
async fn stop(server: Server) {
    tokio::task::spawn_blocking(|| server.stop()).await.unwrap().unwrap();
}

/// If the server does not return, the error has the server's last message.
#[tokio::test]
async fn says_why_the_world_is_gone() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let mut options = client_options(server.address());
    options.reconnect = Reconnect { attempts: 2, ..options.reconnect };
    let mut world = clock.join(options).await;
    world.observe().await.unwrap();
    stop(server).await;
    clock.until("the client has heard of it", || world.is_lost()).await;
    let error = world.observe().await.unwrap_err();
    let WorldError::Gone(why) = &error else { panic!("{error}") };
    assert!(why.contains("The server stops.") && why.contains("joining again failed"), "{why}");
}

/// After a server is killed and restarted with its world, the run continues from its last state.
#[tokio::test]
async fn goes_on_when_the_server_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let save = Some(folder.path().join("world"));
    let options = || ServerOptions { save: save.clone(), save_every: Duration::from_millis(50), ..server_options() };
    let clock = Clock::start();
    let server = clock.serve(options());
    let bind = server.address();
    let mut world = clock.join(client_options(bind)).await;
    let act = |name: &str| vocabulary().action(&format!("action_{name}")).unwrap();
    assert!(world.execute(act("mine_log")).await.unwrap().succeeded());
    // Saved twice: the first save may have begun before.
    let written = || std::fs::metadata(save.as_ref().unwrap()).and_then(|file| file.modified()).ok();
    for _ in 0..2 {
        let before = written();
        clock.until("the world is written down", || written() != before).await;
    }
    server.stop_abruptly().unwrap();
    let again = clock.serve(ServerOptions { bind, ..options() });
    let outcome = world.execute(act("craft_planks")).await.unwrap();
    assert!(outcome.succeeded(), "the log is still carried: {}", outcome.message);
    assert_eq!(world.reconnects(), 1);
    drop(world);
    again.stop().unwrap();
}

/// An outage of five minutes does not end a run, with the default number of attempts.
#[tokio::test]
async fn goes_on_after_an_outage_of_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let options = || ServerOptions { save: Some(folder.path().join("world")), ..server_options() };
    let clock = Clock::start();
    let server = clock.serve(options());
    let bind = server.address();
    let reconnect = Reconnect::default();
    let mut world = clock.join(ClientOptions { reconnect, ..client_options(bind) }).await;
    let act = |name: &str| vocabulary().action(&format!("action_{name}")).unwrap();
    assert!(world.execute(act("mine_log")).await.unwrap().succeeded());
    stop(server).await;
    let restart = async {
        clock.ticks(5 * 60 * 20).await;
        clock.serve(ServerOptions { bind, ..options() })
    };
    let (outcome, server) = tokio::join!(world.execute(act("craft_planks")), restart);
    let outcome = outcome.unwrap();
    assert!(outcome.succeeded(), "the log is still carried: {}", outcome.message);
    assert_eq!(world.reconnects(), 1);
    drop(world);
    server.stop().unwrap();
}

/// If a server stops while a furnace is open and restarts, the smelting continues and yields the ingot.
#[tokio::test]
async fn goes_on_smelting_when_the_server_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let options = || ServerOptions { save: Some(folder.path().join("world")), ..server_options() };
    let clock = Clock::start();
    let server = clock.serve(options());
    let bind = server.address();
    let world = clock.join(client_options(bind)).await;
    let mut scene = Scene { world, server, clock };
    scene.give(&[(Item::Furnace, 1), (Item::RawIron, 1), (Item::Coal, 1)]).await;
    scene.does("place_furnace").await;
    let smelt = vocabulary().action("action_smelt_iron").unwrap();
    let Scene { mut world, server, clock } = scene;
    let restart = async {
        let carried = |item| server.inventory(NAME).unwrap().iter().flatten().any(|stack| stack.item == item);
        clock.until("ore and fuel are in the furnace", || !carried(Item::RawIron) && !carried(Item::Coal)).await;
        stop(server).await;
        clock.serve(ServerOptions { bind, ..options() })
    };
    let (outcome, server) = tokio::join!(world.execute(smelt), restart);
    let outcome = outcome.unwrap();
    assert!(outcome.succeeded(), "{outcome:?}");
    assert_eq!(world.reconnects(), 1);
    let scene = Scene { world, server, clock };
    assert_eq!([Item::IronIngot, Item::RawIron, Item::Coal].map(|item| scene.carries(item)), [1, 0, 0]);
}

/// A second client with the same name does not join, and the first one plays on.
#[tokio::test]
async fn does_not_join_where_its_name_is_in_use() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let mut bot = clock.join(client_options(server.address())).await;
    let second = clock.try_join(client_options(server.address()), Interrupt::new()).await;
    let error = second.err().unwrap();
    assert_eq!(error, JoinError::NameTaken { name: NAME.to_owned() });
    assert!(error.to_string().contains("another name with `--account offline:NAME`"), "{error}");
    bot.observe().await.unwrap();
    assert_eq!(bot.reconnects(), 0, "it was left alone");
    // The name is free again soon after its player has left.
    drop(bot);
    clock.join(client_options(server.address())).await;
}

/// A client that was displaced by another one of its name does not return.
#[tokio::test]
async fn gives_in_to_a_second_login() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let mut bot = clock.join(client_options(server.address())).await;
    server.kick(NAME, "You logged in from another location").unwrap();
    clock.until("the bot is thrown out", || bot.is_lost()).await;
    let WorldError::Gone(why) = bot.observe().await.unwrap_err() else { panic!("it is gone") };
    assert!(why.contains("another client is on the server as tester"), "{why}");
    assert_eq!((bot.reconnects(), server.players().unwrap()), (0, Vec::new()));
}

#[tokio::test]
async fn dies_and_comes_back() {
    let mut scene = meadow().await;
    let Scene { world, server, clock } = &mut scene;
    let kill = async {
        clock.ticks(24).await;
        server.set_health(NAME, 0).unwrap();
    };
    let action = vocabulary().action("action_mine_log").unwrap();
    let (outcome, ()) = tokio::join!(world.execute(action), kill);
    let outcome = outcome.unwrap();
    assert_eq!((outcome.failure.unwrap().to_string().as_str(), outcome.deaths), ("died", 1));
    assert!(world.respawns());
    assert_eq!(world.deaths(), 1);
    let seen = scene.look().await;
    assert_eq!((seen.health, seen.inventory.len()), (20.0, 0));
    scene.does("mine_log").await;
    assert_eq!(scene.world.reconnects(), 0);
}

#[tokio::test]
async fn a_table_that_someone_breaks_is_no_table() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(7, 0, 0, Block::CraftingTable);
    scene.sees(&["crafting_table"]).await;
    scene.give(&[(Item::OakPlanks, 3), (Item::Stick, 2)]).await;
    let Scene { world, server, clock } = &mut scene;
    let break_it = async {
        clock.ticks(8).await;
        server.set_block(CENTRE.offset(7, 0, 0), Block::Air).unwrap();
    };
    let action = vocabulary().action("action_craft_wooden_pickaxe").unwrap();
    let (outcome, ()) = tokio::join!(world.execute(action), break_it);
    let reason = outcome.unwrap().failure.unwrap().to_string();
    assert!(["no_crafting_table", "unreachable"].contains(&reason.as_str()), "{reason}");
    assert_eq!((scene.carries(Item::OakPlanks), scene.carries(Item::Stick)), (3, 2));
}

#[tokio::test]
async fn a_tool_wears_out() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::WoodenPickaxe, 1)]).await;
    scene.does("equip_wood_pickaxe").await;
    let mut broke = false;
    for _ in 0..59 {
        scene.put(2, 0, 0, Block::CoalOre);
        scene.sees(&["coal_ore"]).await;
        broke = scene.does("mine_coal").await.contains("broke");
    }
    assert!(broke, "a wooden pickaxe is good for 59 blocks");
    assert_eq!((scene.carries(Item::WoodenPickaxe), scene.carries(Item::Coal)), (0, 59));
    scene.put(2, 0, 0, Block::CoalOre);
    scene.sees(&["coal_ore"]).await;
    assert_eq!(scene.reason("mine_coal").await, "wrong_tool");
}

/// A cancelled action ends soon, with the player standing still and no window open.
#[tokio::test]
async fn is_cancelled() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let interrupt = Interrupt::new();
    let mut world = clock.try_join(client_options(server.address()), interrupt.clone()).await.unwrap();
    world.observe().await.unwrap();
    let cancel = async {
        clock.ticks(40).await;
        interrupt.request();
    };
    let action = vocabulary().action("action_explore_general").unwrap();
    let (outcome, ()) = tokio::join!(world.execute(action), cancel);
    assert_eq!(outcome.unwrap().failure.unwrap().to_string(), "interrupted");
    let at = server.position(NAME).unwrap();
    clock.ticks(20).await;
    let now = server.position(NAME).unwrap();
    let moved = (at[0] - now[0]).hypot(at[2] - now[2]);
    assert!(moved < 1.0, "it stands still: {at:?} and {now:?}");
}

/// The same holds for an action whose future is dropped: the next action succeeds.
#[tokio::test]
async fn is_dropped_half_way() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(3, 0, 0, Block::Furnace);
    scene.sees(&["furnace"]).await;
    scene.give(&[(Item::RawIron, 1), (Item::Coal, 2), (Item::OakLog, 1)]).await;
    let smelt = vocabulary().action("action_smelt_iron").unwrap();
    tokio::select! {
        outcome = scene.world.execute(smelt) => panic!("smelting takes longer than that: {outcome:?}"),
        () = scene.clock.ticks(48) => {}
    }
    scene.does("craft_planks").await;
    assert_eq!(scene.carries(Item::OakPlanks), 4);
}

/// A shaft full of water, with an exit that is just high enough, and a log at its end.
async fn shaft(length: i32) -> Scene {
    let mut scene = arena(Block::Bedrock).await;
    for y in 0..=6 {
        for x in -1..=length + 1 {
            for z in -1..=1 {
                let shaft = (x, z) == (0, 0);
                let tunnel = (1..=length).contains(&x) && z == 0 && (3..=4).contains(&y);
                let block = match (shaft, tunnel) {
                    (true, _) if y < 6 => Block::Water,
                    (true, _) | (_, true) => Block::Air,
                    _ => Block::Bedrock,
                };
                scene.put(x, y, z, block);
            }
        }
    }
    scene.put(length, 3, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    scene
}

#[tokio::test]
async fn swims_out_of_a_shaft() {
    let mut scene = shaft(7).await;
    let began = scene.look().await.tick;
    assert_eq!(scene.does("mine_log").await, "Mined 1 oak_log.");
    let ticks = scene.look().await.tick - began;
    assert!(ticks < 500, "{ticks} ticks");
    // The water followed it through the exit. It came up for air at last, and stays up while it is idle.
    scene.clock.ticks(100).await;
    let seen = scene.look().await;
    assert!(seen.position.y - CENTRE.y == 5 && !seen.head_in_water, "{seen:?}");
}

/// A player that digs while swimming neither sinks nor rises out of reach.
#[tokio::test]
async fn digs_while_it_swims() {
    let mut scene = shaft(2).await;
    let said = scene.does("mine_log").await;
    assert!(said.starts_with("Mined 1 oak_log."), "{said}");
}

/// A player that swims above its target goes near enough, at any floating height.
#[tokio::test]
async fn reaches_what_lies_under_it_while_it_swims() {
    let mut scene = arena(Block::Bedrock).await;
    scene.stand(CENTRE.offset(-6, 0, 0)).await;
    for x in -3..=4 {
        for z in -3..=3 {
            for y in 0..=3 {
                let inside = (-2..=3).contains(&x) && (-2..=2).contains(&z);
                scene.put(x, y, z, if inside { Block::Water } else { Block::Bedrock });
            }
        }
    }
    scene.stand(CENTRE.offset(0, 4, 0)).await;
    scene.give(&[(Item::IronPickaxe, 1)]).await;
    scene.does("equip_iron_pickaxe").await;
    scene.put(3, 0, 1, Block::CoalOre);
    scene.sees(&["coal_ore"]).await;
    assert_eq!(scene.does("mine_coal").await, "Mined 1 coal.");
}

/// Only a connection that lasted resets the attempts, even if its loss is noticed late.
#[tokio::test]
async fn time_without_a_connection_gives_no_attempts_back() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let first = Duration::from_millis(50);
    let reconnect = Reconnect { attempts: 2, first, longest: first };
    let mut world = clock.join(ClientOptions { reconnect, ..client_options(server.address()) }).await;
    let lasting = reconnect.lasting().as_millis() as u64 / 50;
    let mut lose = async |lasted: u64, unnoticed: u64| {
        clock.ticks(lasted).await;
        server.kick(NAME, "Idle too long.").unwrap();
        clock.until("it is lost", || world.is_lost()).await;
        clock.ticks(unnoticed).await;
        world.observe().await.map(|_| ())
    };
    for _ in 0..2 {
        lose(0, 2 * lasting).await.unwrap();
    }
    // A connection that lasted resets them.
    lose(2 * lasting, 0).await.unwrap();
    lose(0, 2 * lasting).await.unwrap();
    let WorldError::Gone(why) = lose(0, 2 * lasting).await.unwrap_err() else { panic!("it is gone") };
    assert!(why.contains("is used up"), "{why}");
}

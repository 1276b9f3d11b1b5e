//! The displayed activity while an action runs.

use ltlcrit_client::ClientWorld;
use ltlcrit_minecraft::activity::PlayerActivity;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::vocabulary;
use ltlcrit_worlds::LiveWorld as _;
use ltlcrit_worlds::{Activity, World};

use super::scene::{CENTRE, Clock, NAME, Scene, arena, meadow};

/// Watches an action until it is over or `enough` holds. Returns the activities seen, without repetitions.
async fn watch(
    clock: &Clock,
    world: &mut ClientWorld,
    action: &str,
    mut enough: impl FnMut(&Activity) -> bool,
) -> Vec<Activity> {
    let look = world.watcher().unwrap();
    let action = vocabulary().action(&format!("action_{action}")).unwrap();
    let mut seen: Vec<Activity> = Vec::new();
    let watched = async {
        loop {
            let activity = look();
            if seen.last() != Some(&activity) {
                seen.push(activity.clone());
            }
            if enough(&activity) {
                return;
            }
            clock.ticks(1).await;
        }
    };
    tokio::select! {
        outcome = world.execute(action) => assert!(outcome.unwrap().succeeded()),
        () = watched => {}
    }
    seen
}

#[tokio::test]
async fn walks_up_to_a_log_and_breaks_it() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(8, 0, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    let seen = watch(&scene.clock, &mut scene.world, "mine_log", |_| false).await;
    let first =
        |doing: PlayerActivity| seen.iter().position(|activity| activity.doing == Some(doing.to_string())).unwrap();
    assert!(first(PlayerActivity::Walking) < first(PlayerActivity::Breaking), "{seen:?}");
    let at = |doing: PlayerActivity| seen[first(doing)].position.unwrap();
    assert_eq!(at(PlayerActivity::Walking), [CENTRE.x, CENTRE.y, CENTRE.z]);
    assert!(at(PlayerActivity::Breaking)[0] > CENTRE.x, "{seen:?}");
    let standing = scene.look().await.position;
    let standing = [standing.x, standing.y, standing.z];
    assert_eq!(scene.world.watcher().unwrap()().position, Some(standing));
}

#[tokio::test]
async fn digs_its_way_down() {
    let mut scene = meadow().await;
    let down = PlayerActivity::DiggingDown.to_string();
    let is_down = |seen: &Activity| seen.doing.as_ref() == Some(&down);
    let seen = watch(&scene.clock, &mut scene.world, "explore_diamond_down", is_down).await;
    assert!(is_down(seen.last().unwrap()));
}

/// A long exploration tells displays where it is, and what it looks for.
#[tokio::test]
async fn tells_where_a_long_exploration_is() {
    let mut scene = meadow().await;
    let given = [Item::StonePickaxe, Item::CraftingTable, Item::Furnace, Item::IronIngot, Item::OakLog, Item::Coal];
    scene.give(&given.map(|item| (item, 8.min(item.stack_size())))).await;
    let line = |seen: &Activity| seen.detail.clone().filter(|line| line.starts_with("Walked 48 blocks, now "));
    let seen = watch(&scene.clock, &mut scene.world, "explore_general", |seen| line(seen).is_some()).await;
    let line = line(seen.last().unwrap()).unwrap();
    assert!(line.ends_with(" of the start, without diamond ore."), "{line}");
}

#[tokio::test]
async fn reconnects_in_the_middle_of_an_action() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(4, 0, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    let Scene { world, server, clock } = &mut scene;
    let mut kicked = false;
    let seen = watch(clock, world, "mine_log", |seen| {
        let breaks = seen.doing == Some(PlayerActivity::Breaking.to_string());
        if breaks && !std::mem::replace(&mut kicked, true) {
            server.kick(NAME, "Idle too long.").unwrap();
        }
        false
    })
    .await;
    let reconnecting = Some(PlayerActivity::Reconnecting { attempt: 1, of: 40 }.to_string());
    let lost = seen.iter().position(|activity| activity.doing == reconnecting).unwrap();
    assert!(
        seen[lost..].iter().any(|activity| activity.doing == Some(PlayerActivity::Breaking.to_string())),
        "{seen:?}"
    );
}

//! What shows of an action while it runs.

use std::time::Duration;

use ltlcrit::client::ClientWorld;
use ltlcrit_worlds::World;
use ltlcrit_worlds::activity::{Activity, Doing, Heading};
use ltlcrit_worlds::minecraft::blocks::Block;
use ltlcrit_worlds::minecraft::vocabulary;

use super::scene::{CENTRE, NAME, Scene, arena, meadow};

/// Begins an action and looks on until it is over or `enough` has been seen; what was seen, without repetitions.
async fn watch(world: &mut ClientWorld, action: &str, mut enough: impl FnMut(Doing) -> bool) -> Vec<Activity> {
    let look = world.watcher().unwrap();
    let action = vocabulary().action(&format!("action_{action}")).unwrap();
    let mut seen: Vec<Activity> = Vec::new();
    let watched = async {
        loop {
            let activity = look();
            if seen.last() != Some(&activity) {
                seen.push(activity);
            }
            if activity.doing.is_some_and(&mut enough) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
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
    let seen = watch(&mut scene.world, "mine_log", |_| false).await;
    let first = |doing| seen.iter().position(|activity| activity.doing == Some(doing)).unwrap();
    assert!(first(Doing::Walking) < first(Doing::Breaking), "{seen:?}");
    let at = |doing| seen[first(doing)].position.unwrap();
    assert_eq!(at(Doing::Walking), CENTRE);
    assert!(at(Doing::Breaking).x > CENTRE.x, "{seen:?}");
    assert_eq!(scene.world.watcher().unwrap()().position, Some(scene.look().await.position));
}

#[tokio::test]
async fn digs_its_way_down() {
    let mut scene = meadow().await;
    let down = Doing::Digging(Heading::Down);
    let seen = watch(&mut scene.world, "explore_diamond_down", |doing| doing == down).await;
    assert_eq!(seen.last().unwrap().doing, Some(down));
}

#[tokio::test]
async fn reconnects_in_the_middle_of_an_action() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(4, 0, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    let Scene { world, server } = &mut scene;
    let mut kicked = false;
    let seen = watch(world, "mine_log", |doing| {
        if doing == Doing::Breaking && !std::mem::replace(&mut kicked, true) {
            server.kick(NAME, "Idle too long.").unwrap();
        }
        false
    })
    .await;
    let reconnecting = Some(Doing::Reconnecting { attempt: 1, of: 40 });
    let lost = seen.iter().position(|activity| activity.doing == reconnecting).unwrap();
    assert!(seen[lost..].iter().any(|activity| activity.doing == Some(Doing::Breaking)), "{seen:?}");
}

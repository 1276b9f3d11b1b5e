//! Damage, hunger, and a night with monsters, on a server. All times are game ticks.

use std::sync::atomic::{AtomicBool, Ordering};

use azalea::core::delta::LpVec3;
use azalea::core::position::Vec3;
use azalea::protocol::packets::Packet;
use azalea::protocol::packets::game::{ClientboundAddEntity, ClientboundGamePacket};
use azalea::registry::builtin::EntityKind;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_worlds::LiveWorld as _;

use super::packet_filter::{FilterRules, PacketAction, scene_behind};
use super::scene::{CENTRE, NAME, Scene, arena, arena_in, meadow};

/// The ticks that are left of the night when the server starts.
const LEFT: u64 = 1500;
/// The tick of a day at which monsters no longer appear.
const MORNING: u64 = 23_500;

/// A night with a zombie beside the arena. Our own server has neither; the zombie does not hit.
#[derive(Default)]
struct Night {
    has_come: AtomicBool,
}

impl FilterRules for Night {
    fn down(&self, _: usize, _: &ClientboundGamePacket) -> PacketAction {
        PacketAction::Forward
    }

    fn after(&self, packet: &ClientboundGamePacket) -> Vec<ClientboundGamePacket> {
        let ClientboundGamePacket::SetTime(time) = packet else { return Vec::new() };
        let mut time = time.clone();
        for clock in time.clock_updates.values_mut() {
            clock.total_ticks += MORNING - LEFT;
        }
        let mut more = vec![time.into_variant()];
        if !self.has_come.swap(true, Ordering::Relaxed) {
            more.push(zombie().into_variant());
        }
        more
    }
}

fn zombie() -> ClientboundAddEntity {
    ClientboundAddEntity {
        id: 1_000_000.into(),
        uuid: Default::default(),
        entity_type: EntityKind::Zombie,
        position: Vec3::new(f64::from(CENTRE.x) - 6.5, f64::from(CENTRE.y), f64::from(CENTRE.z) + 0.5),
        movement: LpVec3::from_vec3(Vec3::ZERO),
        x_rot: 0,
        y_rot: 0,
        y_head_rot: 0,
        data: 0,
    }
}

/// A floor of dirt, five blocks thick, with a log on it.
async fn dirt(scene: Scene) -> Scene {
    let mut scene = arena_in(scene, Block::Dirt).await;
    for (x, z) in (-3..=7).flat_map(|x| (-3..=3).map(move |z| (x, z))) {
        (-6..=-2).for_each(|y| scene.put(x, y, z, Block::Dirt));
    }
    scene.put(6, 0, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    scene
}

/// A weak player digs in and waits for the morning, then does what it was asked to. A healthy one does not wait.
#[tokio::test]
async fn a_weak_player_digs_in_for_the_night() {
    for (health, digs_in) in [(8, true), (20, false)] {
        let mut scene = dirt(scene_behind(Night::default()).await).await;
        scene.server.set_health(NAME, health).unwrap();
        scene.until("its health is known", |seen| (seen.health - f64::from(health)).abs() < 1.5).await;
        let outcome = scene.act("mine_log").await;
        assert!(outcome.succeeded(), "{outcome:?} {:?}", scene.world.trace());
        assert_eq!(
            outcome.message.contains("Dug in for the night first"),
            digs_in,
            "{outcome:?} {:?}",
            scene.world.trace()
        );
        assert_eq!(outcome.ticks > LEFT / 2, digs_in, "{outcome:?}");
        assert!(outcome.ticks < LEFT + 400, "until the morning, not longer: {outcome:?}");
        assert_eq!((scene.carries(Item::OakLog), scene.carries(Item::Dirt)), (1, 0));
    }
}

/// By day, without monsters, a weak player does not wait.
#[tokio::test]
async fn a_weak_player_does_not_fear_the_day() {
    let mut scene = dirt(meadow().await).await;
    scene.server.set_health(NAME, 6).unwrap();
    scene.until("its health is known", |seen| seen.health < 9.0).await;
    let said = scene.does("mine_log").await;
    assert!(said.starts_with("Mined 1 oak_log.") && !said.contains("night"), "{said}");
}

/// An outcome tells the cause of damage, once, also of damage before the action.
#[tokio::test]
async fn tells_the_cause_of_damage() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::WoodenPickaxe, 1)]).await;
    scene.put(0, 8, 0, Block::Bedrock);
    scene.stand(CENTRE.offset(0, 9, 0)).await;
    scene.put(0, 8, 0, Block::Air);
    scene.until("it has fallen", |seen| seen.health < 20.0).await;
    let said = scene.does("equip_wood_pickaxe").await;
    assert!(said.contains("You were hurt (fall) and have ") && said.contains(" of 20 health."), "{said}");
    assert!(!scene.act("equip_wood_pickaxe").await.message.contains("hurt"), "it is told once");
    // Under water, without air.
    scene.server.set_health(NAME, 20).unwrap();
    for y in 0..=4 {
        for (x, z) in (-1..=1).flat_map(|x| (-1..=1).map(move |z| (x, z))) {
            let inside = (x, z) == (0, 0) && y < 4;
            scene.put(x, y, z, if inside { Block::Water } else { Block::Bedrock });
        }
    }
    scene.until("it drowns", |seen| seen.air == 0 && seen.health < 20.0).await;
    let outcome = scene.act("equip_wood_pickaxe").await;
    assert!(outcome.message.contains("You were hurt (drown)"), "{outcome:?}");
}

/// Below ground there is nothing to eat, so a player eats its fill before the way down; before other actions it eats
/// only when hunger keeps its health from returning.
#[tokio::test]
async fn eats_before_the_way_down() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::Apple, 3), (Item::WoodenPickaxe, 1)]).await;
    scene.server.set_food(NAME, 18).unwrap();
    scene.until("it is hungry", |seen| seen.hunger == 18.0).await;
    scene.does("equip_wood_pickaxe").await;
    assert_eq!(scene.carries(Item::Apple), 3);
    // The floor of bedrock leaves no way down.
    scene.act("explore_diamond_down").await;
    assert_eq!((scene.carries(Item::Apple), scene.look().await.hunger), (2, 20.0));
}

//! Damage, death and respawning on a server.

use azalea_entity::EntityDataValue;
use azalea_protocol::packets::game::{ClientboundGamePacket, ServerboundClientCommand, s_client_command};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_server::{Server, ServerOptions};

use crate::wire::{CENTRE, Client, FLOOR, carried, join, place, scene, server, ticks, until};

async fn quick() -> (Server, Client) {
    let server = server(ServerOptions { ticks_per_second: 200, ..ServerOptions::compact() });
    let client = scene(&server, Block::Stone).await;
    (server, client)
}

/// Waits until the client receives this health.
async fn health(client: &mut Client, half_hearts: f32) {
    client
        .wait("the health", |packet| match packet {
            ClientboundGamePacket::SetHealth(health) => (health.health == half_hearts).then_some(()),
            _ => None,
        })
        .await;
}

/// Waits for the packet of damage and returns the name of its kind.
async fn hurt_by(client: &mut Client) -> String {
    let number = client
        .wait("the damage", |packet| match packet {
            ClientboundGamePacket::DamageEvent(damage) => Some(damage.source_type_id),
            _ => None,
        })
        .await;
    let kinds = client.registries.iter().find(|registry| registry.registry_id.to_string() == "minecraft:damage_type");
    kinds.unwrap().entries[number as usize].0.to_string()
}

/// Falls by a depth, as in the game's physics.
async fn fall(client: &mut Client, depth: f64) {
    let start = client.at;
    let (mut fallen, mut speed) = (0.0, 0.0);
    while fallen < depth {
        speed = (speed + 0.08) * 0.98;
        fallen = f64::min(fallen + speed, depth);
        client.go(start.x, start.y - fallen, start.z).await;
    }
    client.settled().await;
}

#[tokio::test]
async fn falls_hurt_as_in_the_embedded_world() {
    for (depth, left) in [(3.0, 20), (3.9, 20), (4.0, 19), (10.0, 13)] {
        let (server, mut client) = quick().await;
        place(&server, &mut client, [4.5, f64::from(FLOOR) + depth, 4.5]).await;
        fall(&mut client, depth).await;
        assert_eq!(server.health("player").unwrap(), left, "{depth} blocks");
        if left < 20 {
            health(&mut client, left as f32).await;
            assert_eq!(hurt_by(&mut client).await, "minecraft:fall");
        }
    }
    let (server, mut client) = quick().await;
    server.set_block(CENTRE.offset(-4, 0, -4), Block::Water).unwrap();
    place(&server, &mut client, [4.5, f64::from(FLOOR) + 20.0, 4.5]).await;
    fall(&mut client, 20.0).await;
    assert_eq!(server.health("player").unwrap(), 20, "water breaks a fall");
}

#[tokio::test]
async fn lava_water_and_walls_hurt_and_time_heals() {
    let (server, mut client) = quick().await;
    server.set_block(CENTRE, Block::Lava).unwrap();
    client
        .wait("burning to be seen", |packet| match packet {
            ClientboundGamePacket::SetEntityData(data) => data
                .packed_items
                .iter()
                .any(|item| item.index == 0 && matches!(item.value, EntityDataValue::Byte(flags) if flags & 1 == 1))
                .then_some(()),
            _ => None,
        })
        .await;
    client
        .wait("pain", |packet| match packet {
            ClientboundGamePacket::SetHealth(health) => ([16.0, 12.0, 8.0].contains(&health.health)).then_some(()),
            _ => None,
        })
        .await;
    place(&server, &mut client, [4.5, f64::from(FLOOR), 4.5]).await;
    server.set_block(CENTRE.offset(-4, 0, -4), Block::Water).unwrap();
    server.set_health("player", 10).unwrap();
    ticks(&server, &mut client, 5).await;
    server.set_block(CENTRE.offset(-4, 0, -4), Block::Air).unwrap();
    until(&mut client, "healing", || server.health("player").unwrap() > 11).await;
    // Under water a player drowns.
    server.set_block(CENTRE.offset(-4, 0, -4), Block::Water).unwrap();
    server.set_block(CENTRE.offset(-4, 1, -4), Block::Water).unwrap();
    let mut last = 300;
    client
        .wait("breath to run out", |packet| match packet {
            ClientboundGamePacket::SetEntityData(data) => data.packed_items.iter().find_map(|item| match item.value {
                EntityDataValue::Int(air) if item.index == 1 => {
                    assert!(air <= last);
                    last = air;
                    (air == 0).then_some(())
                }
                _ => None,
            }),
            _ => None,
        })
        .await;
    until(&mut client, "drowning", || server.health("player").unwrap() == 0).await;
    let said = client
        .wait("how it died", |packet| match packet {
            ClientboundGamePacket::PlayerCombatKill(kill) => Some(kill.message.to_string()),
            _ => None,
        })
        .await;
    assert_eq!(said, "player drowned");
}

#[tokio::test]
async fn the_dead_lose_everything_and_come_back_whole() {
    let (server, mut client) = quick().await;
    let mut witness = join(&server, "witness").await;
    place(&server, &mut witness, [12.5, f64::from(FLOOR), 12.5]).await;
    server.give("player", Item::Diamond, 2).unwrap();
    let respawn = ServerboundClientCommand { action: s_client_command::Action::PerformRespawn };
    client.say(respawn.clone()).await;
    ticks(&server, &mut client, 2).await;
    assert_eq!(server.position("player").unwrap(), [8.5, f64::from(FLOOR), 8.5], "the living stay where they are");
    client.heard.clear();
    server.set_health("player", 0).unwrap();
    health(&mut client, 0.0).await;
    let gone = client.id;
    witness
        .wait("the body to go", |packet| match packet {
            ClientboundGamePacket::RemoveEntities(gone_now) => {
                gone_now.entity_ids.iter().any(|id| id.0 == gone).then_some(())
            }
            _ => None,
        })
        .await;
    assert_eq!(carried(&server, "player", Item::Diamond), 0);
    client.go(9.0, f64::from(FLOOR), 8.5).await;
    ticks(&server, &mut client, 60).await;
    assert_eq!(server.position("player").unwrap(), [8.5, f64::from(FLOOR), 8.5], "the dead do not walk");
    // Some clients send it twice.
    client.say(respawn.clone()).await;
    client.say(respawn).await;
    client.wait("a new life", |packet| matches!(packet, ClientboundGamePacket::Respawn(_)).then_some(())).await;
    client.wait("land", |packet| matches!(packet, ClientboundGamePacket::LevelChunkWithLight(_)).then_some(())).await;
    health(&mut client, 20.0).await;
    let heard = client.settled().await;
    assert!(!heard.iter().any(|packet| matches!(packet, ClientboundGamePacket::Respawn(_))), "once");
    assert!(server.position("player").unwrap()[1] < 100.0, "where everybody begins");
    place(&server, &mut witness, [8.5, f64::from(FLOOR), 8.5]).await;
    until(&mut witness, "what the dead had", || carried(&server, "witness", Item::Diamond) == 2).await;
}

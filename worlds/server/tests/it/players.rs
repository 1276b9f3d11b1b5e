//! Several players on a server: they see each other come and go. Only a misbehaving player is disconnected.

use azalea_core::position::Vec3;
use azalea_protocol::packets::game::*;
use azalea_registry::builtin::{EntityKind, ItemKind};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;

use crate::wire::{Client, FLOOR, compact, join, place, scene, try_join};

async fn hears(client: &mut Client, line: &str) {
    client
        .wait(line, |packet| match packet {
            ClientboundGamePacket::SystemChat(chat) => (chat.content.to_string() == line).then_some(()),
            _ => None,
        })
        .await;
}

#[tokio::test]
async fn bodies_are_seen_to_come_move_hold_things_and_go() {
    let server = compact();
    let mut client = scene(&server, Block::Stone).await;
    let mut other = join(&server, "other").await;
    place(&server, &mut other, [4.5, f64::from(FLOOR), 4.5]).await;
    let id = other.id;
    let listed = client
        .wait("a line in the list", |packet| match packet {
            ClientboundGamePacket::PlayerInfoUpdate(list) => Some(list.entries[0].profile.name.clone()),
            _ => None,
        })
        .await;
    assert_eq!(listed, "other");
    client
        .wait("the body", |packet| match packet {
            ClientboundGamePacket::AddEntity(body) => {
                (body.id.0 == id && body.entity_type == EntityKind::Player).then_some(())
            }
            _ => None,
        })
        .await;
    let there = Vec3 { x: 4.8, y: f64::from(FLOOR), z: 4.5 };
    other.go(there.x, there.y, there.z).await;
    other.look(90.0, 10.0).await;
    client
        .wait("a step", |packet| match packet {
            ClientboundGamePacket::EntityPositionSync(moved) => {
                (moved.id.0 == id && moved.values.pos == there).then_some(())
            }
            _ => None,
        })
        .await;
    client
        .wait("a turn of the head", |packet| match packet {
            ClientboundGamePacket::RotateHead(turned) => {
                (turned.entity_id.0 == id && turned.y_head_rot == 64).then_some(())
            }
            _ => None,
        })
        .await;
    server.give("other", Item::IronPickaxe, 1).unwrap();
    client
        .wait("the hand", |packet| match packet {
            ClientboundGamePacket::SetEquipment(hand) => {
                (hand.entity_id.0 == id && hand.slots.slots[0].1.kind() == ItemKind::IronPickaxe).then_some(())
            }
            _ => None,
        })
        .await;
    other.say(ServerboundSwing { hand: s_interact::InteractionHand::MainHand }).await;
    client
        .wait("the arm", |packet| match packet {
            ClientboundGamePacket::Animate(swing) => (swing.id.0 == id).then_some(()),
            _ => None,
        })
        .await;
    // A distant player disappears, and appears again when it returns.
    let gone = |packet: &ClientboundGamePacket| match packet {
        ClientboundGamePacket::RemoveEntities(gone) => gone.entity_ids.iter().any(|gone| gone.0 == id).then_some(()),
        _ => None,
    };
    place(&server, &mut other, [404.5, f64::from(FLOOR), 4.5]).await;
    client.wait("going out of sight", gone).await;
    place(&server, &mut other, [4.5, f64::from(FLOOR), 4.5]).await;
    client.wait("coming back", |packet| matches!(packet, ClientboundGamePacket::AddEntity(_)).then_some(())).await;
    drop(other);
    client.wait("leaving", |packet| matches!(packet, ClientboundGamePacket::PlayerInfoRemove(_)).then_some(())).await;
    client.wait("the body to go", gone).await;
}

#[tokio::test]
async fn everybody_hears_who_comes_and_goes() {
    let server = compact();
    let mut one = join(&server, "one").await;
    let two = join(&server, "two").await;
    hears(&mut one, "two joined the game").await;
    drop(two);
    hears(&mut one, "two left the game").await;
}

#[tokio::test]
async fn a_kick_gives_its_reason() {
    let server = compact();
    let mut client = join(&server, "player").await;
    server.kick("player", "because").unwrap();
    assert_eq!(client.closed().await.as_deref(), Some("because"));
    assert!(server.kick("player", "again").unwrap_err().to_string().contains("player"));
    assert!(try_join(server.address(), "player").await.is_ok(), "and may come back");
}

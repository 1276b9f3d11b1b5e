//! Dispatches clients' packets to the systems that handle them.

use azalea_protocol::packets::game::c_animate::AnimationAction;
use azalea_protocol::packets::game::s_interact::InteractionHand;
use azalea_protocol::packets::game::*;

use super::session::kick;
use super::state::GameState;
use super::{digging, drops, eating, health, movement, placing, windows};

/// Handles a packet of a player's client.
pub(super) fn dispatch(game: &mut GameState, id: i32, packet: ServerboundGamePacket) {
    use ServerboundGamePacket as Packet;
    let (now, rate, spawn) = (game.now, game.tick_rate(), (game.spawn, game.spawn_point()));
    let GameState { options, blocks, entities, .. } = game;
    let Some(player) = entities.players.get_mut(&id) else { return };
    let mut handled = Ok(());
    match packet {
        Packet::KeepAlive(packet) => player.keep_alive.answer(packet.id),
        Packet::PingRequest(ServerboundPingRequest { time }) => player.send(ClientboundPongResponse { time }),
        Packet::AcceptTeleportation(packet) => player.movement.confirm(packet.id),
        Packet::MovePlayerPos(to) => handled = movement::step(blocks, player, Some(to.pos), None, now),
        Packet::MovePlayerPosRot(to) => {
            handled = movement::step(blocks, player, Some(to.pos), Some(to.look_direction), now);
        }
        Packet::MovePlayerRot(to) => handled = movement::step(blocks, player, None, Some(to.look_direction), now),
        Packet::ContainerClick(click) => windows::click(entities, blocks, id, &click),
        Packet::ContainerClose(packet) => windows::close(entities, blocks, id, packet.container_id),
        Packet::SetCarriedItem(packet) => windows::select(entities, blocks.ground.tick, id, packet.slot.into()),
        Packet::UseItemOn(packet) => placing::use_on(entities, blocks, id, &packet),
        Packet::UseItem(ServerboundUseItem { seq, .. }) => {
            player.send(ClientboundBlockChangedAck { seq });
            eating::begin(entities, blocks.ground.tick, id);
        }
        Packet::PlayerAction(packet) => act(game, id, &packet, rate),
        // The sprint key is not a sprint yet: a client reports its start and end.
        Packet::PlayerInput(input) => player.is_crouching = input.shift,
        Packet::PlayerCommand(packet) => match packet.action {
            s_player_command::Action::StartSprinting => player.is_sprinting = true,
            s_player_command::Action::StopSprinting => player.is_sprinting = false,
            _ => {}
        },
        Packet::Swing(packet) => {
            let action = match packet.hand {
                InteractionHand::MainHand => AnimationAction::SwingMainHand,
                InteractionHand::OffHand => AnimationAction::SwingOffHand,
            };
            entities.send_others(id, ClientboundAnimate { id: id.into(), action });
        }
        Packet::ClientCommand(ServerboundClientCommand { action: s_client_command::Action::PerformRespawn }) => {
            health::respawn(entities, blocks, id, spawn, now);
        }
        Packet::ClientInformation(packet) => {
            player.distance = u32::from(packet.client_information.view_distance).clamp(2, options.view_distance.max(2));
            player.view.reconsider();
        }
        _ => {}
    }
    if let Err(reason) = handled {
        kick(game, id, reason);
    }
}

/// Handles an action of a client's hands.
fn act(game: &mut GameState, id: i32, packet: &ServerboundPlayerAction, rate: f64) {
    use s_player_action::Action;
    let GameState { blocks, entities, now, .. } = game;
    let Some(player) = entities.living(id) else { return };
    let count = match packet.action {
        Action::StartDestroyBlock | Action::AbortDestroyBlock | Action::StopDestroyBlock => {
            return digging::dig(entities, blocks, id, packet, (*now, rate));
        }
        Action::SwapItemWithOffhand | Action::ReleaseUseItem => return,
        Action::DropItem => 1,
        Action::DropAllItems => u32::MAX,
    };
    let thrown = player.screen.inventory_mut().take_from_hand(count);
    drops::throw(entities, blocks.ground.tick, id, thrown);
}

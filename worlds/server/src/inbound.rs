//! Parses the packets of playing clients. Packets without a meaning here are skipped unread, so that clients may send
//! any packet of their version.

use std::io::Cursor;
use std::sync::LazyLock;

use azalea_buf::AzBufVar;
use azalea_core::delta::LpVec3;
use azalea_core::direction::Direction;
use azalea_core::position::{BlockPos, Vec3};
use azalea_entity::LookDirection;
use azalea_inventory::operations::ClickType;
use azalea_protocol::common::client_information::ClientInformation;
use azalea_protocol::common::movements::MoveFlags;
use azalea_protocol::packets::game::*;
use azalea_protocol::packets::{Packet, ProtocolPacket};

/// The number of packet kinds; larger packet ids do not exist.
const KINDS: u32 = 69;

/// The packets that are parsed, by id.
static READ: LazyLock<[bool; KINDS as usize]> = LazyLock::new(|| {
    let mut read = [false; KINDS as usize];
    for packet in samples() {
        if let Some(entry) = read.get_mut(packet.id() as usize) {
            *entry = true;
        }
    }
    read
});

/// One packet of each kind that is parsed; only their ids matter.
fn samples() -> Vec<ServerboundGamePacket> {
    let look_direction = LookDirection::default();
    let flags = MoveFlags::default();
    let pos = Vec3::ZERO;
    let hand = s_interact::InteractionHand::MainHand;
    let block_hit = s_use_item_on::BlockHit {
        block_pos: BlockPos::default(),
        direction: Direction::Up,
        location: pos,
        inside: false,
        world_border: false,
    };
    vec![
        ServerboundAcceptTeleportation { id: 0 }.into_variant(),
        ServerboundChat {
            message: String::new(),
            timestamp: 0,
            salt: 0,
            signature: None,
            last_seen_messages: s_chat::LastSeenMessagesUpdate::default(),
        }
        .into_variant(),
        ServerboundChatCommand { command: String::new() }.into_variant(),
        ServerboundClientCommand { action: s_client_command::Action::PerformRespawn }.into_variant(),
        ServerboundClientInformation { client_information: ClientInformation::default() }.into_variant(),
        ServerboundContainerClick {
            container_id: 0,
            state_id: 0,
            slot_num: 0,
            button_num: 0,
            click_type: ClickType::Pickup,
            changed_slots: indexmap::IndexMap::new(),
            carried_item: s_container_click::HashedStack(None),
        }
        .into_variant(),
        ServerboundContainerClose { container_id: 0 }.into_variant(),
        ServerboundInteract { entity_id: 0.into(), hand, location: LpVec3::Zero, using_secondary_action: false }
            .into_variant(),
        ServerboundKeepAlive { id: 0 }.into_variant(),
        ServerboundMovePlayerPos { pos, flags }.into_variant(),
        ServerboundMovePlayerPosRot { pos, look_direction, flags }.into_variant(),
        ServerboundMovePlayerRot { look_direction, flags }.into_variant(),
        ServerboundMovePlayerStatusOnly { flags }.into_variant(),
        ServerboundPingRequest { time: 0 }.into_variant(),
        ServerboundPlayerAction {
            action: s_player_action::Action::StartDestroyBlock,
            pos: BlockPos::default(),
            direction: Direction::Up,
            seq: 0,
        }
        .into_variant(),
        ServerboundPlayerCommand { id: 0.into(), action: s_player_command::Action::StartSprinting, data: 0 }
            .into_variant(),
        ServerboundPlayerInput::default().into_variant(),
        ServerboundSetCarriedItem { slot: 0 }.into_variant(),
        ServerboundSwing { hand }.into_variant(),
        ServerboundUseItem { hand, seq: 0, y_rot: 0.0, x_rot: 0.0 }.into_variant(),
        ServerboundUseItemOn { hand, block_hit, seq: 0 }.into_variant(),
    ]
}

/// Parses the packet in a frame; `None` for a packet without a meaning here.
///
/// # Errors
/// The fault of the frame, as a message that the client shows.
pub(super) fn parse(frame: &[u8]) -> Result<Option<ServerboundGamePacket>, String> {
    let mut bytes = Cursor::new(frame);
    let id = u32::azalea_read_var(&mut bytes).map_err(|_| "a packet without a number".to_owned())?;
    match READ.get(id as usize) {
        None => Err(format!("there is no packet number {id}")),
        Some(false) => Ok(None),
        Some(true) => {
            let packet = ServerboundGamePacket::read(id, &mut bytes)
                .map_err(|error| format!("packet number {id} makes no sense: {error}"))?;
            if (bytes.position() as usize) < frame.len() {
                return Err(format!("packet number {id} has bytes too many"));
            }
            Ok(Some(packet))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frame;
    use crate::test_support::understand;

    fn bytes(packet: &ServerboundGamePacket) -> Vec<u8> {
        let mut bytes = Vec::new();
        packet.id().azalea_write_var(&mut bytes).unwrap();
        packet.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn reads_what_means_something_and_passes_over_the_rest() {
        for packet in samples() {
            assert_eq!(parse(&bytes(&packet)).unwrap(), Some(packet));
        }
        let skipped = ServerboundPaddleBoat { left: true, right: false }.into_variant();
        assert_eq!(parse(&bytes(&skipped)).unwrap(), None);
        assert!(parse(&[69]).is_err());
        assert!(parse(&[]).is_err());
        assert!(parse(&[0xFF; 6]).is_err());
    }

    #[test]
    fn a_stream_is_understood_packet_by_packet() {
        let mut stream = Vec::new();
        for packet in samples() {
            stream.extend_from_slice(&frame::of(&packet).unwrap());
            stream.extend_from_slice(&frame::of(&ServerboundPlayerLoaded.into_variant()).unwrap());
        }
        assert_eq!(understand(&stream), Ok(samples().len()));
        stream.push(1);
        assert!(understand(&stream).is_err());
        assert_eq!(understand(&[]), Ok(0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Any stream is parsed or refused with a reason.
        #[test]
        fn any_stream_has_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Err(reason) = understand(&bytes) {
                prop_assert!(!reason.is_empty());
            }
        }

        /// Any bytes are parsed or refused.
        #[test]
        fn never_panics(id in 0..KINDS, rest in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut frame = vec![id as u8];
            frame.extend(rest);
            let _ = parse(&frame);
        }

        /// A packet that is too short or too long is refused.
        #[test]
        fn whole_packets_only(which in 0..samples().len(), extra in 1..20usize) {
            let whole = bytes(&samples()[which]);
            let mut longer = whole.clone();
            longer.resize(whole.len() + extra, 0);
            prop_assert!(parse(&longer).is_err());
            for length in 1..whole.len() {
                prop_assert!(parse(&whole[..length]).is_err(), "{length} of {:?}", whole);
            }
        }
    }
}

//! Parses the packets of playing clients. Packets without a meaning here are skipped unread, so that clients may send
//! any packet of their version.

use std::io::Cursor;

use azalea_buf::AzBufVar;
use azalea_protocol::packets::ProtocolPacket;
use azalea_protocol::packets::game::ServerboundGamePacket;

/// The number of packet kinds; larger packet ids do not exist.
const KINDS: u32 = 69;

/// The ids of the packets that are parsed. A test lists their names.
const READ: [u32; 19] = [0, 12, 14, 18, 19, 26, 28, 30, 31, 32, 33, 38, 41, 42, 43, 53, 63, 66, 67];

/// Parses the packet in a frame; `None` for a packet without a meaning here.
///
/// # Errors
/// The fault of the frame, as a message that the client shows.
pub(super) fn parse(frame: &[u8]) -> Result<Option<ServerboundGamePacket>, String> {
    let mut bytes = Cursor::new(frame);
    let id = u32::azalea_read_var(&mut bytes).map_err(|_| "a packet without a number".to_owned())?;
    if id >= KINDS {
        return Err(format!("there is no packet number {id}"));
    }
    if !READ.contains(&id) {
        return Ok(None);
    }
    let packet = ServerboundGamePacket::read(id, &mut bytes)
        .map_err(|error| format!("packet number {id} makes no sense: {error}"))?;
    if (bytes.position() as usize) < frame.len() {
        return Err(format!("packet number {id} has bytes too many"));
    }
    Ok(Some(packet))
}

#[cfg(test)]
mod tests {
    use azalea_protocol::packets::Packet;
    use azalea_protocol::packets::game::*;
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

    /// A packet of each kind that is parsed, read from as many zeros as it takes.
    fn samples() -> Vec<ServerboundGamePacket> {
        let read = |id, length| ServerboundGamePacket::read(id, &mut Cursor::new(&[0; 64][..length])).ok();
        READ.map(|id| (0..64).find_map(|length| read(id, length)).unwrap()).into()
    }

    #[test]
    fn reads_what_means_something_and_passes_over_the_rest() {
        let names: Vec<_> = samples().iter().map(ProtocolPacket::name).collect();
        assert_eq!(
            names.join(" "),
            "accept_teleportation client_command client_information container_click container_close interact keep_alive \
             move_player_pos move_player_pos_rot move_player_rot move_player_status_only \
             ping_request player_action player_command player_input set_carried_item swing use_item_on use_item"
        );
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

//! The answer to a status request, for server lists.

use azalea_protocol::packets::status::c_status_response::{ClientboundStatusResponse, Players, SamplePlayer, Version};

use super::{PROTOCOL, VERSION};

/// The names and ids of the connected players.
pub(super) type Roster = Vec<(String, uuid::Uuid)>;

/// The maximum number of names in the answer.
const SAMPLE: usize = 12;

/// The answer to a status request.
pub(super) fn answer(
    description: &str,
    max_players: usize,
    roster: &[(String, uuid::Uuid)],
) -> ClientboundStatusResponse {
    let sample = roster.iter().take(SAMPLE);
    ClientboundStatusResponse {
        description: description.into(),
        favicon: None,
        players: Players {
            max: i32::try_from(max_players).unwrap_or(i32::MAX),
            online: i32::try_from(roster.len()).unwrap_or(i32::MAX),
            sample: sample.map(|(name, id)| SamplePlayer { id: id.to_string(), name: name.clone() }).collect(),
        },
        version: Version { name: VERSION.to_owned(), protocol: PROTOCOL },
        enforces_secure_chat: Some(false),
    }
}

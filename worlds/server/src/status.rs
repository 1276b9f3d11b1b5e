//! The answer to a status request, for server lists.

use azalea_protocol::packets::status::c_status_response::{ClientboundStatusResponse, Players, SamplePlayer, Version};

use super::{PROTOCOL, VERSION};

/// The connected players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Roster {
    /// The players' names and ids.
    pub(super) players: Vec<(String, uuid::Uuid)>,
}

/// The maximum number of names in the answer.
const SAMPLE: usize = 12;

/// The answer to a status request.
pub(super) fn answer(description: &str, max_players: usize, roster: &Roster) -> ClientboundStatusResponse {
    let sample = roster.players.iter().take(SAMPLE);
    ClientboundStatusResponse {
        description: description.into(),
        favicon: None,
        players: Players {
            max: i32::try_from(max_players).unwrap_or(i32::MAX),
            online: i32::try_from(roster.players.len()).unwrap_or(i32::MAX),
            sample: sample.map(|(name, id)| SamplePlayer { id: id.to_string(), name: name.clone() }).collect(),
        },
        version: Version { name: VERSION.to_owned(), protocol: PROTOCOL },
        enforces_secure_chat: Some(false),
    }
}

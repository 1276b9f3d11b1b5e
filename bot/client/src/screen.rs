//! Screens packets: keeps out what would hang the engine or fill the memory.
//!
//! azalea trusts its server. A packet that no honest server sends ends the connection here, with a reason, and a packet that
//! only takes memory is left out.

use azalea::core::position::Vec3;
use azalea::protocol::packets::config::ClientboundConfigPacket;
use azalea::protocol::packets::game::{
    ClientboundGamePacket, c_level_chunk_with_light::ClientboundLevelChunkWithLight,
};
use rustc_hash::FxHashMap;

/// The largest distance from the origin on any axis, in blocks: a little more than the game's border.
pub(super) const FARTHEST: f64 = 3.2e7;
/// The largest speed on any axis, in blocks per tick.
pub(super) const FASTEST: f64 = 100.0;
/// The largest total length of the packets of all configurations of a connection, in bytes.
const MOST_CONFIGURATION: usize = 64 << 20;
/// The average length of a chunk, in bytes, above which the land of a server is too much to keep.
const CHUNK: usize = 256 << 10;
/// The largest number of slots in a window.
const MOST_SLOTS: usize = 1024;
/// The longest update of one slot, in bytes.
const LONGEST_STACK: usize = 64 << 10;
/// The length of an entity's description that is always kept, and the greatest one, in bytes.
const SHORT_DESCRIPTION: usize = 256;
const LONGEST_DESCRIPTION: usize = 8 << 10;
/// The largest total length of the long descriptions of entities, in bytes.
const MOST_DESCRIBED: usize = 8 << 20;
/// The largest number of chunk positions that a server may name. azalea keeps a little of each for ever.
const MOST_CHUNKS: usize = 1 << 20;

/// The state of the screening of one connection.
#[derive(Debug)]
pub(super) struct Screen {
    /// The side of the square of chunks that azalea keeps.
    side: i32,
    /// The length of the land in each place of that square, in bytes.
    land: FxHashMap<(i32, i32), usize>,
    /// The sum of these lengths.
    kept: usize,
    /// The number of chunks sent.
    chunks: usize,
    /// The longest description of each entity that has a long one, in bytes.
    descriptions: FxHashMap<i32, usize>,
    /// The sum of these lengths.
    described: usize,
    /// The length of all configuration packets, in bytes.
    configured: usize,
}

impl Screen {
    /// The screening for a view distance, in chunks.
    pub fn new(view_distance: u8) -> Self {
        // azalea keeps three chunks more than asked for on every side.
        let side = 2 * (i32::from(view_distance) + 3) + 1;
        let (land, descriptions) = (FxHashMap::default(), FxHashMap::default());
        Self { side, land, kept: 0, chunks: 0, descriptions, described: 0, configured: 0 }
    }

    /// Whether the engine gets this packet of the configuration; `length` in bytes.
    ///
    /// # Errors
    /// What the server did that ends the connection.
    pub fn configuration(&mut self, packet: &ClientboundConfigPacket, length: usize) -> Result<bool, String> {
        self.configured += length;
        if self.configured > MOST_CONFIGURATION {
            return Err(format!("it sent more than {MOST_CONFIGURATION} bytes of configuration"));
        }
        Ok(!matches!(packet, ClientboundConfigPacket::StoreCookie(_) | ClientboundConfigPacket::UpdateTags(_)))
    }

    /// Whether the engine gets this packet of the game; `length` in bytes.
    ///
    /// # Errors
    /// What the server did that ends the connection.
    pub fn game(&mut self, packet: &ClientboundGamePacket, length: usize) -> Result<bool, String> {
        use ClientboundGamePacket as Game;
        match packet {
            Game::PlayerPosition(p) => {
                placed("the player", p.change.pos)?;
                moved("the player", p.change.delta)?;
                finite("the player", &[p.change.look_direction.y_rot(), p.change.look_direction.x_rot()])?;
            }
            Game::TeleportEntity(p) => placed("an entity", p.change.pos)?,
            Game::EntityPositionSync(p) => placed("an entity", p.values.pos)?,
            Game::AddEntity(p) => placed("an entity", p.position)?,
            Game::MoveVehicle(p) => placed("a vehicle", p.pos)?,
            Game::Explode(p) => {
                if let Some(knockback) = p.player_knockback {
                    moved("the player", knockback)?;
                }
            }
            Game::SetHealth(p) => finite("the player's health", &[p.health, p.saturation])?,
            Game::ContainerSetContent(p) if p.items.len() > MOST_SLOTS => {
                return Err(format!("it sent a window of {} slots", p.items.len()));
            }
            Game::ContainerSetSlot(_) | Game::SetPlayerInventory(_) | Game::SetCursorItem(_) => {
                return Ok(length <= LONGEST_STACK);
            }
            Game::SetEntityData(p) => return Ok(self.describe(p.id.0, length)),
            Game::RemoveEntities(p) => {
                for id in &p.entity_ids {
                    self.described -= self.descriptions.remove(&id.0).unwrap_or(0);
                }
            }
            Game::LevelChunkWithLight(p) => self.chunk(p)?,
            // Large, and of no use to this client.
            Game::StoreCookie(_)
            | Game::UpdateTags(_)
            | Game::UpdateRecipes(_)
            | Game::UpdateAdvancements(_)
            | Game::Commands(_)
            | Game::CustomPayload(_)
            | Game::MapItemData(_)
            | Game::RecipeBookAdd(_)
            | Game::LevelParticles(_)
            | Game::LightUpdate(_)
            | Game::BundleDelimiter(_) => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    /// Whether an entity's description of this length is kept.
    fn describe(&mut self, entity: i32, length: usize) -> bool {
        let known = self.descriptions.get(&entity).copied().unwrap_or(0);
        if length <= SHORT_DESCRIPTION || length <= known {
            return true;
        }
        let fits = length <= LONGEST_DESCRIPTION && self.described - known + length <= MOST_DESCRIBED;
        if fits {
            self.described += length - known;
            self.descriptions.insert(entity, length);
        }
        fits
    }

    fn chunk(&mut self, chunk: &ClientboundLevelChunkWithLight) -> Result<(), String> {
        let heights: usize = chunk.chunk_data.heightmaps.iter().map(|(_, heights)| 8 * heights.len()).sum();
        let length = chunk.chunk_data.data.len() + heights;
        let place = (chunk.x.rem_euclid(self.side), chunk.z.rem_euclid(self.side));
        self.kept += length;
        self.kept -= self.land.insert(place, length).unwrap_or(0);
        self.chunks += 1;
        let most = CHUNK * (self.side * self.side) as usize;
        if self.kept > most {
            return Err(format!("it sent land of more than {most} bytes within view"));
        }
        if self.chunks > MOST_CHUNKS {
            return Err(format!("it sent more than {MOST_CHUNKS} chunks"));
        }
        Ok(())
    }
}

fn placed(what: &str, at: Vec3) -> Result<(), String> {
    let valid = [at.x, at.y, at.z].iter().all(|part| part.abs() <= FARTHEST);
    if valid { Ok(()) } else { Err(format!("it moved {what} to {:?}, which is no place", [at.x, at.y, at.z])) }
}

fn moved(what: &str, by: Vec3) -> Result<(), String> {
    let valid = [by.x, by.y, by.z].iter().all(|part| part.abs() <= FASTEST);
    if valid { Ok(()) } else { Err(format!("it gave {what} the speed {:?}", [by.x, by.y, by.z])) }
}

fn finite(what: &str, numbers: &[f32]) -> Result<(), String> {
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(())
    } else {
        Err(format!("it sent {numbers:?} for {what}"))
    }
}

#[cfg(test)]
mod tests {
    use azalea::protocol::common::movements::{PositionMoveRotation, RelativeMovements};
    use azalea::protocol::packets::Packet;
    use azalea::protocol::packets::game::{
        ClientboundPlayerPosition, ClientboundRemoveEntities, ClientboundSetHealth, ClientboundStoreCookie,
    };

    use super::*;

    fn screened(packet: impl Packet<ClientboundGamePacket>) -> Result<bool, String> {
        Screen::new(6).game(&packet.into_variant(), 100)
    }

    fn position(pos: [f64; 3], delta: [f64; 3]) -> ClientboundPlayerPosition {
        let vector = |[x, y, z]: [f64; 3]| Vec3::new(x, y, z);
        let change =
            PositionMoveRotation { pos: vector(pos), delta: vector(delta), look_direction: Default::default() };
        ClientboundPlayerPosition { id: 1, change, relative: RelativeMovements::default() }
    }

    #[test]
    fn refuses_numbers_that_are_none() {
        assert_eq!(screened(position([3e7, -64.0, -3e7], [0.0; 3])), Ok(true));
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -4e7] {
            assert!(screened(position([0.0, wrong, 0.0], [0.0; 3])).unwrap_err().contains("which is no place"));
            assert!(screened(position([0.0; 3], [wrong, 0.0, 0.0])).unwrap_err().contains("the speed"));
        }
        let health = |health| screened(ClientboundSetHealth { health, food: 20, saturation: 0.0 });
        assert_eq!(health(20.0), Ok(true));
        assert!(health(f32::NAN).is_err());
    }

    #[test]
    fn leaves_out_what_only_takes_memory() {
        let cookie = ClientboundStoreCookie { key: "a:b".into(), payload: vec![0; 10] };
        assert_eq!(screened(cookie), Ok(false));
    }

    /// Long descriptions are kept up to a sum, which removed entities leave.
    #[test]
    fn keeps_descriptions_up_to_a_length() {
        let mut screen = Screen::new(6);
        let many = (MOST_DESCRIBED / LONGEST_DESCRIPTION) as i32;
        assert!((0..many).all(|entity| screen.describe(entity, LONGEST_DESCRIPTION)));
        assert!(screen.describe(0, LONGEST_DESCRIPTION) && screen.describe(many, SHORT_DESCRIPTION));
        assert!(!screen.describe(many, SHORT_DESCRIPTION + 1) && !screen.describe(0, LONGEST_DESCRIPTION + 1));
        let removed = ClientboundRemoveEntities { entity_ids: vec![azalea::core::entity_id::MinecraftEntityId(3)] };
        assert_eq!(screen.game(&removed.into_variant(), 100), Ok(true));
        assert!(screen.describe(many, LONGEST_DESCRIPTION));
    }

    #[test]
    fn counts_what_configurations_send() {
        let mut screen = Screen::new(6);
        let packet = azalea::protocol::packets::config::ClientboundFinishConfiguration.into_variant();
        assert_eq!(screen.configuration(&packet, MOST_CONFIGURATION), Ok(true));
        assert!(screen.configuration(&packet, 1).unwrap_err().contains("of configuration"));
    }
}

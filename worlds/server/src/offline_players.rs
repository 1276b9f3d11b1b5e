//! The stored players who have left and may return.

use std::collections::BTreeMap;

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{MAX_AIR, MAX_HEALTH, Player as Body};
use serde::{Deserialize, Serialize};

use super::player::Player;
use super::saving;
use super::windows::PlayerInventory;
use super::windows::inventory::CARRIED;
use super::windows::stack::Stack;

/// The maximum number of players to remember. Names are not authenticated, so a client can invent any number.
const REMEMBERED: usize = 256;

/// The players who have left, by name.
///
/// When there are too many, the one seen least recently is forgotten, players with an empty inventory first: visitors
/// do not displace a player who owns something.
#[derive(Debug)]
pub(super) struct OfflinePlayers {
    by_name: BTreeMap<String, OfflinePlayer>,
    /// The maximum number to remember.
    capacity: usize,
}

impl Default for OfflinePlayers {
    fn default() -> Self {
        Self::with_capacity(REMEMBERED)
    }
}

impl OfflinePlayers {
    /// Remembers at most this many players.
    fn with_capacity(capacity: usize) -> Self {
        Self { by_name: BTreeMap::new(), capacity }
    }

    /// Remembers a player, and forgets another one if there are too many.
    pub(super) fn remember(&mut self, name: String, offline: OfflinePlayer) {
        self.by_name.insert(name, offline);
        if self.by_name.len() > self.capacity {
            let forgotten = self.by_name.iter().min_by_key(|(_, offline)| (!offline.slots.is_empty(), offline.seen));
            if let Some(name) = forgotten.map(|(name, _)| name.clone()) {
                self.by_name.remove(&name);
            }
        }
    }

    /// Removes and returns a player.
    pub(super) fn take(&mut self, name: &str) -> Option<OfflinePlayer> {
        self.by_name.remove(name)
    }

    /// All players, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &OfflinePlayer)> {
        self.by_name.iter()
    }
}

/// The stored state of a player who has left, as in the save file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfflinePlayer {
    at: [f64; 3],
    look: [f32; 2],
    health: u32,
    air: u32,
    fire: u32,
    held: usize,
    /// Slot numbers and contents, without empty slots.
    slots: Vec<(usize, Stack)>,
    /// The tick at which it left.
    #[serde(default)]
    seen: u64,
}

/// The state with which a player joins.
pub(super) struct Restored {
    pub(super) at: Vec3,
    pub(super) look: LookDirection,
    pub(super) body: Body,
    pub(super) inventory: PlayerInventory,
}

impl Restored {
    /// A player who is new to this world.
    pub(super) fn new(at: Vec3, spawn: BlockPos) -> Self {
        let (look, body, inventory) = (LookDirection::default(), Body::new(spawn), PlayerInventory::default());
        Self { at, look, body, inventory }
    }
}

impl OfflinePlayer {
    /// The current state of a player, with this inventory.
    pub(super) fn of(player: &Player, inventory: &PlayerInventory, tick: u64) -> Self {
        let slots = inventory.slots().iter().enumerate();
        Self {
            at: [player.at.x, player.at.y, player.at.z],
            look: [player.look.y_rot(), player.look.x_rot()],
            health: player.body.health,
            air: player.body.air,
            fire: player.body.fire,
            held: inventory.held(),
            slots: slots.filter_map(|(number, slot)| Some((number, (*slot)?))).collect(),
            seen: tick,
        }
    }

    /// The player's state, checked.
    ///
    /// # Errors
    /// The part that no player can have.
    pub(super) fn restored(&self) -> Result<Restored, String> {
        let at = saving::point(self.at)?;
        let mut inventory = PlayerInventory::default();
        for (number, stack) in &self.slots {
            if !inventory.set(*number, Some(*stack)) {
                return Err(format!("a player has {CARRIED} slots and none of number {number}"));
            }
        }
        if !inventory.select(self.held) || self.health == 0 || self.look.iter().any(|angle| !angle.is_finite()) {
            return Err("there is no such player".to_owned());
        }
        let mut body = Body::new(super::names::cell(at));
        (body.health, body.air, body.fire) = (self.health.min(MAX_HEALTH), self.air.min(MAX_AIR), self.fire);
        Ok(Restored { at, look: LookDirection::new(self.look[0], self.look[1]), body, inventory })
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::items::Item;

    use super::*;
    use crate::session;
    use crate::test_harness::TestHarness;

    fn offline(seen: u64, carries: bool) -> OfflinePlayer {
        let slots = if carries { vec![(0, Stack { item: Item::Dirt, count: 1, wear: 0 })] } else { Vec::new() };
        OfflinePlayer { at: [0.5, 70.0, 0.5], look: [0.0; 2], health: 20, air: 300, fire: 0, held: 0, slots, seen }
    }

    fn names(offline_players: &OfflinePlayers) -> Vec<&str> {
        offline_players.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn players_with_items_are_remembered_longer_than_visitors() {
        let mut offline_players = OfflinePlayers::default();
        offline_players.remember("owner".to_owned(), offline(1, true));
        offline_players.remember("later".to_owned(), offline(2, true));
        for visitor in 0..3 * REMEMBERED as u64 {
            offline_players.remember(format!("visitor{visitor}"), offline(3 + visitor, false));
        }
        assert_eq!(offline_players.iter().count(), REMEMBERED);
        assert_eq!(names(&offline_players)[..2], ["later", "owner"]);
        assert!(offline_players.take("visitor0").is_none() && offline_players.take("visitor767").is_some());
        for other in 0..REMEMBERED as u64 {
            offline_players.remember(format!("other{other}"), offline(3 + other, true));
        }
        assert!(offline_players.take("owner").is_none() && offline_players.take("later").is_none());
        assert!(offline_players.take("other0").is_some());
    }

    /// After many names the number of remembered players is bounded, and the owner's items are still there.
    #[test]
    fn names_do_not_pile_up() {
        let mut harness = TestHarness::new();
        // Joins are slow because they send the land, so this test remembers fewer players.
        let capacity = 4;
        harness.game.offline_players = OfflinePlayers::with_capacity(capacity);
        let leave = |harness: &mut TestHarness, player| session::kick(&mut harness.game, player, "enough");
        let owner = harness.join("owner");
        let dirt = Stack { item: Item::Dirt, count: 7, wear: 0 };
        harness.game.entities.players.get_mut(&owner).unwrap().screen.inventory_mut().add(dirt);
        leave(&mut harness, owner);
        for visitor in 0..2 * capacity {
            let visitor = harness.join(&format!("visitor{visitor}"));
            leave(&mut harness, visitor);
        }
        assert_eq!(harness.game.offline_players.iter().count(), capacity);
        let owner = harness.join("owner");
        assert_eq!(harness.game.entities.players[&owner].screen.inventory().get(0), Some(dirt));
    }
}

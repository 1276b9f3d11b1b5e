//! The stored players who have left and may return.

use std::collections::BTreeMap;

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::Player as Body;

use super::player::Player;
use super::windows::PlayerInventory;

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
            let forgotten = self.by_name.iter().min_by_key(|(_, offline)| (offline.carries(), offline.seen));
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

/// The stored state of a player who has left.
#[derive(Clone, Debug)]
pub(super) struct OfflinePlayer {
    pub(super) at: Vec3,
    pub(super) look: LookDirection,
    pub(super) body: Body,
    pub(super) inventory: PlayerInventory,
    /// The tick at which it left.
    pub(super) seen: u64,
}

impl OfflinePlayer {
    /// A player who is new to this world.
    pub(super) fn new(at: Vec3, spawn: BlockPos) -> Self {
        let (look, body, inventory) = (LookDirection::default(), Body::new(spawn), PlayerInventory::default());
        Self { at, look, body, inventory, seen: 0 }
    }

    /// The current state of a player, without the contents of its crafting grids and cursor.
    pub(super) fn of(player: &Player, tick: u64) -> Self {
        Self {
            at: player.at,
            look: player.look,
            body: player.body.clone(),
            inventory: player.screen.inventory().clone(),
            seen: tick,
        }
    }

    fn carries(&self) -> bool {
        self.inventory.slots().iter().any(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::items::Item;

    use super::*;
    use crate::session;
    use crate::test_harness::TestHarness;
    use crate::windows::stack::Stack;

    fn offline(seen: u64, carries: bool) -> OfflinePlayer {
        let spawn = BlockPos::new(0, 70, 0);
        let mut offline = OfflinePlayer { seen, ..OfflinePlayer::new(Vec3 { x: 0.5, y: 70.0, z: 0.5 }, spawn) };
        offline.inventory.set(0, carries.then_some(Stack { item: Item::Dirt, count: 1, wear: 0 }));
        offline
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

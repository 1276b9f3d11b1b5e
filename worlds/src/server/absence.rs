//! Players who are not in: what they will find when they come back.

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;

use super::player::Player;
use super::windows::PlayerInventory;
use crate::minecraft::observation::BlockPos;
use crate::minecraft::player::Player as Body;

/// What there is of a player without its client.
#[derive(Clone, Debug)]
pub(super) struct Absent {
    pub(super) at: Vec3,
    pub(super) look: LookDirection,
    pub(super) body: Body,
    pub(super) inventory: PlayerInventory,
}

impl Absent {
    /// Somebody who has never been here.
    pub(super) fn new(at: Vec3, spawn: BlockPos) -> Self {
        Self { at, look: LookDirection::default(), body: Body::new(spawn), inventory: PlayerInventory::default() }
    }

    /// A player as it is now. What its grids and its cursor hold is not kept.
    pub(super) fn of(player: &Player) -> Self {
        Self {
            at: player.at,
            look: player.look,
            body: player.body.clone(),
            inventory: player.screen.inventory().clone(),
        }
    }
}

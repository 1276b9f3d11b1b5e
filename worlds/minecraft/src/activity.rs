//! The activity of a player while an action runs, for displays.

use std::cmp::Ordering;

use ltlcrit_worlds::Activity;
use strum::Display;

use crate::observation::BlockPos;

/// A player's activity. `Display` writes it for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum PlayerActivity {
    /// Walking.
    Walking,
    /// Swimming.
    Swimming,
    /// Digging a path to a lower block, and walking it.
    #[strum(to_string = "digging down")]
    DiggingDown,
    /// Digging a path to a higher block, and walking it.
    #[strum(to_string = "digging up")]
    DiggingUp,
    /// Digging a path on the same level, and walking it.
    #[strum(to_string = "digging ahead")]
    DiggingAhead,
    /// Breaking the target block of the action.
    #[strum(to_string = "breaking the block")]
    Breaking,
    /// Picking up the drop of the target block.
    #[strum(to_string = "picking it up")]
    PickingUp,
    /// Placing a block against water or lava, or laying a floor.
    #[strum(to_string = "walling off")]
    Walling,
    /// Recovering breath.
    #[strum(to_string = "getting its breath back")]
    Breathing,
    /// Crafting.
    Crafting,
    /// Waiting for a furnace.
    Smelting,
    /// Placing a block.
    Placing,
    /// Throwing the rubble away.
    #[strum(to_string = "throwing rubble away")]
    TidyingUp,
    /// Waiting for the server: for the land around the player, or for a respawn.
    #[strum(to_string = "waiting for the server")]
    AwaitingServer,
    /// Reconnecting after the connection was lost.
    #[strum(to_string = "connection lost, reconnecting ({attempt} of {of})")]
    Reconnecting {
        /// The number of this attempt, from 1.
        attempt: u32,
        /// The number of attempts.
        of: u32,
    },
}

impl PlayerActivity {
    /// Digging from one position to another.
    pub fn digging(from: BlockPos, to: BlockPos) -> Self {
        match to.y.cmp(&from.y) {
            Ordering::Less => Self::DiggingDown,
            Ordering::Equal => Self::DiggingAhead,
            Ordering::Greater => Self::DiggingUp,
        }
    }

    /// Returns whether the player moves meanwhile, so that a display can show its speed.
    fn moves(self) -> bool {
        use PlayerActivity::*;
        matches!(self, Walking | Swimming | DiggingDown | DiggingUp | DiggingAhead | Walling)
    }
}

/// The activity for a display, with the last line of the action's trace; `None` for unknown parts.
pub fn describe(doing: Option<PlayerActivity>, detail: Option<String>, position: Option<BlockPos>) -> Activity {
    Activity {
        doing: doing.map(|doing| doing.to_string()),
        detail,
        moving: doing.is_some_and(PlayerActivity::moves),
        position: position.map(|at| [at.x, at.y, at.z]),
    }
}

//! The activity of a player while an action runs, for displays.

use std::fmt;

use ltlcrit_worlds::Activity;

use crate::observation::BlockPos;

/// The direction in which a player digs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigDirection {
    /// To a lower block.
    Down,
    /// To a higher block.
    Up,
    /// On the same level.
    Ahead,
}

impl DigDirection {
    /// The direction of a step from one position to another.
    pub fn of(from: BlockPos, to: BlockPos) -> Self {
        match to.y.cmp(&from.y) {
            std::cmp::Ordering::Less => Self::Down,
            std::cmp::Ordering::Equal => Self::Ahead,
            std::cmp::Ordering::Greater => Self::Up,
        }
    }
}

/// A player's activity. `Display` writes it for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayerActivity {
    /// Walking.
    Walking,
    /// Swimming.
    Swimming,
    /// Digging a path through blocks, and walking it.
    Digging(DigDirection),
    /// Breaking the target block of the action.
    Breaking,
    /// Picking up the drop of the target block.
    PickingUp,
    /// Placing a block against water or lava, or laying a floor.
    Walling,
    /// Recovering breath.
    Breathing,
    /// Crafting.
    Crafting,
    /// Waiting for a furnace.
    Smelting,
    /// Placing a block.
    Placing,
    /// Throwing the rubble away.
    TidyingUp,
    /// Waiting for the server: for the land around the player, or for a respawn.
    AwaitingServer,
    /// Reconnecting after the connection was lost.
    Reconnecting {
        /// The number of this attempt, from 1.
        attempt: u32,
        /// The number of attempts.
        of: u32,
    },
}

impl PlayerActivity {
    /// Returns whether the player moves meanwhile, so that a display can show its speed.
    fn moves(self) -> bool {
        matches!(self, Self::Walking | Self::Swimming | Self::Digging(_) | Self::Walling)
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

impl fmt::Display for PlayerActivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Walking => "walking",
            Self::Swimming => "swimming",
            Self::Digging(DigDirection::Down) => "digging down",
            Self::Digging(DigDirection::Up) => "digging up",
            Self::Digging(DigDirection::Ahead) => "digging ahead",
            Self::Breaking => "breaking the block",
            Self::PickingUp => "picking it up",
            Self::Walling => "walling off",
            Self::Breathing => "getting its breath back",
            Self::Crafting => "crafting",
            Self::Smelting => "smelting",
            Self::Placing => "placing",
            Self::TidyingUp => "throwing rubble away",
            Self::AwaitingServer => "waiting for the server",
            Self::Reconnecting { attempt, of } => {
                return write!(f, "connection lost, reconnecting ({attempt} of {of})");
            }
        })
    }
}

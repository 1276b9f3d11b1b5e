//! The stable reason codes of failed actions.

use std::borrow::Cow;

use ltlcrit_worlds::world::Reason;
use strum::{IntoStaticStr, VariantArray};

use crate::items::Item;

/// A reason code of the Minecraft worlds. Codes are stable: laws, stores and reports refer to them in snake_case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Code {
    /// No such block is in sight within 32 blocks.
    NotVisible,
    /// It is in sight, or known to stand nearby, but no way was found to it.
    Unreachable,
    /// The item in the hand does not make the block drop anything.
    WrongTool,
    /// The inventory lacks ingredients or the item itself.
    MissingIngredients,
    /// The recipe needs a crafting table and none is near.
    NoCraftingTable,
    /// No furnace is near.
    NoFurnace,
    /// The furnace is out and nothing carried may be burnt.
    NoFuel,
    /// The inventory has no room for the result.
    NoRoom,
    /// The player has no free place beside it for the block.
    NoPlace,
    /// The block broke but its drop was lost: burnt, or out of reach.
    DropLost,
    /// The item is in the hand already.
    AlreadyEquipped,
    /// The target of exploring is already in sight.
    AlreadyInSight,
    /// Exploring ended without finding anything new.
    NothingFound,
    /// Water, lava or a drop blocks the way on all sides.
    NoWay,
    /// The player died during the action.
    Died,
    /// The block broke, but nothing dropped from it.
    NothingDropped,
    /// The ingredients were laid out, but the grid gave no result.
    NothingCrafted,
    /// The server did not allow the action, for example near the spawn point or on claimed land.
    Refused,
    /// The action exceeded its time limit.
    Timeout,
    /// The action was cancelled.
    Interrupted,
    /// The connection to the server was lost.
    Disconnected,
}

impl Code {
    /// Returns whether the action must end: the player is dead, disconnected, out of time or stopped.
    pub fn ends_action(self) -> bool {
        matches!(self, Code::Died | Code::Timeout | Code::Interrupted | Code::Disconnected)
    }
}

impl From<Code> for Reason {
    fn from(code: Code) -> Self {
        Reason(Cow::Borrowed(code.into()))
    }
}

/// A failed action: the code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// A description of the failure, for people and models.
    pub message: String,
}

impl Failure {
    /// A failure with its sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The failure of a full inventory.
    pub fn no_room(item: Item) -> Self {
        Self::new(Code::NoRoom, format!("The inventory has no room for {}.", item.name()))
    }

    /// The failure of a death; `death` follows "You" in its sentence.
    pub fn died(death: &str) -> Self {
        Self::new(Code::Died, format!("You {death}."))
    }

    /// Passes on a failure that ends the action, and returns any other result.
    pub(super) fn unless_final<T>(result: Result<T, Self>) -> Result<Result<T, Self>, Self> {
        match result {
            Err(failure) if failure.code.ends_action() => Err(failure),
            other => Ok(other),
        }
    }

    /// Replaces the failure if it has this code, and appends its sentence.
    #[must_use]
    pub(super) fn said(self, code: Code, otherwise: impl FnOnce() -> Failure) -> Self {
        if self.code != code {
            return self;
        }
        let Failure { code, message } = otherwise();
        Failure { code, message: format!("{message} {}", self.message) }
    }
}

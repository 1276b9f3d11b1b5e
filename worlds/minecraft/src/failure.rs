//! The stable reason codes of failed actions.

use std::borrow::Cow;

use ltlcrit_worlds::world::Reason;

use crate::items::Item;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $code:literal,)+) => {
        /// Every reason code of the Minecraft worlds. Codes are stable: laws, stores and reports refer to them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The code as stored, snake_case.
            pub fn code(self) -> &'static str {
                match self {
                    $(Code::$variant => $code,)+
                }
            }

            /// The meaning of the code, in one line.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Code::$variant => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

codes! {
    /// No such block is in sight within 32 blocks.
    NotVisible = "not_visible",
    /// It is in sight, or known to stand nearby, but no way was found to it.
    Unreachable = "unreachable",
    /// The item in the hand does not make the block drop anything.
    WrongTool = "wrong_tool",
    /// The inventory lacks ingredients or the item itself.
    MissingIngredients = "missing_ingredients",
    /// The recipe needs a crafting table and none is near.
    NoCraftingTable = "no_crafting_table",
    /// No furnace is near.
    NoFurnace = "no_furnace",
    /// The furnace is out and nothing carried may be burnt.
    NoFuel = "no_fuel",
    /// The inventory has no room for the result.
    NoRoom = "no_room",
    /// The player has no free place beside it for the block.
    NoPlace = "no_place",
    /// The block broke but its drop was lost: burnt, or out of reach.
    DropLost = "drop_lost",
    /// The item is in the hand already.
    AlreadyEquipped = "already_equipped",
    /// The target of exploring is already in sight.
    AlreadyInSight = "already_in_sight",
    /// Exploring ended without finding anything new.
    NothingFound = "nothing_found",
    /// Water, lava or a drop blocks the way on all sides.
    NoWay = "no_way",
    /// The player died during the action.
    Died = "died",
    /// The block broke, but nothing dropped from it.
    NothingDropped = "nothing_dropped",
    /// The ingredients were laid out, but the grid gave no result.
    NothingCrafted = "nothing_crafted",
    /// The server did not allow the action, for example near the spawn point or on claimed land.
    Refused = "refused",
    /// The action exceeded its time limit.
    Timeout = "timeout",
    /// The action was cancelled.
    Interrupted = "interrupted",
    /// The connection to the server was lost.
    Disconnected = "disconnected",
}

impl Code {
    /// Returns whether the action must end: the player is dead, disconnected, out of time or stopped.
    pub fn ends_action(self) -> bool {
        matches!(self, Code::Died | Code::Timeout | Code::Interrupted | Code::Disconnected)
    }
}

impl From<Code> for Reason {
    fn from(code: Code) -> Self {
        Reason(Cow::Borrowed(code.code()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let codes: std::collections::BTreeSet<_> = Code::ALL.iter().map(|code| code.code()).collect();
        assert_eq!(codes.len(), Code::ALL.len());
        assert_eq!(Code::NoFuel.meaning(), "The furnace is out and nothing carried may be burnt.");
    }
}

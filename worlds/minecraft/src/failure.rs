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
            /// All of them.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The code as stored, snake_case.
            pub fn code(self) -> &'static str {
                match self {
                    $(Code::$variant => $code,)+
                }
            }

            /// What it means, in one line.
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
    /// What is in the hand does not get anything out of the block.
    WrongTool = "wrong_tool",
    /// The inventory lacks ingredients or the item itself.
    MissingIngredients = "missing_ingredients",
    /// The recipe needs a crafting table and none is near.
    NoCraftingTable = "no_crafting_table",
    /// No furnace is near.
    NoFurnace = "no_furnace",
    /// The furnace is out and nothing carried may be burnt.
    NoFuel = "no_fuel",
    /// The inventory has no room for what would come of it.
    NoRoom = "no_room",
    /// There is no free place beside the player to put the block.
    NoPlace = "no_place",
    /// The block broke but its drop was lost: burnt, or out of reach.
    DropLost = "drop_lost",
    /// The item is in the hand already.
    AlreadyEquipped = "already_equipped",
    /// What exploring is for is in sight already.
    AlreadyInSight = "already_in_sight",
    /// Exploring came to its end without finding anything new.
    NothingFound = "nothing_found",
    /// There was no way on: water, lava or a drop on all sides.
    NoWay = "no_way",
    /// The player died over it.
    Died = "died",
    /// The block broke, but nothing dropped from it.
    NothingDropped = "nothing_dropped",
    /// The ingredients were laid out, but nothing came of them.
    NothingCrafted = "nothing_crafted",
    /// The server did not allow it, as near the spawn point or on someone's land.
    Refused = "refused",
    /// It took longer than an action may take.
    Timeout = "timeout",
    /// It was cancelled.
    Interrupted = "interrupted",
    /// The connection to the server was lost.
    Disconnected = "disconnected",
}

impl Code {
    /// Whether the action must end: the player is dead, disconnected, out of time or told to stop.
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
    /// What happened, for people and models.
    pub message: String,
}

impl Failure {
    /// A failure with its sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The inventory is full.
    pub fn no_room(item: Item) -> Self {
        Self::new(Code::NoRoom, format!("The inventory has no room for {}.", item.name()))
    }

    /// A death; `death` follows "You" in its sentence.
    pub fn died(death: &str) -> Self {
        Self::new(Code::Died, format!("You {death}."))
    }

    /// Replaces the failure if it has this code, and adds its sentence.
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

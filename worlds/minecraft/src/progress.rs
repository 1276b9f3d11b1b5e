//! A record of the contents of a furnace in use, to recognise them after a crash.

use serde::{Deserialize, Serialize};

use super::observation::BlockPos;

/// The items that an action puts into a furnace, and the result. Names are the game's identifiers without `minecraft:`;
/// one item of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Smelting {
    /// The furnace's position.
    pub furnace: BlockPos,
    /// The item that is smelted.
    pub ore: String,
    /// The fuels, in the order in which they are burnt.
    pub fuels: Vec<String>,
    /// The result.
    pub result: String,
}

impl Smelting {
    /// Returns whether this many of an item in the furnace can come from this smelting.
    pub fn accounts_for(&self, item: &str, count: u32) -> bool {
        let fuels = self.fuels.iter().filter(|fuel| *fuel == item).count();
        count as usize <= fuels + usize::from(item == self.ore) + usize::from(item == self.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_its_own() {
        let fuels = ["stick", "stick"].map(str::to_owned).to_vec();
        let (ore, result) = ("raw_iron".to_owned(), "iron_ingot".to_owned());
        let smelting = Smelting { furnace: BlockPos::new(0, 0, 0), ore, fuels, result };
        let ours = |item, count| smelting.accounts_for(item, count);
        assert!(ours("raw_iron", 1) && ours("stick", 2) && ours("iron_ingot", 1));
        assert!(!ours("raw_iron", 2) && !ours("stick", 3) && !ours("coal", 1) && !ours("iron_ingot", 2));
    }
}

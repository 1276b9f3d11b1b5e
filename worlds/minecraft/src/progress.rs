//! A record of the contents of a furnace in use, so that they are recognised after a crash.

use serde::{Deserialize, Serialize};

use super::observation::BlockPos;

/// What an action puts into a furnace, and what is to come of it. All items are named as the game does, without
/// `minecraft:`, one of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Smelting {
    /// Where the furnace is.
    pub furnace: BlockPos,
    /// What is smelted.
    pub ore: String,
    /// What is burnt for it, in this order.
    pub fuels: Vec<String>,
    /// What comes of it.
    pub result: String,
}

impl Smelting {
    /// Whether so many of an item in the furnace can be what this put there or made.
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

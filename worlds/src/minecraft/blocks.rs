//! Blocks: the table of what the world is made of, what a block drops to which tool, and how long it takes to break.

use super::items::{Item, Tier};

/// Every kind of block here. Names are the game's identifiers without `minecraft:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Block {
    Air,
    Water,
    Lava,
    Bedrock,
    Stone,
    Deepslate,
    Dirt,
    GrassBlock,
    Sand,
    Sandstone,
    Gravel,
    Cobblestone,
    CobbledDeepslate,
    CoalOre,
    DeepslateCoalOre,
    IronOre,
    DeepslateIronOre,
    DiamondOre,
    DeepslateDiamondOre,
    OakLog,
    BirchLog,
    SpruceLog,
    OakLeaves,
    BirchLeaves,
    SpruceLeaves,
    CraftingTable,
    Furnace,
}

use Block::*;

/// How many kinds of block there are.
pub const BLOCK_KINDS: usize = 27;

/// All kinds, in the order of their declaration.
pub const BLOCKS: [Block; BLOCK_KINDS] = [
    Air,
    Water,
    Lava,
    Bedrock,
    Stone,
    Deepslate,
    Dirt,
    GrassBlock,
    Sand,
    Sandstone,
    Gravel,
    Cobblestone,
    CobbledDeepslate,
    CoalOre,
    DeepslateCoalOre,
    IronOre,
    DeepslateIronOre,
    DiamondOre,
    DeepslateDiamondOre,
    OakLog,
    BirchLog,
    SpruceLog,
    OakLeaves,
    BirchLeaves,
    SpruceLeaves,
    CraftingTable,
    Furnace,
];

/// What breaking a block takes and gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breaking {
    /// The game's hardness; `None` for what cannot be broken.
    pub hardness: Option<f64>,
    /// Whether a pickaxe is faster than the hand.
    pub pickaxe: bool,
    /// The least pickaxe with which it drops anything; [`Tier::Hand`] if anything will do.
    pub tier: Tier,
    /// What it drops then.
    pub drop: Option<Item>,
}

impl Block {
    /// The game's identifier without `minecraft:`.
    pub fn name(self) -> &'static str {
        match self {
            Air => "air",
            Water => "water",
            Lava => "lava",
            Bedrock => "bedrock",
            Stone => "stone",
            Deepslate => "deepslate",
            Dirt => "dirt",
            GrassBlock => "grass_block",
            Sand => "sand",
            Sandstone => "sandstone",
            Gravel => "gravel",
            Cobblestone => "cobblestone",
            CobbledDeepslate => "cobbled_deepslate",
            CoalOre => "coal_ore",
            DeepslateCoalOre => "deepslate_coal_ore",
            IronOre => "iron_ore",
            DeepslateIronOre => "deepslate_iron_ore",
            DiamondOre => "diamond_ore",
            DeepslateDiamondOre => "deepslate_diamond_ore",
            OakLog => "oak_log",
            BirchLog => "birch_log",
            SpruceLog => "spruce_log",
            OakLeaves => "oak_leaves",
            BirchLeaves => "birch_leaves",
            SpruceLeaves => "spruce_leaves",
            CraftingTable => "crafting_table",
            Furnace => "furnace",
        }
    }

    /// Breaking this block: hardness, tool and drop, as in the game.
    pub fn breaking(self) -> Breaking {
        let by = |hardness, pickaxe, tier, drop| Breaking { hardness: Some(hardness), pickaxe, tier, drop };
        let soft = |hardness, drop| by(hardness, false, Tier::Hand, Some(drop));
        let hard = |hardness, tier, drop| by(hardness, true, tier, Some(drop));
        match self {
            Air | Water | Lava | Bedrock => Breaking { hardness: None, pickaxe: false, tier: Tier::Hand, drop: None },
            Stone => hard(1.5, Tier::Wood, Item::Cobblestone),
            Deepslate => hard(3.0, Tier::Wood, Item::CobbledDeepslate),
            Dirt => soft(0.5, Item::Dirt),
            GrassBlock => soft(0.6, Item::Dirt),
            Sand => soft(0.5, Item::Sand),
            Sandstone => hard(0.8, Tier::Wood, Item::Sandstone),
            Gravel => soft(0.6, Item::Gravel),
            Cobblestone => hard(2.0, Tier::Wood, Item::Cobblestone),
            CobbledDeepslate => hard(3.5, Tier::Wood, Item::CobbledDeepslate),
            CoalOre => hard(3.0, Tier::Wood, Item::Coal),
            DeepslateCoalOre => hard(4.5, Tier::Wood, Item::Coal),
            IronOre => hard(3.0, Tier::Stone, Item::RawIron),
            DeepslateIronOre => hard(4.5, Tier::Stone, Item::RawIron),
            DiamondOre => hard(3.0, Tier::Iron, Item::Diamond),
            DeepslateDiamondOre => hard(4.5, Tier::Iron, Item::Diamond),
            OakLog => soft(2.0, Item::OakLog),
            BirchLog => soft(2.0, Item::BirchLog),
            SpruceLog => soft(2.0, Item::SpruceLog),
            OakLeaves | BirchLeaves | SpruceLeaves => by(0.2, false, Tier::Hand, None),
            CraftingTable => soft(2.5, Item::CraftingTable),
            Furnace => hard(3.5, Tier::Wood, Item::Furnace),
        }
    }

    /// Water or lava.
    pub fn is_fluid(self) -> bool {
        matches!(self, Water | Lava)
    }

    /// Whether something can be in its place: air or a fluid.
    pub fn is_open(self) -> bool {
        matches!(self, Air | Water | Lava)
    }

    /// Whether a body cannot be in its place, and can stand on it.
    pub fn is_solid(self) -> bool {
        !self.is_open()
    }

    /// Whether one sees through it: open, or leaves.
    pub fn is_see_through(self) -> bool {
        self.is_open() || matches!(self, OakLeaves | BirchLeaves | SpruceLeaves)
    }

    /// Whether it falls when nothing holds it up.
    pub fn falls(self) -> bool {
        matches!(self, Sand | Gravel)
    }

    /// A log of any wood.
    pub fn is_log(self) -> bool {
        matches!(self, OakLog | BirchLog | SpruceLog)
    }

    /// Leaves of any wood.
    pub fn is_leaves(self) -> bool {
        matches!(self, OakLeaves | BirchLeaves | SpruceLeaves)
    }

    /// Stone as terrain is made of it; what ores and caves replace.
    pub fn is_rock(self) -> bool {
        matches!(self, Stone | Deepslate)
    }

    /// What `action_mine_stone` takes: rock and what was made of it.
    pub fn is_stone(self) -> bool {
        matches!(self, Stone | Deepslate | Cobblestone | CobbledDeepslate)
    }

    /// Worth a line in an observation wherever it is in sight: ores, logs, tables and furnaces.
    pub fn is_landmark(self) -> bool {
        matches!(
            self,
            CoalOre
                | DeepslateCoalOre
                | IronOre
                | DeepslateIronOre
                | DiamondOre
                | DeepslateDiamondOre
                | OakLog
                | BirchLog
                | SpruceLog
                | CraftingTable
                | Furnace
        )
    }

    /// Whether breaking it with this in the hand drops anything.
    pub fn yields_to(self, tool: Option<Item>) -> bool {
        let tier = tool.and_then(Item::pickaxe).unwrap_or(Tier::Hand);
        let breaking = self.breaking();
        breaking.drop.is_some() && tier >= breaking.tier
    }

    /// What it drops to this tool.
    pub fn drop_for(self, tool: Option<Item>) -> Option<Item> {
        self.breaking().drop.filter(|_| self.yields_to(tool))
    }

    /// How many ticks it takes to break with this in the hand, five times as long with the head under water; `None` for
    /// what cannot be broken. The game's formula: tool speed / hardness / 30 (100 without the right tool) a tick.
    pub fn break_ticks(self, tool: Option<Item>, head_in_water: bool) -> Option<u32> {
        let breaking = self.breaking();
        let hardness = breaking.hardness?;
        let tier = tool.and_then(Item::pickaxe).unwrap_or(Tier::Hand);
        let speed = if breaking.pickaxe { tier.speed() } else { 1.0 };
        let fits = breaking.tier == Tier::Hand || tier >= breaking.tier;
        let mut a_tick = speed / hardness / if fits { 30.0 } else { 100.0 };
        if head_in_water {
            a_tick /= 5.0;
        }
        // The small slack keeps rounding from adding a tick to exact quotients.
        Some(((1.0 / a_tick) - 1e-9).ceil().max(1.0) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_unique() {
        let names: std::collections::BTreeSet<_> = BLOCKS.iter().map(|block| block.name()).collect();
        assert_eq!(names.len(), BLOCK_KINDS);
        assert!(BLOCKS.iter().enumerate().all(|(position, block)| *block as usize == position));
    }

    /// Times the game's wiki gives, in seconds.
    #[test]
    fn breaks_in_the_games_time() {
        let seconds = |block: Block, tool| f64::from(block.break_ticks(tool, false).unwrap()) / 20.0;
        assert_eq!(seconds(OakLog, None), 3.0);
        assert_eq!(seconds(Stone, None), 7.5);
        assert_eq!(seconds(Stone, Some(Item::WoodenPickaxe)), 1.15);
        assert_eq!(seconds(Stone, Some(Item::StonePickaxe)), 0.6);
        assert_eq!(seconds(IronOre, Some(Item::StonePickaxe)), 1.15);
        assert_eq!(seconds(IronOre, Some(Item::WoodenPickaxe)), 7.5);
        assert_eq!(seconds(DiamondOre, Some(Item::IronPickaxe)), 0.75);
        assert_eq!(seconds(DeepslateDiamondOre, Some(Item::IronPickaxe)), 1.15);
        assert_eq!(OakLog.break_ticks(None, true), Some(300));
        assert_eq!(Bedrock.break_ticks(Some(Item::IronPickaxe), false), None);
    }

    #[test]
    fn drops_only_to_a_good_enough_tool() {
        assert_eq!(Stone.drop_for(None), None);
        assert_eq!(Stone.drop_for(Some(Item::WoodenPickaxe)), Some(Item::Cobblestone));
        assert_eq!(IronOre.drop_for(Some(Item::WoodenPickaxe)), None);
        assert_eq!(IronOre.drop_for(Some(Item::StonePickaxe)), Some(Item::RawIron));
        assert_eq!(CoalOre.drop_for(Some(Item::WoodenPickaxe)), Some(Item::Coal));
        assert_eq!(DeepslateDiamondOre.drop_for(Some(Item::StonePickaxe)), None);
        assert_eq!(DeepslateDiamondOre.drop_for(Some(Item::IronPickaxe)), Some(Item::Diamond));
        assert_eq!(OakLog.drop_for(Some(Item::Stick)), Some(Item::OakLog));
        assert_eq!(OakLeaves.drop_for(None), None);
    }
}

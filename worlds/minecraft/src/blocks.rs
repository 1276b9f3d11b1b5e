//! Blocks: the table of kinds, their drops by tool, and their breaking times.

use super::items::{Item, Tier};

/// The breaking of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breaking {
    /// The game's hardness; `None` for unbreakable blocks.
    pub hardness: Option<f64>,
    /// Whether a pickaxe is faster than the hand.
    pub pickaxe: bool,
    /// The least pickaxe with which it drops anything; [`Tier::Hand`] for any tool.
    pub tier: Tier,
    /// Its drop with that tool.
    pub drop: Option<Item>,
}

/// The other properties of a kind of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing.
    Plain,
    Air,
    Fluid,
    /// Falls when nothing holds it up.
    Loose,
    /// Natural stone.
    Rock,
    /// Cobblestone and other blocks made from stone.
    Rubble,
    Ore,
    Log,
    Leaves,
    /// A crafting table or furnace.
    Station,
}

macro_rules! blocks {
    ($($variant:ident = $name:literal: $kind:ident, $breaking:expr;)+) => {
        /// Every kind of block here. Names are the game's identifiers without `minecraft:`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Block {
            $($variant,)+
        }

        /// How many kinds of block there are.
        pub const BLOCK_KINDS: usize = BLOCKS.len();

        /// All kinds, in the order of their declaration.
        pub const BLOCKS: [Block; [$(Block::$variant),+].len()] = [$(Block::$variant),+];

        const TABLE: [(&str, Kind, Breaking); BLOCK_KINDS] = [$(($name, Kind::$kind, $breaking)),+];
    };
}

blocks! {
    Air = "air": Air, UNBREAKABLE;
    Water = "water": Fluid, UNBREAKABLE;
    Lava = "lava": Fluid, UNBREAKABLE;
    Bedrock = "bedrock": Plain, UNBREAKABLE;
    Stone = "stone": Rock, hard(1.5, Tier::Wood, Item::Cobblestone);
    Deepslate = "deepslate": Rock, hard(3.0, Tier::Wood, Item::CobbledDeepslate);
    Dirt = "dirt": Plain, soft(0.5, Item::Dirt);
    GrassBlock = "grass_block": Plain, soft(0.6, Item::Dirt);
    Sand = "sand": Loose, soft(0.5, Item::Sand);
    Sandstone = "sandstone": Plain, hard(0.8, Tier::Wood, Item::Sandstone);
    Gravel = "gravel": Loose, soft(0.6, Item::Gravel);
    Cobblestone = "cobblestone": Rubble, hard(2.0, Tier::Wood, Item::Cobblestone);
    CobbledDeepslate = "cobbled_deepslate": Rubble, hard(3.5, Tier::Wood, Item::CobbledDeepslate);
    CoalOre = "coal_ore": Ore, hard(3.0, Tier::Wood, Item::Coal);
    DeepslateCoalOre = "deepslate_coal_ore": Ore, hard(4.5, Tier::Wood, Item::Coal);
    IronOre = "iron_ore": Ore, hard(3.0, Tier::Stone, Item::RawIron);
    DeepslateIronOre = "deepslate_iron_ore": Ore, hard(4.5, Tier::Stone, Item::RawIron);
    DiamondOre = "diamond_ore": Ore, hard(3.0, Tier::Iron, Item::Diamond);
    DeepslateDiamondOre = "deepslate_diamond_ore": Ore, hard(4.5, Tier::Iron, Item::Diamond);
    OakLog = "oak_log": Log, soft(2.0, Item::OakLog);
    BirchLog = "birch_log": Log, soft(2.0, Item::BirchLog);
    SpruceLog = "spruce_log": Log, soft(2.0, Item::SpruceLog);
    OakLeaves = "oak_leaves": Leaves, LEAVES;
    BirchLeaves = "birch_leaves": Leaves, LEAVES;
    SpruceLeaves = "spruce_leaves": Leaves, LEAVES;
    CraftingTable = "crafting_table": Station, soft(2.5, Item::CraftingTable);
    Furnace = "furnace": Station, hard(3.5, Tier::Wood, Item::Furnace);
    // The embedded terrain has no blocks from here on.
    JungleLog = "jungle_log": Log, soft(2.0, Item::JungleLog);
    AcaciaLog = "acacia_log": Log, soft(2.0, Item::AcaciaLog);
    DarkOakLog = "dark_oak_log": Log, soft(2.0, Item::DarkOakLog);
    MangroveLog = "mangrove_log": Log, soft(2.0, Item::MangroveLog);
    CherryLog = "cherry_log": Log, soft(2.0, Item::CherryLog);
    PaleOakLog = "pale_oak_log": Log, soft(2.0, Item::PaleOakLog);
    JungleLeaves = "jungle_leaves": Leaves, LEAVES;
    AcaciaLeaves = "acacia_leaves": Leaves, LEAVES;
    DarkOakLeaves = "dark_oak_leaves": Leaves, LEAVES;
    MangroveLeaves = "mangrove_leaves": Leaves, LEAVES;
    CherryLeaves = "cherry_leaves": Leaves, LEAVES;
    PaleOakLeaves = "pale_oak_leaves": Leaves, LEAVES;
    // The nether's woods do not burn, and observations do not count them as logs.
    CrimsonStem = "crimson_stem": Plain, soft(2.0, Item::CrimsonStem);
    WarpedStem = "warped_stem": Plain, soft(2.0, Item::WarpedStem);
    Blackstone = "blackstone": Rubble, hard(1.5, Tier::Wood, Item::Blackstone);
}

const UNBREAKABLE: Breaking = Breaking { hardness: None, pickaxe: false, tier: Tier::Hand, drop: None };
const LEAVES: Breaking = Breaking { hardness: Some(0.2), pickaxe: false, tier: Tier::Hand, drop: None };

/// A block that any hand breaks.
const fn soft(hardness: f64, drop: Item) -> Breaking {
    Breaking { hardness: Some(hardness), pickaxe: false, tier: Tier::Hand, drop: Some(drop) }
}

/// A block for a pickaxe.
const fn hard(hardness: f64, tier: Tier, drop: Item) -> Breaking {
    Breaking { hardness: Some(hardness), pickaxe: true, tier, drop: Some(drop) }
}

impl Block {
    const fn kind(self) -> Kind {
        TABLE[self as usize].1
    }

    /// The game's identifier without `minecraft:`.
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].0
    }

    /// The block with this identifier.
    pub fn from_name(name: &str) -> Option<Self> {
        BLOCKS.into_iter().find(|block| block.name() == name)
    }

    /// The block that primitives place with an item; `None` for items they never place.
    pub fn placed_with(item: Item) -> Option<Self> {
        match item {
            Item::CraftingTable => Some(Block::CraftingTable),
            Item::Furnace => Some(Block::Furnace),
            Item::Dirt => Some(Block::Dirt),
            Item::Cobblestone => Some(Block::Cobblestone),
            Item::CobbledDeepslate => Some(Block::CobbledDeepslate),
            _ => None,
        }
    }

    /// Breaking this block: hardness, tool and drop, as in the game.
    pub const fn breaking(self) -> Breaking {
        TABLE[self as usize].2
    }

    /// Water or lava.
    pub const fn is_fluid(self) -> bool {
        matches!(self.kind(), Kind::Fluid)
    }

    /// Whether something can be in its place: air or a fluid.
    pub const fn is_open(self) -> bool {
        matches!(self.kind(), Kind::Air | Kind::Fluid)
    }

    /// Whether a body cannot be in its place, and can stand on it.
    pub const fn is_solid(self) -> bool {
        !self.is_open()
    }

    /// Whether it can be seen through: open, or leaves.
    pub const fn is_see_through(self) -> bool {
        self.is_open() || self.is_leaves()
    }

    /// Whether it falls when nothing holds it up.
    pub const fn falls(self) -> bool {
        matches!(self.kind(), Kind::Loose)
    }

    /// A log of any wood that burns.
    pub const fn is_log(self) -> bool {
        matches!(self.kind(), Kind::Log)
    }

    /// Leaves of any wood.
    pub const fn is_leaves(self) -> bool {
        matches!(self.kind(), Kind::Leaves)
    }

    /// Natural stone, which ores and caves replace.
    pub const fn is_rock(self) -> bool {
        matches!(self.kind(), Kind::Rock)
    }

    /// Whether `action_mine_stone` takes it: natural stone and rubble.
    pub const fn is_stone(self) -> bool {
        matches!(self.kind(), Kind::Rock | Kind::Rubble)
    }

    /// Whether observations list it: ores, logs, tables and furnaces.
    pub const fn is_landmark(self) -> bool {
        matches!(self.kind(), Kind::Ore | Kind::Log | Kind::Station)
    }

    /// Whether breaking it with this in the hand drops anything.
    pub fn yields_to(self, tool: Option<Item>) -> bool {
        let tier = tool.and_then(Item::pickaxe).unwrap_or(Tier::Hand);
        let breaking = self.breaking();
        breaking.drop.is_some() && tier >= breaking.tier
    }

    /// The drop for this tool.
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
    use super::Block::*;
    use super::*;

    #[test]
    fn numbers_and_names_are_unique() {
        let names: std::collections::BTreeSet<_> = BLOCKS.iter().map(|block| block.name()).collect();
        assert_eq!(names.len(), BLOCK_KINDS);
        assert!(BLOCKS.iter().enumerate().all(|(position, block)| *block as usize == position));
        assert!(BLOCKS.iter().all(|block| Block::from_name(block.name()) == Some(*block)));
        assert_eq!(Block::from_name("beacon"), None);
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

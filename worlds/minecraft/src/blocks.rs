//! Blocks: the table of kinds, their drops by tool, and their breaking times.

use super::items::{Item, Tier};

/// The effort of breaking a block, in the game's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digging {
    /// The game's hardness in hundredths; 150 is stone.
    pub hardness: u16,
    /// True if a pickaxe is faster than the hand.
    pub pickaxe: bool,
    /// The lowest pickaxe tier that makes it drop something; [`Tier::Hand`] for any tool. `None` if no tool of this
    /// crate does (obsidian, or snow, which needs a shovel). Such a block still breaks, at a third of the speed.
    pub least: Option<Tier>,
}

impl Digging {
    /// The ticks to break it with this tool, with the eyes out of water. At least 1.
    pub fn ticks(self, tool: Option<Item>) -> u32 {
        self.ticks_at(Tier::of(tool), 1)
    }

    /// The ticks to break it with a pickaxe of this tier, for a player that digs this many times slower. The game's
    /// formula: tool speed / hardness / 30 (100 without the right tool) per tick.
    pub(crate) fn ticks_at(self, tier: Tier, slower: u32) -> u32 {
        let fits = self.least.is_some_and(|least| least == Tier::Hand || tier >= least);
        let work = u32::from(self.hardness) * if fits { 30 } else { 100 };
        let speed = if self.pickaxe { tier.speed() } else { 1 };
        (work * slower).div_ceil(100 * speed).max(1)
    }
}

/// The breaking of a block: the effort (`None` for unbreakable blocks), and the drop with a fitting tool.
type Breaking = (Option<Digging>, Option<Item>);

/// The other properties of a kind of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// No special properties.
    Plain,
    Air,
    Fluid,
    /// A plant or a layer of snow: bodies pass through it, and other blocks replace it.
    Plant,
    /// A plant that other blocks do not replace.
    Flower,
    /// Powder snow: bodies sink into it.
    Powder,
    /// A block that falls without support.
    Loose,
    /// Natural stone.
    Rock,
    /// A natural stone that is not a material of tools.
    Mineral,
    /// An ore that the diamond task does not use.
    OtherOre,
    /// A natural see-through block that bodies can stand on.
    Clear,
    /// A full block that burns bodies.
    Hot,
    /// A cactus: bodies can neither pass through it nor stand on it.
    Thin,
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
        /// Every kind of block in this crate. Names are the game's identifiers without `minecraft:`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Block {
            $($variant,)+
        }

        /// The number of kinds of block.
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
    Stone = "stone": Rock, hard(150, Tier::Wood, Item::Cobblestone);
    Deepslate = "deepslate": Rock, hard(300, Tier::Wood, Item::CobbledDeepslate);
    Dirt = "dirt": Plain, soft(50, Item::Dirt);
    GrassBlock = "grass_block": Plain, soft(60, Item::Dirt);
    Sand = "sand": Loose, soft(50, Item::Sand);
    Sandstone = "sandstone": Plain, hard(80, Tier::Wood, Item::Sandstone);
    Gravel = "gravel": Loose, soft(60, Item::Gravel);
    Cobblestone = "cobblestone": Rubble, hard(200, Tier::Wood, Item::Cobblestone);
    CobbledDeepslate = "cobbled_deepslate": Rubble, hard(350, Tier::Wood, Item::CobbledDeepslate);
    CoalOre = "coal_ore": Ore, hard(300, Tier::Wood, Item::Coal);
    DeepslateCoalOre = "deepslate_coal_ore": Ore, hard(450, Tier::Wood, Item::Coal);
    IronOre = "iron_ore": Ore, hard(300, Tier::Stone, Item::RawIron);
    DeepslateIronOre = "deepslate_iron_ore": Ore, hard(450, Tier::Stone, Item::RawIron);
    DiamondOre = "diamond_ore": Ore, hard(300, Tier::Iron, Item::Diamond);
    DeepslateDiamondOre = "deepslate_diamond_ore": Ore, hard(450, Tier::Iron, Item::Diamond);
    OakLog = "oak_log": Log, soft(200, Item::OakLog);
    BirchLog = "birch_log": Log, soft(200, Item::BirchLog);
    SpruceLog = "spruce_log": Log, soft(200, Item::SpruceLog);
    OakLeaves = "oak_leaves": Leaves, LEAVES;
    BirchLeaves = "birch_leaves": Leaves, LEAVES;
    SpruceLeaves = "spruce_leaves": Leaves, LEAVES;
    CraftingTable = "crafting_table": Station, soft(250, Item::CraftingTable);
    Furnace = "furnace": Station, hard(350, Tier::Wood, Item::Furnace);
    JungleLog = "jungle_log": Log, soft(200, Item::JungleLog);
    AcaciaLog = "acacia_log": Log, soft(200, Item::AcaciaLog);
    DarkOakLog = "dark_oak_log": Log, soft(200, Item::DarkOakLog);
    MangroveLog = "mangrove_log": Log, soft(200, Item::MangroveLog);
    CherryLog = "cherry_log": Log, soft(200, Item::CherryLog);
    PaleOakLog = "pale_oak_log": Log, soft(200, Item::PaleOakLog);
    JungleLeaves = "jungle_leaves": Leaves, LEAVES;
    AcaciaLeaves = "acacia_leaves": Leaves, LEAVES;
    DarkOakLeaves = "dark_oak_leaves": Leaves, LEAVES;
    MangroveLeaves = "mangrove_leaves": Leaves, LEAVES;
    CherryLeaves = "cherry_leaves": Leaves, LEAVES;
    PaleOakLeaves = "pale_oak_leaves": Leaves, LEAVES;
    // Stems from the nether do not burn, and observations do not count them as logs.
    Blackstone = "blackstone": Rubble, hard(150, Tier::Wood, Item::Blackstone);
    // The blocks from here on are scenery; see `Block::is_scenery`. Ores that drop several items in the game drop one.
    Andesite = "andesite": Mineral, hard(150, Tier::Wood, Item::Andesite);
    Diorite = "diorite": Mineral, hard(150, Tier::Wood, Item::Diorite);
    Granite = "granite": Mineral, hard(150, Tier::Wood, Item::Granite);
    Tuff = "tuff": Mineral, hard(150, Tier::Wood, Item::Tuff);
    Calcite = "calcite": Plain, hard(75, Tier::Wood, Item::Calcite);
    CopperOre = "copper_ore": OtherOre, hard(300, Tier::Stone, Item::RawCopper);
    DeepslateCopperOre = "deepslate_copper_ore": OtherOre, hard(450, Tier::Stone, Item::RawCopper);
    GoldOre = "gold_ore": OtherOre, hard(300, Tier::Iron, Item::RawGold);
    DeepslateGoldOre = "deepslate_gold_ore": OtherOre, hard(450, Tier::Iron, Item::RawGold);
    LapisOre = "lapis_ore": OtherOre, hard(300, Tier::Stone, Item::LapisLazuli);
    DeepslateLapisOre = "deepslate_lapis_ore": OtherOre, hard(450, Tier::Stone, Item::LapisLazuli);
    RedstoneOre = "redstone_ore": OtherOre, hard(300, Tier::Iron, Item::Redstone);
    DeepslateRedstoneOre = "deepslate_redstone_ore": OtherOre, hard(450, Tier::Iron, Item::Redstone);
    CoarseDirt = "coarse_dirt": Plain, soft(50, Item::CoarseDirt);
    Podzol = "podzol": Plain, soft(50, Item::Dirt);
    Mud = "mud": Clear, soft(50, Item::Mud);
    Clay = "clay": Plain, soft(60, Item::ClayBall);
    RedSand = "red_sand": Loose, soft(50, Item::RedSand);
    RedSandstone = "red_sandstone": Plain, hard(80, Tier::Wood, Item::RedSandstone);
    Terracotta = "terracotta": Plain, hard(125, Tier::Wood, Item::Terracotta);
    MagmaBlock = "magma_block": Hot, hard(50, Tier::Wood, Item::MagmaBlock);
    MangroveRoots = "mangrove_roots": Clear, soft(70, Item::MangroveRoots);
    Ice = "ice": Clear, ice(50);
    PackedIce = "packed_ice": Clear, ice(50);
    BlueIce = "blue_ice": Clear, ice(280);
    Snow = "snow": Plant, snow(10);
    SnowBlock = "snow_block": Plain, snow(20);
    PowderSnow = "powder_snow": Powder, bare(25);
    ShortGrass = "short_grass": Plant, bare(0);
    Fern = "fern": Plant, bare(0);
    DeadBush = "dead_bush": Plant, bare(0);
    Dandelion = "dandelion": Flower, soft(0, Item::Dandelion);
    Poppy = "poppy": Flower, soft(0, Item::Poppy);
    Cactus = "cactus": Thin, soft(40, Item::Cactus);
}

const UNBREAKABLE: Breaking = (None, None);
const LEAVES: Breaking = bare(20);

const fn breaking(hardness: u16, pickaxe: bool, least: Option<Tier>, drop: Option<Item>) -> Breaking {
    (Some(Digging { hardness, pickaxe, least }), drop)
}

/// A block that breaks by hand and drops nothing.
const fn bare(hardness: u16) -> Breaking {
    breaking(hardness, false, Some(Tier::Hand), None)
}

/// A block that breaks and drops by hand.
const fn soft(hardness: u16, drop: Item) -> Breaking {
    breaking(hardness, false, Some(Tier::Hand), Some(drop))
}

/// A block that drops only with a pickaxe.
const fn hard(hardness: u16, tier: Tier, drop: Item) -> Breaking {
    breaking(hardness, true, Some(tier), Some(drop))
}

/// Ice: a pickaxe breaks it faster, and it drops nothing.
const fn ice(hardness: u16) -> Breaking {
    breaking(hardness, true, Some(Tier::Hand), None)
}

/// Snow: only a shovel fits.
const fn snow(hardness: u16) -> Breaking {
    breaking(hardness, false, None, None)
}

/// The collision box of a block, in sixteenths of a block from its corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The lowest corner: x, y, z.
    pub low: [u8; 3],
    /// The highest corner. The height is above 16 for blocks that cannot be jumped over.
    pub high: [u8; 3],
}

impl Shape {
    /// A full cube.
    pub const CUBE: Self = Self { low: [0; 3], high: [16; 3] };

    /// A full square of any height.
    const fn of_height(height: u8) -> Self {
        Self { low: [0; 3], high: [16, height, 16] }
    }

    /// A post in the middle.
    const fn post(margin: u8, height: u8) -> Self {
        Self { low: [margin, 0, margin], high: [16 - margin, height, 16 - margin] }
    }
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

    /// The effort of breaking it, regardless of permission; `None` if it cannot be broken.
    pub const fn digging(self) -> Option<Digging> {
        TABLE[self as usize].2.0
    }

    /// The drop with a fitting tool.
    pub const fn drop(self) -> Option<Item> {
        TABLE[self as usize].2.1
    }

    /// Returns whether it is water or lava.
    pub const fn is_fluid(self) -> bool {
        matches!(self.kind(), Kind::Fluid)
    }

    /// Returns whether another block can take its place: air, a fluid, or a replaceable plant.
    pub const fn is_open(self) -> bool {
        matches!(self.kind(), Kind::Air | Kind::Fluid | Kind::Plant)
    }

    /// Returns whether bodies pass through it unharmed and it is not a fluid: air, plants, a layer of snow.
    pub(crate) const fn is_passable(self) -> bool {
        matches!(self.kind(), Kind::Air | Kind::Plant | Kind::Flower)
    }

    /// Returns whether it stops bodies.
    pub const fn is_solid(self) -> bool {
        !self.is_open() && !matches!(self.kind(), Kind::Flower | Kind::Powder)
    }

    /// Returns whether a body stands on it safely: nearly a full cube, and harmless.
    pub const fn is_floor(self) -> bool {
        self.is_solid() && !self.is_obstacle()
    }

    /// Returns whether a body must neither enter it nor stand on it: powder snow, magma, cactus.
    pub(crate) const fn is_obstacle(self) -> bool {
        matches!(self.kind(), Kind::Powder | Kind::Hot | Kind::Thin)
    }

    /// The collision box; `None` for blocks without collision.
    pub const fn shape(self) -> Option<Shape> {
        Some(match self {
            _ if !self.is_solid() => return None,
            Block::Mud => Shape::of_height(14),
            Block::Cactus => Shape::post(1, 15),
            _ => Shape::CUBE,
        })
    }

    /// Returns whether it is see-through: everything except full opaque cubes.
    pub const fn is_see_through(self) -> bool {
        self.is_open() || matches!(self.kind(), Kind::Leaves | Kind::Flower | Kind::Powder | Kind::Clear | Kind::Thin)
    }

    /// Returns whether the diamond task never names it. A client classifies such a block by its state, like blocks
    /// outside this table, and its [`Cell`](crate::land::Cell) has no block.
    pub const fn is_scenery(self) -> bool {
        self as usize >= Block::Andesite as usize
    }

    /// Returns whether a path may be dug through it: it is harmless.
    pub(crate) const fn may_be_dug(self) -> bool {
        !matches!(self.kind(), Kind::Hot | Kind::Powder | Kind::Thin)
    }

    /// Returns whether it is an ore that the diamond task does not use.
    pub(crate) const fn is_other_ore(self) -> bool {
        matches!(self.kind(), Kind::OtherOre)
    }

    /// Returns whether it falls without support.
    pub const fn falls(self) -> bool {
        matches!(self.kind(), Kind::Loose)
    }

    /// Returns whether it is a log of a wood that burns.
    pub const fn is_log(self) -> bool {
        matches!(self.kind(), Kind::Log)
    }

    /// Returns whether it is leaves of any wood.
    pub const fn is_leaves(self) -> bool {
        matches!(self.kind(), Kind::Leaves)
    }

    /// Returns whether it is natural stone, which ores and caves replace.
    pub(crate) const fn is_rock(self) -> bool {
        matches!(self.kind(), Kind::Rock | Kind::Mineral)
    }

    /// The deepslate variant of this ore. Blocks other than ores in stone are returned unchanged.
    pub(crate) const fn in_deepslate(self) -> Self {
        match self {
            Block::CoalOre => Block::DeepslateCoalOre,
            Block::IronOre => Block::DeepslateIronOre,
            Block::DiamondOre => Block::DeepslateDiamondOre,
            Block::CopperOre => Block::DeepslateCopperOre,
            Block::GoldOre => Block::DeepslateGoldOre,
            Block::LapisOre => Block::DeepslateLapisOre,
            Block::RedstoneOre => Block::DeepslateRedstoneOre,
            other => other,
        }
    }

    /// Returns whether `action_mine_stone` mines it: natural stone and rubble.
    pub(crate) const fn is_stone(self) -> bool {
        matches!(self.kind(), Kind::Rock | Kind::Rubble)
    }

    /// Returns whether observations list it: ores, logs, tables and furnaces.
    pub const fn is_landmark(self) -> bool {
        matches!(self.kind(), Kind::Ore | Kind::Log | Kind::Station)
    }

    /// The drop for this tool.
    pub fn drop_for(self, tool: Option<Item>) -> Option<Item> {
        let least = self.digging()?.least?;
        self.drop().filter(|_| Tier::of(tool) >= least)
    }

    /// The ticks to break it with this item in the hand; five times as many with the head under water. `None` if it
    /// cannot be broken.
    pub fn break_ticks(self, tool: Option<Item>, head_in_water: bool) -> Option<u32> {
        Some(self.digging()?.ticks_at(Tier::of(tool), if head_in_water { 5 } else { 1 }))
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

    /// Breaking times of the game's wiki, in seconds.
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
    fn a_block_that_no_tool_fits_breaks_slowly() {
        let obsidian = Digging { hardness: 5000, pickaxe: true, least: None };
        assert_eq!(obsidian.ticks(Some(Item::IronPickaxe)), 834);
        assert_eq!(obsidian.ticks(None), 5000);
        let snow = Digging { hardness: 10, pickaxe: false, least: None };
        assert_eq!(snow.ticks(Some(Item::IronPickaxe)), 10);
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
        assert_eq!(Andesite.drop_for(Some(Item::WoodenPickaxe)), Some(Item::Andesite));
        assert_eq!(Ice.drop_for(Some(Item::IronPickaxe)), None);
    }

    #[test]
    fn what_stops_no_body_can_be_seen_through() {
        for block in BLOCKS {
            assert!(block.is_solid() || block.is_see_through(), "{}", block.name());
            assert_eq!(block.is_solid(), block.shape().is_some(), "{}", block.name());
            assert!(!(block.is_passable() && block.is_obstacle()), "{}", block.name());
        }
        assert!(Ice.is_floor() && !MagmaBlock.is_floor() && MagmaBlock.is_solid());
        assert!(!PowderSnow.is_solid() && PowderSnow.is_obstacle() && !PowderSnow.is_passable());
        assert!(Snow.is_passable() && Snow.is_open() && Poppy.is_passable() && !Poppy.is_open());
        assert!(Cactus.is_scenery() && !Cactus.may_be_dug() && !Blackstone.is_scenery());
    }

    #[test]
    fn every_ore_has_a_kind_in_deepslate() {
        for block in BLOCKS.into_iter().filter(|block| block.name().ends_with("_ore")) {
            let below = block.in_deepslate();
            let name = block.name().trim_start_matches("deepslate_");
            assert_eq!(below.name(), format!("deepslate_{name}"));
        }
        assert_eq!(Stone.in_deepslate(), Stone);
    }
}

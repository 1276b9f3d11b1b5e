//! Items: names, stack sizes, tags and tools.

macro_rules! items {
    ($($variant:ident = $name:literal,)+) => {
        /// Every item that a player can carry here. Names are the game's identifiers without `minecraft:`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Item {
            $($variant,)+
        }

        /// All items, in the order of their declaration.
        pub const ITEMS: [Item; [$(Item::$variant),+].len()] = [$(Item::$variant),+];

        const NAMES: [&str; ITEMS.len()] = [$($name),+];
    };
}

items! {
    OakLog = "oak_log",
    BirchLog = "birch_log",
    SpruceLog = "spruce_log",
    OakPlanks = "oak_planks",
    BirchPlanks = "birch_planks",
    SprucePlanks = "spruce_planks",
    Stick = "stick",
    CraftingTable = "crafting_table",
    Furnace = "furnace",
    Dirt = "dirt",
    Sand = "sand",
    Sandstone = "sandstone",
    Gravel = "gravel",
    Cobblestone = "cobblestone",
    CobbledDeepslate = "cobbled_deepslate",
    Coal = "coal",
    Charcoal = "charcoal",
    RawIron = "raw_iron",
    IronOre = "iron_ore",
    DeepslateIronOre = "deepslate_iron_ore",
    IronIngot = "iron_ingot",
    Diamond = "diamond",
    WoodenPickaxe = "wooden_pickaxe",
    StonePickaxe = "stone_pickaxe",
    IronPickaxe = "iron_pickaxe",
    JungleLog = "jungle_log",
    AcaciaLog = "acacia_log",
    DarkOakLog = "dark_oak_log",
    MangroveLog = "mangrove_log",
    CherryLog = "cherry_log",
    PaleOakLog = "pale_oak_log",
    JunglePlanks = "jungle_planks",
    AcaciaPlanks = "acacia_planks",
    DarkOakPlanks = "dark_oak_planks",
    MangrovePlanks = "mangrove_planks",
    CherryPlanks = "cherry_planks",
    PaleOakPlanks = "pale_oak_planks",
    CrimsonStem = "crimson_stem",
    WarpedStem = "warped_stem",
    CrimsonPlanks = "crimson_planks",
    WarpedPlanks = "warped_planks",
    Blackstone = "blackstone",
    // The items from here on are drops of scenery and have no use here.
    Andesite = "andesite",
    Diorite = "diorite",
    Granite = "granite",
    Tuff = "tuff",
    Calcite = "calcite",
    RawCopper = "raw_copper",
    RawGold = "raw_gold",
    LapisLazuli = "lapis_lazuli",
    Redstone = "redstone",
    CoarseDirt = "coarse_dirt",
    Mud = "mud",
    ClayBall = "clay_ball",
    RedSand = "red_sand",
    RedSandstone = "red_sandstone",
    Terracotta = "terracotta",
    MagmaBlock = "magma_block",
    MangroveRoots = "mangrove_roots",
    Dandelion = "dandelion",
    Poppy = "poppy",
    Cactus = "cactus",
    HayBlock = "hay_block",
    CobblestoneWall = "cobblestone_wall",
    OakFence = "oak_fence",
    OakDoor = "oak_door",
    Apple = "apple",
}

use Item::*;

/// A group of items that are interchangeable in recipes and observations, after the game's item tags. Logs and planks
/// include only woods that burn, so that an observed log is also fuel; wood from the nether is for crafting only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Logs of any wood that burns.
    Logs,
    /// Planks of any wood that burns.
    Planks,
    /// Planks of any wood, as recipes accept them; the nether's last.
    AnyPlanks,
    /// The materials of stone tools and furnaces: cobblestone, cobbled deepslate and blackstone.
    StoneMaterials,
    /// The items that smelt to an iron ingot: raw iron and the ore blocks.
    IronOres,
}

const LOGS: [Item; 9] =
    [OakLog, BirchLog, SpruceLog, JungleLog, AcaciaLog, DarkOakLog, MangroveLog, CherryLog, PaleOakLog];
const PLANKS: [Item; 11] = [
    OakPlanks,
    BirchPlanks,
    SprucePlanks,
    JunglePlanks,
    AcaciaPlanks,
    DarkOakPlanks,
    MangrovePlanks,
    CherryPlanks,
    PaleOakPlanks,
    CrimsonPlanks,
    WarpedPlanks,
];

impl Tag {
    /// The items in the group.
    pub fn items(self) -> &'static [Item] {
        match self {
            Tag::Logs => &LOGS,
            Tag::Planks => &PLANKS[..LOGS.len()],
            Tag::AnyPlanks => &PLANKS,
            Tag::StoneMaterials => &[Cobblestone, CobbledDeepslate, Blackstone],
            Tag::IronOres => &[RawIron, IronOre, DeepslateIronOre],
        }
    }

    /// Returns whether an item is in the group.
    pub fn contains(self, item: Item) -> bool {
        self.items().contains(&item)
    }

    /// The name in messages.
    pub fn label(self) -> &'static str {
        match self {
            Tag::Logs => "log",
            Tag::Planks | Tag::AnyPlanks => "planks",
            Tag::StoneMaterials => "cobblestone",
            Tag::IronOres => "raw iron",
        }
    }
}

/// The tier of a tool. A block drops items only with a tool of its tier or a higher one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    Hand,
    Wood,
    Stone,
    Iron,
}

impl Tier {
    /// The speed of a fitting tool of this tier, in multiples of a bare hand.
    pub fn speed(self) -> f64 {
        match self {
            Tier::Hand => 1.0,
            Tier::Wood => 2.0,
            Tier::Stone => 4.0,
            Tier::Iron => 6.0,
        }
    }
}

impl Item {
    /// The game's identifier without `minecraft:`.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The item with this identifier.
    pub fn from_name(name: &str) -> Option<Self> {
        ITEMS.into_iter().find(|item| item.name() == name)
    }

    /// The maximum number in one slot.
    pub fn stack_size(self) -> u32 {
        if self.pickaxe().is_some() { 1 } else { 64 }
    }

    /// Returns whether primitives use it to wall off water and lava.
    pub fn walls_off(self) -> bool {
        matches!(self, Dirt | Cobblestone | CobbledDeepslate)
    }

    /// The tier, if it is a pickaxe.
    pub fn pickaxe(self) -> Option<Tier> {
        match self {
            WoodenPickaxe => Some(Tier::Wood),
            StonePickaxe => Some(Tier::Stone),
            IronPickaxe => Some(Tier::Iron),
            _ => None,
        }
    }

    /// The number of blocks that it breaks before it breaks itself; 0 for items that do not wear.
    pub fn durability(self) -> u32 {
        match self {
            WoodenPickaxe => 59,
            StonePickaxe => 131,
            IronPickaxe => 250,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found_again() {
        for (position, item) in ITEMS.into_iter().enumerate() {
            assert_eq!(item as usize, position);
            assert_eq!(Item::from_name(item.name()), Some(item));
        }
        assert_eq!(Item::from_name("elytra"), None);
    }

    #[test]
    fn tags_hold_what_they_say() {
        let names = |tag: Tag| tag.items().iter().map(|item| item.name()).collect::<Vec<_>>();
        assert!(names(Tag::Logs).iter().all(|name| name.ends_with("_log")));
        assert!(names(Tag::AnyPlanks).iter().all(|name| name.ends_with("_planks")));
        let every = |suffix: &str| ITEMS.into_iter().filter(|item| item.name().ends_with(suffix)).count();
        assert_eq!((names(Tag::Logs).len(), names(Tag::AnyPlanks).len()), (every("_log"), every("_planks")));
        let woods = |tag, suffix| {
            names(tag).into_iter().map(|name| name.trim_end_matches(suffix).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(woods(Tag::Logs, "_log"), woods(Tag::Planks, "_planks"));
        assert!(Tag::Planks.items().iter().all(|item| Tag::AnyPlanks.contains(*item)));
    }
}

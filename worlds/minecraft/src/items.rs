//! Items: names, stack sizes, tags and tools.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// Every item that a player can carry here. Names are the game's identifiers without `minecraft:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Item {
    OakLog,
    BirchLog,
    SpruceLog,
    OakPlanks,
    BirchPlanks,
    SprucePlanks,
    Stick,
    CraftingTable,
    Furnace,
    Dirt,
    Sand,
    Sandstone,
    Gravel,
    Cobblestone,
    CobbledDeepslate,
    Coal,
    Charcoal,
    RawIron,
    IronOre,
    DeepslateIronOre,
    IronIngot,
    Diamond,
    WoodenPickaxe,
    StonePickaxe,
    IronPickaxe,
    JungleLog,
    AcaciaLog,
    DarkOakLog,
    MangroveLog,
    CherryLog,
    PaleOakLog,
    JunglePlanks,
    AcaciaPlanks,
    DarkOakPlanks,
    MangrovePlanks,
    CherryPlanks,
    PaleOakPlanks,
    Blackstone,
    // The items from here on are drops of scenery and have no use here.
    Andesite,
    Diorite,
    Granite,
    Tuff,
    Calcite,
    RawCopper,
    RawGold,
    LapisLazuli,
    Redstone,
    CoarseDirt,
    Mud,
    ClayBall,
    RedSand,
    RedSandstone,
    Terracotta,
    MagmaBlock,
    MangroveRoots,
    Dandelion,
    Poppy,
    Cactus,
    Apple,
}

/// All items, in the order of their declaration.
pub const ITEMS: &[Item] = Item::VARIANTS;

use Item::*;

/// A group of items that are interchangeable in recipes and observations, after the game's item tags. Logs and planks
/// include only woods that burn, so that an observed log is also fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Logs of any wood that burns.
    Logs,
    /// Planks of any wood that burns.
    Planks,
    /// The materials of stone tools and furnaces: cobblestone, cobbled deepslate and blackstone.
    StoneMaterials,
    /// The items that smelt to an iron ingot: raw iron and the ore blocks.
    IronOres,
}

const LOGS: [Item; 9] =
    [OakLog, BirchLog, SpruceLog, JungleLog, AcaciaLog, DarkOakLog, MangroveLog, CherryLog, PaleOakLog];
const PLANKS: [Item; 9] = [
    OakPlanks,
    BirchPlanks,
    SprucePlanks,
    JunglePlanks,
    AcaciaPlanks,
    DarkOakPlanks,
    MangrovePlanks,
    CherryPlanks,
    PaleOakPlanks,
];

impl Tag {
    /// The items in the group.
    pub fn items(self) -> &'static [Item] {
        match self {
            Tag::Logs => &LOGS,
            Tag::Planks => &PLANKS,
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
            Tag::Planks => "planks",
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
    pub fn speed(self) -> u32 {
        match self {
            Tier::Hand => 1,
            Tier::Wood => 2,
            Tier::Stone => 4,
            Tier::Iron => 6,
        }
    }

    /// The tier of the item in a hand.
    pub(crate) fn of(tool: Option<Item>) -> Self {
        tool.and_then(Item::pickaxe).unwrap_or(Self::Hand)
    }
}

impl Item {
    /// The game's identifier without `minecraft:`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The item with this identifier.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
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
        for item in ITEMS {
            assert_eq!(Item::from_name(item.name()), Some(*item));
        }
        assert_eq!(Item::from_name("elytra"), None);
    }

    #[test]
    fn tags_hold_what_they_say() {
        let names = |tag: Tag| tag.items().iter().map(|item| item.name()).collect::<Vec<_>>();
        assert!(names(Tag::Logs).iter().all(|name| name.ends_with("_log")));
        assert!(names(Tag::Planks).iter().all(|name| name.ends_with("_planks")));
        let every = |suffix: &str| ITEMS.iter().filter(|item| item.name().ends_with(suffix)).count();
        assert_eq!((names(Tag::Logs).len(), names(Tag::Planks).len()), (every("_log"), every("_planks")));
        let woods = |tag, suffix| {
            names(tag).into_iter().map(|name| name.trim_end_matches(suffix).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(woods(Tag::Logs, "_log"), woods(Tag::Planks, "_planks"));
    }
}

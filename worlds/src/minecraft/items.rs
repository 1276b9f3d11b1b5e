//! Items: names, stack sizes, tags and tools.

use super::blocks::Block;

/// Everything a player can carry here. Names are the game's identifiers without `minecraft:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
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
}

use Item::*;

/// All items, in the order of their declaration.
pub const ITEMS: [Item; 25] = [
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
];

/// A group of items that stand in for one another in recipes and observations; the game's item tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Logs of any wood.
    Logs,
    /// Planks of any wood.
    Planks,
    /// What stone tools and furnaces are made of: cobblestone and cobbled deepslate.
    StoneMaterials,
    /// What smelts to an iron ingot: raw iron and the ore blocks.
    IronOres,
}

impl Tag {
    /// The items in the group.
    pub fn items(self) -> &'static [Item] {
        match self {
            Tag::Logs => &[OakLog, BirchLog, SpruceLog],
            Tag::Planks => &[OakPlanks, BirchPlanks, SprucePlanks],
            Tag::StoneMaterials => &[Cobblestone, CobbledDeepslate],
            Tag::IronOres => &[RawIron, IronOre, DeepslateIronOre],
        }
    }

    /// Whether an item is in the group.
    pub fn contains(self, item: Item) -> bool {
        self.items().contains(&item)
    }

    /// What a person calls one of them.
    pub fn label(self) -> &'static str {
        match self {
            Tag::Logs => "log",
            Tag::Planks => "planks",
            Tag::StoneMaterials => "cobblestone",
            Tag::IronOres => "raw iron",
        }
    }
}

/// How good a tool is; a block asks for at least one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Tier {
    Hand,
    Wood,
    Stone,
    Iron,
}

impl Tier {
    /// How much faster than a bare hand a fitting tool of this tier is.
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
    pub fn name(self) -> &'static str {
        match self {
            OakLog => "oak_log",
            BirchLog => "birch_log",
            SpruceLog => "spruce_log",
            OakPlanks => "oak_planks",
            BirchPlanks => "birch_planks",
            SprucePlanks => "spruce_planks",
            Stick => "stick",
            CraftingTable => "crafting_table",
            Furnace => "furnace",
            Dirt => "dirt",
            Sand => "sand",
            Sandstone => "sandstone",
            Gravel => "gravel",
            Cobblestone => "cobblestone",
            CobbledDeepslate => "cobbled_deepslate",
            Coal => "coal",
            Charcoal => "charcoal",
            RawIron => "raw_iron",
            IronOre => "iron_ore",
            DeepslateIronOre => "deepslate_iron_ore",
            IronIngot => "iron_ingot",
            Diamond => "diamond",
            WoodenPickaxe => "wooden_pickaxe",
            StonePickaxe => "stone_pickaxe",
            IronPickaxe => "iron_pickaxe",
        }
    }

    /// The item with this identifier.
    pub fn from_name(name: &str) -> Option<Self> {
        ITEMS.into_iter().find(|item| item.name() == name)
    }

    /// How many fit in one slot.
    pub fn stack_size(self) -> u32 {
        if self.pickaxe().is_some() { 1 } else { 64 }
    }

    /// The block it is put down as, where this game has a use for that.
    pub fn block(self) -> Option<Block> {
        match self {
            CraftingTable => Some(Block::CraftingTable),
            Furnace => Some(Block::Furnace),
            Dirt => Some(Block::Dirt),
            Cobblestone => Some(Block::Cobblestone),
            CobbledDeepslate => Some(Block::CobbledDeepslate),
            _ => None,
        }
    }

    /// Whether water and lava are walled off with it.
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

    /// How many blocks it breaks before it breaks itself; 0 for what does not wear.
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
}

//! The paper's actions as primitives with an argument (LTLCrit A.1).

use super::blocks::Block;
use super::items::Item;
use super::sight::VisibleKind;

/// One of the paper's twenty actions, as a primitive and its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// `mineBlock`
    Mine(Resource),
    /// `craftItem`; for planks, of any wood.
    Craft(Item),
    /// `smeltItem` with raw iron and any fuel that may be burnt.
    SmeltIron,
    /// `equipItem`
    Equip(Item),
    /// `exploreUntil` over the land.
    ExploreGeneral,
    /// `exploreUntil` downwards, until a diamond is seen.
    ExploreDown,
    /// `placeItem`
    Place(Item),
}

/// A resource that can be mined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Log,
    Stone,
    Iron,
    Coal,
    Diamond,
}

impl Resource {
    /// Returns whether a block is this resource.
    pub fn is(self, block: Block) -> bool {
        match self {
            Resource::Log => block.is_log(),
            Resource::Stone => block.is_stone(),
            Resource::Iron => matches!(block, Block::IronOre | Block::DeepslateIronOre),
            Resource::Coal => matches!(block, Block::CoalOre | Block::DeepslateCoalOre),
            Resource::Diamond => matches!(block, Block::DiamondOre | Block::DeepslateDiamondOre),
        }
    }

    /// The kind of visible block to search for.
    pub(crate) fn kind(self) -> VisibleKind {
        if self == Self::Stone { VisibleKind::Stone } else { VisibleKind::Landmarks }
    }

    /// The name in messages.
    pub fn label(self) -> &'static str {
        match self {
            Resource::Log => "log",
            Resource::Stone => "stone",
            Resource::Iron => "iron ore",
            Resource::Coal => "coal ore",
            Resource::Diamond => "diamond ore",
        }
    }
}

impl Primitive {
    /// The primitives of table 4, by action name.
    pub fn named(action: &str) -> Option<Self> {
        Some(match action {
            "action_mine_log" => Self::Mine(Resource::Log),
            "action_mine_stone" => Self::Mine(Resource::Stone),
            "action_mine_iron_ore" => Self::Mine(Resource::Iron),
            "action_mine_coal" => Self::Mine(Resource::Coal),
            "action_mine_diamond" => Self::Mine(Resource::Diamond),
            "action_craft_planks" => Self::Craft(Item::OakPlanks),
            "action_craft_stick" => Self::Craft(Item::Stick),
            "action_craft_wooden_pickaxe" => Self::Craft(Item::WoodenPickaxe),
            "action_craft_stone_pickaxe" => Self::Craft(Item::StonePickaxe),
            "action_craft_iron_pickaxe" => Self::Craft(Item::IronPickaxe),
            "action_craft_crafting_table" => Self::Craft(Item::CraftingTable),
            "action_craft_furnace" => Self::Craft(Item::Furnace),
            "action_smelt_iron" => Self::SmeltIron,
            "action_equip_wood_pickaxe" => Self::Equip(Item::WoodenPickaxe),
            "action_equip_stone_pickaxe" => Self::Equip(Item::StonePickaxe),
            "action_equip_iron_pickaxe" => Self::Equip(Item::IronPickaxe),
            "action_explore_general" => Self::ExploreGeneral,
            "action_explore_diamond_down" => Self::ExploreDown,
            "action_place_crafting_table" => Self::Place(Item::CraftingTable),
            "action_place_furnace" => Self::Place(Item::Furnace),
            _ => return None,
        })
    }
}

//! Symbolic states of the diamond task, and the effects of each action on them.

use super::Goal;
use crate::abstraction::NEAR;
use crate::blocks::BLOCKS;
use crate::fuel::SMELT_TICKS;
use crate::items::{Item, Tag};
use crate::observation::MinecraftObservation;
use crate::primitive::Resource;

/// The tool in the hand, ordered by the blocks that it can mine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HeldTool {
    #[default]
    Other,
    Wood,
    Stone,
    Iron,
}

/// Ticks of fire are counted in hundreds: every fuel burns a whole number of them.
pub(super) const FIRE_UNIT: u32 = 100;
pub(super) const SMELT: u8 = (SMELT_TICKS / FIRE_UNIT) as u8;
pub(super) const COAL_FIRE: u8 = 16;
pub(super) const WOOD_FIRE: u8 = 3;
/// The maximum count: no shortest plan needs more of any item.
const MAX_COUNT: u32 = 24;

/// A state of the symbolic task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub logs: u8,
    pub planks: u8,
    pub sticks: u8,
    pub cobble: u8,
    pub coal: u8,
    pub iron_ore: u8,
    pub ingots: u8,
    pub diamonds: u8,
    pub tables: u8,
    pub furnaces: u8,
    /// The fire in the furnace nearby, in hundreds of ticks.
    pub fire: u8,
    pub wooden_pickaxe: bool,
    pub stone_pickaxe: bool,
    pub iron_pickaxe: bool,
    pub hand: HeldTool,
    pub near_table: bool,
    pub near_furnace: bool,
    pub log_seen: bool,
    pub stone_seen: bool,
    pub coal_seen: bool,
    pub iron_seen: bool,
    pub diamond_seen: bool,
}

/// The actions in order of preference among equally good ones: those closest to the goal first.
pub(crate) const ACTIONS: [&str; 20] = [
    "action_mine_diamond",
    "action_equip_iron_pickaxe",
    "action_craft_iron_pickaxe",
    "action_smelt_iron",
    "action_mine_log",
    "action_craft_planks",
    "action_craft_stick",
    "action_explore_general",
    "action_craft_crafting_table",
    "action_place_crafting_table",
    "action_craft_wooden_pickaxe",
    "action_equip_wood_pickaxe",
    "action_craft_stone_pickaxe",
    "action_equip_stone_pickaxe",
    "action_mine_stone",
    "action_craft_furnace",
    "action_mine_coal",
    "action_mine_iron_ore",
    "action_place_furnace",
    "action_explore_diamond_down",
];

impl State {
    /// An empty inventory with logs, stone, coal and iron in sight, but no diamonds.
    pub fn beginning() -> Self {
        Self { log_seen: true, stone_seen: true, coal_seen: true, iron_seen: true, ..Self::default() }
    }

    /// The symbolic state of a full observation.
    pub fn of(observation: &MinecraftObservation) -> Self {
        let count = |item: Item| observation.inventory.get(item.name()).copied().unwrap_or(0);
        let cut = |count: u32| count.min(MAX_COUNT) as u8;
        let tag = |tag: Tag| cut(tag.items().iter().map(|item| count(*item)).sum());
        let seen = |resource: Resource| {
            BLOCKS.iter().any(|block| resource.is(*block) && observation.nearby.contains_key(block.name()))
        };
        let near = |name: &str| observation.nearby.get(name).is_some_and(|seen| seen.distance <= NEAR);
        let holds = |item: Item| observation.equipped.as_deref() == Some(item.name());
        let hand = [
            (Item::IronPickaxe, HeldTool::Iron),
            (Item::StonePickaxe, HeldTool::Stone),
            (Item::WoodenPickaxe, HeldTool::Wood),
        ];
        Self {
            logs: tag(Tag::Logs),
            planks: tag(Tag::Planks),
            sticks: cut(count(Item::Stick)),
            cobble: tag(Tag::StoneMaterials),
            coal: cut(count(Item::Coal) + count(Item::Charcoal)),
            iron_ore: tag(Tag::IronOres),
            ingots: cut(count(Item::IronIngot)),
            diamonds: cut(count(Item::Diamond)),
            tables: cut(count(Item::CraftingTable)),
            furnaces: cut(count(Item::Furnace)),
            fire: cut(observation.furnace_fire / FIRE_UNIT),
            wooden_pickaxe: count(Item::WoodenPickaxe) > 0,
            stone_pickaxe: count(Item::StonePickaxe) > 0,
            iron_pickaxe: count(Item::IronPickaxe) > 0,
            hand: hand.into_iter().find(|(item, _)| holds(*item)).map_or(HeldTool::Other, |(_, hand)| hand),
            near_table: near("crafting_table"),
            near_furnace: near("furnace"),
            log_seen: seen(Resource::Log),
            stone_seen: seen(Resource::Stone),
            coal_seen: seen(Resource::Coal),
            iron_seen: seen(Resource::Iron),
            diamond_seen: seen(Resource::Diamond),
        }
    }

    /// Returns whether a resource is in sight.
    pub(crate) fn sees(&self, resource: Resource) -> bool {
        match resource {
            Resource::Log => self.log_seen,
            Resource::Stone => self.stone_seen,
            Resource::Iron => self.iron_seen,
            Resource::Coal => self.coal_seen,
            Resource::Diamond => self.diamond_seen,
        }
    }

    /// Returns whether the goal is reached.
    pub fn reached(&self, goal: Goal) -> bool {
        self.with(&goal.0) == *self
    }

    /// The state after an action of table 4; `None` if it would fail or change nothing.
    pub fn after(&self, action: &str) -> Option<Self> {
        let mut s = *self;
        let mines = |seen: bool, least: HeldTool| seen && self.hand >= least;
        let ok = match action {
            "action_mine_log" => self.log_seen && gain(&mut s.logs, 1),
            "action_mine_stone" => mines(self.stone_seen, HeldTool::Wood) && gain(&mut s.cobble, 1),
            "action_mine_coal" => mines(self.coal_seen, HeldTool::Wood) && gain(&mut s.coal, 1),
            "action_mine_iron_ore" => mines(self.iron_seen, HeldTool::Stone) && gain(&mut s.iron_ore, 1),
            "action_mine_diamond" => mines(self.diamond_seen, HeldTool::Iron) && gain(&mut s.diamonds, 1),
            "action_craft_planks" => spend(&mut s.logs, 1) && gain(&mut s.planks, 4),
            "action_craft_stick" => spend(&mut s.planks, 2) && gain(&mut s.sticks, 4),
            "action_craft_crafting_table" => spend(&mut s.planks, 4) && gain(&mut s.tables, 1),
            "action_craft_furnace" => self.near_table && spend(&mut s.cobble, 8) && gain(&mut s.furnaces, 1),
            "action_craft_wooden_pickaxe" => s.makes_pickaxe(|s| (&mut s.wooden_pickaxe, &mut s.planks)),
            "action_craft_stone_pickaxe" => s.makes_pickaxe(|s| (&mut s.stone_pickaxe, &mut s.cobble)),
            "action_craft_iron_pickaxe" => s.makes_pickaxe(|s| (&mut s.iron_pickaxe, &mut s.ingots)),
            "action_smelt_iron" => self.near_furnace && s.smelt(),
            "action_equip_wood_pickaxe" => equip(&mut s.hand, HeldTool::Wood, self.wooden_pickaxe),
            "action_equip_stone_pickaxe" => equip(&mut s.hand, HeldTool::Stone, self.stone_pickaxe),
            "action_equip_iron_pickaxe" => equip(&mut s.hand, HeldTool::Iron, self.iron_pickaxe),
            "action_place_crafting_table" => {
                s.near_table = true;
                spend(&mut s.tables, 1)
            }
            "action_place_furnace" => {
                s.near_furnace = true;
                spend(&mut s.furnaces, 1)
            }
            "action_explore_general" => {
                s.leave();
                (s.log_seen, s.stone_seen, s.coal_seen, s.iron_seen) = (true, true, true, true);
                true
            }
            "action_explore_diamond_down" => {
                s.leave();
                (s.log_seen, s.stone_seen, s.coal_seen, s.iron_seen) = (false, true, false, false);
                s.diamond_seen = true;
                !self.diamond_seen
            }
            _ => false,
        };
        if action.starts_with("action_mine_") {
            s.fire = 0;
        }
        ok.then_some(s)
    }

    /// A state with everything that either state has.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Self {
            logs: self.logs.max(other.logs),
            planks: self.planks.max(other.planks),
            sticks: self.sticks.max(other.sticks),
            cobble: self.cobble.max(other.cobble),
            coal: self.coal.max(other.coal),
            iron_ore: self.iron_ore.max(other.iron_ore),
            ingots: self.ingots.max(other.ingots).min(MAX_COUNT as u8),
            diamonds: self.diamonds.max(other.diamonds),
            tables: self.tables.max(other.tables),
            furnaces: self.furnaces.max(other.furnaces),
            fire: self.fire.max(other.fire),
            wooden_pickaxe: self.wooden_pickaxe | other.wooden_pickaxe,
            stone_pickaxe: self.stone_pickaxe | other.stone_pickaxe,
            iron_pickaxe: self.iron_pickaxe | other.iron_pickaxe,
            hand: self.hand.max(other.hand),
            near_table: self.near_table | other.near_table,
            near_furnace: self.near_furnace | other.near_furnace,
            log_seen: self.log_seen | other.log_seen,
            stone_seen: self.stone_seen | other.stone_seen,
            coal_seen: self.coal_seen | other.coal_seen,
            iron_seen: self.iron_seen | other.iron_seen,
            diamond_seen: self.diamond_seen | other.diamond_seen,
        }
    }

    /// Crafts a pickaxe of three of a material. A second pickaxe of one kind is never needed, so pickaxes are flags.
    fn makes_pickaxe(&mut self, parts: impl Fn(&mut Self) -> (&mut bool, &mut u8)) -> bool {
        let (pickaxe, material) = parts(self);
        let is_new = !std::mem::replace(pickaxe, true);
        is_new && spend(material, 3) && spend(&mut self.sticks, 2) && self.near_table
    }

    /// Leaves everything nearby behind.
    fn leave(&mut self) {
        (self.near_table, self.near_furnace, self.diamond_seen, self.fire) = (false, false, false, 0);
    }

    /// Smelts one item and burns fuel in the smelt primitive's order.
    fn smelt(&mut self) -> bool {
        let mut after = *self;
        if !spend(&mut after.iron_ore, 1) {
            return false;
        }
        while after.fire < SMELT {
            if spend(&mut after.coal, 1) {
                after.fire += COAL_FIRE;
            } else if spend(&mut after.logs, 1) || spend(&mut after.planks, 1) {
                after.fire += WOOD_FIRE;
            } else {
                return false;
            }
        }
        after.fire -= SMELT;
        after.ingots += 1;
        *self = after;
        true
    }
}

/// Adds items, at most up to the maximum. Returns whether there was room.
fn gain(count: &mut u8, items: u8) -> bool {
    let has_room = u32::from(*count) < MAX_COUNT;
    *count = (*count + items).min(MAX_COUNT as u8);
    has_room
}

fn spend(count: &mut u8, needed: u8) -> bool {
    let enough = *count >= needed;
    *count = count.saturating_sub(needed);
    enough
}

fn equip(hand: &mut HeldTool, tool: HeldTool, carried: bool) -> bool {
    let changes = carried && *hand != tool;
    *hand = tool;
    changes
}

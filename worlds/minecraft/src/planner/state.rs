//! Symbolic states of the diamond task, and the effects of each action on them.

use super::{Goal, TaskRules};
use crate::abstraction::NEAR;
use crate::blocks::{BLOCKS, Block};
use crate::fuel::SMELT_TICKS;
use crate::items::{Item, Tag};
use crate::observation::MinecraftObservation;

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
pub(super) const ACTIONS: [&str; 20] = [
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
        let seen = |names: &[&str]| names.iter().any(|name| observation.nearby.contains_key(*name));
        let seen_any = |is: fn(Block) -> bool| {
            BLOCKS.iter().any(|block| is(*block) && observation.nearby.contains_key(block.name()))
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
            log_seen: seen_any(Block::is_log),
            stone_seen: seen_any(Block::is_stone),
            coal_seen: seen(&["coal_ore", "deepslate_coal_ore"]),
            iron_seen: seen(&["iron_ore", "deepslate_iron_ore"]),
            diamond_seen: seen(&["diamond_ore", "deepslate_diamond_ore"]),
        }
    }

    /// Returns whether the goal is reached.
    pub fn reached(&self, goal: Goal) -> bool {
        self.with(&goal.0) == *self
    }

    /// The state after an action of table 4; `None` if it would fail or change nothing.
    pub fn after(&self, action: &str, rules: TaskRules) -> Option<Self> {
        let mut s = *self;
        let full = |count: u8| u32::from(count) >= MAX_COUNT;
        let ok = match action {
            "action_mine_log" => {
                s.logs += 1;
                self.log_seen && !full(self.logs)
            }
            "action_mine_stone" => {
                s.cobble += 1;
                self.stone_seen && self.hand >= HeldTool::Wood && !full(self.cobble)
            }
            "action_mine_coal" => {
                s.coal += 1;
                self.coal_seen && self.hand >= HeldTool::Wood && !full(self.coal)
            }
            "action_mine_iron_ore" => {
                s.iron_ore += 1;
                self.iron_seen && self.hand >= HeldTool::Stone && !full(self.iron_ore)
            }
            "action_mine_diamond" => {
                s.diamonds += 1;
                self.diamond_seen && self.hand >= HeldTool::Iron && !full(self.diamonds)
            }
            "action_craft_planks" => {
                s.planks = (s.planks + 4).min(MAX_COUNT as u8);
                spend(&mut s.logs, 1) && !full(self.planks)
            }
            "action_craft_stick" => {
                s.sticks = (s.sticks + 4).min(MAX_COUNT as u8);
                spend(&mut s.planks, 2) && !full(self.sticks)
            }
            "action_craft_crafting_table" => {
                s.tables += 1;
                spend(&mut s.planks, 4) && !full(self.tables)
            }
            "action_craft_furnace" => {
                s.furnaces += 1;
                self.near_table && spend(&mut s.cobble, 8) && !full(self.furnaces)
            }
            // A second pickaxe of one kind is never needed, so pickaxes are flags.
            "action_craft_wooden_pickaxe" => {
                s.wooden_pickaxe = true;
                self.near_table && !self.wooden_pickaxe && spend(&mut s.planks, 3) && spend(&mut s.sticks, 2)
            }
            "action_craft_stone_pickaxe" => {
                s.stone_pickaxe = true;
                self.near_table && !self.stone_pickaxe && spend(&mut s.cobble, 3) && spend(&mut s.sticks, 2)
            }
            "action_craft_iron_pickaxe" => {
                s.iron_pickaxe = true;
                self.near_table && !self.iron_pickaxe && spend(&mut s.ingots, 3) && spend(&mut s.sticks, 2)
            }
            "action_smelt_iron" => {
                self.near_furnace && s.smelt() && {
                    while rules.smelts_all && s.smelt() {}
                    true
                }
            }
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

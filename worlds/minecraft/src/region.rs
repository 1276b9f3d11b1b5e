//! Regions: the places that a player keeps to during an action. They bound its paths and the predictions of the action.
//!
//! Every path is planned inside the action's region, so an action leads no farther, with two exceptions: a fall that no
//! plan predicts, and the actions of others on a server, such as pushing the player, or killing it so that it respawns
//! elsewhere.

use crate::blocks::Block;
use crate::items::{Item, Tier};
use crate::memory::RETURN;
use crate::observation::{BlockPos, MinecraftObservation};
use crate::planner::State;
use crate::player::{is_touched, is_within_reach};
use crate::primitive::{Primitive, Resource};
use crate::recipes::Recipe;

/// The distance by which a path may stray, in blocks: to each side, down, and up.
#[derive(Clone, Copy)]
struct Margin(i32, i32, i32);

/// The margin for a block in sight, up to 32 blocks away, whose position is not known: the path may be a detour.
const IN_SIGHT: Margin = Margin(40, 40, 40);
/// The margin for the nearest block of a kind, or another block like it: the drop may lie deeper.
const TO_RESOURCE: Margin = Margin(40, 6, 40);
/// The margin for a table or furnace whose position is known.
const TO_STATION: Margin = Margin(40, 8, 8);
/// The margin for a table or furnace within reach, but behind another block.
const AT_HAND: Margin = Margin(8, 2, 4);
/// The margin for a place to put a block down: a swimmer looks for land.
const TO_PLACE: Margin = Margin(96, 3, 40);
/// The margin for a block that a player inside the region reaches.
const WITHIN_REACH: Margin = Margin(5, 5, 7);
/// The margin for coming up for air.
const FOR_AIR: Margin = Margin(24, 0, 24);
/// The depth to which paths over the land may lead below it, in blocks.
const BELOW_THE_LAND: i32 = 24;
/// The y of the sea, near which the surface of the land lies.
const SEA: i32 = 62;
/// The y at which iron is searched for: the densest level of the game's ore.
pub(crate) const IRON_LEVEL: i32 = 16;
/// The depth to which a search at a level may lead below it, in blocks.
const BELOW_A_LEVEL: i32 = 16;
/// The height to which a search downwards may lead up, in blocks: out of water, or around an obstacle.
const UP_FIRST: i32 = 24;

/// A box of places, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub low: BlockPos,
    pub high: BlockPos,
}

impl Region {
    /// All places.
    pub const ANYWHERE: Self =
        Self { low: BlockPos::new(i32::MIN, i32::MIN, i32::MIN), high: BlockPos::new(i32::MAX, i32::MAX, i32::MAX) };

    fn of(place: BlockPos) -> Self {
        Self { low: place, high: place }
    }

    fn and(self, place: BlockPos) -> Self {
        let (low, high) = (self.low, self.high);
        Self {
            low: BlockPos::new(low.x.min(place.x), low.y.min(place.y), low.z.min(place.z)),
            high: BlockPos::new(high.x.max(place.x), high.y.max(place.y), high.z.max(place.z)),
        }
    }

    fn grown(self, Margin(sides, down, up): Margin) -> Self {
        let (low, high) = (self.low, self.high);
        let less = |part: i32, by: i32| part.saturating_sub(by);
        let more = |part: i32, by: i32| part.saturating_add(by);
        Self {
            low: BlockPos::new(less(low.x, sides), less(low.y, down), less(low.z, sides)),
            high: BlockPos::new(more(high.x, sides), more(high.y, up), more(high.z, sides)),
        }
    }

    /// The places between two heights.
    fn at_heights(low: i32, high: i32) -> Self {
        let Self { low: least, high: most } = Self::ANYWHERE;
        Self { low: BlockPos { y: low, ..least }, high: BlockPos { y: high, ..most } }
    }

    /// Returns whether a place is inside.
    pub fn contains(&self, place: BlockPos) -> bool {
        let Self { low, high } = self;
        (low.x..=high.x).contains(&place.x)
            && (low.y..=high.y).contains(&place.y)
            && (low.z..=high.z).contains(&place.z)
    }

    /// Returns whether a player inside the region may reach a block.
    pub fn reaches(&self, block: BlockPos) -> bool {
        self.grown(WITHIN_REACH).contains(block)
    }

    /// The region of a player here that goes to a block in sight at any position.
    fn in_sight(feet: BlockPos) -> Self {
        Self::of(feet).grown(IN_SIGHT)
    }

    /// The region of a player here that mines one of several blocks in sight, of which `nearest` is the nearest. Blocks
    /// far below both are left for later.
    pub(crate) fn to_mine(feet: BlockPos, nearest: BlockPos) -> Self {
        let Self { high, .. } = Self::in_sight(feet);
        let Self { low, .. } = Self::of(BlockPos { y: feet.y.min(nearest.y), ..feet }).grown(TO_RESOURCE);
        Self { low, high }
    }

    /// The region of a player here that goes to a table or a furnace.
    pub(crate) fn to_station(feet: BlockPos, station: BlockPos) -> Self {
        Self::of(feet).and(station).grown(if is_within_reach(feet, station) { AT_HAND } else { TO_STATION })
    }

    /// The region of a player here that places a block.
    pub(crate) fn to_place(feet: BlockPos) -> Self {
        Self::of(feet).grown(TO_PLACE)
    }

    /// The region of a player here that explores the land, or digs down for a resource if `digs`.
    pub(crate) fn to_explore(feet: BlockPos, digs: bool) -> Self {
        let low = if digs { feet.y.min(IRON_LEVEL) - BELOW_A_LEVEL } else { feet.y.min(SEA) - BELOW_THE_LAND };
        Self::at_heights(low, i32::MAX)
    }

    /// The region of a player here that digs down.
    pub(crate) fn downwards(feet: BlockPos) -> Self {
        Self::at_heights(i32::MIN, feet.y.saturating_add(UP_FIRST))
    }

    /// The same region with the paths up for air.
    pub(crate) fn for_air(self) -> Self {
        self.grown(FOR_AIR)
    }

    /// The places that a player may reach with a primitive that it begins at this observation.
    pub fn after(observation: &MinecraftObservation, primitive: Primitive) -> Self {
        let feet = observation.position;
        let station = |block: &str| match observation.nearby.get(block) {
            Some(seen) if is_touched(feet, seen.nearest) => Self::of(feet),
            Some(seen) => Self::to_station(feet, seen.nearest),
            // A block marked as unreachable may still be tried, or one that is remembered.
            None => {
                let known = observation.placed.iter().filter(|known| known.block == block && known.distance <= RETURN);
                known.fold(Self::of(feet), |region, known| region.and(known.position)).grown(IN_SIGHT)
            }
        };
        let region = match primitive {
            Primitive::Equip(_) => Self::of(feet),
            Primitive::Craft(item) if Recipe::making(item).any(Recipe::needs_table) => station("crafting_table"),
            Primitive::Craft(_) => Self::of(feet),
            Primitive::SmeltIron => station("furnace"),
            Primitive::Place(_) => Self::to_place(feet),
            Primitive::Mine(resource) => {
                let seen = observation.nearby.iter();
                let of_it = seen.filter(|(name, _)| Block::from_name(name).is_some_and(|block| resource.is(block)));
                let lowest = of_it.map(|(_, seen)| seen.nearest).min_by_key(|nearest| nearest.y);
                lowest.map_or_else(|| Self::in_sight(feet), |lowest| Self::to_mine(feet, lowest))
            }
            Primitive::ExploreGeneral => {
                let carried = observation.inventory.iter().filter(|(_, count)| **count > 0);
                let best = carried.filter_map(|(name, _)| Item::from_name(name)?.pickaxe()).max();
                Self::to_explore(feet, digs_for(State::of(observation).sought(), best))
            }
            Primitive::ExploreDown => Self::downwards(feet),
        };
        let (under_water, near_water) = (observation.head_in_water, observation.hazards.contains_key("water"));
        match region == Self::of(feet) {
            // A player that does not move meets no water.
            true if !under_water && !near_water => region,
            _ if !under_water => region.for_air(),
            // It may come up for air before it begins and after it ends.
            _ => region.for_air().for_air(),
        }
    }
}

/// Returns whether exploring the land for a resource may end with digging down for it, with a pickaxe of this tier.
pub(crate) fn digs_for(sought: Resource, tier: Option<Tier>) -> bool {
    match sought {
        Resource::Stone => tier >= Some(Tier::Wood),
        Resource::Iron => tier >= Some(Tier::Stone),
        _ => false,
    }
}

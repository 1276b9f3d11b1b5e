//! Paths: a search over the places where a player can stand. A path walks, jumps up one block, drops up to three (more
//! only if allowed), and swims. If allowed, it also digs through obstacles and lays floors. It digs straight down
//! through trees, and through dry rock one block at a time, since it knows the blocks below. It also digs shafts beside
//! the feet, no deeper than a harmless drop.
//!
//! The search knows every loaded block, as a client's pathfinder does. It never opens a block beside lava. Its
//! objective is the expected time in ticks: moving, digging, and prices for risks and consumption, such as a pickaxe's
//! wear.

mod moves;
mod places;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use search::{Plan, best};

use super::items::Tier;
use super::land::{Land, Space};
use super::observation::BlockPos;
use super::region::Region;

/// Ticks one step takes.
pub(crate) const WALK: u32 = 5;
pub(crate) const CLIMB: u32 = 8;
pub(crate) const SWIM: u32 = 11;
const SWIM_DIAGONALLY: u32 = 16;

/// The usual price of one use of a pickaxe, in ticks. A stone pickaxe lasts 131 uses and takes about a minute to
/// replace if its ingredients are at hand; one that breaks far from wood costs much more.
pub(crate) const WEAR: u32 = 14;
/// The ticks to dig stone by hand: the price of a block for which no tool has a use left.
pub(crate) const BY_HAND: u32 = 150;

/// Ticks of a jump during which a block is placed under the feet.
pub(crate) const JUMP: u32 = 12;

/// The maximum drop without damage, in blocks.
pub(crate) const DROP: i32 = 3;

/// A step from one place to the next.
pub(crate) type Step = (BlockPos, BlockPos);

/// The blocks that a path may dig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathTool {
    /// The tier of the pickaxe, for blocks that a pickaxe breaks faster.
    pub tier: Tier,
    /// True if such blocks may be dug at all. By hand they take very long.
    pub rock: bool,
}

/// The limits of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathRules<'a> {
    /// The tool for digging; `None` forbids digging.
    pub dig: Option<PathTool>,
    /// The region that it must not leave.
    pub within: Region,
    /// Blocks that it must not change.
    pub keep: &'a [BlockPos],
    /// Steps that it must not take, because they turned out to be impossible.
    pub barred: &'a [Step],
    /// The maximum number of places to expand.
    pub max_nodes: usize,
    /// The maximum drop, in blocks; more than [`DROP`] hurts.
    pub drop: i32,
    /// True if blocks may be laid as a floor, over air and water.
    pub bridge: bool,
    /// True if blocks may be placed under the feet, to climb straight up.
    pub pillar: bool,
    /// The maximum time under water without a breath, in ticks, including the way back to air from a place where the
    /// path ends.
    pub dive: u32,
    /// The part of that time that has passed at the start, in ticks.
    pub dived: u32,
    /// The number of steps from the start back to the last air.
    pub submerged: u32,
    /// The duration of the work at the end, in ticks out of water.
    pub work: u32,
    /// The price of one use of a pickaxe, in ticks.
    pub wear: u32,
}

/// The ticks of one step under water on a server, diving and rising included: slightly more than the game needs.
pub(crate) const STROKE: u32 = 14;
/// The maximum dive, in ticks: that of a full breath.
pub(crate) const DIVE: u32 = 300;
/// The maximum depth under water, in blocks above the head.
const DEEP: i32 = 6;
/// The maximum time under water without a breath, in ticks. Air lasts for 300; slightly longer does little harm.
const DIVING: u32 = 340;
/// The maximum depth from which a body plans to swim straight up, in blocks.
const FAR_BELOW: i32 = 16;
/// The ticks for each block of depth, for the way down and up.
const DESCENT: u32 = 20;

/// The cells that a body passes through in a step, in the order in which they are cleared. They must be open.
pub(crate) fn passage(from: BlockPos, to: BlockPos) -> impl Iterator<Item = BlockPos> {
    let upright = from.x == to.x && from.z == to.z;
    let (lowest, highest) = (to.y, if upright && to.y > from.y { to.y } else { to.y.max(from.y) } + 1);
    let above = (to.y > from.y && !upright).then_some(from.offset(0, 2, 0));
    // A diagonal step brushes the cells on both sides.
    let corners = is_diagonal(from, to).then_some([(from.x, to.z), (to.x, from.z)]);
    let columns = corners.into_iter().flatten().chain([(to.x, to.z)]);
    above
        .into_iter()
        .chain(columns.flat_map(move |(x, z)| (lowest..=highest).rev().map(move |y| BlockPos::new(x, y, z))))
}

/// Returns whether a step goes along both horizontal axes. Such steps are taken only through open water.
pub(crate) fn is_diagonal(from: BlockPos, to: BlockPos) -> bool {
    from.x != to.x && from.z != to.z
}

/// The ticks of a step that ends in water.
pub(crate) fn swim_ticks(from: BlockPos, to: BlockPos) -> u32 {
    if is_diagonal(from, to) { SWIM_DIAGONALLY } else { SWIM }
}

/// The factor on digging times for a player here: 5 under water, 25 if it also floats.
pub(crate) fn hindrance(land: &mut impl Land, feet: BlockPos) -> u32 {
    if land.cell(feet.up()).space == Space::Water { hindrance_under_water(land, feet) } else { 1 }
}

/// The factor for a player under water here, even if the water is yet to flow in.
fn hindrance_under_water(land: &mut impl Land, feet: BlockPos) -> u32 {
    if land.cell(feet.down()).is_floor() { 5 } else { 25 }
}

/// Returns whether a player here has enough air to dig for a time (in ticks out of water), including the way down and
/// up.
pub(crate) fn has_breath(land: &mut impl Land, feet: BlockPos, ticks: u32) -> bool {
    let (digging, depth) = under_water(land, feet, ticks);
    digging + depth * DESCENT <= DIVING
}

/// Returns whether `air` suffices to dig here for a time (in ticks out of water) and to return to air: straight up, or
/// `back` steps.
pub(crate) fn lasts(land: &mut impl Land, feet: BlockPos, ticks: u32, air: u32, back: u32) -> bool {
    let (digging, depth) = under_water(land, feet, ticks);
    let steps = if digging > 0 && water_above(land, feet).is_none() { depth.max(back) } else { depth };
    digging + steps * SWIM <= air
}

/// The number of steps straight up through water to air, for a body whose head is under water. `None` if a block is in
/// the way, or if air is too far. 0 for a head in the air.
pub(crate) fn water_above(land: &mut impl Land, feet: BlockPos) -> Option<u32> {
    for (up, steps) in (1..=FAR_BELOW).zip(0..) {
        match land.cell(feet.offset(0, up, 0)) {
            cell if cell.is_airy() => return Some(steps),
            cell if cell.space != Space::Water => return None,
            _ => {}
        }
    }
    None
}

/// The ticks under water to dig for a time (in ticks out of water), and the blocks of water above; 0 for a head in the
/// air.
fn under_water(land: &mut impl Land, feet: BlockPos, ticks: u32) -> (u32, u32) {
    let times = hindrance(land, feet);
    if times == 1 {
        return (0, 0);
    }
    let wet = |up: &i32| land.cell(feet.offset(0, 1 + up, 0)).space == Space::Water;
    (ticks * times, (1..=DEEP).take_while(wet).count() as u32)
}

/// Returns whether a step to the side needs a block laid under its end.
pub(crate) fn needs_floor(land: &mut impl Land, from: BlockPos, to: BlockPos) -> bool {
    to.y == from.y && !land.cell(to).is_fluid() && !land.cell(to.down()).is_floor()
}

/// Returns whether a step leads straight up, with a block placed under the feet.
pub(crate) fn needs_pillar(land: &mut impl Land, from: BlockPos, to: BlockPos) -> bool {
    to == from.up() && ![from, to].into_iter().any(|pos| land.cell(pos).is_fluid())
}

/// Returns whether the cells that a body passes through in a step are free without digging.
pub(crate) fn is_free(land: &mut impl Land, from: BlockPos, to: BlockPos) -> bool {
    passage(from, to).all(|cell| land.cell(cell).is_free())
}

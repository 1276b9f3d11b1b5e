//! Paths: a search over the places where a player can stand. A path walks, jumps up one, drops up to three (farther only if
//! allowed), swims, and digs through obstacles and lays floors if allowed. It digs straight down through trees, and through dry
//! rock one block at a time, as it knows what is below; and shafts beside the feet, no deeper than a harmless drop.
//!
//! The search knows every loaded block, as a client's pathfinder does. It never opens a block beside lava. Its objective is
//! the expected time in ticks: moving, digging, and the prices of what it risks or uses up, such as a pickaxe's wear.

mod moves;
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

/// The usual price of one use of a pickaxe, in ticks. A stone pickaxe lasts 131 uses and takes about a minute to replace where
/// its ingredients are at hand; one that breaks far from wood costs much more.
pub(crate) const WEAR: u32 = 14;
/// The ticks that stone takes by hand: the price of a use that no tool is left for.
pub(crate) const BY_HAND: u32 = 150;

/// Ticks of a jump with a block put under the feet.
pub(crate) const JUMP: u32 = 12;

/// The largest drop without damage, in blocks.
pub(crate) const DROP: i32 = 3;

/// A step from one place to the next.
pub(crate) type Step = (BlockPos, BlockPos);

/// What a path may dig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathTool {
    /// The pickaxe for what a pickaxe is faster at.
    pub tier: Tier,
    /// Whether that may be dug at all. By hand it takes very long.
    pub rock: bool,
}

/// The limits of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathRules<'a> {
    /// What it may dig; `None` for nothing.
    pub dig: Option<PathTool>,
    /// The places it may lead to.
    pub within: Region,
    /// Blocks it must leave alone.
    pub keep: &'a [BlockPos],
    /// Steps it must not take, because they turned out to be impossible.
    pub barred: &'a [Step],
    /// The largest number of places to expand.
    pub max_nodes: usize,
    /// The largest drop, in blocks; more than [`DROP`] hurts.
    pub drop: i32,
    /// Whether blocks may be laid as a floor, over air and water.
    pub bridge: bool,
    /// Whether blocks may be put under the feet, to climb straight up.
    pub pillar: bool,
    /// The longest time under water at a stretch, in ticks, with the way back to air from a place where it ends.
    pub dive: u32,
    /// The part of that time which is over at the start, in ticks.
    pub dived: u32,
    /// The steps back to the last air from the start.
    pub submerged: u32,
    /// The ticks out of water of the work at the end.
    pub work: u32,
    /// The price of one use of a pickaxe, in ticks.
    pub wear: u32,
}

/// The ticks that one step under water takes on a server, diving and rising included: a little more than the game needs.
pub(crate) const STROKE: u32 = 14;
/// The longest dive, in ticks: that of a full breath.
pub(crate) const DIVE: u32 = 300;
/// The largest depth under water, in blocks above the head.
const DEEP: i32 = 6;
/// The largest time under water at a stretch, in ticks: air lasts for 300, and a little longer does little harm.
const DIVING: u32 = 340;
/// The greatest depth from which a body counts on swimming straight up, in blocks.
const FAR_BELOW: i32 = 16;
/// The part of that time for each block of depth, for the way down and up.
const DESCENT: u32 = 20;

/// The cells a body passes through from one place to the next, which must be open; in the order they are cleared.
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

/// Whether a step goes along both horizontal axes; such steps are taken through open water only.
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

/// The same for a player that is under water here, also where the water is yet to flow in.
fn hindrance_under_water(land: &mut impl Land, feet: BlockPos) -> u32 {
    if land.cell(feet.down()).is_floor() { 5 } else { 25 }
}

/// Whether a player here has enough air to dig for a time (in ticks out of water), including the way down and up.
pub(crate) fn has_breath(land: &mut impl Land, feet: BlockPos, ticks: u32) -> bool {
    let (digging, depth) = under_water(land, feet, ticks);
    digging + depth * DESCENT <= DIVING
}

/// Whether the air that is left suffices to dig here for a time (in ticks out of water) and to come up again: straight up,
/// or as many steps back as it came.
pub(crate) fn lasts(land: &mut impl Land, feet: BlockPos, ticks: u32, air: u32, back: u32) -> bool {
    let (digging, depth) = under_water(land, feet, ticks);
    let steps = if digging > 0 && water_above(land, feet).is_none() { depth.max(back) } else { depth };
    digging + steps * SWIM <= air
}

/// The number of steps straight up through water to air for a body whose head is under water; `None` if something is in the
/// way, or air is far. 0 for a head in the air.
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

/// The ticks under water to dig for a time (in ticks out of water), and the blocks of water above; 0 for a head in the air.
fn under_water(land: &mut impl Land, feet: BlockPos, ticks: u32) -> (u32, u32) {
    let times = hindrance(land, feet);
    if times == 1 {
        return (0, 0);
    }
    let wet = |up: &i32| land.cell(feet.offset(0, 1 + up, 0)).space == Space::Water;
    (ticks * times, (1..=DEEP).take_while(wet).count() as u32)
}

/// Whether a step to the side needs a block laid under its end.
pub(crate) fn needs_floor(land: &mut impl Land, from: BlockPos, to: BlockPos) -> bool {
    to.y == from.y && !land.cell(to).is_fluid() && !land.cell(to.down()).is_floor()
}

/// Whether a step leads straight up with a block put under the feet.
pub(crate) fn needs_pillar(land: &mut impl Land, from: BlockPos, to: BlockPos) -> bool {
    to == from.up() && ![from, to].into_iter().any(|pos| land.cell(pos).is_fluid())
}

/// Whether the cells a body passes through from one place to the next are free as they are.
pub(crate) fn is_free(land: &mut impl Land, from: BlockPos, to: BlockPos) -> bool {
    passage(from, to).all(|cell| land.cell(cell).is_free())
}

//! A dropped item: a stack that lies or falls somewhere in the world.

use azalea_core::position::Vec3;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::ground::Ground;
use ltlcrit_minecraft::observation::BlockPos;

use super::blocks::Blocks;
use super::hull::{ITEM, hull};
use super::names::cell;
use super::physics;
use super::windows::stack::Stack;

/// Ticks after which a dropped item disappears.
const LIFETIME: u64 = 6000;

/// The change of an item's speed in the air, in blocks per tick, each tick.
const GRAVITY: f64 = 0.04;
/// The change of an item's speed in water, where items rise, and the speed at which it ends.
const BUOYANCY: f64 = 5e-4;
const FASTEST_RISE: f64 = 0.06;

/// The change of an item's speed in flowing water, in blocks per tick, each tick.
const CURRENT: f64 = 0.014;

/// The direction (east, south) in which water flows: towards lower levels. Of length 1, or 0 for still water.
fn flow(ground: &mut Ground, pos: BlockPos) -> (f64, f64) {
    let here = f64::from(ground.level(pos));
    let (mut east, mut south) = (0.0, 0.0);
    for (x, z) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let beside = pos.offset(x, 0, z);
        if ground.block(beside) == Block::Water {
            let fall = here - f64::from(ground.level(beside));
            east += f64::from(x) * fall;
            south += f64::from(z) * fall;
        }
    }
    let length = east.hypot(south);
    if length > 0.0 { (east / length, south / length) } else { (0.0, 0.0) }
}

/// A stack in the world.
#[derive(Clone, Debug)]
pub(super) struct DroppedItem {
    pub(super) stack: Stack,
    /// The middle of its bottom.
    pub(super) at: Vec3,
    /// The speed, in blocks per tick.
    pub(super) speed: Vec3,
    /// The tick at which it was dropped.
    born: u64,
    /// The first tick at which it can be picked up.
    pub(super) ready: u64,
    /// The position that clients were last sent.
    pub(super) sent_at: Vec3,
}

impl DroppedItem {
    /// A stack dropped at a tick, to be picked up `delay` ticks later.
    pub(super) fn new(stack: Stack, at: Vec3, speed: Vec3, tick: u64, delay: u64) -> Self {
        Self { stack, at, speed, born: tick, ready: tick + delay, sent_at: at }
    }

    /// Moves it by one tick; `false` if it burns or its time is over.
    pub(super) fn one_tick(&mut self, blocks: &mut Blocks, tick: u64) -> bool {
        let inside = blocks.ground.block(cell(self.at));
        if inside == Block::Lava || tick >= self.born + LIFETIME {
            return false;
        }
        let floats = inside == Block::Water;
        let still = self.speed.x == 0.0 && self.speed.z == 0.0 && !floats;
        let body = hull(self.at, ITEM);
        if still && physics::is_supported(blocks, body) {
            self.speed = Vec3::ZERO;
            return true;
        }
        let lift = match floats {
            true if self.speed.y < FASTEST_RISE => BUOYANCY,
            true => 0.0,
            false => -GRAVITY,
        };
        let (east, south) = if floats { flow(&mut blocks.ground, cell(self.at)) } else { (0.0, 0.0) };
        let wanted =
            Vec3 { x: self.speed.x + CURRENT * east, y: self.speed.y + lift, z: self.speed.z + CURRENT * south };
        let moved = physics::slide(blocks, body, wanted);
        self.at += moved;
        let stopped = |wanted: f64, moved: f64| if (wanted - moved).abs() > 1e-9 { 0.0 } else { moved };
        // On the ground, it soon lies still.
        let friction = if moved.y > wanted.y { 0.5 } else { 0.98 };
        let least = if floats { 0.0 } else { 0.005 };
        let slowed = |speed: f64| if (speed * friction).abs() < least { 0.0 } else { speed * friction };
        self.speed = Vec3 {
            x: slowed(stopped(wanted.x, moved.x)),
            y: stopped(wanted.y, moved.y) * 0.98,
            z: slowed(stopped(wanted.z, moved.z)),
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::grid::Grid;
    use ltlcrit_minecraft::items::Item;
    use ltlcrit_minecraft::terrain::{Terrain, TerrainKind};

    use super::*;

    const FLOOR: i32 = 150;

    /// A trough to the east, high above the land, with water of this depth in its first cells.
    fn trough(depth: i32, cells: i32) -> Blocks {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
        for (x, z) in (0..14).flat_map(|x| (7..=9).map(move |z| (x, z))) {
            for y in 0..=5 {
                let inside = z == 8 && y > 0 && (1..13).contains(&x);
                let block = match (inside, y <= depth && x <= cells) {
                    (false, _) => Block::Stone,
                    (true, true) => Block::Water,
                    (true, false) => Block::Air,
                };
                grid.set(BlockPos::new(x, FLOOR + y, z), block);
            }
        }
        Blocks::new(grid)
    }

    /// The position of an item at rest after some ticks.
    fn drifted(blocks: &mut Blocks, from: Vec3, ticks: u64) -> Vec3 {
        let stack = Stack { item: Item::RawIron, count: 1, wear: 0 };
        let mut item = DroppedItem::new(stack, from, Vec3::ZERO, 0, 0);
        assert!((1..=ticks).all(|tick| item.one_tick(blocks, tick)));
        item.at
    }

    #[test]
    fn items_rise_in_still_water_and_lie_on_land() {
        let from = Vec3 { x: 6.5, y: f64::from(FLOOR + 1), z: 8.5 };
        let up = drifted(&mut trough(4, 12), from, 300);
        assert!(
            (f64::from(FLOOR) + 3.5..f64::from(FLOOR + 6)).contains(&up.y) && (up.x - from.x).abs() < 0.1,
            "{up:?}"
        );
        assert_eq!(drifted(&mut trough(0, 0), from, 300), from);
    }

    #[test]
    fn streams_carry_items_along() {
        let mut blocks = trough(1, 1);
        blocks.ground.put(BlockPos::new(2, FLOOR + 1, 8), Block::Stone);
        blocks.ground.open(BlockPos::new(2, FLOOR + 1, 8));
        (0..100).for_each(|_| blocks.ground.one_tick());
        let from = Vec3 { x: 2.5, y: f64::from(FLOOR + 1), z: 8.5 };
        let there = drifted(&mut blocks, from, 60);
        assert!(there.x > from.x + 3.0, "{there:?}");
    }
}

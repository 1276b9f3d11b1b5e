//! A dropped item: a stack that lies or falls somewhere in the world.

use azalea_core::position::Vec3;
use ltlcrit_minecraft::blocks::Block;

use super::blocks::Blocks;
use super::hull::{ITEM, hull};
use super::names::cell;
use super::physics;
use super::windows::stack::Stack;

/// Ticks after which a dropped item disappears.
const LIFETIME: u64 = 6000;

/// A stack in the world.
#[derive(Clone, Debug)]
pub(super) struct DroppedItem {
    pub(super) stack: Stack,
    /// The middle of its bottom.
    pub(super) at: Vec3,
    /// Blocks a tick.
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
        let still = self.speed.x == 0.0 && self.speed.z == 0.0;
        let body = hull(self.at, ITEM);
        if still && physics::is_supported(blocks, body) {
            self.speed = Vec3::ZERO;
            return true;
        }
        let gravity = if inside == Block::Water { 0.01 } else { 0.04 };
        let wanted = Vec3 { y: self.speed.y - gravity, ..self.speed };
        let moved = physics::slide(blocks, body, wanted);
        self.at += moved;
        let stopped = |wanted: f64, moved: f64| if (wanted - moved).abs() > 1e-9 { 0.0 } else { moved };
        // On the ground it soon lies still.
        let friction = if moved.y > wanted.y { 0.5 } else { 0.98 };
        let slowed = |speed: f64| if (speed * friction).abs() < 0.005 { 0.0 } else { speed * friction };
        self.speed = Vec3 {
            x: slowed(stopped(wanted.x, moved.x)),
            y: stopped(wanted.y, moved.y) * if inside == Block::Water { 0.8 } else { 0.98 },
            z: slowed(stopped(wanted.z, moved.z)),
        };
        true
    }
}

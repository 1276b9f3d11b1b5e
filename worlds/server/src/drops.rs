//! Items lying about: what was dropped, thrown or spilled, until somebody takes it, it burns, or its time is over.

use azalea_core::position::Vec3;
use azalea_protocol::packets::game::ClientboundTakeItemEntity;

use super::names::cell;
use super::physics::{self, ITEM, PLAYER, hull};
use super::realm::Realm;
use super::windows::stack::Stack;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::grid::Grid;
use ltlcrit_minecraft::observation::BlockPos;

/// Ticks before something that fell out of a block can be taken.
const FRESH: u64 = 10;
/// Ticks before something that was thrown can be taken.
const THROWN: u64 = 40;
/// Ticks until it is gone.
const LASTS: u64 = 6000;
/// How many things lie about at most; the oldest go first.
const MOST: usize = 1000;
/// How far around the body hands reach, sideways and up and down, in blocks.
const GRASP: (f64, f64) = (1.0, 0.5);
/// How fast a thing is thrown, in blocks a tick.
const THROW: f64 = 0.3;

/// A stack lying somewhere.
#[derive(Clone, Debug)]
pub(super) struct Drop {
    pub(super) stack: Stack,
    /// The middle of its bottom.
    pub(super) at: Vec3,
    /// Blocks a tick.
    pub(super) speed: Vec3,
    /// The tick it came to lie there.
    born: u64,
    /// The tick from which on it can be taken.
    ripe: u64,
    /// Where clients were told it is.
    pub(super) shown_at: Vec3,
}

impl Drop {
    /// Moves on by one tick; `false` if it burns.
    fn move_on(&mut self, grid: &mut Grid) -> bool {
        let inside = grid.block(cell(self.at));
        if inside == Block::Lava {
            return false;
        }
        let still = self.speed.x == 0.0 && self.speed.z == 0.0;
        let body = hull(self.at, ITEM);
        if still && physics::is_supported(grid, body) {
            self.speed = Vec3::ZERO;
            return true;
        }
        let pull = if inside == Block::Water { 0.01 } else { 0.04 };
        let wish = Vec3 { y: self.speed.y - pull, ..self.speed };
        let went = physics::slide(grid, body, wish);
        self.at += went;
        let stopped = |wish: f64, went: f64| if (wish - went).abs() > 1e-9 { 0.0 } else { went };
        // On the ground it soon lies still.
        let grip = if went.y > wish.y { 0.5 } else { 0.98 };
        let slowed = |speed: f64| if (speed * grip).abs() < 0.005 { 0.0 } else { speed * grip };
        self.speed = Vec3 {
            x: slowed(stopped(wish.x, went.x)),
            y: stopped(wish.y, went.y) * if inside == Block::Water { 0.8 } else { 0.98 },
            z: slowed(stopped(wish.z, went.z)),
        };
        true
    }
}

impl Realm {
    /// Lets a stack fall out of where a block was.
    pub(super) fn drop_at(&mut self, pos: BlockPos, stack: Stack) {
        let at = Vec3 { x: f64::from(pos.x) + 0.5, y: f64::from(pos.y) + 0.25, z: f64::from(pos.z) + 0.5 };
        self.lay(stack, at, Vec3::ZERO, FRESH);
    }

    /// Lets a player throw stacks the way it looks.
    pub(super) fn throw(&mut self, player: i32, stacks: Vec<Stack>) {
        let Some(thrower) = self.players.get(&player) else { return };
        let (yaw, pitch) = (f64::from(thrower.look.y_rot()).to_radians(), f64::from(thrower.look.x_rot()).to_radians());
        let flat = THROW * pitch.cos();
        let speed = Vec3 { x: -yaw.sin() * flat, y: 0.1 - THROW * pitch.sin(), z: yaw.cos() * flat };
        let eyes = thrower.eyes();
        for stack in stacks {
            self.lay(stack, Vec3 { y: eyes.y - 0.3, ..eyes }, speed, THROWN);
        }
    }

    /// Lets a player who died lose everything on the spot.
    pub(super) fn spill(&mut self, at: Vec3, stacks: Vec<Stack>) {
        for stack in stacks {
            self.lay(stack, Vec3 { y: at.y + 0.3, ..at }, Vec3::ZERO, THROWN);
        }
    }

    /// Lets a stack lie, or go on falling, where it did.
    pub(super) fn lay_again(&mut self, stack: Stack, at: Vec3, speed: Vec3) {
        self.lay(stack, at, speed, FRESH);
    }

    fn lay(&mut self, stack: Stack, at: Vec3, speed: Vec3, delay: u64) {
        let born = self.ground.tick;
        let number = self.next_number();
        self.drops.insert(number, Drop { stack, at, speed, born, ripe: born + delay, shown_at: at });
        while self.drops.len() > MOST {
            self.drops.pop_first();
        }
    }

    /// One tick of everything that lies about: it falls, burns, is taken, or is gone.
    pub(super) fn move_drops(&mut self) {
        let tick = self.ground.tick;
        let grid = &mut self.ground.grid;
        self.drops.retain(|_, drop| tick < drop.born + LASTS && drop.move_on(grid));
        let mut taken: Vec<(i32, i32, u32)> = Vec::new();
        for player in self.players.values_mut().filter(|player| player.is_alive()) {
            let hands = hull(player.at, PLAYER).grown(GRASP.0, GRASP.1);
            for (number, drop) in &mut self.drops {
                if tick < drop.ripe || drop.stack.count == 0 || !hands.meets(&hull(drop.at, ITEM)) {
                    continue;
                }
                let left = player.screen.inventory_mut().add(drop.stack).map_or(0, |left| left.count);
                if left < drop.stack.count {
                    taken.push((*number, player.id, drop.stack.count - left));
                    drop.stack.count = left;
                }
            }
        }
        for (number, player, count) in taken {
            let packet =
                ClientboundTakeItemEntity { item_id: number.unsigned_abs(), player_id: player.into(), amount: count };
            self.tell_watchers(number, packet);
            match self.drops.get(&number).map(|drop| drop.stack.count) {
                Some(0) => {
                    self.drops.remove(&number);
                }
                _ => self.show_contents(number),
            }
        }
    }
}

//! Walks along a list of cells, steered tick by tick.
//!
//! The steering runs in the engine's game tick, before the body moves, because a decision one tick late could miss the
//! edge of a cliff. It computes the point where the body would come to rest without input, and pushes from there
//! towards the next cell. So the body neither cuts corners nor overshoots.

mod sprint;

use azalea::app::{App, Plugin};
use azalea::block::{BlockState, BlockTrait};
use azalea::core::position::{BlockPos as AzaleaPos, Vec3};
use azalea::core::tick::GameTick;
use azalea::ecs::prelude::*;
use azalea::entity::metadata::Sprinting;
use azalea::entity::{Jumping, LocalEntity, LookDirection, Physics, Position};
use azalea::local_player::WorldHolder;
use azalea::movement::send_sprinting_if_needed;
use azalea::physics::PhysicsSystems;
use azalea::{PhysicsState, WalkDirection};
use ltlcrit_minecraft::land::{Cell, Space};
use ltlcrit_minecraft::observation::BlockPos;

use super::classify::cell_of;
use super::link::ReleaseControls;
use super::state::SharedState;

/// The number of ticks for one step after which the body counts as stuck.
const PATIENCE: u32 = 50;
/// The number of ticks for one step in water and during a fall after which the body counts as stuck.
const WET_PATIENCE: u32 = 120;
/// The distance from the middle of a cell within which the body stops, in blocks.
const CLOSE: f64 = 0.18;
/// The distance from the middle within which the body may turn, in blocks.
const TURN: f64 = 0.24;
/// The distance from the line between two cells above which the body counts as off its path, in blocks.
const ASTRAY: f64 = 1.1;
/// The number of following cells to check: a body may pass a cell between two ticks.
const AHEAD: usize = 3;
/// The speed below which a body counts as standing, in blocks per tick.
const STILL: f64 = 0.012;
/// The distance that a body drifts further in water, as a multiple of its speed: it keeps four fifths of its speed each
/// tick.
pub(super) const WATER_DRIFT: f64 = 4.0;
/// The maximum speed over an edge of two blocks or more, in blocks per tick.
const CAREFUL: f64 = 0.09;

/// Adds the system that steers bodies.
pub(super) struct WalkPlugin;

impl Plugin for WalkPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(GameTick, steer.before(PhysicsSystems).after(azalea::entity::update_in_loaded_chunk))
            .add_systems(GameTick, tell_sprint.after(PhysicsSystems).before(send_sprinting_if_needed))
            .add_observer(release_controls);
    }
}

/// A walk of a body along a list of cells.
#[derive(Component, Debug)]
pub(super) struct Walk {
    /// The first cell.
    start: BlockPos,
    /// The cells to step to.
    way: Vec<BlockPos>,
    /// The ticks of air needed at each of these cells to continue under water; unlisted cells need none.
    breath: Vec<u32>,
    /// The number of cells it has reached.
    pub done: usize,
    /// Ticks since it reached the last cell.
    ticks: u32,
    /// True if the body sprints in water in this tick.
    sprints: bool,
    /// True if the walk has ended early and the body is coming to rest.
    stopping: bool,
    /// True if the walk has ended and the body is at rest.
    pub over: bool,
}

impl Walk {
    /// A walk along these steps, with the air needed to continue after each.
    pub fn new(start: BlockPos, way: &[BlockPos], breath: &[u32]) -> Self {
        Self {
            start,
            way: way.to_vec(),
            breath: breath.to_vec(),
            done: 0,
            ticks: 0,
            sprints: false,
            stopping: way.is_empty(),
            over: false,
        }
    }

    /// The ticks of air needed to continue from the last cell reached.
    fn breath_needed(&self) -> u32 {
        self.done.checked_sub(1).and_then(|last| self.breath.get(last)).copied().unwrap_or(0)
    }

    /// The cell where the current step began.
    fn from(&self) -> BlockPos {
        self.done.checked_sub(1).and_then(|last| self.way.get(last)).copied().unwrap_or(self.start)
    }
}

/// The cell that contains a body's feet.
pub(super) fn feet(position: &Vec3, on_ground: bool) -> BlockPos {
    // Some blocks to stand on are slightly lower than a full block.
    let lift = if on_ground { 0.2 } else { 0.01 };
    BlockPos::new(position.x.floor() as i32, (position.y + lift).floor() as i32, position.z.floor() as i32)
}

/// The block that a body rests on.
fn below(position: &Vec3) -> AzaleaPos {
    AzaleaPos::new(position.x.floor() as i32, (position.y - 0.5).floor() as i32, position.z.floor() as i32)
}

/// The middle of a cell's floor.
fn middle(cell: BlockPos) -> (f64, f64) {
    (f64::from(cell.x) + 0.5, f64::from(cell.z) + 0.5)
}

/// The input for a body in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct MoveInput {
    /// The direction to walk in; `None` for no movement.
    direction: Option<(f64, f64)>,
    jump: bool,
    sink: bool,
}

/// Releases every key, including keys that no walk pressed.
fn release_controls(
    event: On<ReleaseControls>,
    mut players: Query<(&mut PhysicsState, &mut Jumping)>,
    mut commands: Commands,
) {
    if let Ok((mut keys, mut jumping)) = players.get_mut(event.entity) {
        keys.move_direction = WalkDirection::None;
        keys.trying_to_sprint = false;
        keys.trying_to_crouch = false;
        **jumping = false;
    }
    commands.entity(event.entity).try_remove::<Walk>();
}

#[allow(clippy::type_complexity)]
fn steer(
    mut players: Query<(
        &mut Walk,
        &SharedState,
        &WorldHolder,
        &Position,
        &mut Physics,
        &mut PhysicsState,
        &mut Jumping,
        &mut LookDirection,
    )>,
) {
    for (mut walk, shared, world, position, mut physics, mut keys, mut jumping, mut look) in &mut players {
        if walk.over {
            continue;
        }
        let world = world.shared.read();
        let cell =
            |pos: BlockPos| world.get_block_state(AzaleaPos::new(pos.x, pos.y, pos.z)).map_or(Cell::UNKNOWN, cell_of);
        let (air, food) = {
            let state = shared.lock();
            let air = state.can_act().then(|| u32::try_from(state.air).unwrap_or(0));
            (air, state.food)
        };
        let body = BodyState {
            position: **position,
            velocity: physics.velocity,
            on_ground: physics.on_ground(),
            wet: physics.is_in_water(),
            glide: glide(world.get_block_state(below(position)).unwrap_or_default()),
        };
        let push = walk.advance(&body, &cell, air);
        tracing::trace!(pos = ?**position, v = ?physics.velocity, ground = physics.on_ground(), wet = physics.is_in_water(), ?push, done = walk.done, "steer");
        walk.sprints = push.direction.is_some() && walk.may_sprint(&body, &cell, food);
        keys.trying_to_sprint = walk.sprints;
        keys.trying_to_crouch = push.sink;
        keys.move_direction = if push.direction.is_some() { WalkDirection::Forward } else { WalkDirection::None };
        if **jumping != push.jump {
            **jumping = push.jump;
        }
        if walk.sprints {
            physics.velocity.x *= sprint::GAIN;
            physics.velocity.z *= sprint::GAIN;
        }
        if push.sink && body.wet {
            // The game's client sinks a swimmer that holds the sneak key by this much; azalea does not.
            physics.velocity.y -= 0.04;
        }
        if let Some((x, z)) = push.direction {
            look.update(LookDirection::new((-x).atan2(z).to_degrees() as f32, 0.0));
        }
    }
}

/// Passes to azalea which bodies sprint; azalea informs the server. azalea itself ends every sprint in water at the
/// beginning of a tick.
fn tell_sprint(mut players: Query<(Option<&Walk>, &mut Sprinting), With<LocalEntity>>) {
    for (walk, mut sprinting) in &mut players {
        let sprints = walk.is_some_and(|walk| walk.sprints && !walk.over);
        **sprinting = sprints;
    }
}

/// The part of a body's state that the steering uses.
struct BodyState {
    position: Vec3,
    velocity: Vec3,
    on_ground: bool,
    wet: bool,
    /// The fraction of its speed that it keeps each tick on the block below: 0.546, and much more on ice.
    glide: f64,
}

/// The factor of air on the speed of a body, each tick.
const AIR_DRAG: f64 = 0.91;

/// The fraction of its speed that a body keeps each tick on a block.
fn glide(below: BlockState) -> f64 {
    AIR_DRAG * f64::from(Box::<dyn BlockTrait>::from(below).behavior().friction)
}

impl BodyState {
    fn feet(&self) -> BlockPos {
        feet(&self.position, self.on_ground)
    }

    /// The horizontal drift without input until the body reaches the height `y`.
    fn drift(&self, y: f64) -> (f64, f64) {
        let reach = if self.wet {
            WATER_DRIFT
        } else if self.on_ground {
            1.0 / (1.0 - self.glide)
        } else {
            // Air keeps 0.91 of the speed per tick, as long as the fall lasts.
            let (mut height, mut speed) = (self.position.y - y, self.velocity.y);
            let (mut reach, mut kept) = (0.0, 1.0);
            for _ in 0..20 {
                reach += kept;
                kept *= AIR_DRAG;
                height += speed;
                if height <= 0.0 && speed <= 0.0 {
                    break;
                }
                speed = (speed - 0.08) * 0.98;
            }
            reach + 1.2 * kept
        };
        (self.velocity.x * reach, self.velocity.z * reach)
    }

    fn speed(&self) -> f64 {
        self.velocity.x.hypot(self.velocity.z)
    }
}

impl Walk {
    /// Runs one tick: updates the cells reached, and returns the next input. `air` is the ticks of air left; `None` for
    /// a player that cannot act.
    fn advance(&mut self, body: &BodyState, cell: &dyn Fn(BlockPos) -> Cell, air: Option<u32>) -> MoveInput {
        self.ticks += 1;
        self.reach(body);
        let feet = body.feet();
        if !self.stopping {
            let eyes_wet = cell(feet.up()).space == Space::Water;
            let buried = [feet, feet.up()].into_iter().any(|part| cell(part).falls);
            self.stopping = self.done == self.way.len()
                // The check does not apply before the first step, which may be one upwards for air.
                || (self.done > 0 && eyes_wet && air.is_none_or(|air| air < self.breath_needed()))
                || buried
                || self.ticks > if body.wet || !body.on_ground { WET_PATIENCE } else { PATIENCE }
                || self.is_astray(body)
                || (self.done > 0 && !self.is_open(feet, cell));
        }
        if self.stopping {
            return self.rest(body, cell);
        }
        self.push(body, cell)
    }

    /// Returns whether a body in water may sprint along its path now.
    fn may_sprint(&self, body: &BodyState, cell: &dyn Fn(BlockPos) -> Cell, food: u32) -> bool {
        let eyes = Vec3::new(body.position.x, body.position.y + sprint::EYES, body.position.z);
        let eyes_wet = cell(feet(&eyes, false)).space == Space::Water;
        let ahead = self.way.iter().skip(self.done).copied();
        body.wet && food >= sprint::FOOD && !self.stopping && sprint::is_open(self.from(), ahead, eyes_wet, cell)
    }

    /// Counts the cells reached. A body that walks off an edge may land beyond the cell below the edge.
    fn reach(&mut self, body: &BodyState) {
        let feet = body.feet();
        while !self.stopping {
            let ahead = self.way.iter().skip(self.done).take(AHEAD).position(|to| *to == feet);
            let Some(skipped) = ahead.filter(|_| body.on_ground || body.wet) else { return };
            let at = self.done + skipped;
            let (to, from) = (feet, at.checked_sub(1).map_or(self.start, |before| self.way[before]));
            let straight = self.way.get(at + 1).is_some_and(|next| {
                (next.x - to.x, next.z - to.z) == (to.x - from.x, to.z - from.z) && next.y >= to.y - 1
            });
            let (x, z) = middle(to);
            let away = (body.position.x - x).abs().max((body.position.z - z).abs());
            if !straight && away > TURN {
                return;
            }
            self.done = at + 1;
            self.ticks = 0;
        }
    }

    /// Returns whether the next step's passage is open. Only checked before the body begins the step.
    fn is_open(&self, feet: BlockPos, cell: &dyn Fn(BlockPos) -> Cell) -> bool {
        let from = self.from();
        let Some(to) = self.way.get(self.done).copied() else { return true };
        feet != from || passage(from, to).all(|part| cell(part).is_free())
    }

    /// Returns whether the body is too far from its path, or has fallen off it.
    fn is_astray(&self, body: &BodyState) -> bool {
        let from = self.from();
        let to = self.way.get(self.done).copied().unwrap_or(from);
        let ((ax, az), (bx, bz)) = (middle(from), middle(to));
        let (dx, dz) = (bx - ax, bz - az);
        let length = dx.hypot(dz);
        let (px, pz) = (body.position.x - ax, body.position.z - az);
        let along = if length > 0.0 { ((px * dx + pz * dz) / (length * length)).clamp(0.0, 1.0) } else { 0.0 };
        let off = (px - along * dx).hypot(pz - along * dz);
        let low = f64::from(from.y.min(to.y));
        off > ASTRAY || body.position.y < low - 0.6 && (body.on_ground || body.position.y < low - 2.0) && !body.wet
    }

    /// Ends the walk once the body is at rest.
    fn rest(&mut self, body: &BodyState, cell: &dyn Fn(BlockPos) -> Cell) -> MoveInput {
        let feet = body.feet();
        let (x, z) = middle(feet);
        let (drift_x, drift_z) = body.drift(f64::from(feet.y));
        let (dx, dz) = (x - body.position.x - drift_x, z - body.position.z - drift_z);
        let centred = dx.hypot(dz) <= CLOSE;
        // Over a floor, the body comes to stand there.
        let floats = body.wet && cell(feet).space == Space::Water && !cell(feet.down()).is_floor();
        // The resting position is known in advance, so a body on the ground need not stand still.
        let held = body.on_ground || floats && body.speed() < STILL;
        if (centred && held) || self.ticks > WET_PATIENCE {
            self.over = true;
            return MoveInput { jump: floats, ..MoveInput::default() };
        }
        let sink = body.wet && !floats && !body.on_ground;
        MoveInput { direction: (!centred).then_some((dx, dz)), jump: floats, sink }
    }

    /// Steers towards the next cell.
    fn push(&self, body: &BodyState, cell: &dyn Fn(BlockPos) -> Cell) -> MoveInput {
        let from = self.from();
        let Some(to) = self.way.get(self.done).copied() else { return MoveInput::default() };
        let next = self.way.get(self.done + 1).copied();
        let (heading_x, heading_z) = (to.x - from.x, to.z - from.z);
        let straight =
            next.is_some_and(|next| (next.x - to.x, next.z - to.z) == (heading_x, heading_z) && next.y >= to.y);
        let aim = if straight { next.unwrap_or(to) } else { to };
        let (x, z) = middle(aim);
        let (drift_x, drift_z) = body.drift(f64::from(to.y));
        let (dx, dz) = (x - body.position.x - drift_x, z - body.position.z - drift_z);
        let climbs = f64::from(to.y) - body.position.y;
        let vertical = (heading_x, heading_z) == (0, 0);
        let deep = from.y - to.y >= 2;
        let hold_back = deep && body.on_ground && body.speed() > CAREFUL;
        let wants = dx.hypot(dz) > if vertical { CLOSE } else { 0.06 };
        let direction = (wants && !hold_back).then_some((dx, dz));
        if body.wet {
            // The feet stay in the lower half of their cell; under a ceiling they stay near its bottom, so that the
            // head fits.
            let low = !vertical && !cell(to.offset(0, 2, 0)).is_free();
            let (rise, above, below) =
                if low { (climbs - WATER_DRIFT * body.velocity.y, -0.05, -0.2) } else { (climbs, -0.3, -0.7) };
            // This does not apply on the ground, where a sneaking body stops at edges.
            return MoveInput { direction, jump: rise > above, sink: rise < below && !body.on_ground };
        }
        let jump = to.y > from.y && climbs > 0.3 && body.on_ground;
        MoveInput { direction, jump, sink: false }
    }
}

/// The cells that a body passes through from one cell to the next.
pub(super) fn passage(from: BlockPos, to: BlockPos) -> impl Iterator<Item = BlockPos> {
    let upright = from.x == to.x && from.z == to.z;
    let top = if upright { to.y + 1 } else { to.y.max(from.y) + 1 };
    let above = (to.y > from.y && !upright).then_some(from.offset(0, 2, 0));
    // A diagonal step, through water, brushes the cells on both sides.
    let corners = (from.x != to.x && from.z != to.z).then_some([(from.x, to.z), (to.x, from.z)]);
    let columns = corners.into_iter().flatten().chain([(to.x, to.z)]);
    let heights = move || (to.y..=top).rev();
    above.into_iter().chain(columns.flat_map(move |(x, z)| heights().map(move |y| BlockPos::new(x, y, z))))
}

#[cfg(test)]
mod tests;

//! Sprinting swimmers. The server is told when a sprint begins and ends, as by the game's client.

use azalea::app::App;
use azalea::core::position::Vec3;
use azalea::core::tick::GameTick;
use azalea::ecs::prelude::*;
use azalea::entity::LocalEntity;
use azalea::entity::metadata::Sprinting;
use azalea::movement::send_sprinting_if_needed;
use azalea::physics::PhysicsSystems;
use ltlcrit_minecraft::land::{Cell, Space};
use ltlcrit_minecraft::observation::BlockPos;

use super::{BodyState, Walk, feet};

/// The part of its speed that a sprinting swimmer keeps each tick, over that of one that does not sprint: 0.9 over 0.8. azalea
/// lets nobody sprint in water.
pub(super) const GAIN: f64 = 0.9 / 0.8;
/// The number of steps straight ahead for which a swimmer sprints.
const AHEAD: usize = 3;
/// The least hunger of a body that can sprint, in half drumsticks.
const FOOD: u32 = 7;
/// The height of the eyes over the feet, in blocks.
const EYES: f64 = 1.62;

/// Adds the system that tells of sprints.
pub(super) fn add(app: &mut App) {
    app.add_systems(GameTick, tell_sprint.after(PhysicsSystems).before(send_sprinting_if_needed));
}

/// Tells azalea who sprints, which tells the server, before the position is sent: the server may hold a swimmer that does not
/// sprint for too fast. azalea itself ends every sprint in water at the beginning of a tick.
fn tell_sprint(mut players: Query<(Option<&Walk>, &mut Sprinting), With<LocalEntity>>) {
    for (walk, mut sprinting) in &mut players {
        let sprints = walk.is_some_and(|walk| walk.sprints && !walk.over);
        if **sprinting != sprints {
            **sprinting = sprints;
        }
    }
}

impl BodyState {
    /// Whether the eyes of the standing body are in water.
    fn eyes_wet(&self, cell: &dyn Fn(BlockPos) -> Cell) -> bool {
        let eyes = Vec3::new(self.position.x, self.position.y + EYES, self.position.z);
        cell(feet(&eyes, false)).space == Space::Water
    }
}

impl Walk {
    /// Whether a swimming body has open water straight ahead, so that it need not steer or stop soon, and neither dives nor comes
    /// up on the way. A server lays a sprinting swimmer flat while its eyes are under water, and leaves it so until it stops
    /// sprinting: at the surface its head would stay under water.
    pub(super) fn may_sprint(&self, body: &BodyState, cell: &dyn Fn(BlockPos) -> Cell, food: u32) -> bool {
        if !body.wet || food < FOOD {
            return false;
        }
        let eyes_wet = body.eyes_wet(cell);
        let mut from = self.from();
        let ahead = self.way.iter().skip(self.done).take(AHEAD);
        let mut heading = None;
        let mut steps = 0;
        for to in ahead {
            let step = (to.x - from.x, to.y - from.y, to.z - from.z);
            let straight = *heading.get_or_insert(step) == step && step.1 == 0;
            let stays = (cell(to.up()).space == Space::Water) == eyes_wet;
            let on = straight && stays && cell(*to).space == Space::Water;
            if !on {
                return false;
            }
            from = *to;
            steps += 1;
        }
        steps == AHEAD && !self.stopping
    }
}

//! The position and motion of a body.

use azalea::core::position::Vec3;
use azalea::entity::{LookDirection, Physics, Position};

/// The height of a standing player's eyes above its feet, in blocks.
pub(super) const EYE_HEIGHT: f64 = 1.62;

/// The position and motion of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    /// The middle of the feet.
    pub position: Vec3,
    /// The velocity, in blocks per tick.
    pub velocity: Vec3,
    /// True if it stands on a block.
    pub on_ground: bool,
}

impl Stance {
    pub fn of(position: &Position, physics: &Physics) -> Self {
        Self { position: **position, velocity: physics.velocity, on_ground: physics.on_ground() }
    }

    /// The position of the eyes.
    pub fn eyes(&self) -> Vec3 {
        Vec3::new(self.position.x, self.position.y + EYE_HEIGHT, self.position.z)
    }
}

/// The direction from one point to another.
pub(super) fn direction(eyes: Vec3, point: Vec3) -> LookDirection {
    let (dx, dy, dz) = (point.x - eyes.x, point.y - eyes.y, point.z - eyes.z);
    let yaw = (-dx).atan2(dz).to_degrees();
    let pitch = -dy.atan2(dx.hypot(dz)).to_degrees();
    LookDirection::new(yaw as f32, pitch as f32)
}

//! Chooses the direction in which rubble is thrown.

use azalea::core::position::Vec3;
use ltlcrit_minecraft::observation::BlockPos;

use super::player::{Player, cell};
use super::stance::Stance;
use super::walk;

/// The distance that thrown items fly, in blocks.
const THROW: i32 = 5;

impl Player {
    /// The point to look at so that a thrown item flies farthest: in the direction with the most open cells.
    pub(crate) fn open_side(&mut self, stance: &Stance) -> Vec3 {
        let feet = walk::feet(&stance.position, stance.on_ground);
        let ways = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        let room = |player: &mut Self, (dx, dz): (i32, i32)| {
            let open =
                |player: &mut Self, pos: BlockPos| !cell(player, pos).is_firm() && !cell(player, pos.up()).is_firm();
            (1..=THROW).take_while(|step| open(player, feet.offset(dx * step, 0, dz * step))).count()
        };
        let mut best = (0, (0, 1));
        for way in ways {
            let found = room(self, way);
            if found > best.0 {
                best = (found, way);
            }
        }
        let eyes = stance.eyes();
        let (dx, dz) = (f64::from(best.1.0), f64::from(best.1.1));
        // The direction points slightly upwards, so that the item flies far.
        Vec3::new(eyes.x + 4.0 * dx, eyes.y + 1.0, eyes.z + 4.0 * dz)
    }
}

//! Sprinting swimmers: the conditions for sprinting in water.

use ltlcrit_minecraft::land::{Cell, Space};
use ltlcrit_minecraft::observation::BlockPos;

/// The speed that a sprinting swimmer keeps each tick, relative to one that does not sprint: 0.9 over 0.8. azalea
/// itself does not support sprinting in water.
pub(super) const GAIN: f64 = 0.9 / 0.8;
/// The number of steps straight ahead for which a swimmer sprints.
const AHEAD: usize = 3;
/// The minimum hunger of a body that can sprint, in half drumsticks.
pub(super) const FOOD: u32 = 7;
/// The height of the eyes above the feet, in blocks.
pub(super) const EYES: f64 = 1.62;

/// Returns whether a swimming body has open water straight ahead, so that it need not steer or stop soon, and neither
/// dives nor surfaces. A server lays a sprinting swimmer flat while its eyes are under water, until it stops sprinting.
/// At the surface, its head would therefore stay under water.
pub(super) fn is_open(
    mut from: BlockPos,
    way: impl Iterator<Item = BlockPos>,
    eyes_wet: bool,
    cell: &dyn Fn(BlockPos) -> Cell,
) -> bool {
    let mut heading = None;
    let mut steps = 0;
    for to in way.take(AHEAD) {
        let step = (to.x - from.x, to.y - from.y, to.z - from.z);
        let straight = *heading.get_or_insert(step) == step && step.1 == 0;
        let stays = (cell(to.up()).space == Space::Water) == eyes_wet;
        if !straight || !stays || cell(to).space != Space::Water {
            return false;
        }
        from = to;
        steps += 1;
    }
    steps == AHEAD
}

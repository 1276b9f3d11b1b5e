//! Trees of the other woods: dark and pale oak, cherry, mangrove, jungle. Positions are relative to a chunk, and parts
//! outside it are left out, so that a tree can stand on a border.

use rand::RngExt;
use rand_pcg::Pcg32;

use super::features::{crown, disc, trunk};
use super::plan::{ColumnPlan, Onto, SEA_LEVEL};
use crate::blocks::Block;

/// A trunk of four columns. It begins below the lowest ground, so that it stands on slopes.
fn thick_trunk(plan: &mut ColumnPlan, [x, y, z]: [i32; 3], height: i32, log: Block) {
    for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        trunk(plan, [x + dx, y - 3, z + dz], height + 3, log);
    }
}

/// Dark oak or pale oak: a short thick trunk under a crown that touches its neighbours'.
pub(super) fn roofed(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3], [log, leaves]: [Block; 2]) {
    let height = rng.random_range(6..9);
    thick_trunk(plan, [x, y, z], height, log);
    for offset in [0, 1] {
        crown(plan, [x + offset, y + height - 2, z + offset], &[3, 4, 3, 2], leaves);
    }
}

/// Cherry: a bent trunk under a wide, flat crown.
pub(super) fn cherry(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3]) {
    let height = rng.random_range(4..7);
    trunk(plan, [x, y, z], height, Block::CherryLog);
    let (dx, dz) = [(1, 0), (-1, 0), (0, 1), (0, -1)][rng.random_range(0..4)];
    for branch in [-1, 1] {
        let reach = rng.random_range(2..4);
        for step in 1..=reach {
            plan.lay(x + branch * dx * step, y + height - 2, z + branch * dz * step, Block::CherryLog, Onto::Air);
        }
        let end = [x + branch * dx * reach, y + height - 1, z + branch * dz * reach];
        trunk(plan, end, 2, Block::CherryLog);
        crown(plan, end, &[2, 3, 2], Block::CherryLeaves);
    }
    crown(plan, [x, y + height, z], &[3, 2], Block::CherryLeaves);
}

/// Mangrove: a trunk that begins above the water on a cone of roots.
pub(super) fn mangrove(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3]) {
    let foot = y.max(SEA_LEVEL + 1) + rng.random_range(1..4);
    let height = rng.random_range(5..9);
    let roots = |plan: &mut ColumnPlan, dx: i32, dz: i32, top: i32| {
        for at in y - 3..=top {
            plan.lay(x + dx, at, z + dz, Block::MangroveRoots, Onto::Open);
        }
    };
    roots(plan, 0, 0, foot - 1);
    for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        for step in 1..=rng.random_range(1..4) {
            roots(plan, dx * step, dz * step, foot - step);
        }
    }
    trunk(plan, [x, foot, z], height, Block::MangroveLog);
    crown(plan, [x, foot + height - 2, z], &[3, 3, 2, 1], Block::MangroveLeaves);
}

/// A jungle tree of the height of a birch or twice that.
pub(super) fn jungle(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3]) {
    let height = rng.random_range(5..11);
    trunk(plan, [x, y, z], height, Block::JungleLog);
    crown(plan, [x, y + height - 2, z], &[2, 2, 1, 1], Block::JungleLeaves);
}

/// A giant of the jungle with crowns on several levels.
pub(super) fn jungle_giant(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3]) {
    let height = rng.random_range(18..29);
    thick_trunk(plan, [x, y, z], height, Block::JungleLog);
    crown(plan, [x, y + height - 1, z], &[5, 4, 2], Block::JungleLeaves);
    for _ in 0..3 {
        let (dx, dz) = [(3, 0), (-2, 0), (0, 3), (0, -2)][rng.random_range(0..4)];
        let at = rng.random_range(height / 2..height - 3);
        plan.lay(x + dx, y + at, z + dz, Block::JungleLog, Onto::Air);
        plan.lay(x + dx - dx.signum(), y + at, z + dz - dz.signum(), Block::JungleLog, Onto::Air);
        disc(plan, [x + dx, y + at + 1, z + dz], 2, Block::JungleLeaves);
    }
}

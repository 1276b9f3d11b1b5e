//! Sight: the range of vision, and the rule for the visible blocks within it.

use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

use super::observation::BlockPos;

/// The range of vision, in blocks from the eyes to a block's centre.
pub const RANGE: f64 = 32.0;

/// The rule for which blocks in range are visible. Stone must always be exposed: there would be tens of thousands.
/// Exposed blocks of caves are visible out of the line of sight, too.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumMessage, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Sight {
    /// Blocks with a see-through neighbour, as a server with anti-x-ray shows them
    #[default]
    Exposed,
    /// All blocks but stone, buried ones too, as in the LTLCrit paper
    Loaded,
}

/// The distance from the eyes to a block's centre.
pub fn distance(eyes: [f64; 3], pos: BlockPos) -> f64 {
    let [x, y, z] = eyes;
    let (dx, dy, dz) = (f64::from(pos.x) + 0.5 - x, f64::from(pos.y) + 0.5 - y, f64::from(pos.z) + 0.5 - z);
    (dx * dx + dy * dy + dz * dz).sqrt()
}

/// The distance from the eyes to the nearest point of a section, given in units of 16 blocks.
pub(crate) fn section_distance(eyes: [f64; 3], section: [i32; 3]) -> f64 {
    let squares = section.iter().zip(eyes).map(|(part, eye)| {
        let low = f64::from(part * 16);
        let away = (low - eye).max(eye - low - 16.0).max(0.0);
        away * away
    });
    squares.sum::<f64>().sqrt()
}

/// The kind of block to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisibleKind {
    /// Ores, logs, tables and furnaces: [`Block::is_landmark`](super::blocks::Block::is_landmark).
    Landmarks,
    /// Stone: [`Block::is_stone`](super::blocks::Block::is_stone).
    Stone,
}

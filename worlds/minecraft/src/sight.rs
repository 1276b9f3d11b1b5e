//! Sight: which blocks within 32 blocks a player is shown.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::blocks::{BLOCK_KINDS, BLOCKS, Block};
use super::land::Land;
use super::observation::{BlockPos, Sighting};

/// How far blocks are seen, in blocks from the eyes to the block's centre.
pub const RANGE: f64 = 32.0;

/// What is shown of the blocks in range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// Blocks with a see-through neighbour, wherever it is: no x-ray into solid rock, though caves out of the line of
    /// sight are shown. It is what a server with anti-x-ray tells its clients.
    #[default]
    Exposed,
    /// Every block of the loaded terrain, as the paper's client sees them. Stone is listed where it is exposed even so:
    /// there would be tens of thousands.
    Loaded,
}

/// The kinds of block in sight: how many, and the nearest.
#[derive(Clone, Debug)]
pub struct Seen([Option<Sighting>; BLOCK_KINDS]);

impl Default for Seen {
    fn default() -> Self {
        Self([None; BLOCK_KINDS])
    }
}

impl Seen {
    /// What was seen of a kind.
    pub fn of(&self, block: Block) -> Option<Sighting> {
        self.0[block as usize]
    }

    /// The kinds seen.
    pub fn iter(&self) -> impl Iterator<Item = (Block, Sighting)> + '_ {
        BLOCKS.into_iter().filter_map(|block| Some((block, self.of(block)?)))
    }

    fn add(&mut self, block: Block, nearest: BlockPos, distance: f64) {
        match &mut self.0[block as usize] {
            Some(sighting) => {
                sighting.count += 1;
                // Ties go to the lower position, so that the order of looking does not matter.
                if (distance, nearest) < (sighting.distance, sighting.nearest) {
                    (sighting.nearest, sighting.distance) = (nearest, distance);
                }
            }
            empty => *empty = Some(Sighting { count: 1, nearest, distance }),
        }
    }
}

/// The distance from the eyes to a block's centre.
pub fn distance(eyes: [f64; 3], pos: BlockPos) -> f64 {
    let [x, y, z] = eyes;
    let (dx, dy, dz) = (f64::from(pos.x) + 0.5 - x, f64::from(pos.y) + 0.5 - y, f64::from(pos.z) + 0.5 - z);
    (dx * dx + dy * dy + dz * dz).sqrt()
}

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Ores, logs, tables and furnaces.
    Landmarks,
    /// Stone.
    Stone,
}

/// Everything in sight but some blocks.
pub fn see(land: &mut impl Land, eyes: [f64; 3], sight: Sight, but: &FxHashSet<BlockPos>) -> Seen {
    let mut seen = Seen::default();
    for look in [Look::Landmarks, Look::Stone] {
        land.look(eyes, sight, look, |pos, block, distance| {
            if !but.contains(&pos) {
                seen.add(block, pos, distance);
            }
        });
    }
    seen
}

//! Sight: which blocks within 32 blocks a player is shown.

use serde::{Deserialize, Serialize};

use super::blocks::{BLOCK_KINDS, BLOCKS, Block};
use super::grid::{Grid, position};
use super::observation::{BlockPos, Sighting};
use super::terrain::{MIN_Y, SECTIONS};

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
#[derive(Clone, Debug, Default)]
pub struct Seen([Option<Sighting>; BLOCK_KINDS]);

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

/// Calls `visit` with every block in sight and its distance.
pub fn look(grid: &mut Grid, eyes: [f64; 3], sight: Sight, what: Look, mut visit: impl FnMut(BlockPos, Block, f64)) {
    let chunks = |coordinate: f64| {
        let at = |far: f64| (coordinate + far).floor() as i32 >> 4;
        at(-RANGE)..=at(RANGE)
    };
    let bottom = MIN_Y >> 4;
    for cz in chunks(eyes[2]) {
        for cx in chunks(eyes[0]) {
            for cy in chunks(eyes[1]) {
                let Ok(section) = usize::try_from(cy - bottom) else { continue };
                if section >= SECTIONS || gap([cx, cy, cz], eyes) > RANGE {
                    continue;
                }
                let list = match (what, sight) {
                    (Look::Stone, _) => &grid.exposed(cx, section, cz).stone,
                    (Look::Landmarks, Sight::Exposed) => &grid.exposed(cx, section, cz).landmarks,
                    (Look::Landmarks, Sight::Loaded) => grid.landmarks(cx, section, cz),
                };
                for (index, block) in list {
                    let pos = position(cx, section, cz, *index);
                    let away = distance(eyes, pos);
                    if away <= RANGE {
                        visit(pos, *block, away);
                    }
                }
            }
        }
    }
}

/// The distance from the eyes to a section's nearest point.
fn gap(section: [i32; 3], eyes: [f64; 3]) -> f64 {
    let squares = section.iter().zip(eyes).map(|(part, eye)| {
        let low = f64::from(part * 16);
        let away = (low - eye).max(eye - low - 16.0).max(0.0);
        away * away
    });
    squares.sum::<f64>().sqrt()
}

/// Everything in sight.
pub fn see(grid: &mut Grid, eyes: [f64; 3], sight: Sight) -> Seen {
    let mut seen = Seen::default();
    look(grid, eyes, sight, Look::Landmarks, |pos, block, distance| seen.add(block, pos, distance));
    look(grid, eyes, sight, Look::Stone, |pos, block, distance| seen.add(block, pos, distance));
    seen
}

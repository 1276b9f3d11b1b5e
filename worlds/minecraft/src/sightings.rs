//! The blocks in sight: the number and the nearest block of each kind.

use super::blocks::{BLOCK_KINDS, BLOCKS, Block};
use super::land::Land;
use super::observation::{BlockPos, Sighting};
use super::sight::{Sight, VisibleKind};

/// The sighting of each kind of block.
#[derive(Clone, Debug)]
pub struct Sightings([Option<Sighting>; BLOCK_KINDS]);

impl Default for Sightings {
    fn default() -> Self {
        Self([None; BLOCK_KINDS])
    }
}

impl Sightings {
    /// The sighting of a kind.
    pub fn of(&self, block: Block) -> Option<Sighting> {
        self.0[block as usize]
    }

    /// The kinds in sight.
    pub fn iter(&self) -> impl Iterator<Item = (Block, Sighting)> + '_ {
        BLOCKS.into_iter().filter_map(|block| Some((block, self.of(block)?)))
    }

    fn add(&mut self, block: Block, nearest: BlockPos, distance: f64) {
        match &mut self.0[block as usize] {
            Some(sighting) => {
                sighting.count += 1;
                // Equal distances prefer the lower position, so that the order of visits does not matter.
                if (distance, nearest) < (sighting.distance, sighting.nearest) {
                    (sighting.nearest, sighting.distance) = (nearest, distance);
                }
            }
            empty => *empty = Some(Sighting { count: 1, nearest, distance }),
        }
    }
}

/// Everything in sight except some blocks.
pub fn see(land: &mut impl Land, eyes: [f64; 3], sight: Sight, except: impl Fn(BlockPos) -> bool) -> Sightings {
    let mut seen = Sightings::default();
    for kind in [VisibleKind::Landmarks, VisibleKind::Stone] {
        land.visit_visible(eyes, sight, kind, |pos, block, distance| {
            if !except(pos) {
                seen.add(block, pos, distance);
            }
        });
    }
    seen
}

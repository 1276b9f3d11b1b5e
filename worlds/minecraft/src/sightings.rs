//! The blocks in sight: the number and the nearest block of each kind.

use std::collections::BTreeMap;

use super::blocks::Block;
use super::land::Land;
use super::observation::{BlockPos, Sighting};
use super::sight::{Sight, VisibleKind};

/// The sighting of each kind of block in sight.
pub type Sightings = BTreeMap<Block, Sighting>;

/// Everything in sight except some blocks.
pub fn see(land: &mut impl Land, eyes: [f64; 3], sight: Sight, except: impl Fn(BlockPos) -> bool) -> Sightings {
    let mut seen = Sightings::new();
    for kind in [VisibleKind::Landmarks, VisibleKind::Stone] {
        land.visit_visible(eyes, sight, kind, |pos, block, distance| {
            if except(pos) {
                return;
            }
            let sighting = seen.entry(block).or_insert(Sighting { count: 0, nearest: pos, distance });
            sighting.count += 1;
            // Equal distances prefer the lower position, so that the order of visits does not matter.
            if (distance, pos) < (sighting.distance, sighting.nearest) {
                (sighting.nearest, sighting.distance) = (pos, distance);
            }
        });
    }
    seen
}

//! Values for places: a search keeps one for each place that it saw.

use rustc_hash::FxHashMap;

use crate::observation::BlockPos;

/// The side of a section in blocks, as a power of two.
const SIDE: u32 = 3;
const VOLUME: usize = 1 << (3 * SIDE);
/// The sections to each side that [`Places::recent`] tells apart, as a power of two.
const RECENT: u32 = 2;

/// The position of a section, in units of its side: x, y, z.
type SectionPos = (i32, i32, i32);

/// One value for each place, stored section by section. Neighbouring places are neighbours in memory, so that a look-up
/// takes a few nanoseconds.
#[derive(Debug)]
pub(super) struct Places<T> {
    /// The value of the places that were not set.
    unset: T,
    values: Vec<T>,
    /// The index of each section's first value.
    index: FxHashMap<SectionPos, usize>,
    /// Some of these indices, by the low bits of the section's position.
    recent: [(SectionPos, usize); 1 << (3 * RECENT)],
}

fn section(pos: BlockPos) -> SectionPos {
    (pos.x >> SIDE, pos.y >> SIDE, pos.z >> SIDE)
}

/// The number formed from the low bits of three coordinates.
fn low_bits((x, y, z): (i32, i32, i32), bits: u32) -> usize {
    let low = |part: i32| part as usize & ((1 << bits) - 1);
    (low(y) << bits | low(z)) << bits | low(x)
}

impl<T: Copy> Places<T> {
    pub fn new(unset: T) -> Self {
        let recent = [((i32::MAX, i32::MAX, i32::MAX), 0); 1 << (3 * RECENT)];
        Self { unset, values: Vec::new(), index: FxHashMap::default(), recent }
    }

    /// The value of a place.
    pub fn get(&self, pos: BlockPos) -> T {
        let section = section(pos);
        let (at, first) = self.recent[low_bits(section, RECENT)];
        let first = if at == section { Some(first) } else { self.index.get(&section).copied() };
        first.map_or(self.unset, |first| self.values[first + low_bits((pos.x, pos.y, pos.z), SIDE)])
    }

    /// The value of a place, to be set.
    pub fn get_mut(&mut self, pos: BlockPos) -> &mut T {
        let section = section(pos);
        let recent = &mut self.recent[low_bits(section, RECENT)];
        if recent.0 != section {
            let first = *self.index.entry(section).or_insert_with(|| {
                self.values.resize(self.values.len() + VOLUME, self.unset);
                self.values.len() - VOLUME
            });
            *recent = (section, first);
        }
        &mut self.values[recent.1 + low_bits((pos.x, pos.y, pos.z), SIDE)]
    }
}

//! Caverns: wide hollows at high values of a noise, and the groundwater that fills some caves.

use noise::Perlin;

use super::caves::{HIGH, Lattice, WIDE, corners, edge, sample};
use super::plan::{MIN_Y, mix};

/// Noise units a block, horizontally and vertically: caverns are wider than high.
const CAVERN: [f64; 2] = [1.0 / 58.0, 1.0 / 30.0];
const WATER: [f64; 2] = [1.0 / 80.0, 1.0 / 48.0];
/// The noise value above which caves hold water. Slightly below it, rock separates them from dry caves.
const FLOODED: f32 = 0.36;
const BARRIER: f32 = 0.07;
/// The heights with groundwater.
const WATERY: std::ops::Range<i32> = -52..44;

/// The noises of caverns and groundwater.
#[derive(Clone, Debug)]
pub(super) struct Caverns {
    cavern: Perlin,
    water: Perlin,
    /// The noise value above which there is a cavern: 0.42 hollows out a tenth of the rock, 0.1 a third.
    threshold: f32,
}

/// The contents of a hollow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    Dry,
    Water,
    /// Rock between a flooded cave and a dry one.
    Rock,
}

/// The groundwater of a section, sampled on first use.
#[derive(Debug)]
pub(super) struct Groundwater<'a> {
    noise: &'a Perlin,
    section: [i32; 3],
    lattice: Option<Box<Lattice>>,
}

impl Caverns {
    pub(super) fn new(seed: u64, threshold: f32) -> Self {
        let noise = |salt: i32| Perlin::new(mix(seed, salt, 12, 0) as u32);
        Self { cavern: noise(1), water: noise(2), threshold }
    }

    /// Calls `carve` for every cell of a section that belongs to a cavern. Caverns end some blocks below the surface.
    pub(super) fn carve(&self, section: [i32; 3], mut carve: impl FnMut(usize)) {
        let bottom = MIN_Y + 16 * section[1];
        // Caverns become rarer above y 36.
        let limit = |y: i32| self.threshold + 0.02 * (y - 36).max(0) as f32;
        let lattice = sample(&self.cavern, CAVERN, section);
        if lattice.iter().all(|value| *value <= limit(bottom)) {
            return;
        }
        for cell in 0..16 * 16 * 16 / (WIDE * WIDE * HIGH) {
            let (x, z, y) = (cell % 4, cell / 4 % 4, cell / 16);
            let values = corners(&lattice, [x, y, z]);
            if values.iter().all(|value| *value <= limit(bottom + (y * HIGH) as i32)) {
                continue;
            }
            for row in 0..WIDE * HIGH {
                let (iz, iy) = (row % WIDE, row / WIDE);
                let [from, to] = edge(&values, [iz as f32 / WIDE as f32, iy as f32 / HIGH as f32]);
                let limit = limit(bottom + (y * HIGH + iy) as i32);
                for ix in 0..WIDE {
                    if from + (to - from) * (ix as f32 / WIDE as f32) > limit {
                        carve((y * HIGH + iy) * 256 + (z * WIDE + iz) * 16 + x * WIDE + ix);
                    }
                }
            }
        }
    }

    /// The groundwater of a section.
    pub(super) fn groundwater(&self, section: [i32; 3]) -> Groundwater<'_> {
        Groundwater { noise: &self.water, section, lattice: None }
    }
}

impl Groundwater<'_> {
    /// The contents of a hollow cell of the section.
    pub(super) fn filling(&mut self, index: usize) -> Filling {
        let y = MIN_Y + 16 * self.section[1] + (index / 256) as i32;
        if !WATERY.contains(&y) {
            return Filling::Dry;
        }
        let lattice = self.lattice.get_or_insert_with(|| Box::new(sample(self.noise, WATER, self.section)));
        let (x, z, y) = (index % 16, index / 16 % 16, index / 256);
        let values = corners(lattice, [x / WIDE, y / HIGH, z / WIDE]);
        let [from, to] = edge(&values, [(z % WIDE) as f32 / WIDE as f32, (y % HIGH) as f32 / HIGH as f32]);
        match from + (to - from) * ((x % WIDE) as f32 / WIDE as f32) - FLOODED {
            0.0.. => Filling::Water,
            wet if wet > -BARRIER => Filling::Rock,
            _ => Filling::Dry,
        }
    }
}
